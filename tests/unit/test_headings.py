"""Headings: what opens a section, what only looks like it, and how sections nest."""

import pytest

from chunkfast import HeaderLevel, Heading, StructureChunker, detect_header_level, outline

BODY = "本合同的内容由双方约定，并在保险单上载明。"
WRAPPED = "投保人提出申请并经保险人审核同意后合同成立保险人应当及时向投保人签发保险单证"  # fills a line


def rows(text: str) -> list[tuple[int, str, str]]:
    return [(h.level, h.number, h.title) for h in outline(text)]


def numbers(text: str) -> list[str]:
    return [h.number for h in outline(text)]


def wrapped(*parts: str) -> str:
    """Lines of a page, enough full ones around them that the text counts as hard-wrapped."""
    full = "\n".join([WRAPPED, WRAPPED[3:] + "及其他", WRAPPED, WRAPPED[5:] + "有关材料", "到此为止。"])
    return "\n".join(f"{part}\n{full}" for part in parts) + "\n"


def test_heading_fields():
    text = f"前言。\n\n# 1.1 保险责任\n\n{BODY}\n"
    heading = outline(text)[0]
    assert heading == Heading(1, "1.1", "保险责任", text.index("#"), text.index("任") + 1, "1.1")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("第一章 总则", "第二章 分则"),
        ("第一条 目的", "第二条 范围"),
        ("第一条", "第二条"),
        ("一、背景", "二、内容"),
        ("（一）范围", "（二）方式"),
        ("1. 总体情况", "2. 实施方式"),
        ("1．总体情况", "2．实施方式"),
        ("1.1 合同构成", "1.2 投保年龄"),
        ("1.1合同构成", "1.2投保年龄"),
        ("1.1.1 合同构成", "1.1.2 投保年龄"),
        ("１．１ 合同构成", "１．２ 投保年龄"),
        ("**1.1 保险责任**", "**1.2 责任免除**"),
        ("\u3000\u3000一、背景", "\u3000\u3000二、内容"),
        ("\ufeff第一章 总则", "第二章 分则"),
        ("Chapter 1 General", "Chapter 2 Scope"),
        ("Part I General", "Part II Scope"),
        ("Article 1 Purpose", "Article 2 Scope"),
        ("§ 1 Purpose", "§ 2 Scope"),
        ("I. Purpose", "II. Scope"),
        ("附录A 术语", "附录B 公式"),
        ("Schedule A", "Schedule B"),
        ("# Purpose", "# Scope"),
    ],
)
def test_families(first, second):
    text = f"{BODY}\n\n{first}\n{BODY}\n\n{second}\n{BODY}\n"
    assert [(h.level, text[h.start_index : h.end_index]) for h in outline(text)] == [
        (1, first.strip("\u3000\ufeff*")) if "**" not in first else (1, first[: -len("**")]),
        (1, second.strip("\u3000")) if "**" not in second else (1, second[: -len("**")]),
    ]


@pytest.mark.parametrize(
    "line",
    [
        *(
            "第三条规定的情形除外。",
            "第三条、第四条同样适用",
            "第三条第二款所述情形",
            "第十四条规定。",
            "11.5.2的要求见下。",
        ),
        *(
            "Article 5 applies to all.",
            "Section 5(1) of the Act",
            "2024年1月1日",
            "2024-12-24 发布",
            "20%，且减少后的",
            "80 周岁（含），且",
        ),
        *(
            "3.5亿元",
            "9/L，血小板",
            "1000；经我们核保",
            "（1）没有指定受益人；",
            "一、将第一条修改为：“为了规范",
            "part ii item 5. market for",
        ),
        *("1979年7月1日 第五届", "# 指下列情形之一：", "# （1)原位癌；", "#话题", "    # indented", "- item"),
    ],
)
def test_no_heading(line):
    assert outline(f"{BODY}\n\n{line}\n{BODY}\n") == []


def test_articles_glued_to_their_text():
    text = "第一条 为了保护权益。\n第二条本法适用于境内。\n第二条之一 境外。\n第四条规定的除外。\n第三条 施行。\n"
    assert rows(text) == [(1, n, "") for n in ("第一条", "第二条", "第二条之一", "第三条")]


def test_articles_of_an_excerpt_have_gaps():
    text = f"第三条 房东应当维修。{BODY}\n第九条 租客应当爱护房屋。{BODY}\n第二十条押金应当退还。{BODY}\n"
    assert numbers(text) == ["第三条", "第九条", "第二十条"]
    quoted = "第一条 总则。\n第九条 引文。\n第二条 租期。\n第三条 租金。\n"
    assert numbers(quoted) == ["第一条", "第二条", "第三条"]


def test_code_is_not_read():
    code = "```\n# note\n## 2. x\n```\n\n~~~sh\n```\n# note\n~~~\n"
    text = f"# Title\n\n## One\ntext\n\n{code}\n## Two\ntext\n\n````\n```\n# open\n"
    assert [h.title for h in outline(text)] == ["One", "Two"]


def test_markdown_levels_and_setext():
    text = "# T\n\n## A\nx\n\n### B\nx\n\n## C ##\nx\n\nD\n---\n\nx\n\nE\n===\n\nx\n"
    assert [(h.level, h.title) for h in outline(text)] == [(1, "A"), (2, "B"), (1, "C"), (1, "D"), (1, "E")]


def test_own_title_is_no_heading():
    text = f"# 某某保险条款\n\n# 阅读指引\n\n{BODY}\n\n# 某某保险条款\n\n# 1. 总则\n\n{BODY}\n\n# 2. 责任\n\n{BODY}\n"
    assert [h.title for h in outline(text)] == ["阅读指引", "总则", "责任"]


def test_flat_markdown_nests_by_number():
    text = "\n\n".join(
        [
            "# 条款",
            BODY,
            "# 1. 合同",
            "# 1.1 构成",
            BODY,
            "# 身故保险金",
            BODY,
            "1.2 年龄",
            BODY,
            "# 2. 保障",
            "# 2.1 责任",
            BODY,
        ]
    )
    assert rows(text) == [
        (1, "1.", "合同"),
        (2, "1.1", "构成"),
        (3, "", "身故保险金"),
        (2, "1.2", "年龄"),
        (1, "2.", "保障"),
        (2, "2.1", "责任"),
    ]


def test_law_nests_by_family():
    text = "# 法\n\n## 第一编 总则\n\n### 第一章 任务\n\n第一条 甲。\n\n### 第二章 罪\n\n"
    text += "#### 第一节 责\n\n第二条 乙。\n\n## 第二编 分则\n\n第三条 丙。\n"
    assert [(h.level, h.number) for h in outline(text)] == [
        *(
            (1, "第一编"),
            (2, "第一章"),
            (3, "第一条"),
            (2, "第二章"),
            (3, "第一节"),
            (4, "第二条"),
            (1, "第二编"),
            (2, "第三条"),
        ),
    ]


def test_order_of_first_appearance():
    lines = [
        "第一章 总则",
        "1.1 范围",
        "（一）甲类",
        BODY,
        "1．子项一",
        BODY,
        "2．子项二",
        BODY,
        "（二）乙类",
        BODY,
        "1.2 定义",
        BODY,
        "第二章 附则",
        BODY,
    ]
    assert [h.level for h in outline("\n\n".join(lines))] == [1, 2, 3, 4, 4, 3, 2, 1]


def test_restart_inside_an_open_chain_is_deeper():
    lines = ["1. 合同", BODY, "2. 保障", BODY, "3. 给付", BODY, "1. 第一次", BODY, "2. 第二次", BODY, "4. 申请", BODY]
    assert [h.level for h in outline("\n\n".join(lines))] == [1, 1, 1, 2, 2, 1]


def test_missing_parent_is_skipped():
    text = "\n".join(
        f"{n}\tTitle of it\nThe text of this rule is here, and it is long enough.\n"
        for n in ("3", "3.1.1", "3.1.2", "4", "4.1")
    )
    assert [(h.number, h.level) for h in outline(text)] == [("3", 1), ("3.1.1", 2), ("3.1.2", 2), ("4", 1), ("4.1", 2)]


def test_items_are_no_headings():
    lines = ["1. 保险合同；", "2. 有效身份证件；", "3. 其他材料。"]
    assert outline("请提供下列材料：\n" + "\n".join(lines)) == []
    assert outline("共有三种：\n1、恶性肿瘤\n2、心肌梗死\n3、脑中风后遗症\n") == []


def test_out_of_sequence_is_body():
    text = f"9.1 周岁\n{BODY}\n7.2 对应日\n{BODY}\n9.2 年度\n{BODY}\n9.3 机动车\n{BODY}\n"
    assert numbers(text) == ["9.1", "9.2", "9.3"]


def test_misread_number_is_taken_by_its_neighbours():
    text = f"# 8. 其他\n\nB.1 告知\n\n{BODY}\n\n# 8.2 解除\n\n{BODY}\n\n# 9. 释义\n\n{BODY}\n"
    assert [h.level for h in outline(text)] == [1, 2, 2, 1]


def test_blank_inside_a_number():
    text = f"9.10 驾驶证\n{BODY}\n9. 11 行驶证\n{BODY}\n9.12 机动车\n{BODY}\n"
    assert [h.title for h in outline(text)] == ["驾驶证", "行驶证", "机动车"]


def test_blank_inside_a_number_whose_neighbours_are_lost():
    text = f"2.1 方式\n{BODY}\n7. 11 现价\n{BODY}\n7. 12 证件\n{BODY}\n"
    assert numbers(text) == ["2.1", "7. 11", "7. 12"]


def test_number_alone_over_a_marked_title_is_one_heading():
    text = f"# 8.4 欠款\n\n{BODY}\n\n8.5\n\n# 变更\n\n{BODY}\n\n# 8.7 争议\n\n{BODY}\n"
    assert rows(text) == [(1, "8.4", "欠款"), (1, "8.5", "变更"), (1, "8.7", "争议")]


def test_part_of_a_standard_that_is_named_is_no_heading():
    text = f"1 范围\n{BODY}\n2 引用文件\n{BODY}\nGB/T 1\n第1部分：框架\nGB/T 2\n第1部分：规则\n3 术语\n3.1 甲\n{BODY}\n"
    assert "第1部分" not in numbers(text)


def test_column_gap_ends_the_title():
    text = f"1.1 合同\n{BODY}\n1.2 年龄      年龄以周岁计算，{BODY}\n1.3 期间\n{BODY}\n"
    assert [h.title for h in outline(text)] == ["合同", "年龄", "期间"]


class TestWrapped:
    def test_title_below_its_number(self):
        text = wrapped("1.1\n保险责任", "1.2\n养老保险金开始领\n取年龄", "1.3", "第一章\n总\n则")
        assert rows(text) == [
            (1, "1.1", "保险责任"),
            (1, "1.2", "养老保险金开始领取年龄"),
            (1, "1.3", ""),
            (1, "第一章", "总则"),
        ]

    def test_reference_at_the_start_of_a_filled_line(self):
        text = wrapped("第一条 目的", "第二条 范围", "第三条 附则") + WRAPPED + "\n第四条 承诺事项\n"
        assert numbers(text) == ["第一条", "第二条", "第三条"]

    def test_note_numbers_are_text(self):
        text = wrapped("1.1\n责任", "经医院\n5的专科医生\n6\n确诊", "1.2\n期间")
        assert numbers(text) == ["1.1", "1.2"]

    def test_titles_broken_in_a_margin_column(self):
        text = wrapped(
            *("1.1\n合同成立与生\n效", "1.2\n投保人解除合\n同的手续及风\n险", "1.3\n受益人", "1.4\n重度疾病——\n—轻症"),
            "1.5\n年龄、性别、\n职业的变更",
        )
        assert [h.title for h in outline(text)] == [
            *("合同成立与生效", "投保人解除合同的手续及风险", "受益人", "重度疾病———轻症", "年龄、性别、职业的变更"),
        ]

    def test_one_blank_where_the_margin_column_ends(self):
        text = wrapped("1.1\n合同成立与生\n效", "1.2\n解除合同的手\n续") + f"1.3\n费用补偿原则 {WRAPPED[:-8]}\n{BODY}\n"
        assert [h.title for h in outline(text)][-1] == "费用补偿原则"

    def test_numbers_alone_over_titles_in_a_margin_column(self):
        text = wrapped("1.1\n定义", "1\n恶性肿瘤\n*", "2\n心脏瓣膜手\n术", "3\n主动脉手术", "4\n双耳失聪")
        assert [h.title for h in outline(text)] == ["定义", "恶性肿瘤*", "心脏瓣膜手术", "主动脉手术", "双耳失聪"]

    def test_reference_before_the_section_it_names(self):
        text = wrapped("2.1\n责任", "2.2\n方法") + "2.3 条的计算方法。\n" + wrapped("2.3\n计算方法", "2.4\n限额")
        assert [h.title for h in outline(text)] == ["责任", "方法", "计算方法", "限额"]

    def test_chapter_over_its_first_section(self):
        text = wrapped("1\n范围", "2\n术语\n2.1\n甲") + WRAPPED + "\n3\n代码表\n" + wrapped("3.1\n乙")
        assert rows(text)[-2:] == [(1, "3", "代码表"), (2, "3.1", "乙")]

    def test_symbol_font_numbers(self):
        text = wrapped("\uf075\n我们保什么", "1.1\n责任", "\uf076\n我们不保什么", "2.1\n免除")
        assert [(h.level, h.title) for h in outline(text)] == [
            (1, "我们保什么"),
            (2, "责任"),
            (1, "我们不保什么"),
            (2, "免除"),
        ]

    def test_plain_titles_over_articles(self):
        text = wrapped("总则\n第一条 甲", "第二条 乙", "保险责任\n第三条 丙", "责任免除\n第四条 丁")
        assert [(h.level, h.title) for h in outline(text)] == [
            *((1, "总则"), (2, "甲"), (2, "乙"), (1, "保险责任"), (2, "丙"), (1, "责任免除"), (2, "丁")),
        ]

    @pytest.mark.parametrize(
        "definition", ["【追溯期】指约定的期间。\n", "一、追溯期：约定的期间。\n二、报告期：其后的期间。\n"]
    )
    def test_plain_title_over_definitions_behind_the_articles(self, definition):
        text = wrapped("总则\n第一条 甲", "保险责任\n第二条 乙", "责任免除\n第三条 丙") + "释义\n" + definition
        assert (1, "", "释义") in rows(text)


@pytest.mark.parametrize(
    ("line", "level"),
    [
        *(
            ("第一章 总则", 1),
            ("第三条 合同", 1),
            ("第三节 方式", 1),
            ("1. 中文标题", 1),
            ("1.1 小节", 2),
            ("一、概述", 2),
        ),
        *(
            ("（1）条件", 3),
            ("(1) 条件", 3),
            ("1）条件", 3),
            ("a) case", 3),
            ("（一）条件", 3),
            ("①条件", 3),
            ("1.1.1 细目", 3),
        ),
        *(
            ("# Title", 1),
            ("## Part", 2),
            ("#### Deep", 3),
            ("Chapter 1 General", 1),
            ("**1.1 保险责任**", 2),
            ("I. Scope", 1),
        ),
        *(
            ("第三条规定的情形除外。", None),
            ("Article 5 applies to all.", None),
            ("2024年1月1日", None),
            ("3.5亿元", None),
            ("", None),
        ),
        *(
            ("1. 保险合同；", None),
            ("第一章 总则 ...... 3", None),
            ("11.5.2的要求见下。", None),
            ("正文。", None),
            ("- item", None),
        ),
    ],
)
def test_detect_header_level(line, level):
    assert detect_header_level(line) == level
    assert level is None or isinstance(detect_header_level(line), HeaderLevel)


@pytest.mark.parametrize("call", [outline, detect_header_level])
def test_wrong_type_names_the_argument(call):
    with pytest.raises(TypeError, match=r"(text|line) must be a str, not bytes"):
        call(b"1.1 x")


def test_a_question_that_markdown_marks_is_a_heading():
    text = "# 手册\n\n## 问答\n\n### 怎么办？\n\n这样办。\n\n### 为什么要“自愿”？\n\n因为如此。\n\n## 附则\n\n完。\n"
    assert [(level, title) for level, _, title in rows(text)] == [
        (1, "问答"),
        (2, "怎么办？"),
        (2, "为什么要“自愿”？"),
        (1, "附则"),
    ]


@pytest.mark.parametrize(
    "text", ["第一次会议由召集人主持。", "规定本行业事项的办法另行制定。", "第二审期间可以补充材料。"]
)
def test_next_article_whatever_its_text_begins_with(text):
    document = f"第一条 本办法自公布之日起施行。\n\n第二条 {text}\n\n第三条 其他事项由主管部门决定。\n"
    assert numbers(document) == ["第一条", "第二条", "第三条"]


def test_article_that_is_referred_to_is_none():
    document = f"第一条 {BODY}\n\n第二条 {BODY}\n\n第七条第二款所说的费用由申请人承担。\n\n第三条 {BODY}\n"
    assert numbers(document) == ["第一条", "第二条", "第三条"]


def test_marked_titles_stand_over_articles_without_mark():
    text = f"# 调解规则\n\n## 一、申请\n\n第一条 {BODY}\n\n第二条 {BODY}\n\n## 二、费用\n\n第三条 {BODY}\n\n## 附录\n\n{BODY}\n"
    assert [(h.level, h.number or h.title) for h in outline(text)] == [
        (1, "一、"), (2, "第一条"), (2, "第二条"), (1, "二、"), (2, "第三条"), (1, "附录"),
    ]  # fmt: skip


def test_articles_agree_on_having_titles():
    articles = [f"第{n}条 {BODY}" for n in "一二三四五六七八九"]
    text = "\n\n".join([*articles, "第十条 受托人应当按照约定保存有关的资料", f"并备查。{BODY}"])
    assert {h.title for h in outline(text)} == {""}
    long = "委托人和受托人对账目的核对方式以及在核对中发现差错时的处理办法和期限"
    titled = [f"第{n}条 事项{n}\n\n{BODY}" for n in "一二三四五六七八九"]
    assert outline("\n\n".join([*titled, f"第十条 {long}\n\n{BODY}"]))[-1].title == long


def test_title_below_an_article_number_is_shorter_than_a_line():
    text = wrapped("第一条\n合同", "第二条\n地址、电话或者电子邮箱变更后的通知义务", f"第三条\n{WRAPPED[:-4]}")
    assert [h.title for h in outline(text)] == ["合同", "地址、电话或者电子邮箱变更后的通知义务", ""]


def test_count_goes_on_in_another_form():
    text = f"# 一、收益\n\n# 1．来源\n\n{BODY}\n\n# 2．分配\n\n{BODY}\n\n# 3.领取\n\n{BODY}\n\n# 二、退保\n\n{BODY}\n"
    assert [h.level for h in outline(text)] == [1, 2, 2, 2, 1]


def test_count_that_starts_again_inside_a_chapter_is_deeper():
    text = (
        f"# 1. 总述\n\n# 1.1 目的\n\n{BODY}\n\n# 2. 保障\n\n# 2.1 责任\n\n{BODY}\n\n# 1.门诊费用\n\n{BODY}\n\n"
        f"# 2.住院费用\n\n{BODY}\n\n# 2.2 限额\n\n{BODY}\n\n# 3. 申请\n\n# 3.1 材料\n\n{BODY}\n"
    )
    assert [h.level for h in outline(text)] == [1, 2, 1, 2, 3, 3, 2, 1, 2]


def test_count_after_the_chapters_with_decimals():
    text = (
        f"# 一、责任\n\n# 1．范围\n\n# 1.1 门诊\n\n{BODY}\n\n# 二、退出\n\n# 1．期间\n\n{BODY}\n\n# 2．手续\n\n{BODY}\n"
    )
    assert [h.level for h in outline(text)] == [1, 2, 3, 1, 2, 2]


def test_chapter_before_the_first_with_decimals():
    text = f"# 2 保障\n\n{BODY}\n\n# 3 申请\n\n# 3.1 材料\n\n{BODY}\n\n# 4 费用\n\n# 4.1 交纳\n\n{BODY}\n"
    assert [h.level for h in outline(text)] == [1, 1, 2, 1, 2]


def test_number_glued_to_a_word_names_the_chapter_above():
    text = (
        "1.\tSCOPE\n1.1\tUse\nThese rules apply to all members.\n\n2.\tDUTIES\n2.Notes\n2.Notes.1.\tThis part is short.\n"
        "2.1\tReports\nA member must report once a year.\n\n3.\tFEES\n3.1\tAmounts\nFees are set each year.\n"
    )
    assert [(h.level, h.title) for h in outline(text)] == [
        (1, "SCOPE"), (2, "Use"), (1, "DUTIES"), (2, "Reports"), (1, "FEES"), (2, "Amounts"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "1.2\tA member may appeal.  The appeal is heard within a month.",
        "1.2.(1)\tA member who leaves, where  the fees are paid, gets a receipt.",
        "1.2\tA member may choose one of these:-",
    ],
)
def test_sentence_behind_a_decimal_is_no_title(line):
    text = f"1.\tSCOPE\n1.1\tUse\nThese rules apply to all members.\n{line}\nNo fee is due.\n"
    assert numbers(text) == ["1.", "1.1"]


@pytest.mark.parametrize("start", ["= 5 min and more", ", and the time that it takes"])
def test_rest_of_a_sentence_is_no_title(start):
    text = f"1) Rates\n{BODY}\n\n2) {start}\n{BODY}\n\n3) {start}\n{BODY}\n"
    assert numbers(text) == []


def test_chapter_with_a_mark_before_its_title():
    text = f"第一章、通则\n{BODY}\n第二章：申请\n{BODY}\n"
    assert rows(text) == [(1, "第一章、", "通则"), (1, "第二章：", "申请")]


def test_order_of_families_is_that_of_each_part():
    text = (
        f"1. 回顾\n{BODY}\n2. 展望\n{BODY}\n\n第一章 业务\n一、产品\n{BODY}\n1. 整车\n{BODY}\n2. 电池\n{BODY}\n"
        f"二、市场\n{BODY}\n"
    )
    assert [h.level for h in outline(text)] == [1, 1, 1, 2, 3, 3, 2]


def test_counted_titles_without_mark_over_articles():
    text = f"一、申请\n第一条 {BODY}\n第二条 {BODY}\n二、费用\n第三条 {BODY}\n三、附则\n第四条 {BODY}\n"
    assert [(h.level, h.number) for h in outline(text)] == [
        (1, "一、"), (2, "第一条"), (2, "第二条"), (1, "二、"), (2, "第三条"), (1, "三、"), (2, "第四条"),
    ]  # fmt: skip
    assert numbers(f"第一条 {BODY}\n一、证件\n第二条 {BODY}\n") == ["第一条", "第二条"]


def test_abbreviated_appendices_with_numbers_of_their_own():
    text = (
        "1.\tRULES\n1.1\tUse\nThese rules apply to all members.\n\nAPP1\tFORMS\nA1.1\tApplication\nThe form is short.\n"
        "A1.1.Notes\nA1.2\tRenewal\nRenew once a year.\nAPP 2\tFEES\nA2.1\tAmounts\nFees are set each year.\n"
    )
    assert [(h.level, h.number, h.title) for h in outline(text)] == [
        (1, "1.", "RULES"), (2, "1.1", "Use"), (1, "APP1", "FORMS"), (2, "A1.1", "Application"), (2, "A1.2", "Renewal"),
        (1, "APP 2", "FEES"), (2, "A2.1", "Amounts"),
    ]  # fmt: skip


def test_part_that_goes_on_after_an_appendix():
    parts = [f"Part {n}\tTitle of it\nThe members meet once.\n" for n in (1, 2, 3)]
    levels = [h.level for h in outline(f"{parts[0]}{parts[1]}Appendix A\tForms\nThe form is short.\n{parts[2]}")]
    assert levels == [1, 1, 1, 1]
    levels = [h.level for h in outline(f"{parts[0]}{parts[1]}Schedule 1\tForms\nThe form is short.\n{parts[0]}")]
    assert levels == [1, 1, 1, 2]


def test_number_alone_over_a_title_both_marked():
    assert rows(f"# 1 范围\n\n{BODY}\n\n# 2\n\n# 费用\n\n{BODY}\n")[1] == (1, "2", "费用")


def test_title_does_not_end_in_a_dash():
    text = "1.\tSCOPE\n1.1\tUse\nThese rules apply to all.\n1.2\tA member must –\n(a)\tpay; and\n(b)\tvote.\n"
    assert numbers(text) == ["1.", "1.1"]


def test_first_heading_below_a_contents_list_with_page_numbers():
    contents = (
        "目录\n1. 房屋概况和周边环境 ........................ 1\n2. 租金和押金的水平 ............................ 2\n"
    )
    text = contents + "\n[P2]\n" + wrapped("1. 房屋概况和周边环境", "2. 租金和押金的水平")
    assert numbers(text) == ["1.", "2."]


def test_quoted_article_is_no_section():
    text = f"一、增加两条，作为第九条、第十条：\n\n“第九条 {BODY}\n\n“第十条 {BODY}”\n\n二、删去第十二条。\n"
    assert numbers(text) == []


def test_marked_end_of_a_sentence_is_no_title():
    text = "# 1. 责任\n\n因下列原因之一造成的损失由租客自己承担，房东不承担赔\n\n# 偿的责任：\n\n(1)故意；\n\n(2)过失。\n\n# 2. 提示：\n\n请核对。\n"
    assert numbers(text) == ["1.", "2."]
    assert [h.title for h in outline(f"# 1. 责任\n\n{BODY}\n\n# 重要提示：\n\n{BODY}\n")] == ["责任", "重要提示："]


def test_lead_in_before_a_gap_is_no_title_of_an_article():
    text = f"第八条 下列损失和费用由租客自己承担：  （一）故意；（二）过失。\n\n第九条 费用：  {BODY}\n"
    assert [h.title for h in outline(text)] == ["", "费用："]


def test_title_keeps_the_number_at_its_end():
    text = f"# 条例 2024\n\n{BODY}\n\n# 1.1 客厅 2\n\n{BODY}\n\n# 1.2 Floor 10 #\n\n{BODY}\n"
    assert [h.title for h in outline(text)] == ["客厅 2", "Floor 10"]
    assert StructureChunker("chars").chunk(text).title == "条例 2024"
    contents = "目录\n1.1 租金 ..... 3\n1.2 押金 ..... 4\n\n"
    assert [h.title for h in outline(f"{contents}1.1 租金\n{BODY}\n1.2 押金\n{BODY}\n")] == ["租金", "押金"]


def test_wiki_headings():
    text = "== Plot ==\nA ship sails.\n\n=== Cast ===\nAll of it.\n\n= = 1940 – 45 = =\nThe war.\n\n== 2 =\n= Wins ; L =\nx = 3\n"
    assert rows(text) == [(1, "", "Plot"), (2, "", "Cast"), (1, "", "1940 – 45")]
    assert [c.contextualize()[:8] for c in StructureChunker("chars").chunk(text)][1:] == ["Plot\n===", "= = 1940"]


def test_number_with_the_path_to_it():
    text = (
        "Part 1\tScope\nPart 1.1.\tUse\nPart 1.1.(1)\tThe rules apply\nPart 2\tPlans\nPart 2.Chapter 1\tDrafts\n"
        "Part 2.Chapter 1.7.\tReview\nPart 2.Chapter 1.7.(1)\tA member must read it\nPart 2.Chapter 2\tVotes\n"
        "Part 2.Chapter 2.8.\tCount\nThey are counted.\nPart 3\tEnd\nIt ends here.\n"
    )
    assert [(level, number) for level, number, _ in rows(text)] == [
        (1, "Part 1"), (2, "Part 1.1."), (1, "Part 2"), (2, "Part 2.Chapter 1"), (3, "Part 2.Chapter 1.7."),
        (2, "Part 2.Chapter 2"), (3, "Part 2.Chapter 2.8."), (1, "Part 3"),
    ]  # fmt: skip


def test_number_and_dash_in_a_margin_column():
    text = wrapped("1-门窗修缮", "2-阳台和露台栏\n杆的修缮", "3-水管\n", "4-电线和各种灯\n具的检查和更\n换")
    assert [h.title for h in outline(text)] == [
        "门窗修缮",
        "阳台和露台栏杆的修缮",
        "水管",
        "电线和各种灯具的检查和更换",
    ]
    assert numbers("1-3月\n\n2-4月\n") == []


def test_numbered_rows_of_a_flattened_table_are_no_headings():
    cells = "".join(f"{n}.0{m}\n房屋的面积\n平方米\n" for n in (1, 2) for m in (1, 2, 3))
    assert numbers(f"# 附件 {BODY}\n{cells}{BODY}\n") == []
    assert numbers("1.01 Rent\nIt is due.\n1.02 Repairs\nThey are paid.\n") == ["1.01", "1.02"]


def test_title_does_not_break_off():
    text = "1.\tSCOPE\n1.1\tUse\nThese rules apply.\n1.2\tA member of the board must not vote unless\n(a)\tasked; or\n(b)\tpaid.\n"
    assert numbers(text) == ["1.", "1.1"]


def test_chapter_closes_what_is_numbered_before_it():
    text = f"# 指引\n\n# 1 租客的权利\n\n{BODY}\n\n# 1. 费用\n\n# 1.1 租金\n\n{BODY}\n\n# 2. 期限\n\n# 2.1 起止\n\n{BODY}\n"
    assert [h.level for h in outline(text) if h.number in ("1.", "1.1", "2.", "2.1")] == [1, 2, 1, 2]


def test_number_before_a_gap_is_no_title():
    text = "2.\tSCOPE\n2.1\tUse\nThese rules apply.\n2.2\t(1)\tA member of the board must:\n(a)\tpay; and\n(b)\tvote.\n"
    assert numbers(text) == ["2.", "2.1"]


def test_chapter_whose_title_goes_on_below():
    text = wrapped(
        "1 租金和押金的支付：按时、足额、\n不拖欠\n1.1 租金",
        "1.2 押金",
        "2 房屋修缮和保养的各项规定以\n及费用\n2.1 门窗",
        "2.2 水管",
    )
    assert [(h.number, h.title) for h in outline(text)][::3] == [
        ("1", "租金和押金的支付：按时、足额、不拖欠"), ("2", "房屋修缮和保养的各项规定以及费用"),
    ]  # fmt: skip


def test_chapter_behind_a_full_line_over_its_first_section():
    text = wrapped("一、概况") + WRAPPED + "\n" + wrapped("1. 修缮\n1.1. 门窗", "1.2. 水管", "2. 费用", "二、其他")
    assert numbers(text) == ["一、", "1.", "1.1.", "1.2.", "2.", "二、"]


def test_rest_of_a_name_is_no_part():
    text = f"第一节 总则\n{BODY}\n《污染物的排放标准 第6部分：化工》\n（DB 2801）\n第6部分：化工》的规定\n{BODY}\n第二节 其他\n{BODY}\n"
    assert rows(text) == [(1, "第一节", "总则"), (1, "第二节", "其他")]


def test_figures_along_an_axis_are_no_headings():
    sections = wrapped("3 收入", "3.1 工资", "3.2 利息", "3.3 租金", "3.4 其他")
    assert numbers(sections + "2\n2.5\n3\n3.5\n4\n0\n100\n") == ["3", "3.1", "3.2", "3.3", "3.4"]
    assert numbers(f"{BODY}\n0.87\n{BODY}\n") == []


def test_title_in_two_languages():
    english = "initiator of the securities project"
    text = f"1\n范围\n{BODY}\n1.1\n资产支持证券项目发起人{english}\n{BODY}\n1.2\n主体\n{BODY}\n"
    assert [h.title for h in outline(text)] == ["范围", f"资产支持证券项目发起人{english}", "主体"]


def test_an_appendix_without_number_is_a_section_and_a_file_or_a_list_of_them_is_none():
    text = "第一条 押金一月。\n\n{}\n\n{}"
    assert rows(text.format("附录：收费标准", "水费按月收取。"))[-1][-1] == "收费标准"
    for line, below in (
        ("附件：收费标准.pdf", "房东 2024年1月1日"),
        ("附件：收费标准", "[P2]\n\n第二条 租期一年。"),
        ("附件：收费标准", ""),
        ("附表：", "水费按月收取。"),
    ):
        assert all("收费标准" not in heading[-1] for heading in rows(text.format(line, below)))


def test_a_numbered_line_below_a_number_alone_is_no_title_of_it():
    assert rows("第一章\n附录A  术语\n甲。") == [(1, "第一章", ""), (1, "附录A", "术语")]


def title(text: str) -> str | None:
    return StructureChunker("chars").chunk(text).title


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("sign", ["", "# "])
def test_a_title_that_is_a_company_alone_goes_on_with_its_product(sign, gap):
    text = f"{sign}安居房屋租赁有限公司{gap}家电租赁保险条款（2024版）{gap}{{}}\n\n第一条 租期一年。\n"
    assert title(text.format("注册号：C0001")) == "安居房屋租赁有限公司家电租赁保险条款（2024版）"
    assert title(f"{sign}安居房屋租赁有限公司{gap}第一条 租期一年。\n") == "安居房屋租赁有限公司"
    assert title(f"{sign}安居房屋租赁有限公司{gap}地址：甲路1号\n") == "安居房屋租赁有限公司"


def test_signs_inside_a_title_are_not_shown():
    assert (
        title("# 安居房屋租赁有限公司\n\n# 家电租赁保险条款\n\n第一条 租期一年。\n")
        == "安居房屋租赁有限公司家电租赁保险条款"
    )
    text = f"1.1 合同构成\n\n{BODY}\n\n1.2\n\n## 投保范围\n\n{BODY}\n"
    assert StructureChunker("chars", 40).chunk(text)[-1].headings == ("1.2 投保范围",)
