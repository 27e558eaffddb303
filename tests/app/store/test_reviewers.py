import pytest

from app.coding.records import Decision, Prediction, Stage, Verdict
from app.errors import Refused
from app.lesson.clips import Clip
from app.scoring.scored import Code
from app.store.library import Library

CLIP = Clip("a", 1, 2, 12_000, 20_000)


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory") as made:
        yield made


def said(author, **more):
    about = {"practice": "D1", "level": 2, "author": author, "made_at": ""}
    return Decision(CLIP, Verdict.CORRECT, **(about | more))


def test_people_are_those_added_and_those_who_decided(library):
    lesson_id = library.add_lesson("Water", None, None)
    assert library.reviewers() == ()
    assert library.add_reviewer(" zoe ") == "zoe"
    library.decide(lesson_id, said("AK"))
    library.decide(lesson_id, said("AK & BM", stage=Stage.CONSENSUS))
    assert library.reviewers() == ("AK", "zoe")


def test_a_known_person_is_not_added_twice(library):
    library.decide(library.add_lesson("Water", None, None), said("AK"))
    assert library.add_reviewer("ak") == "AK"
    assert library.reviewers() == ("AK",)


def test_a_name_that_reads_like_two_people_is_refused(library):
    with pytest.raises(Refused, match="two people"):
        library.add_reviewer("AK & BM")


def test_a_stamp_changes_with_what_is_said_or_decided_and_with_nothing_else(library):
    first, second = (library.add_lesson(t, None, None) for t in ("Water", "Air"))
    before = library.lesson_stamps()
    assert list(before) == [first, second]
    library.decide(first, said("AK"))
    decided = library.lesson_stamps()
    assert decided[first] != before[first]
    assert decided[second] == before[second]
    library.undo(first)
    assert library.lesson_stamps()[first] != decided[first]
    library.add_run(second, "x/1", (), [Prediction(CLIP, "x/1", "D1", 1, None, ())])
    assert library.lesson_stamps()[second] != before[second]


def test_the_stamp_of_the_library_changes_with_what_changes_the_stamp_of_any_lesson(library):
    stamps = [library.stamp()]
    first, second = (library.add_lesson(t, None, None) for t in ("Water", "Air"))
    stamps.append(library.stamp())
    library.decide(first, said("AK"))
    stamps.append(library.stamp())
    library.undo(first)
    stamps.append(library.stamp())
    library.add_run(second, "x/1", (), [Prediction(CLIP, "x/1", "D1", 1, None, ())])
    stamps.append(library.stamp())
    library.propose_clips(second, [CLIP])
    stamps.append(library.stamp())
    assert len(set(stamps)) == 6
    library.set_setting("blind", "yes")
    assert library.stamp() == stamps[-1]


@pytest.mark.parametrize(
    ("decision", "label"),
    [
        (said("AK", also=(Code("D3", 1),)), "Correct to D1, level 2 and D3, level 1 at 0:12"),
        (said("AK & BM", stage=Stage.CONSENSUS), "Agree on D1, level 2 at 0:12"),
    ],
)
def test_the_history_names_every_code_and_whether_it_was_agreed(library, decision, label):
    lesson_id = library.add_lesson("Water", None, None)
    library.decide(lesson_id, decision)
    change = library.history(lesson_id)[-1]
    assert change.label == label
    assert change.is_decision
