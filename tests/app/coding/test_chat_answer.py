"""What a model writes of a clip is read, or refused with the reason it is shown again."""

import json

import pytest

from app.coding.chat_answer import on_the_clock, read_claim
from app.coding.evidence import check_evidence
from app.coding.records import Check, Citation
from app.errors import BadAnswer
from app.lesson.clips import Clip
from app.scoring.scored import Code

CLIP = Clip("c", 1, 3, 7_400, 93_600)


def answer(category="D1", level=2, *evidence):
    return json.dumps({"category": category, "level": level, "evidence": list(evidence)})


def test_a_code_with_a_quote_and_something_seen_is_read():
    quote = {"quote": "Why do you think so?", "utterances": [2, 3]}
    seen = {"seen": "hands go up", "from": "0:12", "to": "1:02:03"}
    claim = read_claim(answer("D2", 4, quote, seen))
    assert claim.code == Code("D2", 4)
    assert claim.citations == (
        Citation("Why do you think so?", (2, 3)),
        Citation(start_ms=12_000, end_ms=3_723_000, seen="hands go up"),
    )


def test_what_is_said_to_be_seen_is_never_a_quote_though_it_reads_like_one():
    (cited,) = read_claim(
        answer("D1", 2, {"seen": "“Why?”", "from": "0:08", "to": "0:09"})
    ).citations
    assert cited.quote == ""
    (found,) = check_evidence([on_the_clock(cited, CLIP)], [], CLIP)
    assert found.check is Check.SEEN
    assert not found.check.supports


@pytest.mark.parametrize(("category", "level"), [("BI", 4), ("D1", 4), ("D2", 5), ("D3", 0)])
def test_a_level_that_the_practice_has_not_is_refused_by_name(category, level):
    with pytest.raises(
        BadAnswer, match=f"“level” is {level}, but {category} has only the levels 1"
    ):
        read_claim(answer(category, level, {"quote": "x", "utterances": [1]}))


@pytest.mark.parametrize("time", ["12 s", "0:75", "", "later", "1:2", "-0:03", "0:07 to 0:09"])
def test_what_is_no_time_is_refused_by_its_place(time):
    quote = {"quote": "x", "utterances": [1]}
    with pytest.raises(BadAnswer, match=r"“evidence\[1\].to”"):
        read_claim(answer("D1", 1, quote, {"seen": "x", "from": "0:01", "to": time}))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        # The clip starts at 7.4 s, which reads 0:07.
        ((7_000, 9_000), (7_400, 9_000)),
        ((7_000, 7_000), (7_400, 8_000)),
        ((12_000, 12_000), (12_000, 13_000)),
        # It ends at 93.6 s, which reads 1:33.
        ((90_000, 93_000), (90_000, 93_000)),
        ((93_000, 93_000), (93_000, 93_600)),
        # Nothing else is moved: what lies outside stays there.
        ((6_000, 9_000), (6_000, 9_000)),
        ((90_000, 95_000), (90_000, 95_000)),
        ((20_000, 10_000), (20_000, 10_000)),
    ],
)
def test_a_time_copied_from_the_question_stands_for_its_second(written, meant):
    cited = Citation(start_ms=written[0], end_ms=written[1], seen="x")
    moved = on_the_clock(cited, CLIP)
    assert (moved.start_ms, moved.end_ms) == meant


def test_without_times_of_the_clip_nothing_is_moved():
    cited = Citation(start_ms=7_000, end_ms=7_000, seen="x")
    assert on_the_clock(cited, Clip("c", 1, 3, None, None)) == cited
