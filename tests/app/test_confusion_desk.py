"""A desk that reads learner videos: what is kept, gone on with, read again, refused."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from window_material import hidden, seen, series

from app.__main__ import parts
from app.confusion.face_choice import SEVERAL_FACES
from app.confusion.records import Level
from app.confusion.review import KeptBaseline
from app.desk import Desk
from app.errors import Cancelled, EngineMissing, MediaRefused, Paused, Refused, WrongUse
from app.lesson.media.probe import probe
from app.models import Fit, Fits, ModelState, Origin
from app.running.protocols import EngineFacts
from app.settings import Settings
from app.store.library import Library
from engines.scripted import Fault, Scripted
from resources import resource

CLIP = "learner.mp4"
WINDOWS = 16
LENGTH_MS = 30_600
LOOKED = range(0, LENGTH_MS, 200)


class Shelf:
    """Stands for models on this computer."""

    def states(self):
        return (
            ModelState(
                "small", "Small", "vision", "gguf", "MIT", "", (), 1, 1, Fit(Fits.MEMORY, "fits"),
                False, False, "", "", Origin.LINKED,
            ),
        )  # fmt: skip


class Faces:
    """Stands for the face engine: gives one series, and may be stopped before its end."""

    def __init__(self, rows=None):
        self.reads = 0
        self.rows = rows if rows is not None else [(at, 1, 300, 200) for at in LOOKED]
        self.seen = None

    def facts(self):
        return EngineFacts("faces", "1", True, 0, False, False, (("faces", "a"),))

    def read(self, _path, _folder, _per_second, report, stop):
        self.reads += 1
        report(0.5, "looking at faces")
        if stop.is_set():
            raise Cancelled
        self.seen = series(self.rows, LOOKED, frown=range(12_000, 14_000))
        return self.seen

    def so_far(self, _folder):
        return self.seen


@pytest.fixture
def made(tmp_path):
    """Make a desk whose model answers from a script and whose faces are made by hand."""
    opened = []

    def make(script=(), faces=None, **engine):
        chat = Scripted(script, **engine)
        faces = faces or Faces()
        changed = replace(
            parts(),
            shelf=Shelf,
            local_chat=lambda _child, _name: chat,
            face_reader=lambda _child: faces,
        )
        desk = Desk(Library.open(tmp_path / "a.clerestory", "Ann"), changed, Settings())
        opened.append(desk)
        return desk, chat, faces

    yield make
    for desk in opened:
        desk.close()


@pytest.fixture(scope="module")
def facts():
    return probe(str(resource("sample") / CLIP))


@pytest.fixture
def clip(tmp_path):
    return Path(shutil.copy(resource("sample") / "learner.mp4", tmp_path / CLIP))


@pytest.fixture
def add(facts, clip):
    """Put the video into a library as the desk does, without a child that looks into it."""

    def add(desk):
        lesson_id = desk.library.add_lesson("Sample", replace(facts, path=str(clip)), None)
        learners = desk.library.learners
        learners.add_video(lesson_id, learners.add_learner("K."))
        return lesson_id

    return add


def always(answer):
    return lambda _question, _draw: answer


def test_a_video_is_added_once_and_its_learner_is_met_again(made, clip):
    desk, _, _ = made()
    lesson_id = desk.confusion.add_video(clip, "K.")
    assert desk.confusion.add_video(clip, "k.") == lesson_id
    assert desk.confusion.add_video(clip) == lesson_id
    (row,) = desk.library.learners.videos()
    assert (row.learner.name, row.duration_ms, row.media_found) == ("K.", LENGTH_MS, True)


def test_a_learner_without_a_name_gets_a_number_and_never_the_name_of_the_file(made, clip):
    desk, _, _ = made()
    desk.library.learners.add_learner("learner 1")
    desk.confusion.add_video(clip)
    assert desk.library.learners.videos()[0].learner.name == "Learner 2"


def test_a_name_that_cannot_be_used_adds_nothing(made, clip):
    desk, _, _ = made()
    with pytest.raises(Refused, match="longer"):
        desk.confusion.add_video(clip, "x" * 61)
    assert desk.library.lessons() == []


def test_a_recording_without_a_picture_is_no_learner_video_and_is_not_added(made):
    desk, _, _ = made()
    sound = Path(__file__).parents[1] / "data" / "media" / "media3_sample_audio_only.mp4"
    with pytest.raises(MediaRefused, match="no picture"):
        desk.confusion.add_video(sound, "K.")
    assert desk.library.lessons() == []
    assert desk.library.learners.learners() == ()


def test_every_window_is_kept_and_a_second_reading_looks_at_nothing_again(made, add):
    desk, _, faces = made()
    lesson_id = add(desk)
    shown = []
    bands = desk.confusion.read(lesson_id, "face-cues", shown=lambda _run, r: shown.extend(r))
    assert [r.start_ms for r in bands.readings] == [2000 * n for n in range(WINDOWS)]
    assert bands.readings[-1].end_ms == LENGTH_MS
    assert tuple(shown) == bands.readings
    assert desk.library.learners.video(lesson_id).bands == (bands,)
    again = []
    assert desk.confusion.read(lesson_id, "face-cues", shown=lambda _r, r: again.extend(r)) == bands
    assert (tuple(again), faces.reads) == (bands.readings, 1)


def test_what_was_usual_is_kept_for_the_next_video_of_the_same_day(made, add):
    desk, _, _ = made()
    lesson_id = add(desk)
    desk.confusion.read(lesson_id, "face-cues")
    learner = desk.library.learners.videos()[0].learner.learner_id
    (kept,) = desk.library.learners.baselines(learner)
    assert isinstance(kept, KeptBaseline)
    assert (kept.lesson_id, len(kept.day)) == (lesson_id, 10)
    # Its own figures are no grounds of its own: read again it is the same.
    assert desk.confusion.material(lesson_id).baseline is None
    next_one = add(desk)
    assert desk.confusion.material(next_one).baseline == kept.figures
    desk.library.learners.keep_baseline(learner, lesson_id, "2001-01-01", {"older": 1})
    assert desk.confusion.material(next_one).baseline == {"older": 1}


def test_another_chosen_face_is_another_run(made, add):
    desk, _, _ = made()
    lesson_id = add(desk)
    first = desk.confusion.read(lesson_id, "face-cues")
    desk.library.learners.choose_face(lesson_id, 400, 300, 200, "Ann")
    second = desk.confusion.read(lesson_id, "face-cues")
    assert second.run_id != first.run_id
    assert dict(second.provenance)["chosen face"] == "400 300 200"


def test_a_face_is_chosen_where_one_is_seen_and_else_those_that_are_seen_are_listed(made, add):
    rows = [row for at in LOOKED for row in ((at, 1, 100, 80), (at, 2, 400, 90))]
    desk, _, _ = made(faces=Faces(rows))
    lesson_id = add(desk)
    seen_ones = desk.confusion.choose_face(lesson_id, (400, 620.0, 5.0), "Ann")
    assert [(one.start_ms, one.end_ms, one.at_ms) for one in seen_ones] == [(0, 30_400, 15_200)] * 2
    assert desk.confusion.material(lesson_id).face is None
    bands = desk.confusion.read(lesson_id, "face-cues")
    assert {r.note for r in bands.readings} == {SEVERAL_FACES}
    assert desk.confusion.faces_seen(lesson_id) == seen_ones
    other = seen_ones[1]
    chosen = (other.at_ms, float(other.x), float(other.y))
    assert desk.confusion.choose_face(lesson_id, chosen, "Ann") is None
    assert desk.confusion.material(lesson_id).face == chosen
    read = desk.confusion.read(lesson_id, "face-cues")
    assert all(r.is_visible for r in read.readings)


def test_a_model_reads_every_window_and_is_asked_only_once(made, add):
    desk, chat, _ = made(always(seen()))
    lesson_id = add(desk)
    plan = desk.confusion.plan(lesson_id, "small")
    assert (plan.windows, plan.estimate.calls, chat.asked) == (WINDOWS, WINDOWS, [])
    bands = desk.confusion.read(lesson_id, "small")
    assert (bands.reader, len(chat.asked)) == ("small", WINDOWS)
    assert desk.confusion.read(lesson_id, "small") == bands
    assert len(chat.asked) == WINDOWS
    assert desk.confusion.plan(lesson_id, "small").estimate.calls == 0


def test_a_stopped_run_goes_on_from_what_was_kept(made, add):
    stop = threading.Event()

    def script(_question, _draw):
        if len(chat.asked) == 5:
            stop.set()
        return seen()

    desk, chat, _ = made(script)
    lesson_id = add(desk)
    with pytest.raises(Cancelled):
        desk.confusion.read(lesson_id, "small", stop=stop)
    (half,) = desk.library.learners.video(lesson_id).bands
    assert not half.is_complete
    assert 3 <= len(half.readings) < WINDOWS
    whole = desk.confusion.read(lesson_id, "small")
    assert (whole.run_id, whole.is_complete) == (half.run_id, True)
    assert whole.readings[: len(half.readings)] == half.readings
    assert len(chat.asked) == WINDOWS


def test_windows_at_which_the_engine_failed_are_tried_again_and_others_are_not(made, add):
    answers = [seen(), Fault.SERVER_ERROR, hidden(), *[seen()] * 13, seen("low", "low", (1,))]
    desk, chat, _ = made(answers)
    lesson_id = add(desk)
    first = desk.confusion.read(lesson_id, "small")
    assert [r.status for r in first.readings].count("backend-error") == 1
    second = desk.confusion.read(lesson_id, "small")
    assert len(chat.asked) == WINDOWS + 1
    assert second.readings[1].level is Level.LOW
    assert second.run_id != first.run_id
    assert len(desk.library.learners.video(lesson_id).bands) == 2


def test_an_engine_that_fails_again_and_again_pauses_and_the_rest_is_asked_later(made, add):
    desk, chat, _ = made([seen(), *[Fault.CRASH] * 3, *[seen()] * 15])
    lesson_id = add(desk)
    with pytest.raises(Paused):
        desk.confusion.read(lesson_id, "small")
    (bands,) = desk.library.learners.video(lesson_id).bands
    assert [r.status for r in bands.readings] == ["ok"]
    assert desk.confusion.read(lesson_id, "small").is_complete
    assert len(chat.asked) == WINDOWS + 3


def test_once_faces_were_looked_for_an_empty_chair_is_never_asked_about(made, add):
    faces = Faces([(at, 1, 300, 200) for at in LOOKED if at < 10_000])
    desk, chat, _ = made(always(seen()), faces)
    lesson_id = add(desk)
    desk.confusion.look_at_faces(lesson_id)
    bands = desk.confusion.read(lesson_id, "small")
    assert [r.is_visible for r in bands.readings] == [True] * 5 + [False] * 11
    assert len(chat.asked) == 5
    assert "faces 1" in dict(bands.provenance)["faces"]


def test_a_fast_reader_screens_and_its_own_bands_stay(made, add):
    desk, chat, faces = made(always(seen("high", "high", (1,))))
    lesson_id = add(desk)
    unknown = desk.confusion.plan(lesson_id, "face-cues then small").screening
    assert (unknown.is_known, unknown.calls) == (False, WINDOWS)
    bands = desk.confusion.read(lesson_id, "face-cues then small")
    first, both = desk.library.learners.video(lesson_id).latest_bands
    assert (first.reader, both.reader) == ("face-cues/1", "face-cues/1 then small")
    assert both == bands
    # The grounds are those on which the model was asked: the face engine had looked by then.
    assert "faces 1" in dict(bands.provenance)["then: faces"]
    assert desk.confusion.read(lesson_id, "face-cues then small") == bands
    segments = {r.start_ms // 10_000 for r in first.readings if r.is_positive}
    assert segments == {1}
    reread = [r for r in bands.readings if r.start_ms // 10_000 in segments]
    assert len(chat.asked) == len(reread)
    assert {r.level for r in reread} <= {Level.HIGH}
    known = desk.confusion.plan(lesson_id, "face-cues then small").screening
    assert (known.reread, known.saved) == (len(reread), WINDOWS - len(reread))
    assert faces.reads == 1


def test_what_cannot_be_read_is_refused_before_anything_begins(made, add, clip):
    desk, _, _ = made(images=0)
    lesson_id = add(desk)
    with pytest.raises(EngineMissing, match="cannot be shown frames"):
        desk.confusion.read(lesson_id, "small")
    with pytest.raises(EngineMissing, match="no model called"):
        desk.confusion.plan(lesson_id, "nobody")
    with pytest.raises(WrongUse):
        desk.confusion.read(lesson_id, "a then b then c")
    clip.rename(clip.with_name("moved.mp4"))
    with pytest.raises(MediaRefused, match="no longer at"):
        desk.confusion.read(lesson_id, "face-cues")
    assert desk.library.learners.video(lesson_id).bands == ()


KILLED = """
import sys, time
from dataclasses import replace
from pathlib import Path
sys.path[:0] = {helpers!r}
from test_confusion_desk import Faces, Shelf
from window_material import seen
from app.__main__ import parts
from app.desk import Desk
from app.settings import Settings
from app.store.library import Library
from engines.scripted import Scripted, Slow

def answer(question, draw):
    return Slow(0.3, seen())

if __name__ == "__main__":
    chat = Scripted(answer)
    made = replace(
        parts(), shelf=Shelf, local_chat=lambda c, n: chat, face_reader=lambda c: Faces()
    )
    desk = Desk(Library.open(Path(sys.argv[1]), "Ann"), made, Settings())
    lesson_id = desk.confusion.add_video(Path(sys.argv[2]), "K.")
    print(lesson_id, flush=True)
    desk.confusion.read(lesson_id, "small", shown=lambda run, found: print(len(found), flush=True))
"""


@pytest.mark.slow
def test_killed_in_the_middle_everything_read_is_there_and_only_the_rest_is_asked(
    made, clip, tmp_path, own_home
):
    path = tmp_path / "a.clerestory"
    here = Path(__file__).parent
    code = KILLED.format(helpers=[str(here), str(here / "confusion"), str(here.parents[1])])
    script = tmp_path / "killed.py"
    script.write_text(code)
    environment = {**os.environ, "CLERESTORY_HOME": str(own_home)}
    program = subprocess.Popen(
        [sys.executable, script, path, clip],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    assert program.stdout is not None
    lesson_id = program.stdout.readline().strip()
    counted = 0
    while counted < 3:
        counted += int(program.stdout.readline())
    os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    program.stdout.close()
    desk, chat, _ = made(always(seen()))
    (bands,) = desk.library.learners.video(lesson_id).bands
    assert not bands.is_complete
    assert len(bands.readings) >= counted
    whole = desk.confusion.read(lesson_id, "small")
    assert (whole.run_id, len(whole.readings)) == (bands.run_id, WINDOWS)
    assert len(chat.asked) <= WINDOWS - len(bands.readings)


@pytest.mark.slow
def test_a_video_goes_all_the_way_to_a_report_and_back_as_json(tmp_path, capsys, monkeypatch):
    from app.commands.line import run_line

    monkeypatch.chdir(tmp_path)
    line = ["confusion", str(resource("sample") / "learner.mp4"), "--learner", "K.", "--json"]
    code = run_line(
        [*line, "--out", "pages", "--library", "l.db"],
        parts,
        pytest.fail,
        lambda: None,
        pytest.fail,
    )
    told = json.loads(capsys.readouterr().out)
    assert code == 0
    assert (told["learner"], told["reader"]) == ("K.", "face-cues/1")
    assert [w["start_ms"] for w in told["windows"]] == [2000 * n for n in range(WINDOWS)]
    assert {"end_ms", "visible", "level", "confidence", "cues"} <= set(told["windows"][0])
    summary = told["summary"]
    beside = summary["not_visible_windows"] + summary["failed_windows"]
    assert summary["positive_windows"]["of"] + beside == summary["windows"] == WINDOWS
    assert all((tmp_path / file).is_file() for file in told["files"])
    assert [file for file in told["files"] if file.endswith(".pdf")]
