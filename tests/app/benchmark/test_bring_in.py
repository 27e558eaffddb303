"""A set of coded clips comes into the library whole, or not at all with one list of reasons."""

from __future__ import annotations

import json
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.benchmark.bring_in import digest_of_set, find_set, open_set
from app.benchmark.problems import CodedSetRefused
from app.benchmark.records import LessonDraft, SetDraft
from app.errors import Cancelled, StoreRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Transcript, Utterance
from app.scoring.scored import Code
from app.store.library import Library

COLUMNS = "id,media,transcript,start,end,codes"


def problems_of(folder, levels, files):
    with pytest.raises(CodedSetRefused) as refused:
        open_set(find_set(folder, levels), "", files)
    return [str(problem) for problem in refused.value.problems]


def test_each_recording_with_its_transcript_is_a_lesson_with_the_tables_clips(set_folder, bring_in):
    brought = bring_in(set_folder)
    assert brought.name == "term 1"
    assert [clip.clip_id for clip in brought.clips] == ["i1", "i2", "i3", "m1", "m2"]
    assert [clip.codes for clip in brought.clips] == [
        (Code("D1", 2),),
        (Code("D3", 4), Code("D1", 2)),
        (Code("BI"),),
        (),
        (Code("D2", 1),),
    ]
    assert len(brought.lesson_ids) == 2


def test_clips_keep_their_ids_and_lie_where_the_table_says(set_folder, bring_in, library):
    brought = bring_in(set_folder)
    ice = library.lesson(brought.lesson_ids[0])
    assert ice.title == "ice"
    assert ice.media.path.endswith("ice.mp4")
    assert ice.roles == {"Teacher": Role.TEACHER}
    # A line every four seconds, its middle at 1.5 s after its start.
    assert [(c.clip_id, c.first, c.last, c.start_ms, c.end_ms) for c in ice.clips] == [
        ("i1", 1, 10, 0, 40_000),
        ("i2", 11, 20, 40_000, 80_000),
        ("i3", 21, 30, 80_000, 120_000),
    ]
    assert brought.notes == (
        "i3 ended 500 ms after its recording; it was cut to the recording's end.",
    )
    mould = library.lesson(brought.lesson_ids[1])
    assert [(c.clip_id, c.first, c.last, c.start_ms, c.end_ms) for c in mould.clips] == [
        ("m2", 1, 30, 0, 120_000),
        ("m1", 4, 13, 10_000, 50_000),
    ]


def test_lessons_of_a_set_are_marked_in_the_list_of_lessons(set_folder, bring_in, library):
    library.add_lesson("My own", None, None)
    bring_in(set_folder)
    rows = [(row.title, row.coded_set) for row in library.lessons()]
    assert rows == [("My own", ""), ("ice", "term 1"), ("mould", "term 1")]


def test_the_same_set_again_is_the_same_set_wherever_it_lies(set_folder, bring_in, library):
    first = bring_in(set_folder)
    moved = set_folder.rename(set_folder.parent / "moved")
    again = bring_in(moved)
    assert again.set_id == first.set_id
    assert len(library.coded_sets()) == 1
    assert len(library.lessons()) == 2


def test_a_changed_table_is_a_new_set_with_a_new_name(set_folder, bring_in, library):
    first = bring_in(set_folder)
    table = set_folder / "clips.csv"
    table.write_text(table.read_text().replace("D1:2\n", "D1:3\n"))
    second = bring_in(set_folder)
    assert (first.name, second.name) == ("term 1", "term 1 2")
    assert len(library.lessons()) == 4
    assert first in library.coded_sets()


@pytest.mark.parametrize("changed", ["ice.vtt", "mould.mp4"])
def test_a_changed_file_is_a_new_set(set_folder, levels, files, changed):
    before = digest_of_set(find_set(set_folder, levels), files)
    path = set_folder / changed
    path.write_text(path.read_text() + " \n")
    assert digest_of_set(find_set(set_folder, levels), files) != before


def test_each_file_is_opened_once(set_folder, bring_in, files):
    bring_in(set_folder)
    assert sorted(files.opened) == ["ice.mp4", "ice.vtt", "mould.mp4", "mould.vtt"]


def test_words_in_the_table_make_a_lesson_for_each_clip(
    tmp_path, published_rows, bring_in, library
):
    folder = tmp_path / "coded"
    folder.mkdir()
    rows = "\n".join(json.dumps(row) for row in published_rows)
    (folder / "clips.jsonl").write_text(rows, encoding="utf-8")
    brought = bring_in(folder, "published")
    assert brought.name == "coded (published)"
    assert (len(brought.clips), len(brought.lesson_ids)) == (48, 48)
    lesson = library.lesson(brought.lesson_ids[0])
    assert lesson.title == "clip-01"
    assert lesson.roles == {"Teacher": Role.TEACHER, "Student": Role.STUDENT}
    assert [(c.clip_id, c.first, c.last, c.start_ms) for c in lesson.clips] == [
        ("clip-01", 1, 8, None)
    ]


def test_a_split_that_no_row_has_is_named_with_those_there_are(tmp_path, published_rows, levels):
    (tmp_path / "clips.json").write_text(json.dumps(published_rows), encoding="utf-8")
    found = find_set(tmp_path, levels, "test")
    assert [str(p) for p in found.problems] == [
        "No row is of the split “test”; there are development, published."
    ]


def test_names_of_files_may_come_from_another_system(set_folder, levels, files):
    (set_folder / "videos").mkdir()
    (set_folder / "videos" / "e\u0301te\u0301.mp4").write_text("120000")
    (set_folder / "clips.csv").write_text(
        f"{COLUMNS}\na,videos\\\u00e9t\u00e9.mp4,ice.vtt,,,BI\n", encoding="utf-8"
    )
    draft = open_set(find_set(set_folder, levels), "", files)
    assert draft.lessons[0].media.duration_ms == 120_000


def test_half_the_media_gone_is_told_for_every_clip_beside_all_else(set_folder, levels, files):
    (set_folder / "mould.mp4").unlink()
    (set_folder / "ice.mp4").write_text("cut off")
    table = set_folder / "clips.csv"
    table.write_text(table.read_text().replace(",none", ",D9").replace("D3:4", "D3:5"))
    assert problems_of(set_folder, levels, files) == [
        "line 2: ice.mp4 is no recording.",
        "line 3: D3 has no level 5; its levels are 1 to 4.",
        "line 3: ice.mp4 is no recording.",
        "line 4: ice.mp4 is no recording.",
        "line 5: There is no file mould.mp4.",
        "line 5: “D9” is no practice; there are BI, D1, D2, D3.",
        "line 6: There is no file mould.mp4.",
    ]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("a,ice.mp4,ice.vtt,1:50,2:10,BI", "The clip ends at 2:10, but the recording at 2:00."),
        ("a,ice.mp4,ice.vtt,2:00,2:01,BI", "but the recording at 2:00"),
        ("a,ice.mp4,bare.txt,0:10,0:20,BI", "The transcript has no times, so that a clip"),
        ("a,,ice.vtt,3:00,4:00,BI", "The transcript has no words between 3:00 and 4:00."),
        ("a,alone.mp4,,0:10,0:20,BI", "alone.mp4 has no transcript: name one, or put one"),
        ("a,ice.mp4,gone.vtt,0:10,0:20,BI", "There is no file gone.vtt."),
        ("a,ice.mp4,page.pdf,0:10,0:20,BI", "page.pdf is a PDF."),
    ],
)
def test_a_clip_that_cannot_lie_there_is_named(set_folder, levels, files, row, what):
    (set_folder / "bare.txt").write_text("Teacher: Why?\nStudent: Because.\n")
    (set_folder / "alone.mp4").write_text("120000")
    (set_folder / "page.pdf").write_bytes(b"%PDF-1.7")
    (set_folder / "clips.csv").write_text(f"{COLUMNS}\n{row}\n")
    found = problems_of(set_folder, levels, files)
    assert len(found) == 1
    assert found[0].startswith("line 2: ")
    assert what in found[0]


def test_utterances_that_are_not_there_and_a_stretch_twice_are_named(set_folder, levels, files):
    rows = [
        {"id": "a", "transcript": "ice.vtt", "first": 1, "last": 31, "codes": "BI"},
        {"id": "b", "transcript": "ice.vtt", "first": 1, "last": 4, "codes": "BI"},
        {"id": "c", "transcript": "ice.vtt", "first": 1, "last": 4, "codes": "D1"},
    ]
    (set_folder / "clips.csv").unlink()
    (set_folder / "clips.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert problems_of(set_folder, levels, files) == [
        "line 1: There is no utterance 31; the transcript has 1 to 30.",
        "line 3: The clip c is the same stretch as the one in line 2; give all its codes in one "
        "row.",
    ]


def test_a_stop_leaves_nothing_behind(set_folder, levels, files, library):
    class Stopped:
        def is_set(self):
            return bool(files.opened)

    with pytest.raises(Cancelled):
        open_set(find_set(set_folder, levels), "", files, stop=Stopped())
    assert library.lessons() == []


def test_a_fault_of_the_disk_in_the_middle_keeps_nothing(library, monkeypatch):
    words = Transcript((Utterance(1, "Why?"),), "import:coded-table")
    lesson = LessonDraft("One", None, words, {}, (Clip("a", 1, 1, None, None),))
    # The second lesson names a clip of the first: the database refuses it half way.
    draft = SetDraft("set", "", "d" * 64, (lesson, lesson), {"a": (Code("BI"),)})
    with pytest.raises((sqlite3.IntegrityError, StoreRefused)):
        library.add_coded_set(draft)
    assert library.lessons() == []
    assert library.coded_sets() == []


# Whatever is planted in a sound table is named, and nothing comes in

FAULTS = {
    "unknown code": ({"codes": "D7:1"}, "“D7” is no practice"),
    "level out of range": ({"codes": "D1:4"}, "D1 has no level 4"),
    "no code": ({"codes": ""}, "No code is given"),
    "reversed": ({"start": "0:09", "end": "0:03"}, "runs backwards"),
    "no length": ({"start": "0:09", "end": "0:09"}, "has no length"),
    "no media": ({"media": "gone.mp4"}, "There is no file gone.mp4."),
    "bad media": ({"media": "broken.mp4"}, "broken.mp4 is no recording."),
    "no transcript": ({"transcript": "gone.vtt"}, "There is no file gone.vtt."),
    "after the end": ({"start": "1:00", "end": "9:00"}, "but the recording at 2:00"),
    "silent": ({"start": "0:03.1", "end": "0:03.2"}, "no words between"),
    "same id": ({"id": "clip 0"}, "The id “clip 0” stands in line"),
}


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(planted=st.dictionaries(st.integers(1, 9), st.sampled_from(sorted(FAULTS)), min_size=1))
def test_the_list_names_every_planted_fault_and_nothing_comes_in(
    tmp_path_factory, set_folder, levels, files, planted
):
    (set_folder / "broken.mp4").write_text("not a number")
    lines = [COLUMNS]
    for number in range(10):
        row = {
            "id": f"clip {number}",
            "media": "ice.mp4",
            "transcript": "ice.vtt",
            "start": f"0:{5 * number:02}",
            "end": f"0:{5 * number + 5:02}",
            "codes": "D2:4",
        }
        row |= FAULTS[planted[number]][0] if number in planted else {}
        lines.append(",".join(row[column] for column in COLUMNS.split(",")))
    (set_folder / "clips.csv").write_text("\n".join(lines) + "\n")
    told = problems_of(set_folder, levels, files)
    for number, fault in planted.items():
        line = f"line {number + 2}: "
        assert any(t.startswith(line) and FAULTS[fault][1] in t for t in told), (fault, told)
    assert {int(t.split(":")[0].removeprefix("line ")) - 2 for t in told} == set(planted)
    with Library.open(tmp_path_factory.mktemp("library") / "one.clerestory") as library:
        assert library.lessons() == []
        assert library.coded_sets() == []
