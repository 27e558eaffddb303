import pytest

from app.coding.pick import SEEN_HERE, Pick, cite_lines, cite_seen, end_seen, pick_of
from app.coding.records import Citation, Decision, Verdict
from app.errors import Refused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Flag, Utterance
from app.scoring.scored import Code

LINES = (
    Utterance(1, "Look here.", 0, 1000, "T"),
    Utterance(2, "Why is it wet?", 1000, 2500, "T"),
    Utterance(3, "It leaks.", 2500, 4000, "S"),
    Utterance(4, "Thanks for watching!", 4000, 5000, "", flags=(Flag.INVENTED,)),
    Utterance(5, "Next.", 9000, 9500, "T"),
)
CLIP = Clip("a", 1, 4, 0, 6000)
UNTIMED = Clip("b", 1, 4, None, None)


def test_a_further_practice_is_added_taken_out_and_never_the_main_one():
    pick = Pick("D1", 2).with_further("D3").with_further("BI").with_further_level("D3", 1)
    assert pick.also == (Code("D3", 1), Code("BI"))
    assert pick.with_further("D3").also == (Code("BI"),)
    assert pick.with_further("D1") == pick
    assert pick.with_practice("D3", None) == Pick("D3", None, (Code("BI"),))


def test_lines_are_cited_word_for_word_with_their_time():
    assert cite_lines(CLIP, LINES, [3, 2]) == Citation(
        "Why is it wet? It leaks.", (2, 3), 1000, 4000
    )


def test_lines_without_times_are_cited_all_the_same():
    bare = [Utterance(n, f"line {n}") for n in (1, 2)]
    assert cite_lines(UNTIMED, bare, [2]) == Citation("line 2", (2,))


@pytest.mark.parametrize(
    ("numbers", "told"), [([], "No line"), ([2, 5], "Line 5 is not in"), ([4], "never said")]
)
def test_lines_that_are_no_evidence_are_refused(numbers, told):
    with pytest.raises(Refused, match=told):
        cite_lines(CLIP, LINES, numbers)


def test_a_stretch_of_picture_starts_at_the_playhead_and_stays_inside_the_clip():
    assert cite_seen(CLIP, 1000) == Citation("", (), 1000, 4000, SEEN_HERE)
    assert cite_seen(CLIP, 5500).end_ms == 6000
    with pytest.raises(Refused, match="outside"):
        cite_seen(CLIP, 6000)
    with pytest.raises(Refused, match="no times"):
        cite_seen(UNTIMED, 0)


def test_the_end_of_the_stretch_is_set_at_the_playhead():
    pick = Pick().citing(cite_lines(CLIP, LINES, [2])).citing(cite_seen(CLIP, 1000))
    ended = pick.citing(end_seen(CLIP, 1800, pick.cites))
    assert [(c.start_ms, c.end_ms) for c in ended.cites] == [(1000, 2500), (1000, 1800)]
    with pytest.raises(Refused, match="cannot end before"):
        end_seen(CLIP, 900, pick.cites)
    with pytest.raises(Refused, match="No stretch"):
        end_seen(CLIP, 900, ())


def test_a_citation_stands_once_and_can_be_described_and_removed():
    pick = Pick().citing(cite_seen(CLIP, 1000)).citing(cite_seen(CLIP, 2000))
    assert len(pick.citing(cite_seen(CLIP, 1000)).cites) == 2
    told = pick.with_seen(0, "  a wet   can ")
    assert [c.seen for c in told.cites] == ["a wet can", SEEN_HERE]
    assert told.with_seen(0, "").cites[0].seen == SEEN_HERE
    assert [c.start_ms for c in told.without_cite(0).cites] == [2000]


def test_what_somebody_else_cited_is_not_taken_over():
    cited = (Citation("It leaks.", (3,)),)
    made = Decision(CLIP, Verdict.CORRECT, "D1", 2, "BM", "", also=(Code("D3", 1),), evidence=cited)
    assert pick_of(made, "BM").cites == cited
    assert pick_of(made, "AK") == Pick("D1", 2, (Code("D3", 1),))
    assert pick_of(None, "AK") == Pick()
