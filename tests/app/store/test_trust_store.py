import sqlite3

import pytest

from app.coding.confidence import Source, confidences
from app.coding.probe_records import NOT_ASKED, Answered, ProbeKind
from app.coding.records import Check as EvidenceCheck
from app.coding.records import Citation, Decision, Evidence, Prediction, Said, Verdict
from app.errors import StoreRefused
from app.lesson.clips import Clip
from app.scoring.scored import Code
from app.store.library import Library


@pytest.fixture
def lesson(library, transcript, clip):
    made = library.add_lesson("Ice", None, transcript)
    library.propose_clips(made, [clip])
    return made


def told():
    pairs = (("engine", "one"), ("input", "T"), ("prompting", "few_shot"))
    return (*pairs, ("weights", "f" * 64))


def add(library, lesson, clip, practice, draws=(), coder="one T few_shot x3"):
    said = tuple(Said(Code(p, 1), "ok", f"key {n}") for n, p in enumerate(draws))
    cited = Evidence(Citation("How do you know?"), EvidenceCheck.VERIFIED)
    made = Prediction(clip, coder, practice, 2, 0.5, (cited,), told(), said=said)
    library.add_run(lesson, coder, (), [made])
    return library.lesson(lesson).predictions[-1].prediction_id


def word(clip, practice="D1", author="AK"):
    return Decision(clip, Verdict.CORRECT, practice, 1, author, "2026-01-01T00:00:00.000Z")


def test_a_decided_clip_comes_with_the_last_word_of_each_coder(library, lesson, clip):
    add(library, lesson, clip, "BI", ["BI", "BI", "D1"])
    add(library, lesson, clip, "D1", ["D1", "D1", "D3"])
    add(library, lesson, clip, "D2", coder="evidence-finder/1")
    assert library.decided_clips() == []
    library.decide(lesson, word(clip))
    (found,) = library.decided_clips()
    assert (found.lesson_id, found.clip_id, found.stands.practice) == (lesson, clip.clip_id, "D1")
    assert [(p.coder, p.practice) for p in found.predictions] == [
        ("one T few_shot x3", "D1"),
        ("evidence-finder/1", "D2"),
    ]
    (sure,) = confidences(found.predictions[0], found.predictions)
    assert (sure.value, sure.of, sure.source) == (2 / 3, 3, Source.DRAWS)


def test_a_decision_that_was_undone_decides_nothing(library, lesson, clip):
    add(library, lesson, clip, "D1")
    library.decide(lesson, word(clip))
    library.undo(lesson)
    assert library.decided_clips() == []


def test_probes_come_back_as_they_were_kept(library, lesson, clip):
    number = add(library, lesson, clip, "D1")
    kept = (
        Answered(number, ProbeKind.SUFFICIENCY, Code("D1", 2), "ok", "k1"),
        Answered(number, ProbeKind.NECESSITY, None, "refusal", "k2", "The model refused."),
        Answered(number, ProbeKind.NO_FRAMES, None, NOT_ASKED, "", "There is no picture."),
    )
    assert library.add_probes(kept) == 3
    found = library.lesson(lesson).probes
    assert found == kept
    assert all(one.made_at for one in found)


def test_the_same_probe_again_is_kept_once(library, lesson, clip):
    number = add(library, lesson, clip, "D1")
    probe = Answered(number, ProbeKind.NECESSITY, Code("D3", 1), "ok", "k")
    assert library.add_probes([probe, probe]) == 1
    assert library.add_probes([probe]) == 0


def test_the_latest_probe_of_a_kind_counts_and_the_earlier_stays(library, lesson, clip, path):
    number = add(library, lesson, clip, "D1")
    first = Answered(number, ProbeKind.NECESSITY, None, "backend-error", "k", "It went away.")
    second = Answered(number, ProbeKind.NECESSITY, Code("D1", 2), "ok", "k")
    library.add_probes([first])
    library.add_probes([second])
    assert library.lesson(lesson).probes == (second,)
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT count(*) FROM evidence_probe").fetchone() == (2,)


def test_probes_belong_to_their_lesson(library, lesson, clip, transcript):
    number = add(library, lesson, clip, "D1")
    other = library.add_lesson("Snow", None, transcript)
    library.add_probes([Answered(number, ProbeKind.NECESSITY, Code("D1", 2), "ok", "k")])
    assert library.lesson(other).probes == ()


def test_a_probe_of_no_prediction_is_refused_whole(library, lesson, clip):
    number = add(library, lesson, clip, "D1")
    good = Answered(number, ProbeKind.NECESSITY, Code("D1", 2), "ok", "k")
    with pytest.raises((StoreRefused, sqlite3.IntegrityError)):
        library.add_probes([good, Answered(999, ProbeKind.NECESSITY, None, "ok", "k")])
    assert library.lesson(lesson).probes == ()


def test_they_are_there_after_a_restart(path, transcript, clip):
    with Library.open(path, "Ann") as library:
        lesson = library.add_lesson("Ice", None, transcript)
        number = add(library, lesson, clip, "D1")
        probe = Answered(number, ProbeKind.SHUFFLED, Code("D1", 2), "retry-ok", "k", "As seen.")
        library.add_probes([probe])
    with Library.open(path, "Ann") as library:
        assert library.lesson(lesson).probes == (probe,)


def test_clips_that_were_moved_keep_the_ends_they_were_coded_with(library, lesson, clip):
    add(library, lesson, clip, "D1")
    moved = Clip(clip.clip_id, 1, 2, 0, 3500, "Ann")
    library.set_clips(lesson, [moved], "Ann", "Move a clip")
    library.decide(lesson, word(moved))
    (found,) = library.decided_clips()
    assert (found.stands.clip, found.predictions[0].clip) == (moved, clip)
