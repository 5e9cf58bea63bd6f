"""Questions made from any document: spans lie in it, golds have text, the same seed gives the same questions."""

from hypothesis import given
from hypothesis import strategies as st

from chunkfast.evaluation import Source, generate
from tests.strategies import documents


@given(st.lists(documents, min_size=1, max_size=3), st.integers(0, 3))
def test_spans_and_seeds(texts: list[str], seed: int) -> None:
    sources = [Source(str(i), text) for i, text in enumerate(texts)]
    made = generate(sources, 40, seed)
    assert made == generate([Source(s.name, s.text) for s in sources], 40, seed)
    assert len(made) <= 40
    for question in made:
        assert question.gold
        assert question.text.strip()
        for span in (*question.gold, *question.context):
            text = texts[int(span.document)]
            assert 0 <= span.start < span.end <= len(text)
            assert text[span.start : span.end].strip()
        if question.type in ("table", "negation", "list"):
            assert question.context
            assert all(c.end <= g.start or c.start >= g.end for c in question.context for g in question.gold)
        if question.type == "multi_hop":
            assert len(question.gold) == 2
