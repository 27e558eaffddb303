"""The face-cue reader as the program calls it."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from made_faces import ROWS, TABLE, after

from app.confusion import face_cues
from app.confusion.baseline import baseline_from
from app.confusion.face_cues import FaceCueReader
from app.confusion.readers import LearnerMaterial
from app.confusion.thresholds import read_sources, read_thresholds
from app.confusion.windows import windows_of
from app.errors import Cancelled, MediaRefused
from app.lesson.media.facts import MediaFacts, VideoFacts
from app.running.protocols import EngineFacts

FROWN = {"brow": 0.35, "lids": 0.4}
LONG = after((100.0, {}), (6.0, FROWN), (74.0, {}))


class Faces:
    """Finds faces that were written by hand, a few seconds at a time."""

    def __init__(self, series, told=(30, 70, 130), stops_at=None):
        self.series, self.told, self.stops_at, self.seen_s = series, told, stops_at, 0
        self.folders = []

    def facts(self):
        return EngineFacts("faces", "1", True, 0, False, False, (("sha256 a", "b"),))

    def read(self, media_path, folder, per_second, report, stop):
        self.folders.append(folder)
        for seen_s in self.told:
            self.seen_s = seen_s
            report(seen_s / 180, f"looked at {seen_s} s")
            if seen_s == self.stops_at:
                raise Cancelled()
        return self.series

    def so_far(self, folder):
        rows = self.series.time_ms < self.seen_s * 1000
        cut = {name: getattr(self.series, name)[rows] for name in ROWS}
        looked = self.series.looked_ms[self.series.looked_ms < self.seen_s * 1000]
        return replace(self.series, looked_ms=looked, is_complete=False, **cut)


def material(*, has_picture=True, **more):
    video = VideoFacts(
        stream=0,
        codec="h264",
        width=640,
        height=480,
        coded_width=640,
        coded_height=480,
        rotation=0,
        mirrored=False,
        sample_aspect=(1, 1),
        frames=4500,
        first_ms=0,
        end_ms=180_000,
        variable_frame_rate=False,
        pixel_format="yuv420p",
        high_dynamic_range=False,
    )
    media = MediaFacts("kim.mp4", 1, "f", "mp4", 0, 180_000, video if has_picture else None, None)
    return LearnerMaterial("lesson-1", media, "learner-1", **more)


@pytest.fixture(autouse=True)
def looks_at_every_report(monkeypatch):
    monkeypatch.setattr(face_cues, "LOOK_AGAIN_S", 0.0)


def read(reader, video, windows=None):
    kept, calls = [], []

    def keep(readings):
        calls.append(len(readings))
        kept.extend(readings)

    windows = windows_of(video.media.span) if windows is None else windows
    reader.read(video, windows, keep, lambda *_: None, threading.Event())
    return kept, calls


def test_readings_come_while_faces_are_still_being_found(tmp_path):
    kept, calls = read(FaceCueReader(Faces(LONG), lambda _: tmp_path), material())
    assert calls == [30, 30, 30]
    assert [r.start_ms for r in kept] == list(range(0, 180_000, 2000))
    assert [r.start_ms for r in kept if r.is_positive] == [100_000, 102_000, 104_000]


def test_what_was_kept_before_a_stop_stays_and_only_the_rest_is_read_later(tmp_path):
    kept = []
    stopped = FaceCueReader(Faces(LONG, stops_at=130), lambda _: tmp_path)
    windows = windows_of(material().media.span)
    with pytest.raises(Cancelled):
        stopped.read(material(), windows, kept.extend, lambda *_: None, threading.Event())
    assert len(kept) == 60
    rest, _ = read(FaceCueReader(Faces(LONG), lambda _: tmp_path), material(), windows[60:])
    whole, _ = read(FaceCueReader(Faces(LONG), lambda _: tmp_path), material())
    assert kept + rest == whole


def test_what_is_usual_is_handed_on_in_a_form_that_json_holds(tmp_path):
    kept = []
    reader = FaceCueReader(Faces(LONG), lambda _: tmp_path, lambda v, f: kept.append((v, f)))
    read(reader, material())
    (video, figures), *more = kept
    assert not more
    assert video.learner_id == "learner-1"
    assert baseline_from(json.loads(json.dumps(figures))).of("brow").median == 0.03


def test_a_recording_without_a_picture_is_refused(tmp_path):
    reader = FaceCueReader(Faces(LONG), lambda _: tmp_path)
    blind = material(has_picture=False)
    assert "kim.mp4 has no picture" in reader.refusal(blind).message
    with pytest.raises(MediaRefused):
        reader.plan(blind, windows_of(blind.media.span))
    with pytest.raises(MediaRefused):
        read(reader, blind)


def test_no_model_is_asked(tmp_path):
    reader = FaceCueReader(Faces(LONG), lambda _: tmp_path)
    assert reader.plan(material(), windows_of(material().media.span)) is None
    assert reader.refusal(material()) is None


def test_provenance_changes_with_face_baseline_and_thresholds(tmp_path):
    reader = FaceCueReader(Faces(LONG), lambda _: tmp_path)
    other = tmp_path / "face_cues.toml"
    other.write_text(TABLE.read_text("utf-8").replace("value = 0.25", "value = 0.26"), "utf-8")
    told = {
        reader.provenance(material()),
        reader.provenance(material(face=(100, 3.0, 4.0))),
        reader.provenance(material(baseline={"a": 1})),
        FaceCueReader(Faces(LONG), lambda _: tmp_path, table=other).provenance(material()),
    }
    assert len(told) == 4
    assert ("sha256 a", "b") in reader.provenance(material())


def test_a_chosen_face_that_was_not_reached_yet_waits(tmp_path):
    video = material(face=(150_000, 300.0, 200.0))
    kept, calls = read(FaceCueReader(Faces(LONG), lambda _: tmp_path), video)
    assert [r.level for r in kept] == [r.level for r in read_whole(tmp_path)]
    assert calls == [90]


def read_whole(folder):
    return read(FaceCueReader(Faces(LONG), lambda _: folder), material())[0]


def test_every_threshold_says_what_it_means_and_where_it_comes_from():
    sources = read_sources(TABLE)
    assert len(sources) == len({entry.name for entry in sources})
    assert all(len(entry.source) >= 9 and len(entry.meaning) > 9 for entry in sources)


def test_a_broken_table_of_thresholds_is_refused(tmp_path):
    table = tmp_path / "t.toml"
    table.write_text('[[threshold]]\nname = "presence"\nvalue = 1\nmeans = "m"\nsource = "s"\n')
    with pytest.raises(ValueError, match="brow_clear"):
        read_thresholds(table)
    table = tmp_path / "u.toml"
    table.write_text('[[threshold]]\nname = "presence"\nvalue = 1\nmeans = "m"\n')
    with pytest.raises(ValueError, match="rests on"):
        read_thresholds(table)
