"""What the timeline draws of several people's codes, and hides from one who codes blind."""

from dataclasses import replace

import pytest

from app.coding.records import Citation, Decision, Stage, Verdict
from app.coding.sight import Sight
from app.scoring.scored import Code
from views.lesson.timeline_marks import clip_marks, decision_marks, evidence_marks
from views.timeline.marks import ClipState
from views.timeline.words import clip_words

OPEN, BLIND = Sight("AK", is_blind=False), Sight("AK", is_blind=True)


@pytest.fixture
def review(stand_in, tmp_path):
    with stand_in.Library.open(tmp_path / "a.clerestory") as library:
        yield library.lesson(stand_in.add_sample(library))


def decided(review, author, practice, **more):
    made = Decision(review.clips[0], Verdict.CORRECT, practice, 1, author, "", **more)
    return replace(review, decisions=(*review.decisions, made))


def test_a_disputed_clip_shows_neither_code_as_the_code(review):
    both = decided(decided(review, "BM", "D2"), "CO", "D3", also=(Code("D1", 2),))
    mark = clip_marks(both, OPEN)[0]
    assert (mark.practice, mark.level, mark.label) == ("", None, "≠")
    assert mark.state is ClipState.DISPUTED
    assert clip_words(mark).endswith(
        "people differ: BM: D2, level 1; CO: D3, level 1, also D1, level 2"
    )
    warned = decision_marks(both, OPEN)
    assert [(m.verdict, m.text.split(".")[0]) for m in warned] == [
        (None, "People differ: BM: D2, level 1; CO: D3, level 1, also D1, level 2")
    ]


def test_a_consensus_is_drawn_as_the_code(review):
    both = decided(decided(review, "BM", "D2"), "CO", "D3")
    agreed = decided(both, "BM & CO", "D2", stage=Stage.CONSENSUS)
    mark = clip_marks(agreed, OPEN)[0]
    assert (mark.label, mark.state) == ("D2·1", ClipState.DECIDED)
    assert decision_marks(agreed, OPEN)[0].text == "BM & CO agreed on D2, level 1"


@pytest.mark.parametrize("others", [["BM"], ["BM", "CO"]])
def test_who_codes_blind_sees_nothing_of_what_others_said_or_cited(review, others):
    cited = (Citation("Look at the can", (1,), 0, 500),)
    told = review
    for author, practice in zip(others, ("D2", "D3"), strict=False):
        told = decided(told, author, practice, evidence=cited)
    mark = clip_marks(told, BLIND)[0]
    assert (mark.label, mark.state, mark.words) == ("?", ClipState.UNREVIEWED, "")
    assert "code hidden" in clip_words(mark)
    assert decision_marks(told, BLIND) == []
    # Ticks of evidence are the coders' alone; what people cite could tell how they coded.
    assert evidence_marks(told, BLIND) == evidence_marks(review, BLIND)
