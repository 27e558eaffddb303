import threading

import pytest

from app.coder_trust import CoderTrust
from app.coding.conditions import CoderChoice, Condition
from app.coding.records import Decision, Prediction, Said, Verdict
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code
from app.store.library import Library

CLIP = Clip("c1", 1, 1, 0, 1000)
CODER = CoderChoice("one", Condition(), 2).name


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


@pytest.fixture
def lesson(library):
    words = Transcript((Utterance(1, "Why?", 0, 1000),), "import:srt")
    made = library.add_lesson("Ice", None, words)
    library.propose_clips(made, [CLIP])
    said = (Said(Code("D1", 1)), Said(Code("D1", 1)))
    library.add_run(made, CODER, (), [Prediction(CLIP, CODER, "D1", 1, None, (), said=said)])
    return made


def decide(library, lesson, practice="D1", author="Ann"):
    word = Decision(CLIP, Verdict.CORRECT, practice, 1, author, "2026-01-01T00:00:00.000Z")
    library.decide(lesson, word)


def test_a_decision_changes_the_figures_and_nothing_else_works_them_out_again(library, lesson):
    trust = CoderTrust(library)
    assert trust.known() == ()
    assert trust.figures() == ()
    decide(library, lesson)
    told = []
    first = trust.figures("", lambda share, doing: told.append(doing))
    assert [(one.coder, one.right.value) for one in first] == [(CODER, 1.0)]
    assert trust.figures("", lambda share, doing: told.append(doing)) is first
    assert len(told) == 1
    assert trust.known() is first
    library.undo(lesson)
    assert trust.figures() == ()


def test_each_reviewer_has_figures_of_their_own(library, lesson):
    trust = CoderTrust(library)
    decide(library, lesson, "D3", "Bea")
    assert trust.figures("Bea")[0].right.value == 0.0
    assert trust.figures("Ann") == ()
    assert trust.known("Bea") != ()


def test_two_threads_work_it_out_once(library, lesson):
    decide(library, lesson)
    trust, told = CoderTrust(library), []
    threads = [
        threading.Thread(target=trust.figures, args=("", lambda _s, doing: told.append(doing)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 1
