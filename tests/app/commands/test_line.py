"""The command line as a program sees it: one object on standard output, and the exit code."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys

import av
import numpy as np
import pytest

from app.__main__ import _shelf, parts
from app.commands import journeys
from app.commands.line import run_line
from app.desk import Desk
from app.store.library import Library
from resources import resource

pytestmark = pytest.mark.usefixtures("warm_children")

VTT = """WEBVTT

00:01.000 --> 00:04.000
<v Ms Linden>What do you think makes the water appear on the can?

00:05.000 --> 00:08.000
<v Noor>Maybe it comes out of the air.
"""


class Window:
    """Stands in for the window: counts how often it was opened, and on which lesson."""

    def __init__(self, trouble: str | None = None) -> None:
        self.opened: list[str | None] = []
        self._trouble = trouble

    def open(self, _desk: Desk, lesson_id: str | None) -> int:
        self.opened.append(lesson_id)
        return 0

    def trouble(self) -> str | None:
        return self._trouble


@pytest.fixture
def window():
    return Window()


@pytest.fixture
def run(tmp_path, capsys, window, monkeypatch):
    """Run a command in an empty folder; gives exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str):
        try:
            code = run_line(arguments, parts, window.open, window.trouble, _shelf)
        except SystemExit as ended:  # argparse ends by itself on wrong use
            code = ended.code
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def test_a_transcript_is_printed_as_one_object(run, tmp_path):
    (tmp_path / "talk.vtt").write_text(VTT, encoding="utf-8")
    code, out, _err = run("transcript", "talk.vtt", "--json")
    assert code == 0
    lines = json.loads(out)["utterances"]
    assert [(x["start_ms"], x["end_ms"], x["speaker"]) for x in lines] == [
        (1000, 4000, "Ms Linden"),
        (5000, 8000, "Noor"),
    ]
    assert lines[1]["text"] == "Maybe it comes out of the air."
    assert lines[0]["flags"] == []


def test_the_sample_is_probed_with_all_that_was_promised(run):
    code, out, _err = run("probe", str(resource("sample") / "lesson.mp4"), "--json")
    assert code == 0
    facts = json.loads(out)
    assert set(facts) >= {
        "duration_ms",
        "frames",
        "width",
        "height",
        "rotation",
        "variable_frame_rate",
        "start_ms",
        "video_codec",
        "audio_codec",
        "notes",
    }
    assert (facts["width"], facts["height"], facts["rotation"]) == (1280, 720, 0)
    assert 180_000 <= facts["duration_ms"] <= 300_000


def test_a_file_that_is_not_there_is_refused_with_exit_code_1(run):
    code, out, err = run("probe", "nothing.mp4", "--json")
    assert code == 1
    assert "nothing.mp4" in json.loads(out)["error"]
    assert "nothing.mp4" in err


@pytest.mark.parametrize("arguments", [["prob", "x"], ["probe"], ["review", "x", "--nonsense"]])
def test_wrong_use_ends_with_exit_code_2(run, arguments):
    code, out, _err = run(*arguments)
    assert code == 2
    assert out == ""


def test_a_name_with_a_leading_dash_is_a_file(run, tmp_path):
    shutil.copy(resource("sample") / "lesson.vtt", tmp_path / "-lesson.vtt")
    code, out, _err = run("transcript", "-lesson.vtt", "--json")
    assert code == 0
    assert json.loads(out)["utterances"]


def test_probing_makes_no_library(run, own_home):
    run("probe", str(resource("sample") / "lesson.mp4"))
    assert not (own_home / "data" / "library.clerestory").exists()


def test_reviewing_a_transcript_alone_gives_checked_quotes_and_a_page(run, tmp_path):
    shutil.copy(resource("sample") / "lesson.vtt", tmp_path / "talk.vtt")
    code, out, _err = run("review", "talk.vtt", "--out", "pages", "--json", "--library", "l.db")
    assert code == 0
    told = json.loads(out)
    words = json.loads(run("transcript", "talk.vtt", "--json")[1])["utterances"]
    by_number = {line["number"]: line for line in words}
    quotes = [cited for clip in told["clips"] for cited in clip["evidence"]]
    assert quotes
    for cited in quotes:
        said = " ".join(by_number[n]["text"] for n in cited["utterances"])
        assert cited["check"] == "verified"
        assert cited["quote"] in said
        first, last = by_number[cited["utterances"][0]], by_number[cited["utterances"][-1]]
        assert first["start_ms"] <= cited["start_ms"] < cited["end_ms"] <= last["end_ms"]
    assert [f for f in told["files"] if f.endswith(".pdf")]
    assert all((tmp_path / f).is_file() for f in told["files"])
    assert (tmp_path / "l.db").is_file()


def test_reviewing_the_same_transcript_again_adds_no_second_lesson(run, tmp_path):
    shutil.copy(resource("sample") / "lesson.vtt", tmp_path / "talk.vtt")
    first = json.loads(run("review", "talk.vtt", "--json", "--library", "l.db")[1])
    second = json.loads(run("review", "talk.vtt", "--json", "--library", "l.db")[1])
    assert second["lesson_id"] == first["lesson_id"]
    assert second["clips"] == first["clips"]


def test_a_report_is_written_by_title_and_an_unknown_title_lists_what_there_is(run, tmp_path):
    shutil.copy(resource("sample") / "lesson.vtt", tmp_path / "talk.vtt")
    run("review", "talk.vtt", "--library", "l.db")
    code, out, _err = run("report", "talk", "--out", "again", "--json", "--library", "l.db")
    assert code == 0
    assert all((tmp_path / f).is_file() for f in json.loads(out)["files"])
    code, _out, err = run("report", "walk", "--library", "l.db")
    assert code == 1
    assert "walk" in err
    assert "talk" in err


def test_an_unknown_coder_is_wrong_use_and_the_known_are_named(run, tmp_path):
    shutil.copy(resource("sample") / "lesson.vtt", tmp_path / "talk.vtt")
    code, _out, err = run("review", "talk.vtt", "--coder", "oracle", "--library", "l.db")
    assert code == 2
    assert "oracle" in err
    assert "evidence-finder" in err


def test_the_demo_without_a_window_does_the_rest(run, window, tmp_path):
    code, out, _err = run("demo", "--no-window", "--out", "pages", "--json", "--library", "l.db")
    assert code == 0
    assert window.opened == []
    told = json.loads(out)
    assert {clip["practice"] for clip in told["clips"]} & {"BI", "D1", "D2", "D3"}
    assert (tmp_path / "pages" / "lesson-report.pdf").is_file()
    summary = told["learner_video"]["summary"]
    assert (summary["windows"], summary["duration_ms"]) == (16, 30_600)
    with Library.open(tmp_path / "l.db") as library:
        (video,) = library.learners.videos()
        (bands,) = library.learners.video(video.lesson_id).bands
        assert (bands.reader, bands.is_complete) == ("face-cues/1", True)
        (audit,) = library.audits.audits()
        assert audit.plan.is_sample
        assert told["audit"] == {"audit_id": audit.audit_id, "title": audit.plan.title}


@pytest.fixture
def no_learner(monkeypatch):
    """Leave the learner video out, which takes seconds."""
    monkeypatch.setattr(journeys, "_read_sample_learner", lambda _desk, _out: {})


@pytest.mark.usefixtures("no_learner")
def test_the_demo_says_why_no_window_opens_and_still_ends_well(run, window):
    window._trouble = "This computer has no display."
    code, _out, err = run("demo", "--out", "pages", "--library", "l.db")
    assert code == 0
    assert "no display" in err
    assert window.opened == []


@pytest.mark.usefixtures("no_learner")
def test_the_demo_opens_the_window_on_the_sample(run, window):
    code, out, _err = run("demo", "--out", "pages", "--library", "l.db", "--json")
    assert code == 0
    assert window.opened == [json.loads(out)["lesson_id"]]


def test_the_recommended_models_are_listed_without_a_library_or_the_network(run, own_home):
    code, out, _err = run("models", "list", "--json")
    assert code == 0
    names = {model["name"] for model in json.loads(out)["models"]}
    assert "qwen3-vl-4b" in names
    assert not (own_home / "data" / "library.clerestory").exists()


def test_a_pickle_is_never_added_as_a_model(run, tmp_path):
    (tmp_path / "model.pt").write_bytes(b"\x80\x04\x95" + b"\x00" * 64)
    code, _out, err = run("models", "add", "model.pt")
    assert code == 1
    assert "model.pt" in err


def test_a_reader_that_has_heard_enough_is_no_fault(tmp_path, own_home):
    line = f"{shlex.quote(sys.executable)} -m app models list | head -c 10"
    told = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert told.stdout == "This compu"
    assert told.stderr == ""


def test_a_silent_recording_still_gets_its_page_and_the_reason(run, tmp_path):
    silent = tmp_path / "silent.mp4"
    write_silent(silent)
    code, out, _err = run("review", "silent.mp4", "--out", "pages", "--json", "--library", "l.db")
    assert code == 0
    told = json.loads(out)
    assert told["clips"] == []
    assert "no sound" in told["notes"][-1]
    assert (tmp_path / "pages" / "lesson-report.pdf").is_file()


def write_silent(path):
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mpeg4", rate=5)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for shade in range(10):
            picture = np.full((48, 64, 3), 20 * shade, dtype=np.uint8)
            file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        file.mux(stream.encode())


def test_a_coder_is_named_whole_or_in_parts_and_never_both(run, tmp_path):
    (tmp_path / "a.vtt").write_text(VTT, "utf-8")
    for options, told in (
        (("--input", "T"), "go with --engine"),
        (("--coder", "evidence-finder", "--engine", "x"), "both choose a coder"),
        (("--coder", "x"), "does not name a coder"),
        (("--engine", "x", "--draws", "0"), "cannot be asked about 0 times"),
    ):
        code, _, aside = run("review", "a.vtt", *options)
        assert code == 2
        assert told in aside


def test_a_model_that_is_not_there_is_refused_before_any_work(run, tmp_path):
    (tmp_path / "a.vtt").write_text(VTT, "utf-8")
    code, said, aside = run("review", "a.vtt", "--coder", "huge T cot")
    assert (code, said) == (1, "")
    assert "no model called “huge”" in aside
    assert not (tmp_path / "a review").exists()


def test_the_coders_are_listed_with_where_they_work(run):
    code, said, _ = run("coders", "--json")
    assert code == 0
    assert json.loads(said) == {"coders": ["evidence-finder/1"], "engines": []}
    assert "Stays on this computer." in run("coders")[1]


def test_a_plan_of_the_finder_asks_nothing_and_writes_no_page(run, tmp_path):
    (tmp_path / "a.vtt").write_text(VTT, "utf-8")
    code, said, _ = run("review", "a.vtt", "--plan")
    assert code == 0
    assert "asks no model" in said
    assert not (tmp_path / "a review").exists()
