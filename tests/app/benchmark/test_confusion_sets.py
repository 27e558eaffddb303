"""Folders to measure readers on: found by their tables, refused with every problem."""

import pytest

from app.benchmark.confusion_clips import answers_from, read_clips, read_said
from app.benchmark.confusion_sets import Task, read_set
from app.benchmark.confusion_tables import TablesRefused
from app.errors import Refused, WrongUse
from app.lesson.spans import Span

CLIPS = """id,media,label,start_ms,end_ms,learner
a,clips/a.mp4,yes,,,l1
b,clips/b.mp4,No,0,2000,l2
"""
TRUTH = "video,duration_ms,start_ms,end_ms\none,9000,0,2000\ntwo.mkv,9000,,\n"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "my set"
    (place / "clips").mkdir(parents=True)
    (place / "videos").mkdir()
    for name in ("clips/a.mp4", "clips/b.mp4", "videos/one.mp4", "two.mkv", "videos/one.txt"):
        (place / name).write_bytes(b"")
    (place / "clips.csv").write_text(CLIPS)
    (place / "truth.csv").write_text(TRUTH)
    return place


def lines(refused):
    return [(p.problem.line, p.problem.what) for p in refused.value.problems]


def test_clips_are_found_with_their_files_and_places(folder):
    found = read_set(folder, "recognition")
    assert (found.name, found.task, len(found.sha256)) == ("my set", Task.RECOGNITION, 64)
    assert [c.is_confused for c in found.clips] == [True, False]
    assert [c.span for c in found.clips] == [None, Span(0, 2000)]
    assert found.media == (folder / "clips/a.mp4", folder / "clips/b.mp4")


def test_videos_are_found_by_their_names_with_or_without_the_ending(folder):
    found = read_set(folder / "truth.csv")
    assert found.task is Task.LOCALIZATION
    assert found.media == (folder / "videos/one.mp4", folder / "two.mkv")


def test_a_folder_with_both_tables_asks_which(folder):
    with pytest.raises(WrongUse, match=r"holds clips\.csv and truth\.csv"):
        read_set(folder)
    (folder / "clips.csv").unlink()
    assert read_set(folder).task is Task.LOCALIZATION
    with pytest.raises(Refused, match=r"no clips\.csv in"):
        read_set(folder, "recognition")
    (folder / "truth.csv").unlink()
    with pytest.raises(Refused, match=r"no clips\.csv and no truth\.csv"):
        read_set(folder)


def test_files_that_are_not_there_are_told_with_their_lines_unless_nobody_needs_them(folder):
    (folder / "clips/b.mp4").unlink()
    (folder / "videos/one.mp4").unlink()
    with pytest.raises(TablesRefused) as refused:
        read_set(folder, "recognition")
    assert lines(refused)[0][0] == 3
    with pytest.raises(TablesRefused) as refused:
        read_set(folder, "localization")
    assert lines(refused) == [
        (2, "There is no file of video “one” in this folder or in videos/."),
    ]
    assert read_set(folder, "localization", with_media=False).media[0] is None


def test_what_is_wrong_with_clips_is_told_in_one_list(tmp_path):
    table = tmp_path / "clips.csv"
    table.write_text("id,label,start_ms,end_ms\na,maybe,,\n,yes,,\na,no,5,5\nb,yes,5,x\nc,,,\n")
    assert [(p.line, p.what) for p in read_clips(table)[1]] == [
        (2, "label is “maybe”; it has to be yes or no."),
        (3, "The row names no clip."),
        (4, "A clip cannot run from 5 to 5 ms."),
        (4, "Clip “a” stands in line 2 already."),
        (5, "end_ms is “x”; it has to be a whole number of milliseconds."),
        (6, "label is empty; it has to be yes or no."),
    ]


def test_predictions_have_to_be_about_the_same_clips(folder, tmp_path):
    found = read_set(folder, "recognition")
    table = tmp_path / "said.csv"
    table.write_text("id,predicted\nb,Not visible\nz,yes\n")
    with pytest.raises(TablesRefused) as refused:
        answers_from(found.clips, found.table, table)
    assert lines(refused) == [
        (0, "Clip “a” of clips.csv, line 2, is not in this table."),
        (3, "Clip “z” is not in clips.csv."),
    ]
    table.write_text("id,predicted\nb,not visible\na,yes\n")
    answers = answers_from(found.clips, found.table, table)
    assert [(a.clip.clip_id, a.said, a.is_right) for a in answers] == [
        ("a", "yes", True),
        ("b", "not visible", None),
    ]
    table.write_text("id,predicted\nb,sure\n")
    assert "one of yes, no, not visible, failed, not read" in read_said(table)[1][0].what
