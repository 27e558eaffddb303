"""A coded table comes out as its author meant it, or with everything that is wrong in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.benchmark.problems import CodedSetRefused
from app.benchmark.rows import check_rows
from app.benchmark.table import COLUMNS, find_table, read_table
from app.errors import Refused
from app.lesson.spans import Span
from app.scoring.scored import Code

CLIPS = Path(__file__).parents[2] / "data" / "coded_clips" / "clips.jsonl"


def read(tmp_path, text, name="clips.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return read_table(path)


def check(tmp_path, levels, text, name="clips.csv"):
    rows, problems = read(tmp_path, text, name)
    wanted, more = check_rows(rows, levels)
    return wanted, [str(problem) for problem in (*problems, *more)]


def test_the_published_clips_are_read_with_their_codes_and_words(levels):
    rows, problems = read_table(CLIPS)
    wanted, more = check_rows(rows, levels)
    assert (problems, more) == ([], [])
    assert len(wanted) == 72
    assert sum(clip.split == "published" for clip in wanted) == 48
    assert sum(not clip.codes for clip in wanted) == 10
    first = wanted[0]
    assert (first.line, first.clip_id, first.codes) == (1, "clip-01", (Code("BI", 1),))
    assert first.utterances[4].text == "Sedimentary?"
    assert first.utterances[4].speaker == "Student"


def test_several_codes_keep_their_order_and_a_level_may_be_left_out(tmp_path, levels):
    text = "id,transcript,codes\na,a.vtt,D3:4 | d1 2;BI\nb,b.vtt,D2/1\nc,c.vtt,NONE\n"
    wanted, problems = check(tmp_path, levels, text)
    assert problems == []
    assert [clip.codes for clip in wanted] == [
        (Code("D3", 4), Code("D1", 2), Code("BI")),
        (Code("D2", 1),),
        (),
    ]


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [
        ("0:05", "1:00", Span(5_000, 60_000)),
        ("1:00:05.250", "1:00:06", Span(3_605_250, 3_606_000)),
        ("12.5", "13", Span(12_500, 13_000)),
    ],
)
def test_times_are_read_as_people_write_them(tmp_path, levels, start, end, span):
    text = f"id,transcript,start,end,codes\na,a.vtt,{start},{end},BI\n"
    wanted, problems = check(tmp_path, levels, text)
    assert problems == []
    assert wanted[0].span == span


def test_the_same_table_in_three_forms_gives_the_same_clips(tmp_path, levels):
    clips = [
        {"id": "a", "transcript": "é.vtt", "start_ms": 0, "end_ms": 900, "codes": ["D1:2", "BI:3"]},
        {"id": "b", "transcript": "b.vtt", "first": 2, "last": 4, "codes": "none"},
    ]
    head = "Clip ID;Transcript;start ms;end-ms;First;Last;Codes;note\r\n"
    rows = 'a;é.vtt;0;900;;;D1:2|BI:3;"two\r\nlines"\r\nb;b.vtt;;;2;4;none;\r\n'
    as_csv, none = check(tmp_path, levels, head + rows)
    as_list, nor = check(tmp_path, levels, json.dumps(clips, indent=1), "clips.json")
    lines = "\n".join(map(json.dumps, clips)) + "\n"
    as_lines, neither = check(tmp_path, levels, lines, "clips.jsonl")
    assert none == nor == neither == []
    assert [c.line for c in as_csv] == [2, 4]
    assert [c.line for c in as_list] == [2, 12]
    assert [c.line for c in as_lines] == [1, 2]
    fields = ("clip_id", "transcript", "span", "lines", "codes")
    for one, two, three in zip(as_csv, as_list, as_lines, strict=True):
        assert [getattr(one, f) for f in fields] == [getattr(two, f) for f in fields]
        assert [getattr(one, f) for f in fields] == [getattr(three, f) for f in fields]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_table_that_says_how_its_letters_are_stored_is_read(tmp_path, encoding):
    rows, problems = read(tmp_path, "id,transcript,codes\nÉmile,a.vtt,BI\n", encoding=encoding)
    assert problems == []
    assert rows[0].cells["id"] == "Émile"


def test_letters_that_are_not_utf8_are_refused_with_their_line(tmp_path):
    with pytest.raises(CodedSetRefused, match="line 2: The letters here are not stored as UTF-8"):
        read(tmp_path, "id,transcript,codes\nÉmile,a.vtt,BI\n", encoding="cp1252")


@pytest.mark.parametrize("text", ["", "\n\n", "id,transcript,codes\n", "\ufeff"])
def test_an_empty_table_is_named_as_such(tmp_path, text):
    _, problems = read(tmp_path, text)
    assert any("no rows" in str(p) or "no column" in str(p) for p in problems)


def test_an_unknown_column_and_a_column_twice_are_named(tmp_path, levels):
    text = "id,transcript,codes,Codes,practise\na,a.vtt,BI,BI,x\n"
    _, problems = check(tmp_path, levels, text)
    assert "line 1: There are two columns “Codes”." in problems
    known = ", ".join(COLUMNS)
    assert f"line 1: There is no meaning for the column “practise”. Known are: {known}." in problems


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ({"id": None}, "The clip has no id."),
        ({"id": "x" * 201}, "too long or holds signs"),
        ({"id": "a\u0000b"}, "too long or holds signs"),
        ({"id": "half \ud83d"}, "too long or holds signs"),
        ({"id": True}, "neither a word nor a whole number"),
        ({"transcript": None}, "there is nothing to code"),
        ({"transcript": 7}, "“7” under transcript is no file name."),
        ({"utterances": [{"text": "Hi"}]}, "Both a transcript and utterances"),
        ({"utterances": "Hi", "transcript": None}, "The utterances are no list"),
        ({"utterances": [{"text": ""}], "transcript": None}, "Utterance 1 is no object with"),
        ({"utterances": [{"text": "a", "number": 3}], "transcript": None}, "is numbered 3"),
        (
            {"utterances": [{"text": "a", "start_ms": 9, "end_ms": 1}], "transcript": None},
            "Utterance 1 ends before it starts.",
        ),
        ({"codes": None}, "No code is given; write “none”"),
        ({"codes": "D4:1"}, "“D4” is no practice; there are BI, D1, D2, D3."),
        ({"codes": "D1:4"}, "D1 has no level 4; its levels are 1 to 3."),
        ({"codes": "BI:0"}, "BI has no level 0; its levels are 1 to 3."),
        ({"codes": "D3:high"}, "D3 has no level high; its levels are 1 to 4."),
        ({"codes": [{"practice": "D2", "level": 2.0}]}, "D2 has no level 2.0"),
        ({"codes": [{"practice": "D2", "level": True}]}, "D2 has no level True"),
        ({"codes": "D1:2|D1:3"}, "The code D1 is given twice."),
        ({"codes": "asks, presses"}, "“asks, presses” is no code"),
        ({"codes": 3}, "The codes are neither text nor a list."),
        ({"start": "0:05"}, "A start and an end are needed, each once; given are start."),
        ({"start": 1, "start_ms": 1, "end": 2}, "each once; given are start, start_ms, end."),
        ({"start": "0:05", "end": "0:05"}, "has no length"),
        ({"start": "0:05", "end": "0:04"}, "runs backwards"),
        ({"start": "early", "end": 9}, "“early” under start is no time"),
        ({"start_ms": 1.5, "end_ms": 9}, "write whole milliseconds"),
        ({"start": -4, "end": 9}, "“-4” under start is no time"),
        ({"first": 3}, "A first and a last utterance are needed"),
        ({"first": 4, "last": 2}, "The clip from utterance 4 to 2 runs backwards."),
        ({"first": 0, "last": 2}, "which count from 1"),
        ({"first": 1, "last": 2, "start": 1, "end": 2}, "Both times and numbers"),
    ],
)
def test_each_fault_of_a_cell_is_named(tmp_path, levels, cells, what):
    row = {"id": "a", "transcript": "a.vtt", "codes": "BI", **cells}
    _, problems = check(tmp_path, levels, json.dumps([row]), "clips.json")
    assert len(problems) == 1
    assert problems[0].startswith("line 1: ")
    assert what in problems[0]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[{"id": 1},\n{"id": 2}', "line 2: From here on it is not JSON: a comma or the closing"),
        ('[\n{"id": 1} {"id": 2}]', "line 2: From here on it is not JSON: a comma"),
        ('[\n\n{"id": }]', "line 3: From here on it is not JSON"),
        ("{}", "line 1: A JSON table is a list of clips"),
        ("[] x", "line 1: Something stands behind the end of the list."),
        ('[{"id": NaN}]', "line 1: From here on it is not JSON: NaN is no number."),
        ('[{"id": 1, "id": 2}]', "line 1: From here on it is not JSON: “id” is given twice."),
        ("[1]", "line 1: This is no clip"),
        ('[{"id": 1, "clip": 2}]', "line 1: “clip” is given twice."),
    ],
)
def test_broken_json_is_named_with_its_line(tmp_path, text, what):
    _, problems = read(tmp_path, text, "clips.json")
    assert str(problems[0]).startswith(what)


def test_broken_lines_cost_only_themselves(tmp_path):
    rows, problems = read(tmp_path, '{"id": 1}\n{"id": \n\n{"id": 3}\n', "clips.jsonl")
    assert [row.line for row in rows] == [1, 4]
    assert [problem.line for problem in problems] == [2]


def test_a_row_with_too_many_cells_and_an_open_quote_are_named(tmp_path):
    _, problems = read(tmp_path, 'id,transcript,codes\na,a.vtt,BI,D1\nb,"b.vtt,BI\n')
    assert str(problems[0]) == "line 2: There are 4 cells under 3 columns."
    assert str(problems[1]).startswith("line 3: The row cannot be read as CSV")


def test_an_id_that_stands_twice_is_named_where_it_stands_again(tmp_path, levels):
    text = "id,transcript,codes\na,a.vtt,BI\nb,b.vtt,BI\na,c.vtt,D9\n"
    _, problems = check(tmp_path, levels, text)
    assert problems == [
        "line 4: “D9” is no practice; there are BI, D1, D2, D3.",
        "line 4: The id “a” stands in line 2 already.",
    ]


def test_a_folder_without_a_table_or_with_two_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(Refused, match="has no coded table"):
        find_table(tmp_path)
    (tmp_path / "clips.csv").write_text("id\n")
    assert find_table(tmp_path) == tmp_path / "clips.csv"
    (tmp_path / "clips.json").write_text("[]")
    with pytest.raises(Refused, match=r"more than one table: clips\.csv and clips\.json"):
        find_table(tmp_path)
    assert find_table(tmp_path / "clips.json").name == "clips.json"
    with pytest.raises(Refused, match="There is no folder"):
        find_table(tmp_path / "gone")
