import sqlite3
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.confusion.events import reviewer_events
from app.confusion.records import (
    Confidence,
    Cue,
    CueKind,
    Event,
    EventDecision,
    EventVerdict,
    Level,
    Reading,
    ReadingDraw,
)
from app.confusion.review import CandidateWord, Stage
from app.errors import Refused, StoreRefused
from app.store import migrations
from app.store.asked_tables import lay_asked_tables
from app.store.backups import backup_folder
from app.store.library import Library
from app.store.practice_tables import lay_practice_tables
from app.store.schema import lay_tables

CUE = Cue(CueKind.BROW, (100, 1900), 0.41, 0.12, words="brows drawn together")
FULL = Reading(
    0,
    2000,
    True,
    Level.HIGH,
    Confidence.MEDIUM,
    (CUE, Cue(CueKind.SMILE, speaks_against=True)),
    (100, 1900),
    "",
    "retry-ok",
    (ReadingDraw(Level.HIGH, Confidence.LOW, "ok", "k"), ReadingDraw(None, None, "refusal", "m")),
)
UNSEEN = Reading(2000, 4000, False, note="No face is seen.")
FAILED = Reading(4000, 5000, True, None, status="schema-fail", note="It kept no schema.")
READER = "face-cues/1"


@pytest.fixture
def learner(library):
    return library.learners.add_learner("K.")


@pytest.fixture
def video(library, learner, recording):
    lesson_id = library.add_lesson("Fractions, Monday", recording, None)
    library.learners.add_video(lesson_id, learner)
    return lesson_id


def word(event_id="e1", verdict=EventVerdict.CONFIRM, start_ms=0, end_ms=4000, **more):
    made = "2026-01-01T00:00:00.000Z"
    return EventDecision(event_id, verdict, start_ms, end_ms, "Ann", made, **more)


def test_a_library_of_the_third_version_takes_learners(path, transcript, clip, monkeypatch):
    steps = (lay_tables, lay_asked_tables, lay_practice_tables)
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", steps)
        with Library.open(path, "Ann") as library:
            lesson_id = library.add_lesson("Ice", None, transcript)
            library.propose_clips(lesson_id, [clip])
            before = library.lesson(lesson_id)
    with Library.open(path, "Ann") as library:
        assert library.lesson(lesson_id) == before
        assert [row.learner for row in library.lessons()] == [""]
        library.learners.add_video(lesson_id, library.learners.add_learner("K."))
        assert [row.learner for row in library.lessons()] == ["K."]
    assert len(list(backup_folder(path).glob("before-version-3-*"))) == 1


def test_readings_come_back_equal_to_the_field(library, video):
    run_id = library.learners.start_run(video, READER, [("kind", "measured")])
    library.learners.keep_readings(run_id, [FULL])
    assert not library.learners.bands(run_id).is_complete
    library.learners.keep_readings(run_id, [UNSEEN, FAILED])
    library.learners.end_run(run_id)
    library.learners.end_run(run_id)
    (bands,) = library.learners.video(video).bands
    assert bands.readings == (FULL, UNSEEN, FAILED)
    assert (bands.reader, bands.provenance) == (READER, (("kind", "measured"),))
    assert (bands.run_id, bands.is_complete) == (run_id, True)


def test_a_window_is_kept_once_and_the_first_word_on_it_stays(library, video):
    run_id = library.learners.start_run(video, READER, [])
    library.learners.keep_readings(run_id, [FULL])
    library.learners.keep_readings(run_id, [replace(FULL, level=Level.NONE), UNSEEN])
    assert library.learners.bands(run_id).readings == (FULL, UNSEEN)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(UNSEEN, level=Level.NONE),
        replace(UNSEEN, level=Level.LOW, is_visible=False),
        replace(FULL, level=None),
        replace(FAILED, level=Level.NONE),
        replace(FULL, evidence_ms=(2000,)),
        replace(FULL, cues=(replace(CUE, at_ms=(-1,)),)),
        replace(FULL, end_ms=0),
    ],
)
def test_a_reading_that_claims_what_cannot_be_is_not_kept(library, video, wrong):
    run_id = library.learners.start_run(video, READER, [])
    other = Reading(8000, 9000, True, Level.LOW, Confidence.LOW)
    with pytest.raises(ValueError, match="ms"):
        library.learners.keep_readings(run_id, [other, wrong])
    assert library.learners.bands(run_id).readings == ()


def test_the_file_itself_refuses_a_level_where_nobody_is_visible(library, video, path):
    run_id = library.learners.start_run(video, READER, [])
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            "INSERT INTO reading VALUES (?, 0, 2000, 0, 'high', '', '[]', '[]', '', 'ok', '[]')",
            (run_id,),
        )


@pytest.mark.parametrize("table", ["reading", "reading_run", "event_decision", "learner"])
def test_nothing_that_was_kept_can_be_rewritten(library, video, path, table):
    run_id = library.learners.start_run(video, READER, [])
    library.learners.keep_readings(run_id, [FULL])
    library.learners.decide_event(video, word())
    with sqlite3.connect(path) as connection:
        for change in (f"DELETE FROM {table}", f"UPDATE {table} SET rowid = rowid"):
            if table == "reading":
                change = change.replace("rowid = rowid", "level = 'none'")
            with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
                connection.execute(change)


def test_words_on_events_are_undone_and_done_again_with_all_else(library, video):
    learners = library.learners
    learners.decide_event(video, word(reader=READER, found_start_ms=0, found_end_ms=4000))
    moved = word(verdict=EventVerdict.ADJUST, end_ms=3500, note="looks up at the board")
    learners.decide_event(video, moved)
    assert reviewer_events(learners.video(video).decisions) == (Event(0, 3500),)
    assert [hit.text for hit in library.search("board")] == [moved.note]
    assert library.undo(video) == "Set the boundaries of the event at 0:00"
    assert reviewer_events(learners.video(video).decisions) == (Event(0, 4000),)
    assert library.search("board") == []
    library.redo(video)
    assert learners.video(video).decisions[-1] == moved
    assert [hit.text for hit in library.search("board")] == [moved.note]
    assert [change.is_decision for change in learners.video(video).history] == [True, True]


def test_a_recording_that_is_nobodys_is_no_learner_video(library, transcript):
    lesson_id = library.add_lesson("Ice", None, transcript)
    for ask in (
        lambda: library.learners.video(lesson_id),
        lambda: library.learners.start_run(lesson_id, READER, []),
        lambda: library.learners.decide_event(lesson_id, word()),
        lambda: library.learners.choose_face(lesson_id, 0, 1, 1, "Ann"),
    ):
        with pytest.raises(StoreRefused, match="not the video of a learner"):
            ask()
    assert library.learners.videos() == []
    assert not library.learners.is_video(lesson_id)


def test_a_learner_is_met_again_by_name_and_a_video_can_be_another_learners(library, video):
    learners = library.learners
    assert learners.add_learner(" k. ") == learners.learners()[0].learner_id
    other = learners.add_learner("M.")
    learners.add_video(video, other)
    learners.add_video(video, other)
    assert learners.video(video).learner.name == "M."
    assert [row.learner.name for row in learners.videos()] == ["M."]
    for name in (" ", "x" * 61):
        with pytest.raises(Refused, match=r"name|longer"):
            learners.add_learner(name)


def test_the_list_says_who_read_and_how_much_is_decided(library, video):
    learners = library.learners
    for reader in (READER, "one", READER):
        learners.start_run(video, reader, [])
    learners.decide_event(video, word())
    learners.decide_event(video, word(verdict=EventVerdict.DISMISS))
    learners.decide_event(video, word("e2"))
    (row,) = learners.videos()
    assert (row.title, row.readers, row.decided) == ("Fractions, Monday", (READER, "one"), 2)
    assert (row.media_found, row.duration_ms) == (True, 5000)


def test_the_last_chosen_face_stands(library, video):
    library.learners.choose_face(video, 400, 12.5, 8, "Ann")
    library.learners.choose_face(video, 800, 100, 80, "Bo")
    face = library.learners.video(video).face
    assert (face.time_ms, face.x, face.y, face.author) == (800, 100.0, 80.0, "Bo")


def test_the_latest_baseline_of_each_video_is_given_by_day(library, learner, video, recording):
    learners = library.learners
    other = library.add_lesson("Tuesday", recording, None)
    learners.keep_baseline(learner, other, "2026-02-02", {"brow": 0.2})
    learners.keep_baseline(learner, video, "2026-02-01", {"brow": 0.1})
    learners.keep_baseline(learner, video, "2026-02-01", {"brow": 0.15})
    learners.keep_baseline(learner, video, "2026-02-01", {"brow": 0.15})
    found = learners.baselines(learner)
    assert [(b.day, b.figures) for b in found] == [
        ("2026-02-01", {"brow": 0.15}),
        ("2026-02-02", {"brow": 0.2}),
    ]


def test_words_on_candidates_come_back_in_order(library, video):
    said = CandidateWord(video, 0, 2000, Stage.CURATE, "keep", ("brow lowered",), "Ann", "clear")
    library.learners.say_of_candidate(said)
    library.learners.say_of_candidate(replace(said, author="Bo", verdict="drop", criteria=()))
    first, second = library.learners.candidate_words(video)
    assert replace(first, made_at="") == said
    assert (second.author, second.verdict, second.criteria) == ("Bo", "drop", ())
    assert library.learners.candidate_words("0000") == ()


def test_a_stamp_changes_with_every_reading_and_every_word(library, video):
    learners = library.learners
    seen = [learners.stamp(video)]
    run_id = learners.start_run(video, READER, [])
    for change in (
        lambda: learners.keep_readings(run_id, [FULL]),
        lambda: learners.end_run(run_id),
        lambda: learners.decide_event(video, word()),
        lambda: library.undo(video),
        lambda: learners.choose_face(video, 0, 1, 1, "Ann"),
    ):
        change()
        assert learners.stamp(video) not in seen
        seen.append(learners.stamp(video))


def test_the_run_that_counts_is_the_latest_complete_one(library, video):
    learners = library.learners
    first, second, third = (learners.start_run(video, READER, []) for _ in range(3))
    assert learners.video(video).bands_of(READER).run_id == third
    learners.end_run(first)
    assert learners.video(video).bands_of(READER).run_id == first
    learners.end_run(second)
    assert learners.video(video).bands_of(READER).run_id == second
    assert learners.video(video).bands_of("one") is None


LEVELS = st.sampled_from(Level)
SURE = st.sampled_from(Confidence)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SHARES = st.none() | st.floats(0, 1)


@st.composite
def whole_readings(draw):
    """Make a reading that says nothing that cannot be."""
    start = draw(st.integers(0, 10**7))
    end = start + draw(st.integers(1, 2000))
    moments = st.lists(st.integers(start, end - 1), max_size=3).map(tuple)
    cues = st.builds(Cue, st.sampled_from(CueKind), moments, SHARES, SHARES, st.booleans(), WORDS)
    given_draws = st.builds(ReadingDraw, st.none() | LEVELS, st.none() | SURE, WORDS, WORDS)
    more = {
        "note": draw(WORDS),
        "cues": tuple(draw(st.lists(cues, max_size=3))),
        "evidence_ms": draw(moments),
        "draws": tuple(draw(st.lists(given_draws, max_size=2))),
    }
    kind = draw(st.sampled_from(["level", "hidden", "failed"]))
    if kind == "level":
        return Reading(start, end, True, draw(LEVELS), draw(SURE), status="retry-ok", **more)
    return Reading(start, end, kind == "failed", status="ok" if kind == "hidden" else "x", **more)


@given(readings=st.lists(whole_readings(), max_size=5, unique_by=lambda r: r.start_ms))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_reader_says_comes_back_as_it_was_said(library, video, readings):
    run_id = library.learners.start_run(video, READER, [])
    library.learners.keep_readings(run_id, readings)
    assert library.learners.bands(run_id).readings == tuple(
        sorted(readings, key=lambda reading: reading.start_ms)
    )
