from __future__ import annotations

from datetime import datetime, time, timedelta
from pathlib import Path

import pytest
from openpyxl import Workbook

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.column_times import settle
from app.lesson.transcript.read import read_transcript
from app.lesson.transcript.records import Flag


def workbook(path: Path, *rows, title="Sheet1") -> Path:
    book = Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def facts(transcript):
    return [(u.start_ms, u.end_ms, u.speaker, u.text) for u in transcript.utterances]


HEAD = ["", "TimeStamp", "Turn", "Speaker", "Sentence", "Teacher Tag", "Student Tag"]


def test_talkmoves_rows_become_utterances(tmp_path):
    path = workbook(
        tmp_path / "a.xlsx",
        HEAD,
        [0, "00:00:06", 1, "T", "Why is that?", "1 - None", None],
        [1, "00:00:06", 1, "T", "Say it.", "1 - None", None],
        [2, None, 2, "Ana:", 14.0, None, "1 - None"],
    )
    found = read_transcript(path)
    assert facts(found) == [
        (6000, None, "T", "Why is that?"),
        (6000, None, "T", "Say it."),
        (None, None, "Ana", "14"),
    ]
    assert found.source == "import:talkmoves"
    assert found.utterances[2].flags == (Flag.NO_TIME,)
    assert "Columns not read: Teacher Tag, Student Tag." in found.notes


@pytest.mark.parametrize(
    ("cells", "wanted_s", "doubtful"),
    [
        # The usual lesson: noughts by chance fit between their neighbours.
        (["00:39:52", "00:40:00", "00:40:01"], [2392, 2400, 2401], set()),
        # mm:ss typed into Excel; past 24 minutes it keeps a date in 1900.
        (
            ["05:33:00", "23:41:00", datetime(1900, 1, 1, 2, 20), "01:01:50"],
            [333, 1421, 1580, 3710],
            {0, 1, 2},
        ),
        ([timedelta(hours=26, minutes=20), "00:27:01"], [1580, 1621], {0}),
        # A cell that Excel knows to be minutes and seconds is no riddle.
        ([time(0, 5, 33), time(0, 6, 1)], [333, 361], set()),
        (["5:33", "6:01", "75:10"], [333, 361, 4510], set()),
        ([5.5, 7, 9.25], [5.5, 7, 9.25], set()),
        ([0.0625, 0.125], [5400, 10800], set()),  # shares of a day
        (["1 minute 11 seconds", ""], [71, None], set()),
        (["later", "0:07"], [None, 7], {0}),
        (["00:00:09", "00:00:04", "00:00:12"], [9, 4, 12], {0, 1}),
    ],
)
def test_times_of_a_column_are_settled_by_their_neighbours(cells, wanted_s, doubtful):
    settled = settle(cells, [12] * len(cells), 2, 1000)
    wanted = [None if s is None else round(s * 1000) for s in wanted_s]
    assert (settled.times_ms, settled.doubtful) == (wanted, doubtful)


@pytest.mark.parametrize(
    ("words", "wanted_s", "doubtful"),
    [
        ([40, 40, 40, 0], [9, 25, 36, 59], {0, 1, 2, 3}),
        ([4000, 4000, 4000, 0], [540, 1500, 2160, 3540], set()),
        ([0, 0, 0, 0], [None] * 4, {0, 1, 2, 3}),
    ],
    ids=["2 words a second as minutes", "3.4 words a second as hours", "no words, no telling"],
)
def test_a_column_of_noughts_is_settled_by_the_pace_of_speech(words, wanted_s, doubtful):
    settled = settle(["00:09:00", "00:25:00", "00:36:00", "00:59:00"], words, 2, 1000)
    wanted = [None if s is None else s * 1000 for s in wanted_s]
    assert (settled.times_ms, settled.doubtful) == (wanted, doubtful)


def test_where_nothing_decides_there_is_no_time():
    settled = settle(["02:00:00"], [0], 7, 1000)
    assert (settled.times_ms, settled.doubtful) == ([None], {0})
    assert settled.notes == [
        "The time in row 7 cannot be read, or can be read in two ways; those lines have no time."
    ]


def test_a_note_says_how_doubtful_times_were_read(tmp_path):
    path = workbook(
        tmp_path / "a.xlsx",
        HEAD,
        [0, "05:33:00", 1, "T", "Well, good morning!", "1 - None", None],
        [1, "01:01:50", 2, "T", "Thank you.", "1 - None", None],
    )
    found = read_transcript(path)
    assert found.utterances[0].start_ms == 333_000
    assert Flag.DOUBTFUL_TIME in found.utterances[0].flags
    assert found.notes[0].startswith(
        "1 time, 05:33:00, was read as minutes and seconds (5:33), because as hours"
    )


def test_headings_may_stand_lower_down_and_other_sheets_are_told(tmp_path):
    book = Workbook()
    book.active.title = "Lesson"
    for row in (["Lesson 3"], [], ["Time", "Who", "What", "Utterance"], ["0:07", "T", "", "Why?"]):
        book.active.append(row)
    book.create_sheet("Tags").append(["1 - None"])
    book.save(tmp_path / "a.xlsx")
    found = read_transcript(tmp_path / "a.xlsx")
    assert facts(found) == [(7000, None, "T", "Why?")]
    assert "Only the sheet “Lesson” was read, not Tags." in found.notes


def test_a_stray_number_among_names_is_no_speaker(tmp_path):
    rows = [[i, None, i, "T", "Yes.", None, None] for i in range(9)]
    path = workbook(tmp_path / "a.xlsx", HEAD, *rows, [9, None, 9, 12, "08 It is so.", None, None])
    found = read_transcript(path)
    assert found.utterances[-1].speaker == ""
    assert any("row 11 is a bare number" in note for note in found.notes)


def test_numbered_speakers_are_kept(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("speaker,text\n1,Why?\n2,It grew.\n", "utf-8")
    assert [u.speaker for u in read_transcript(path).utterances] == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.csv", "Bonjour !,0.14,0.94\n", [(140, 940, "", "Bonjour !")]),
        (
            "a.csv",
            "start;end;speaker;text\n0,5;1,5;T;Why?\n2;3;S;So.\n",
            [(500, 1500, "T", "Why?"), (2000, 3000, "S", "So.")],
        ),
        (
            "a.tsv",
            'speaker\ttext\nT\t"Why?\nS\tSo.\n' + "S\tYes.\n" * 40,
            [(None, None, "T", '"Why?'), (None, None, "S", "So.")],
        ),
        (
            "a.csv",
            "start_ms,end_ms,text\n500,1500,Why?\n",
            [(500, 1500, "", "Why?")],
        ),
        (
            "a.csv",
            "0:01,T,Why is the plant bent?\n0:05,S,It grew to the light.\n0:09,T,Say more.\n",
            [(1000, None, "T", "Why is the plant bent?")],
        ),
        (
            "a.csv",
            "Time,Utterance\n0:03 - 0:10,Why?\n",
            [(3000, 10000, "", "Why?")],
        ),
    ],
)
def test_delimited_files_are_told_by_headings_or_content(tmp_path, name, text, wanted):
    (tmp_path / name).write_text(text, "utf-8")
    assert facts(read_transcript(tmp_path / name))[: len(wanted)] == wanted


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "x,y\n1,2\n3,4\n", "no column of speech"),
        ("a.tsv", "text_a\ttext_b\tlabels\nYes\tWhy?\t0.0\n", "pairs of sentences"),
        ("a.tsv", "Time\tSubject\tBehavior\n1.0\ta\tb\n", "export from BORIS"),
        ("a.csv", "#4\nfloat (FLOAT,true,)\n00:00:00:000,00:00:02:000,0.0\n", "Datavyu"),
    ],
)
def test_tables_that_are_no_transcript_are_refused(tmp_path, name, text, told):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(TranscriptRefused, match=told):
        read_transcript(tmp_path / name)
