"""Hypothesis strategies for documents: every str kind, line end, heading family, list and table."""

from __future__ import annotations

from hypothesis import strategies as st

CLUSTERS = (
    "e\u0301",
    "👨‍👩‍👧",
    "👍🏽",
    "🇨🇳",
    "각",
    "ก็",
    "नि",
    "क्षि",
    "龘",
    "\u1100\u1161\u11a8",
    "A\u0327\u0301",
    "☎\ufe0f",
    "𝒳",
    "𠮷",
)
LINE_ENDS = ("\n", "\r\n", "\r", "\u2028", "\u0085")
BLANKS = (" ", "\t", "\u3000", "\xa0", "\n", "\r\n", "\u200b", "\f")
ASCII_WORDS = (
    "the",
    "insurer",
    "pays",
    "Dr.",
    "U.S.",
    "3.14",
    "v1.2.3",
    "e.g.",
    "No. 5",
    "a",
    "https://x.org/a.b?c=d",
    "benefit",
    "it's",
    "<b>",
    "a,b",
)
LATIN_WORDS = ("café", "naïve", "über", "Straße", "½", "«ça»", "§", "año")
CHINESE_WORDS = (
    "保险人",
    "应当",
    "给付",
    "保险金",
    "《保险法。总则》",
    "投保人",
    "第三条",
    "10日内",
    "的",
    "“约定”",
    "Ａ１",
    "3.14元",
    "（一）项",
)
ASTRAL_WORDS = ("👍🏽", "𠮷野", "👨‍👩‍👧", "🇨🇳", "𝒳𝒴", "ok")
ENDS = (".", "!", "?", "。", "！", "？", "？！", "……", "...", "；", ";", ".”", "。”", "。）", "")

raw_text = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from("ab .,:;|#-\n\r\t\u3000。；：（一）1第章条<>`é保\u0301\u200d\u200b\ufeff\ufffd"),
    ),
    max_size=120,
)
ascii_text = st.text(st.characters(max_codepoint=0x7F), max_size=120)
latin_text = st.text(st.characters(max_codepoint=0xFF), max_size=120)
wide_text = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=("Cs",)), max_size=120)
cluster_text = st.lists(st.sampled_from((*CLUSTERS, "a", " ", "保")), max_size=40).map("".join)


def words_of(kind: str) -> tuple[str, ...]:
    return {
        "ascii": ASCII_WORDS,
        "latin": ASCII_WORDS + LATIN_WORDS,
        "chinese": (*CHINESE_WORDS, "the", "3.14"),
        "astral": CHINESE_WORDS + ASTRAL_WORDS + LATIN_WORDS,
    }[kind]


@st.composite
def sentences(draw: st.DrawFn, kind: str, longest: int = 14) -> str:
    words = draw(st.lists(st.sampled_from(words_of(kind)), min_size=1, max_size=longest))
    return ("" if kind == "chinese" else " ").join(words) + draw(st.sampled_from(ENDS))


@st.composite
def paragraphs(draw: st.DrawFn, kind: str) -> str:
    text = draw(st.sampled_from(("", " ", "\n"))).join(draw(st.lists(sentences(kind), min_size=1, max_size=6)))
    if draw(st.integers(0, 9)) == 0:  # a word that no separator helps with
        text += draw(st.sampled_from("aé保👍")) * draw(st.integers(20, 200))
    return text


def headings(number: int, kind: str) -> list[str]:
    """Heading lines of every family, for the same number."""
    chinese = "一二三四五六七八九十"[(number - 1) % 10]
    circled = chr(0x2460 + (number - 1) % 20)
    letter = chr(ord("a") + (number - 1) % 26)
    title = "保险责任" if kind in ("chinese", "astral") else "Benefits"
    return [
        f"# {title}",
        f"## {number}. {title}",
        f"### {title} ###",
        f"{title}\n====",
        f"{title}\n---",
        f"第{chinese}编 总 则",
        f"第{chinese}章 {title}",
        f"第{chinese}节　{title}",
        f"第{chinese}条",
        f"第{number}条 {title}",
        f"第{chinese}条之一 为了保护投保人，制定本法。",
        f"{chinese}、{title}",
        f"（{chinese}）{title}",
        f"({chinese}) {title}",
        f"{number}. {title}",
        f"{number}．{title}",
        f"{number}、{title}",
        f"{number}.1 {title}",
        f"1.{number}{title}",
        f"1.1.{number} {title}",
        f"（{number}）{title}",
        f"{number}） {title}",
        f"{circled}{title}",
        f"{letter}) {title}",
        f"({letter}) {title}",
        f"{letter.upper()}. {title}",
        f"附录{letter.upper()} {title}",
        f"附件{number}",
        f"附表{number}：{title}",
        f"Part {number}",
        f"Chapter {number} {title}",
        f"Article {number}",
        f"Section {number}. {title}",
        f"§ {number} {title}",
        f"II. {title}",
        f"Schedule {number}",
        f"Annex {letter.upper()}",
        f"**{number}.1 {title}**",
        f"\u3000\u3000第{chinese}章 {title}",
        f"{number}.{number}\n{title}",
        f"1.{number} {title} ........ {number}",
    ]


@st.composite
def heading_lines(draw: st.DrawFn, kind: str) -> str:
    return draw(st.sampled_from(headings(draw(st.integers(1, 12)), kind)))


MARKS = ("- ", "* ", "{n}. ", "{n}) ", "（{n}）", "({n}) ", "（{c}）", "{c}、", "{l}) ", "({l}) ", "①", "——")


@st.composite
def list_blocks(draw: st.DrawFn, kind: str) -> str:
    """A lead-in and its items, some nested, on lines of their own or inside one paragraph."""
    lead = draw(
        st.sampled_from(
            ("有下列情形之一的，保险人不承担责任：", "The following are excluded:", "包括：", "Conditions apply.", "")
        )
    )
    mark, inner = draw(st.sampled_from(MARKS)), draw(st.sampled_from(MARKS))
    inline = draw(st.integers(0, 3)) == 0
    rows = [lead] if lead else []
    for n in range(1, draw(st.integers(2, 7))):
        names = {"n": n, "c": "一二三四五六七八九十"[n - 1], "l": "abcdefghij"[n - 1]}
        item = draw(sentences(kind, 6)).rstrip("。.") + draw(st.sampled_from(("；", ";", "。", ".", "", ":", "：")))
        rows.append(mark.format(**names) + item)
        if not inline and draw(st.integers(0, 3)) == 0:
            rows += [
                f"  {inner.format(n=k, c='一二三'[k - 1], l='abc'[k - 1])}{draw(sentences(kind, 4))}" for k in (1, 2)
            ]
    return ("" if inline else "\n").join(rows)


@st.composite
def tables(draw: st.DrawFn, kind: str) -> str:
    """Pipe, HTML, TSV or bare rows under one to three header rows, some with a caption."""
    columns, count = draw(st.integers(2, 5)), draw(st.integers(1, 12))
    header_rows = draw(st.integers(1, 3))
    heads = [
        [f"{draw(st.sampled_from(('年龄', '保费', 'Age', 'é', 'Premium')))}{i}" for i in range(columns)]
        for _ in range(header_rows)
    ]
    rows = [
        [str(18 + r)]
        + [
            draw(st.sampled_from(("3500", "1.25", "", "a\\|b", "45%", "是", "👍🏽", "x " * 30)))
            for _ in range(columns - 1)
        ]
        for r in range(count)
    ]
    form = draw(st.sampled_from(("markdown", "pipe", "bare", "html", "th", "spans", "tsv", "csv")))
    caption = draw(st.sampled_from(("", "表1 费率表\n单位：元\n", "Table 1: rates\n")))
    if form in ("html", "th", "spans"):
        cell = "th" if form == "th" else "td"
        lines = ["<tr>" + "".join(f"<{cell}>{c}</{cell}>" for c in row) + "</tr>" for row in heads]
        if form == "spans":
            lines[0] = f'<tr><td rowspan="{len(heads)}">年龄</td><td colspan="{columns - 1}">保费</td></tr>'
        lines += ["<tr>" + "".join(f"<td>{c.replace('👍', '&amp;')}</td>" for c in row) + "</tr>" for row in rows]
        return caption + "<table>" + draw(st.sampled_from(("", "\n"))).join(lines) + "</table>"
    if form in ("tsv", "csv"):
        return caption + "\n".join(("\t" if form == "tsv" else ",").join(row) for row in heads + rows)
    if form == "bare":
        return caption + "\n".join(" | ".join(row) for row in heads + rows)
    delimiter = ["|" + "---|" * columns] if form == "markdown" else []
    return caption + "\n".join(
        [
            *("| " + " | ".join(row) + " |" for row in heads),
            *delimiter,
            *("| " + " | ".join(row) + " |" for row in rows),
        ]
    )


@st.composite
def code(draw: st.DrawFn) -> str:
    fence = draw(st.sampled_from(("```", "~~~", "````")))
    inside = draw(
        st.sampled_from(
            (
                "# note\n\tx = 1\n",
                "第一章 总则\n| a | b |\n",
                "```\nnested\n" if fence == "````" else "a\n\n\nb\n",
                "1. x\n2. y\n" * 8,
            )
        )
    )
    return f"{fence}py\n{inside}" + (
        f"{fence}\n" if draw(st.booleans()) else ""
    )  # open to the end of the text otherwise


FURNITURE = ("\f", "[P12]", "第 3 页 共 20 页", "- 12 -", "Page 3 of 20", "目录", "\u200b", "   ", "\ufeff")


@st.composite
def built(draw: st.DrawFn) -> str:
    """A document of headings, paragraphs, lists, tables and code, in one str kind and with mixed line ends."""
    kind = draw(st.sampled_from(("ascii", "latin", "chinese", "astral")))
    blocks = draw(
        st.lists(
            st.one_of(
                heading_lines(kind),
                heading_lines(kind),
                paragraphs(kind),
                paragraphs(kind),
                list_blocks(kind),
                tables(kind),
                code(),
                st.sampled_from(FURNITURE),
            ),
            min_size=1,
            max_size=9,
        )
    )
    text = draw(st.sampled_from(("", "", "\ufeff", "\n\n"))) + draw(st.sampled_from(("\n", "\n\n"))).join(blocks)
    ends = draw(st.sampled_from((("\n",), ("\n",), ("\r\n",), LINE_ENDS)))
    if len(ends) == 1:
        return text.replace("\n", ends[0])
    return "".join(line + draw(st.sampled_from(ends)) for line in text.split("\n"))


blank_text = st.text(st.sampled_from("".join(BLANKS)), max_size=20)

documents = st.one_of(built(), built(), built(), raw_text, ascii_text, latin_text, wide_text, cluster_text, blank_text)

chunk_sizes = st.one_of(st.integers(1, 64), st.integers(1, 12), st.sampled_from((100, 128, 256, 512, 1024)))
