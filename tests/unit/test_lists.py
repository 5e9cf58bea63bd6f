"""Lists: their lead-ins, what is an item, how deep, and where the list ends."""

import pytest

from chunkfast._core import parse


def read(text):
    """[(lead-in, [(depth, item)])] of each list; a line end in a lead-in or item is written `/`."""
    document = parse(text)
    items = [(depth, text[start:end].replace("\n", "/")) for start, end, depth, _ in document.items()]
    return [
        (text[lead_start:lead_end].replace("\n", "/"), items[first:last])
        for kind, _, _, _, first, last, lead_start, lead_end in document.blocks()
        if kind == "list"
    ]


def flat(*items):
    return [(0, item) for item in items]


LEAD_INS = [
    "有下列情况之一的，我们不退还押金：",
    "租客应当遵守以下约定。",
    "搬家时请准备如下物品",
    "清单内容包括",
    "The tenant must provide the following:",
    "Return the keys as follows —",
    "需要的材料",
]


@pytest.mark.parametrize("lead", LEAD_INS)
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\r\n"])
def test_lead_in(lead, gap):
    (found,) = read(f"{lead}{gap}（1）钥匙；{gap}（2）水卡。{gap}")
    assert found == (lead, flat("（1）钥匙；", "（2）水卡。"))


NO_LEAD_INS = [
    "房屋交还时应当干净。",
    "The rent is due monthly.",
    "押金在30天以下不计息。",
    "甲方（以下简称房东）同意。",
]


@pytest.mark.parametrize("text", NO_LEAD_INS)
def test_no_lead_in(text):
    ((lead, items),) = read(f"{text}\n\n1. 水表\n2. 电表\n")
    assert (lead, items) == ("", flat("1. 水表", "2. 电表"))


def test_only_the_last_sentence_leads_in():
    ((lead, _),) = read("房东负责维修。租客应当承担下列费用：\n（一）水费；\n（二）电费。\n")
    assert lead == "租客应当承担下列费用："
    ((lead, _),) = read("房屋可以转租；有下列情形之一的，不得转租：\n（一）欠租；\n（二）损坏。\n")
    assert lead == "有下列情形之一的，不得转租："
    ((lead, _),) = read("有下列情形之一的，房东可以提醒；仍不改正的，可以解约：\n（一）欠租；\n（二）损坏。\n")
    assert lead.startswith("有下列情形")


def test_two_lead_ins_in_a_row():
    ((lead, _),) = read("退租时租客应当提供下列材料：\n本人办理所需材料：\n1. 合同；\n2. 证件。\n")
    assert lead == "退租时租客应当提供下列材料：/本人办理所需材料："


def test_number_of_the_article_belongs_to_its_lead_in():
    text = (
        "第一条 本约定自签字起生效。\n\n第二条 租客应当遵守下列规定：\n\n（一）按时；\n\n（二）守约。\n\n第三条 其他。"
    )
    ((lead, items),) = read(text)
    assert lead == "第二条 租客应当遵守下列规定："
    assert items == flat("（一）按时；", "（二）守约。")


MARKS = [
    "(1)|(2）|（3)",
    "1.|2.|3.",
    "1、|2、|3、",
    "1．|2．|3．",
    "1）|2）|3）",
    "一、|二、|三、",
    "（一）|（二）|（三）",
    "“（一）|“（二）|“（三）",
    "①|②|③",
    "$\\textcircled{1}$ |$\\textcircled{2}$ |$\\textcircled{3}$ ",
    "a) |b) |c) ",
    "(a)\t|(b)\t|(c)\t",
    "(i) |(ii) |(iii) ",
    "i. |ii. |iii. ",
    "- |- |- ",
    "* |* |* ",
    "• |• |• ",
    "——|——|——",
    "# （1）|（2）|（3）",
    "> 1. |> 2. |> 3. ",
]


@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_marks(marks, gap):
    items = [f"{mark}第{i}件物品；" for i, mark in zip("甲乙丙", marks.split("|"), strict=True)]
    ((lead, found),) = read(gap.join([("> " if ">" in marks else "") + "包括以下物品：", *items, ""]))
    assert found == flat(*items)
    assert lead.endswith("包括以下物品：")


def test_items_without_marks():
    ((_, items),) = read("退租日期如下：\n男生：六月底；\n女生：七月初；\n其他人：八月。\n押金在此之后退还。\n")
    assert items == flat("男生：六月底；", "女生：七月初；", "其他人：八月。")


def test_mark_alone_on_its_line():
    ((_, items),) = read("Bring the following:\na)\nthe keys\nb)\nthe card\n")
    assert items == flat("a)/the keys", "b)/the card")


def test_first_number_missing_or_lost_between():
    ((_, items),) = read("应当提供下列材料：\n(1)合同;\n(2)证件;\n(4)钥匙。\n")
    assert len(items) == 3
    ((_, items),) = read("应当提供下列材料：\n(1)合同;\n(2)证件(3)水卡;\n(4)钥匙。\n")
    assert items == flat("(1)合同;", "(2)证件", "(3)水卡;", "(4)钥匙。")


def test_item_over_a_blank_line_and_a_page():
    ((_, items),) = read(
        "有下列情况的不退押金：\n\n(1)租客在合同期内未经房东的同意就把房屋转租\n\n给别人的；\n\n(2)欠租的。\n"
    )
    assert items[0][1].endswith("转租//给别人的；")
    assert len(items) == 2


def test_paragraphs_of_an_item():
    text = (
        "按以下约定处理：\n\n（1）退租。\n\n租客应当提前告知。\n\n房东应当回复。\n\n（2）续租。\n\n另行约定的除外。\n"
    )
    ((_, items),) = read(text)
    assert items == flat("（1）退租。//租客应当提前告知。//房东应当回复。", "（2）续租。")


def test_list_ends():
    document = parse("不退押金的情形如下：\n(1)转租；\n(2)欠租。\n发生上述第(1)项情形的，合同终止。\n")
    assert [block[0] for block in document.blocks()] == ["list", "text"]


def test_count_does_not_go_on_over_pages_of_text():
    aside = "楼道由物业公司负责打扫。\n" * 20
    start = "押金不退的情形如下：\n（1）转租；\n（2）欠租；\n"
    ((_, items),) = read(f"{start}{aside}（3）损坏。\n")
    assert len(items) == 3
    ((_, items),) = read(f"{start}{aside * 10}（3）损坏。\n")
    assert len(items) == 2


def test_single_item_is_a_paragraph():
    assert read("说明如下：\n（1）本条仅有一项。\n") == []


A_TO_G = "".join(f"({letter}) x;\n" for letter in "abcdefg")
NESTED = [
    ("包括以下费用：\n（一）房租：\n1. 押金；\n2. 月租；\n（二）水费。\n", [0, 1, 1, 0]),
    ("包括以下费用：\n1. 房租：\n(1)押金；\n①现金；\n②转账；\n(2)月租。\n2. 水费。\n", [0, 1, 2, 2, 1, 0]),
    ("The fees are:\n(a) rent;\n(b) charges:\n(i) water;\n(ii) power; and\n(c) tax.\n", [0, 0, 1, 1, 0]),
    ("The fees are:\n(a) rent;\n(b) charges:\n(a) water; and\n(b) power;\n(c) tax.\n", [0, 0, 1, 1, 0]),
    (f"Fees are:\n{A_TO_G}(h) charges:\n(i) water; and\n(ii) power.\n", [0] * 8 + [1, 1]),
    (f"Fees are:\n{A_TO_G}(h) rent;\n(i) charges;\n(j) tax.\n", [0] * 10),
    ("Steps:\n\n1. Open:\n   - door\n   - window\n2. Close.\n", [0, 1, 1, 0]),
    ("Steps:\n\n- open\n  - door\n    - knob\n  - window\n- close\n", [0, 1, 2, 1, 0]),
    ("包括以下：\n1. 房租；\n租金分为两种：\n（1）月付；\n（2）年付。\n2. 水费。\n", [0, 1, 1, 0]),
]


@pytest.mark.parametrize(("text", "depths"), NESTED)
def test_nested(text, depths):
    ((_, items),) = read(text)
    assert [depth for depth, _ in items] == depths


def test_parent_is_the_item_above_with_its_lead_in():
    text = "包括以下：\n1. 房租；\n租金分为两种：\n（1）月付；\n（2）年付。\n2. 水费。\n"
    items = parse(text).items()
    assert [parent for *_, parent in items] == [-1, 0, 0, -1]
    assert text[items[0][0] : items[0][1]] == "1. 房租；\n租金分为两种："


def test_count_starts_again_after_text():
    first, second = read("缴费方式如下：\n（1）现金；\n（2）转账。\n其中，转账的时间为：\n（1）月初；\n（2）月末。\n")
    assert first == ("缴费方式如下：", flat("（1）现金；", "（2）转账。"))
    assert second == ("其中，转账的时间为：", flat("（1）月初；", "（2）月末。"))


def test_list_goes_on_after_code():
    found = read("Do the following:\n\n1. prepare\n2. run this:\n\n```\nmake\n```\n\n3. look\n4. stop\n")
    assert [lead for lead, _ in found] == ["Do the following:"] * 2
    assert [len(items) for _, items in found] == [2, 2]


INLINE = [
    ("房租包括：（1）水费；（2）电费；（3）网费。", ["（1）水费；", "（2）电费；", "（3）网费。"]),
    ("房租包括（1）水费；（2）电费。其他费用另计。", ["（1）水费；", "（2）电费。"]),
    ("满足以下i）或ii）其中一条即可：i）水费已付；ii）电费已付。", ["i）水费已付；", "ii）电费已付。"]),
    ("费用如下：①水费，②电费，③网费。", ["①水费，", "②电费，", "③网费。"]),
    ("费用如下：1、水费；2、电费。", ["1、水费；", "2、电费。"]),
    ("Rent includes: (a) water; (b) power; and (c) heat.", ["(a) water;", "(b) power; and", "(c) heat."]),
]


@pytest.mark.parametrize(("text", "items"), INLINE)
def test_inline(text, items):
    ((lead, found),) = read(text)
    assert found == flat(*items)
    assert text.startswith(lead)
    assert lead


@pytest.mark.parametrize(
    "text",
    [
        "依照本法第三条（1）和（2）的规定办理；另有约定的除外。",
        "under paragraphs (a), (b) and (c) above; see also (d).",
        "押金为1.5个月；租金为2.5个月。",
        "他说：你好；再见。",
        "符合（1）的情形。",
    ],
)
def test_not_inline(text):
    assert read(text) == []


def test_inline_at_the_start_of_table_cells():
    text = (
        "<table><tr><td>有下列情形之一，房东不退还押</td></tr><tr><td>金：（1）转租；</td></tr>"
        "<tr><td>（2）损坏水电设施或</td></tr><tr><td>门窗；</td></tr><tr><td>（3）欠租。</td></tr></table>"
    )
    ((_, items),) = read(text)
    assert [item[:3] for _, item in items] == ["（1）", "（2）", "（3）"]


def test_inline_inside_an_item():
    ((_, items),) = read("包括以下：\n（一）费用：①水费；②电费；\n（二）押金。\n")
    assert items == [(0, "（一）费用："), (1, "①水费；"), (1, "②电费；"), (0, "（二）押金。")]


def test_first_item_inside_the_paragraph_before():
    ((lead, items),) = read("注：1. 价格含税。\n2. 价格不含运费。\n")
    assert (lead, items) == ("注：", flat("1. 价格含税。", "2. 价格不含运费。"))
    ((lead, items),) = read("退租 应当提供下列材料：请 (1)合同;\n(2)证件。\n")
    assert items == flat("(1)合同;", "(2)证件。")


def test_lead_in_over_a_scrap_of_a_title():
    ((lead, _),) = read(
        "# 1 退租\n\n租客应当提供下列材料：\n\n# 请\n\n(1)合同;\n\n(2)证件。\n\n# 2 其他\n\n另行约定。\n"
    )
    assert lead == "租客应当提供下列材料："


def test_numbered_headings_repeat_the_lead_in():
    text = (
        "第一条 押金\n房东退还押金。退还按以下两种方式办理：\n"
        "（一）现金\n房东在交还钥匙时以现金退还全部押金，租客应当当场签收。\n"
        "（二）转账\n房东在三天以内以转账方式退还全部押金，租客应当提供账号。\n"
        "第二条 其他\n其他事项由双方另行商定，并且写入合同的附件。\n"
    )
    leads = {text[start : start + 3]: text[a:b] for start, a, b in parse(text).heading_leads()}
    assert leads["（一）"] == leads["（二）"] == "退还按以下两种方式办理："
    assert leads["第二条"] == ""


def test_first_mark_after_an_open_line_where_the_second_comes_soon():
    text = (
        "The owner will help every new tenant with the following, among other things\n(a) the keys;\n(b) the meters.\n"
    )
    ((lead, items),) = read(text)
    assert (lead, items) == (text.split("\n")[0], flat("(a) the keys;", "(b) the meters."))
    page = "租客搬入之前应当和房东一起检查房屋以及房屋内的全部家具和电器设备\n是否完好。\n"
    ((lead, items),) = read(page * 4 + "家具清单\n1、桌椅；\n2、衣柜。\n")
    assert (lead, items) == ("家具清单", flat("1、桌椅；", "2、衣柜。"))


def test_spelled_out_items():
    text = "修订的主要内容如下：\n一是明确押金。押金不超过一个月租金。\n二是明确租期。\n三是明确维修。\n"
    ((lead, items),) = read(text)
    assert (lead, items) == ("修订的主要内容如下：", flat(*text.strip().split("\n")[1:]))
    assert read("租金分两种，\n一是月租。\n") == []


def test_colon_and_hyphen_lead_in():
    ((lead, items),) = read("The tenant may, with notice:-\n(a) paint the walls;\n(b) change the locks.\n")
    assert (lead, items) == ("The tenant may, with notice:-", flat("(a) paint the walls;", "(b) change the locks."))


def test_no_lead_in_over_a_title_that_announces_the_list_itself():
    text = "联系人：电话：日期：\n\n# 重要提示：\n\n1、请核对门锁。\n\n2、请核对水表。\n"
    ((lead, items),) = read(text)
    assert (lead, items) == ("", flat("1、请核对门锁。", "2、请核对水表。"))


def test_lead_in_whose_end_is_marked_as_a_title():
    text = (
        "# 1. 责任\n\n因下列原因之一造成的损失由租客自己承担，房东不承担赔\n\n# 偿的责任：\n\n(1)故意；\n\n(2)过失。\n"
    )
    ((lead, items),) = read(text)
    assert lead == "因下列原因之一造成的损失由租客自己承担，房东不承担赔//# 偿的责任："
    assert items == flat("(1)故意；", "(2)过失。")


def test_items_that_are_all_numbered_one_are_a_list():
    text = "Do the following:\n\n1. Open the box.\n   - lid\n   - strap\n1. Take out the lamp.\n1. Switch it on.\n"
    ((lead, items),) = read(text)
    assert lead == "Do the following:"
    assert [item for depth, item in items if depth == 0] == [
        "1. Open the box.",
        "1. Take out the lamp.",
        "1. Switch it on.",
    ]


def test_a_count_that_starts_again_below_an_item_or_behind_text_is_another_list():
    ((_, items),) = read("费用包括：\n1. 杂费包括：\n1. 水费；\n2. 电费。\n2. 租金。\n")
    assert [depth for depth, _ in items] == [0, 1, 1, 0]
    assert read("1. 钥匙。\n\n押金一月。\n\n1. 水费；\n2. 电费。\n") == [("", flat("1. 水费；", "2. 电费。"))]
