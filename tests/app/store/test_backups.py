from __future__ import annotations

import os
import sqlite3
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from app.coding.records import Decision, Verdict
from app.errors import StoreRefused
from app.running.attempts import Attempt
from app.running.protocols import EngineFacts
from app.running.questions import Message, Question, RawAnswer, Status
from app.store import migrations
from app.store.backups import (
    COUNTED,
    Backup,
    back_up_daily,
    backup_folder,
    daily_backups,
    to_let_go,
)
from app.store.library import Library
from app.store.schema import lay_tables

TODAY = date(2024, 12, 1)  # a Sunday, the last day of its week


def backup(days_ago, decisions=10, identity="a", **more):
    day = TODAY - timedelta(days=days_ago)
    held = counted(lesson=1, decision=decisions, change=decisions, **more)
    return Backup(Path(f"daily-{day.isoformat()}"), day, identity, held)


def counted(**rows):
    """Give counts of rows as a copy has them; 0 for what is not named."""
    assert set(rows) <= set(COUNTED)
    return tuple(rows.get(table, 0) for table in COUNTED)


def kept_days(backups):
    gone = to_let_go(backups)
    return [(TODAY - b.day).days for b in backups if b not in gone]


def test_a_week_of_days_and_the_last_of_four_weeks_are_kept():
    backups = [backup(ago, 100 - ago) for ago in range(60, -1, -1)]
    # Sundays lie 7, 14, 21 and 28 days before this one.
    assert kept_days(backups) == [28, 21, 14, 7, 6, 5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(("identity", "now"), [("a", 38), ("b", 1000)])
def test_copies_with_less_or_of_another_library_do_not_push_out_the_fullest(identity, now):
    old = [backup(ago, 100 - ago) for ago in range(70, 60, -1)]  # the fullest holds 39
    new = [backup(ago, now, identity) for ago in range(59, -1, -1)]
    assert kept_days(old + new) == [61, 28, 21, 14, 7, 6, 5, 4, 3, 2, 1, 0]


def test_a_copy_with_fewer_answers_of_models_never_replaces_one_with_more():
    full = [backup(ago, attempt=1000) for ago in range(70, 60, -1)]
    fewer = [backup(ago, decisions=500, attempt=999) for ago in range(59, -1, -1)]
    assert kept_days(full + fewer)[0] == 61
    as_many = [backup(ago, decisions=500, attempt=1000) for ago in range(59, -1, -1)]
    assert kept_days(full + as_many)[0] == 28


@pytest.mark.parametrize("table", COUNTED[4:])
def test_what_people_rated_or_probed_or_brought_in_holds_a_copy_too(table):
    full = [backup(ago, **{table: 60}) for ago in range(70, 60, -1)]
    fewer = [backup(ago, decisions=500, **{table: 59}) for ago in range(59, -1, -1)]
    assert kept_days(full + fewer)[0] == 61


def test_a_library_with_answers_and_no_lesson_is_copied_with_all_of_them(path):
    question = Question("clip 1", (Message("user", ("Which level?",)),), "")
    facts = EngineFacts("scripted", "1", True, 0, False, False, (("script", "a"),))
    with Library.open(path) as library:
        run_id = library.attempts.start_run("levels", facts, 3)
        library.attempts.keep(
            run_id,
            [
                Attempt(f"{draw:064d}", question, draw, 1, Status.OK, RawAnswer("2", "stop"))
                for draw in range(3)
            ],
        )
        back_up_daily(path, TODAY)
        assert [b.rows for b in daily_backups(path)] == [counted(attempt=3)]


def test_a_copy_of_an_older_form_is_counted_and_let_go_like_any_other(
    path, transcript, monkeypatch
):
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", (lay_tables,))
        with Library.open(path) as library:
            library.add_lesson("Ice", None, transcript)
            back_up_daily(path, TODAY - timedelta(days=1))
    with Library.open(path):
        back_up_daily(path, TODAY)
    held = daily_backups(path)
    assert [b.rows for b in held if b.day <= TODAY] == [counted(lesson=1)] * 2
    assert held[1].covers(held[0])


def test_few_copies_are_all_kept():
    assert to_let_go([backup(ago) for ago in (300, 200, 1)]) == []
    assert to_let_go([]) == []


def test_one_copy_a_day_is_made_and_never_overwritten(path, transcript, clip):
    with Library.open(path) as library:
        assert not backup_folder(path).exists()  # nothing to keep yet
        lesson_id = library.add_lesson("Ice", None, transcript)
        first = back_up_daily(path, TODAY)
        before = first.read_bytes()
        library.decide(lesson_id, Decision(clip, Verdict.REJECT, "", None, "Ann", "2026"))
        assert back_up_daily(path, TODAY) is None
        assert first.read_bytes() == before
        back_up_daily(path, TODAY + timedelta(days=1))
    counts = [b.rows for b in daily_backups(path)]
    assert counts[:2] == [
        counted(lesson=1),
        counted(lesson=1, decision=1, change=1),
    ]


def test_a_copy_is_one_plain_file_that_opens_as_a_library(path, transcript, tmp_path):
    with Library.open(path) as library:
        library.add_lesson("Ice", None, transcript)
        copy = back_up_daily(path, TODAY)
        assert [p.name for p in backup_folder(path).iterdir()] == [copy.name]
    restored = tmp_path / "restored.clerestory"
    restored.write_bytes(copy.read_bytes())
    with Library.open(restored) as library:
        assert library.lesson(library.lessons()[0].lesson_id).transcript == transcript


def test_old_copies_go_when_a_new_one_is_made_and_strange_files_stay(path, transcript):
    with Library.open(path) as library:
        library.add_lesson("Ice", None, transcript)
        for ago in range(15, 0, -1):
            back_up_daily(path, TODAY - timedelta(days=ago))
        folder = backup_folder(path)
        (folder / "daily-2020-01-01.clerestory").write_bytes(b"not a library")
        (folder / "before-version-1-2020.clerestory").write_bytes(b"kept")
        left_over = folder / ".daily-2020-02-02.clerestory.ab12"
        left_over.write_bytes(b"half")
        os.utime(left_over, (time.time() - 90_000,) * 2)
        back_up_daily(path, TODAY)
        names = {p.name for p in folder.iterdir()}
        days = [(TODAY - b.day).days for b in daily_backups(path)]
    assert "daily-2020-01-01.clerestory" in names
    assert "before-version-1-2020.clerestory" in names
    assert left_over.name not in names
    assert days == [14, 7, 6, 5, 4, 3, 2, 1, 0]


def test_no_copy_is_made_of_a_damaged_library(path, transcript):
    with Library.open(path) as library:
        library.add_lesson("Ice", None, transcript)
    with sqlite3.connect(path, isolation_level=None) as connection:
        root = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'utterance'"
        ).fetchone()[0]
    connection.close()
    data = bytearray(path.read_bytes())
    data[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(data)
    with pytest.raises(StoreRefused, match="damaged"):
        back_up_daily(path, TODAY + timedelta(days=1))
    assert len(list(backup_folder(path).iterdir())) == 1


def test_where_no_copy_can_be_made_the_work_goes_on(path, transcript, caplog):
    backup_folder(path).write_bytes(b"a file where the folder should be")
    with Library.open(path) as library:
        library.add_lesson("Ice", None, transcript)
        told = library.back_up_daily()
        assert "No copy of" in told
        assert len(library.lessons()) == 1
