from people_lessons import agree, decide, decide_all, lesson, predict

from app.coding.people_clips import Which, begin_consensus, coded_clips, consensus
from app.coding.pick import Pick
from app.coding.records import Citation, Stage, Verdict
from app.coding.sight import Sight
from app.scoring.scored import Code

OPEN = Sight("AK", is_blind=False)
LEAK = Citation("It leaks.", (3,), 2500, 4000)
WET = Citation("", (), 0, 900, "a wet can")


def both(one="D1.2 D1.2 D1.2 D2.1", other="D1.2 D3.1 D1.3 ."):
    made = decide_all(lesson(4), "AK", one, blind=True, evidence=(LEAK,))
    return decide_all(made, "BM", other, blind=True, evidence=(WET,))


def listed(review, which, sight=OPEN):
    return [c.number for c in coded_clips([review], sight)[0] if c.is_among(which)]


def test_only_clips_that_two_people_coded_are_listed():
    assert listed(both(), Which.ALL) == [1, 2, 3]
    assert listed(both(), Which.DIFFERING) == [2, 3]
    assert listed(both(), Which.OPEN) == [2, 3]


def test_a_consensus_closes_a_difference_and_keeps_the_first_words():
    made = agree(both(), 1, "D3.1")
    assert listed(made, Which.OPEN) == [3]
    assert listed(made, Which.DIFFERING) == [2, 3]
    coded = coded_clips([made], OPEN)[0][1]
    assert [(w.author, w.practice) for w in coded.words] == [("AK", "D1"), ("BM", "D3")]
    assert coded.stands.stage is Stage.CONSENSUS


def test_who_came_round_without_a_consensus_still_said_something_else_first():
    made = decide(both(), "BM", 1, "D1.2")
    assert listed(made, Which.OPEN) == [3]
    assert listed(made, Which.DIFFERING) == [2, 3]


def test_who_still_codes_blind_is_told_how_many_clips_are_left_out():
    third = Sight("CO", is_blind=True)
    clips, hidden = coded_clips([both()], third)
    assert (clips, hidden) == ((), 3)
    clips, hidden = coded_clips([decide(both(), "CO", 0, "D1.2", blind=True)], third)
    assert ([c.number for c in clips], hidden) == ([1], 2)


def test_a_consensus_starts_from_what_is_the_same():
    same, practice, level = coded_clips([both()], OPEN)[0]
    assert begin_consensus(same) == Pick("D1", 2)
    assert begin_consensus(practice) == Pick()
    assert begin_consensus(level) == Pick("D1", None)


def test_the_consensus_names_who_agreed_and_keeps_the_evidence_of_those_who_had_it():
    made = predict(both(), "finder/1", "D3.1 D3.1 D3.1 D3.1")
    coded = coded_clips([made], OPEN)[0][1]
    agreed = consensus(made, coded, Pick("D3", 2, (Code("D1", 2),)), "line 3", "now")
    assert (agreed.author, agreed.stage, agreed.note) == ("AK & BM", Stage.CONSENSUS, "line 3")
    assert (agreed.verdict, agreed.coder) == (Verdict.CORRECT, "finder/1")
    assert agreed.codes == (Code("D3", 2), Code("D1", 2))
    assert agreed.evidence == (WET,)
    same = consensus(made, coded, Pick("D3", 1), "", "now")
    assert same.verdict is Verdict.ACCEPT


def test_people_can_agree_that_no_practice_shows():
    coded = coded_clips([both()], OPEN)[0][1]
    agreed = consensus(both(), coded, Pick("", None, (Code("D1"),)), "", "now")
    assert (agreed.verdict, agreed.codes, agreed.evidence) == (Verdict.REJECT, (), ())
