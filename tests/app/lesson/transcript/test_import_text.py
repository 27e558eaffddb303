from __future__ import annotations

import io
from pathlib import Path

import pytest
from docx import Document

from app.lesson.transcript.formats.dialog import read_dialog
from app.lesson.transcript.formats.drafts import finish
from app.lesson.transcript.formats.names import find_names
from app.lesson.transcript.read import read_transcript
from app.lesson.transcript.records import Flag

DATA = Path(__file__).resolve().parents[3] / "data" / "transcripts"


def turns(text: str):
    found = finish(read_dialog(text), "typed.txt")
    return [(u.speaker, u.start_ms, u.text) for u in found.utterances]


def test_teams_text_keeps_speaker_and_time_and_drops_lone_names():
    found = read_transcript(DATA / "bugs" / "teams_minutes_seconds.txt")
    assert [(u.speaker, u.start_ms, u.text) for u in found.utterances] == [
        ("Teacher A", 3_000, "Good morning, everyone."),
        ("Student B", 71_000, "Is it the sun?"),
        ("Teacher A", 3_605_000, "What makes you think so?"),
        ("Student B", 3_661_000, "Because it moves."),
    ]
    assert all(u.flags == (Flag.NO_END,) for u in found.utterances)


def test_otter_text_keeps_speaker_and_time_and_drops_its_footer():
    found = read_transcript(DATA / "bugs" / "otter_export.txt")
    assert [(u.speaker, u.start_ms) for u in found.utterances] == [
        ("Teacher One", 3_000),
        ("Unknown Speaker", 31_000),
        ("Student Two", 3_605_000),
    ]
    assert found.source == "import:otter"
    assert not any("otter" in u.text for u in found.utterances)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("T: Why?\nS1: It grew.\n", [("T", None, "Why?"), ("S1", None, "It grew.")]),
        (
            "[Speaker 1] Why?\n[Speaker 2] It grew.\n",
            [("Speaker 1", None, "Why?"), ("Speaker 2", None, "It grew.")],
        ),
        (
            "00:07 Ms Roe: Why?\n00:12 Ana: It grew.\n",
            [("Ms Roe", 7_000, "Why?"), ("Ana", 12_000, "It grew.")],
        ),
        (
            "[0:07] Ms Roe: Why?\n[1:00:12] Ana: It grew.\n",
            [("Ms Roe", 7_000, "Why?"), ("Ana", 3_612_000, "It grew.")],
        ),
        (
            "Ms Roe (0:07):\nWhy?\n\nAna (0:12):\nIt grew.\n",
            [("Ms Roe", 7_000, "Why?"), ("Ana", 12_000, "It grew.")],
        ),
        (
            "[Ms Roe] 00:00:07\nWhy?\n\n[Ana] 00:00:12\nIt grew.\n",
            [("Ms Roe", 7_000, "Why?"), ("Ana", 12_000, "It grew.")],
        ),
        (">> Why?\n>> It grew.\n", [("", None, "Why?"), ("", None, "It grew.")]),
        (
            ">> MS ROE: Why?\n>> ANA: It grew.\n",
            [("MS ROE", None, "Why?"), ("ANA", None, "It grew.")],
        ),
        ("Why?\nIt grew.\n", [("", None, "Why?"), ("", None, "It grew.")]),
        (
            "Teacher: Why is\nthe plant bent?\n\nSay it.\n\n(The bell rings.)\n",
            [
                ("Teacher", None, "Why is\nthe plant bent?"),
                ("Teacher", None, "Say it."),
                ("", None, "(The bell rings.)"),
            ],
        ),
    ],
)
def test_typed_dialogue_gives_its_speakers_and_times(text, wanted):
    assert turns(text) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "10:30 Meeting: is on the calendar.",
        "Here's the key: evaporation.",
        "https://example.org/page",
        "Note: bring your books.",
        "Remember: light comes first.",
        "I asked them this:",
        "What I want to know is: why?",
        "Step 2: water the plant.",
    ],
)
def test_a_colon_alone_makes_no_speaker(line):
    names = find_names(["Teacher One: Good morning.", "Ana: Hello.", "Ana: Yes.", line, line])
    assert names.split(line) == (None, line)
    assert names.split("Ana: Hello.") == ("Ana", "Hello.")


def test_a_clock_in_running_text_is_speech():
    text = "Good morning.\nWe start now.\n10:30 is when we go out.\nSit down.\nOpen your books.\n"
    assert ("", None, "10:30 is when we go out.") in turns(text)


def document(tmp_path: Path, fill) -> Path:
    made = Document()
    fill(made)
    stream = io.BytesIO()
    made.save(stream)
    path = tmp_path / "lesson.docx"
    path.write_bytes(stream.getvalue())
    return path


def test_a_teams_word_transcript_keeps_names_and_times(tmp_path):
    def fill(made):
        made.add_paragraph("Science, period 3")
        made.add_paragraph("Teacher A   0:03\nGood morning.")
        made.add_paragraph("Student B   1:11\nIs it the sun?")

    found = read_transcript(document(tmp_path, fill))
    assert [(u.speaker, u.start_ms, u.text) for u in found.utterances] == [
        ("Teacher A", 3_000, "Good morning."),
        ("Student B", 71_000, "Is it the sun?"),
    ]
    assert any("Science, period 3" in note for note in found.notes)


def test_a_word_table_is_read_by_its_headings(tmp_path):
    def fill(made):
        table = made.add_table(rows=0, cols=3)
        for row in (("Time", "Speaker", "Utterance"), ("0:07", "T", "Why?"), ("0:09", "S", "So.")):
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text

    found = read_transcript(document(tmp_path, fill))
    assert [(u.speaker, u.start_ms, u.text) for u in found.utterances] == [
        ("T", 7_000, "Why?"),
        ("S", 9_000, "So."),
    ]
