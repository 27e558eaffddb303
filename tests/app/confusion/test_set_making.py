"""The road from words to folders: a real library, real clips, and the benchmark that reads them."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from fractions import Fraction

import av
import numpy as np
import pytest
from curated_stand_in import readings

from app.benchmark.confusion_sets import Task, read_set
from app.confusion.blind import marking_name
from app.confusion.curation import Validated
from app.confusion.records import EventDecision, EventVerdict
from app.confusion.review import Stage
from app.errors import Cancelled, Refused
from app.lesson.media.cutting import cut_clips
from app.lesson.media.probe import probe
from app.set_making import SetMaking
from app.store.library import Library

NAMES = ("Mia Example", "Mia_webcam", "Tom", "Secret title")


def film(path, seconds, start_ms=0):
    """Write a film with a key picture every 2 s and sound-free pictures at 10 a second."""
    with av.open(str(path), "w") as target:
        stream = target.add_stream("libx264", rate=10, options={"bf": "0", "sc_threshold": "0"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.gop_size = 20
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number in range(10 * seconds):
            grey = np.full((48, 64, 3), number % 250, np.uint8)
            frame = av.VideoFrame.from_ndarray(grey, format="rgb24")
            frame.pts, frame.time_base = start_ms + 100 * number, Fraction(1, 1000)
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    return path


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    return film(folder / "Mia_webcam.mp4", 20), film(folder / "other.mp4", 40, start_ms=5000)


@pytest.fixture
def library(tmp_path, films):
    """Give a library with two learners' videos that one reader has read."""
    with Library.open(tmp_path / "test.clerestory", "KL") as made:
        for path, name, title, signs in (
            (films[0], "Mia Example", "Secret title", "mmm-------"),
            (films[1], "Tom", "Other secret", "-" * 20),
        ):
            facts = probe(path)
            lesson_id = made.add_lesson(title, facts, None)
            made.learners.add_video(lesson_id, made.learners.add_learner(name))
            run = made.learners.start_run(
                lesson_id, "a/1", [("weights", "abc"), ("baseline", f"of {title}")]
            )
            made.learners.keep_readings(run, readings(signs, facts.start_ms))
            made.learners.end_run(run)
        yield made


@pytest.fixture
def here(monkeypatch):
    """Cut in this process: a child costs a second, and one test of it is enough."""
    monkeypatch.setattr("app.set_making._cut", lambda _child, *given: cut_clips(*given))


def judge(making, *verdicts):
    """Let two researchers keep the first windows, and two experts say something of each."""
    for verdict in verdicts:
        waiting = [s for s in making.material().standings if s.validated is Validated.NOT_ASKED]
        candidate = waiting[0].candidate
        for who in ("RA", "RB"):
            making.say(candidate, Stage.CURATE, "keep", who, ["brow_lids"], "as Mia Example does")
        for who in ("EA", "EB"):
            making.say(candidate, Stage.VALIDATE, verdict, who)


def test_a_recognition_set_is_read_by_the_benchmark(library, tmp_path):
    making = SetMaking(library)
    judge(making, "yes", "yes", "no")
    chosen = making.recognition(making.material())
    written = making.write(chosen, tmp_path / "set", "CC BY 4.0")
    place = tmp_path / "set" / "recognition"
    assert [path.name for path in written] == ["DATA_CARD.md", "clips.csv", "labels.json"]
    found = read_set(place)
    assert found.task is Task.RECOGNITION
    assert sorted(clip.is_confused for clip in found.clips) == [False, False, True, True]
    assert all(media.is_file() for media in found.media)
    # The learner who shows confusion is also the one shown without.
    assert len({clip.learner for clip in found.clips}) == 1
    told = json.loads((place / "labels.json").read_text())
    yes = [clip for clip in told["clips"] if clip["source"] == "both experts: yes"]
    assert sorted((clip["start_ms"], clip["end_ms"]) for clip in yes) == [(0, 2000), (2000, 4000)]
    assert {clip["cut"] for clip in told["clips"]} == {"copied"}
    assert {(clip["pictures"], clip["duration_ms"]) for clip in told["clips"]} == {(20, 2000)}


@pytest.mark.usefixtures("here")
def test_a_localization_set_is_read_by_the_benchmark(library, tmp_path):
    making = SetMaking(library)
    first, second = (row.lesson_id for row in library.learners.videos())
    library.learners.decide_event(
        first,
        EventDecision("e1", EventVerdict.ADJUST, 0, 5500, "KL", "", "Tom too", "a/1", 0, 6000),
    )
    # The second recording starts at 5 s of its own clock, and the table counts from 0.
    library.learners.decide_event(
        second, EventDecision("e2", EventVerdict.ADD, 7000, 9500, "KL", "2026-01-01")
    )
    making.write(making.localization(making.material()), tmp_path / "set")
    place = tmp_path / "set" / "localization"
    found = read_set(place)
    assert found.task is Task.LOCALIZATION
    events = sorted(
        (video.duration_ms, *[(e.start_ms, e.end_ms) for e in video.events])
        for video in found.videos
    )
    assert events == [(20_000, (0, 5500)), (40_000, (2000, 4500))]
    for video, media in zip(found.videos, found.media, strict=True):
        facts = probe(media)
        assert (facts.start_ms, facts.duration_ms) == (0, video.duration_ms)


@pytest.mark.usefixtures("here")
def test_no_name_no_note_and_no_path_leaves_the_library(library, tmp_path):
    making = SetMaking(library)
    judge(making, "yes", "no")
    material = making.material()
    making.note_consent(material.reviews[0], "guardian signed | for research", "KL")
    making.write(making.recognition(making.material()), tmp_path / "set")
    place = tmp_path / "set" / "recognition"
    for path in place.rglob("*"):
        assert "Mia" not in path.name
        told = path.read_bytes() if path.is_file() else b""
        for name in (*NAMES, "Other secret", str(tmp_path), "RA", "EB"):
            if path.suffix != ".mp4" or len(name) > 3:
                assert name.encode() not in told, (path, name)
    card = (place / "DATA_CARD.md").read_text()
    assert "Consent is noted for 1 of 1 recordings." in card
    assert "guardian signed / for research" in card
    assert "weights: abc" in card
    with pytest.raises(Refused, match="Mia Example"):
        making.note_consent(material.reviews[0], "the mother of Mia Example signed", "KL")
    with pytest.raises(Refused, match="The licence holds “Tom”"):
        making.write(making.recognition(material), tmp_path / "other", "ask Tom")


def test_missing_consent_is_told_and_can_be_taken_back(library):
    making = SetMaking(library)
    judge(making, "yes", "no")
    review = making.material().reviews[0]
    assert "Consent is not noted" in making.recognition(making.material()).warnings[0]
    making.note_consent(review, "signed", "KL")
    assert "Consent" not in " ".join(making.recognition(making.material()).warnings)
    making.note_consent(review, "", "KL")
    assert "Consent is not noted" in making.recognition(making.material()).warnings[0]


@pytest.mark.usefixtures("here")
def test_old_clips_and_new_labels_are_never_mixed(library, tmp_path):
    making = SetMaking(library)
    with pytest.raises(Refused, match="no clip"):
        making.write(making.recognition(making.material()), tmp_path / "set")
    judge(making, "yes", "no")
    making.write(making.recognition(making.material()), tmp_path / "set")
    with pytest.raises(Refused, match="there already"):
        making.write(making.recognition(making.material()), tmp_path / "set")


def test_a_recording_that_went_away_since_the_plan_is_named(library, tmp_path):
    making = SetMaking(library)
    judge(making, "yes", "no")
    chosen = making.recognition(making.material())
    lost = replace(chosen, sources=tuple(replace(s, path="/gone.mp4") for s in chosen.sources))
    with pytest.raises(Refused, match=r"gone\.mp4 is no longer where it was"):
        making.write(lost, tmp_path / "set")
    assert not (tmp_path / "set").exists()


@pytest.mark.usefixtures("here")
def test_stopping_leaves_nothing_behind(library, tmp_path):
    making = SetMaking(library)
    judge(making, "yes", "no")
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        making.write(making.recognition(making.material()), tmp_path / "set", stop=stop)
    assert list((tmp_path / "set").iterdir()) == []


def test_a_word_is_checked_against_what_others_said_meanwhile(library):
    making = SetMaking(library)
    candidate = making.material().standings[0].candidate
    making.say(candidate, Stage.CURATE, "keep", "RA", ["hand"])
    making.say(candidate, Stage.CURATE, "keep", "RB", ["hand"])
    with pytest.raises(Refused, match="Both researchers have spoken"):
        making.say(candidate, Stage.CURATE, "keep", "RC", ["hand"])
    assert len(library.learners.candidate_words()) == 2


def test_a_video_that_was_looked_through_counts_without_events(library):
    making = SetMaking(library)
    second = library.learners.videos()[1].lesson_id
    assert making.localization(making.material()).videos == ()
    library.add_reviewer("KL")
    library.set_setting(marking_name("KL", second), "2026-11-30T10:00:00+00:00")
    (video,) = making.localization(making.material()).videos
    assert (video.lesson_id, video.events) == (second, ())


def test_candidates_can_come_from_chosen_readers_alone(library):
    making = SetMaking(library)
    assert making.material().all_readers == ("a/1",)
    assert len(making.material().standings) == 3
    making.choose_readers(["other"])
    assert making.material().standings == ()
    making.choose_readers([])
    assert len(making.material().standings) == 3
