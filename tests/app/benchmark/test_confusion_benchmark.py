"""Readers over a set: each recording alone, what failed beside, what was read not read again."""

import shutil
import threading
from dataclasses import replace

import pytest
from window_material import hidden, seen

from app.__main__ import parts
from app.benchmark.confusion_results import results_of
from app.benchmark.confusion_sets import read_set
from app.benchmark.confusion_tables import TablesRefused
from app.desk import Desk
from app.errors import Cancelled
from app.models import Fit, Fits, ModelState, Origin
from app.scoring.windows import WindowCounts
from app.settings import Settings
from app.store.library import Library
from engines.scripted import Fault, Scripted
from resources import resource

LENGTH_MS = 30_600


class Shelf:
    """Stands for models on this computer."""

    def states(self):
        return (
            ModelState(
                "small", "Small", "vision", "gguf", "MIT", "", (), 1, 1, Fit(Fits.MEMORY, "fits"),
                False, False, "", "", Origin.LINKED,
            ),
        )  # fmt: skip


class NoFaces:
    """Stands for a face engine that nobody has asked."""

    def facts(self):
        return Scripted([]).facts()

    def so_far(self, _folder):
        return None


CONFUSED = seen("high", "high", (1,))


def window_of(question):
    return min(frame.time_ms for frame in question.frames) // 2000


@pytest.fixture
def desk(tmp_path):
    """A desk whose model answers by the number of the window it is shown."""

    def answer(question, _draw):
        desk.asked.append(window_of(question))
        return desk.says(window_of(question))

    chat = Scripted(answer)
    changed = replace(
        parts(), shelf=Shelf, local_chat=lambda *_: chat, face_reader=lambda _child: NoFaces()
    )
    with Desk(Library.open(tmp_path / "a.clerestory", "Ann"), changed, Settings()) as desk:
        desk.asked, desk.says = [], lambda _window: seen()
        yield desk


@pytest.fixture
def videos(tmp_path):
    """One video with events in windows 1 to 2 and 10, as a localization set."""
    place = tmp_path / "videos of one"
    place.mkdir()
    shutil.copy(resource("sample") / "learner.mp4", place / "001.mp4")
    rows = ["video,duration_ms,start_ms,end_ms", f"001,{LENGTH_MS},2000,6000"]
    rows.append(f"001,{LENGTH_MS},20000,22000")
    (place / "truth.csv").write_text("\n".join(rows))
    return place


def ran(desk, place, *readers, stop=None):
    found = read_set(place)
    brought = desk.confusion_benchmark.bring_in(found)
    return results_of(found, desk.confusion_benchmark.run(brought, readers, stop=stop))


def test_what_a_model_says_of_windows_becomes_events_and_counts(desk, videos):
    said = {2: CONFUSED, 3: seen("medium", "low", (1,)), 10: hidden(), 12: CONFUSED}
    desk.says = lambda window: said.get(window, seen())
    (result,) = ran(desk, videos, "small").readers
    (score,) = result.localization.scores
    assert score.windows == WindowCounts(tp=1, fp=2, fn=1, tn=11)
    assert score.left_out == {"not visible": 1, "failed": 0, "not read": 0}
    # 2 s of 6 s are shared: 1/3. The other event lies where nobody could be seen.
    assert (score.events.matched, score.events.truth, score.events.unseen) == ((1, 1), 1, 1)
    assert result.provenance


def test_a_reader_that_is_not_there_says_so_in_plan_and_run_and_the_others_go_on(desk, videos):
    brought = desk.confusion_benchmark.bring_in(read_set(videos))
    gone, small = desk.confusion_benchmark.plan(brought, ["gone", "small"])
    assert "no model called “gone”" in gone.reason
    (plan,) = small.plans
    assert (plan.windows, plan.estimate.calls, desk.asked) == (16, 16, [])
    gone, small = ran(desk, videos, "gone", "small").readers
    assert gone.windows is None
    assert "There is no model called “gone” here" in gone.reason
    assert small.windows.judged == 16
    assert not gone.is_unfinished


def test_an_engine_that_gives_up_leaves_the_rest_unread_and_is_told(desk, videos):
    desk.says = lambda window: seen() if window < 3 else Fault.CRASH
    (result,) = ran(desk, videos, "small").readers
    assert result.is_unfinished
    assert "1 not read whole (001)" in result.reason
    left = result.localization.scores[0].left_out
    assert result.windows.judged == 3
    assert left["failed"] + left["not read"] == 13


def test_a_stopped_run_keeps_what_was_read_and_a_whole_one_is_not_read_again(desk, videos):
    stop = threading.Event()

    def answer(window):
        if window == 4:
            stop.set()
        return seen()

    desk.says = answer
    with pytest.raises(Cancelled):
        ran(desk, videos, "small", stop=stop)
    asked = len(desk.asked)
    whole = ran(desk, videos, "small")
    assert asked < 16
    assert len(desk.asked) == 16
    assert ran(desk, videos, "small") == whole
    assert len(desk.asked) == 16


def test_a_file_that_is_not_what_the_table_says_is_refused_with_its_line(desk, videos):
    table = videos / "truth.csv"
    table.write_text(table.read_text().replace(str(LENGTH_MS), "40000"))
    with pytest.raises(TablesRefused, match="is 40000 ms long here and 30600 ms as a file"):
        ran(desk, videos, "small")
    (videos / "001.mp4").write_bytes(b"no video")
    with pytest.raises(TablesRefused) as refused:
        ran(desk, videos, "small")
    assert [p.problem.line for p in refused.value.problems] == [2]


def test_clips_of_one_file_are_read_once_and_each_takes_its_own_windows(desk, tmp_path):
    place = tmp_path / "clips"
    place.mkdir()
    shutil.copy(resource("sample") / "learner.mp4", place / "k.mp4")
    rows = ["id,media,label,start_ms,end_ms", "a,k.mp4,yes,2000,4000", "b,k.mp4,no,4000,6000"]
    rows += ["c,k.mp4,yes,8000,10000"]
    (place / "clips.csv").write_text("\n".join(rows))
    desk.says = lambda window: {1: CONFUSED, 4: hidden()}.get(window, seen())
    (result,) = ran(desk, place, "small").readers
    assert [a.said for a in result.recognition.answers] == ["yes", "no", "not visible"]
    assert result.recognition.answers[2].note
    assert len(desk.asked) == 16
