"""Turns of phrase, fonts and files of the pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import ReportRefused
from app.lesson.clips import Clip
from reports import fonts, typesetting
from reports.fonts import Fonts, choose_fonts, name_scripts
from reports.typesetting import marked, set_page
from reports.wording import count, listed, show_date, show_length, show_place, some
from reports.writing import write_all

REPOSITORY = Path(__file__).resolve().parents[2]


def test_numbers_carry_their_noun():
    assert [count(n, "clip") for n in (0, 1, 1204)] == ["0 clips", "1 clip", "1,204 clips"]


def test_lists_read_as_a_person_writes_them():
    assert [listed(p) for p in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c",
    ]  # fmt: skip
    assert some(range(1, 41), 3) == "1, 2, 3, … (40 in all)"


def test_dates_and_lengths():
    assert show_date("2026-11-30T14:05:09.123+00:00") == "30 November 2026, 14:05 UTC"
    assert show_date("yesterday") == "yesterday"
    assert show_date("") == "–"
    assert [show_length(ms) for ms in (999, 5_400, 228_600, 7_500_000)] == [
        "0 s", "5 s", "3 min 48 s", "2 h 5 min",
    ]  # fmt: skip


def test_a_clip_lies_in_time_or_in_lines():
    assert show_place(Clip("c", 3, 9, 46_000, 61_900)) == "0:46 to 1:01"
    assert show_place(Clip("c", 3, 9, None, None)) == "lines 3 to 9"
    assert show_place(Clip("c", 3, 3, None, None)) == "line 3"


def test_common_alphabets_need_no_font_of_the_computer(monkeypatch):
    monkeypatch.setattr(fonts, "_system_fonts", lambda: pytest.fail("asked the computer"))
    for words in (
        "naïve Ærø",
        "Привет",
        "Ελλάδα",
        "שלום",
        "مرحبا",
        "½ 3 °C → ✓ ≈ ✗ ○ …",
        "a\u200db",
    ):
        assert choose_fonts([words]).missing == frozenset()


def test_fonts_that_only_draw_boxes_are_not_believed():
    families = [info.family.lower() for info in fonts._system_fonts()]
    assert not any("last resort" in family for family in families)


def test_signs_without_a_font_are_marked_one_by_one():
    chosen = Fonts((), False, frozenset("水从"))
    assert chosen.mark("水 a 从\x00\tb\nc") == "\ufffd a \ufffd\ufffd b\nc"
    assert name_scripts("水从अ") == ["CJK", "DEVANAGARI"]


def test_lone_halves_of_a_sign_do_not_break_the_page():
    chosen = choose_fonts(["a\ud83d"])
    assert chosen.mark("a\ud83d") == "a\ufffd"


def test_long_hashes_get_places_to_break():
    page = marked({"hash": "ab" * 32, "words": ["said " * 30]}, Fonts((), False, frozenset()))
    assert page["hash"].replace("\u200b", "") == "ab" * 32
    assert max(map(len, page["hash"].split("\u200b"))) == 16
    assert page["words"] == ["said " * 30]


def test_a_template_that_fails_is_told_as_a_fault_of_the_program(tmp_path):
    template = tmp_path / "broken.typ"
    template.write_text("#let x = ", encoding="utf-8")
    with pytest.raises(ReportRefused, match="The page could not be set") as refused:
        set_page(template, {"title": "x"}, {}, "2026-11-30")
    assert "report it" in refused.value.hint


def test_a_font_that_breaks_its_promise_costs_only_its_signs(tmp_path, monkeypatch):
    template = tmp_path / "small.typ"
    template.write_text(
        '#set document(title: "t")\n#set text(font: json("fonts.json").families, fallback: false)\n'
        '= #json("page.json").words\n',
        encoding="utf-8",
    )
    asked = []

    def promise(texts, *, ask_system=True):
        asked.append(ask_system)
        missing = frozenset() if ask_system else frozenset("水")
        return Fonts(fonts.OWN_FAMILIES, False, missing)

    monkeypatch.setattr(typesetting, "choose_fonts", promise)
    assert set_page(template, {"words": "水"}, {}, "2026-11-30").startswith(b"%PDF")
    assert asked == [True, False]


def test_files_appear_whole_and_leave_nothing_beside(tmp_path):
    folder = tmp_path / "new" / "folder"
    written = write_all(folder, {"a.txt": b"one", "b.txt": b"two"})
    assert [p.read_bytes() for p in written] == [b"one", b"two"]
    assert sorted(p.name for p in folder.iterdir()) == ["a.txt", "b.txt"]


def test_a_disk_that_takes_only_part_keeps_the_old_files(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    # The limit on file size cuts the second file off, as a full disk would.
    code = f"""
import resource, sys
sys.path.insert(0, {str(REPOSITORY)!r})
from pathlib import Path
from app.errors import ReportRefused
from reports.writing import write_all
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_all(Path({str(tmp_path)!r}), {{"a.txt": b"new", "b.txt": b"x" * 5000}})
except ReportRefused as error:
    print(error.message)
"""
    if sys.platform == "win32":
        pytest.skip("file size limits are a thing of Unix")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("The page could not be written to")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"a.txt": b"old"}
