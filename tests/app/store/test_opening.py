"""What is refused, in plain words, and never harmed. Every fault here is a real one."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest

from app.errors import StoreRefused
from app.store import migrations
from app.store.backups import backup_folder
from app.store.library import Library


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def in_child(code, *arguments, **more):
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **more,
    )


def refused_unharmed(path, told):
    before = digest(path)
    with pytest.raises(StoreRefused, match=told) as caught:
        Library.open(path)
    assert digest(path) == before
    assert not path.with_name(f"{path.name}-wal").exists()
    return caught.value


@pytest.fixture
def filled(path, transcript):
    with Library.open(path) as library:
        library.add_lesson("Ice", None, transcript)
    return path


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip", b"SQLite format 4\0" * 10])
def test_another_kind_of_file_is_refused(path, content):
    path.write_bytes(content)
    refused_unharmed(path, "not a library|cut off")


def test_a_database_of_another_program_is_refused(path):
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE moz_places (url TEXT)")
    other.close()
    refused_unharmed(path, "database of another program")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(StoreRefused, match="is a folder"):
        Library.open(tmp_path)


def test_a_missing_folder_is_refused_with_what_to_check(tmp_path):
    with pytest.raises(StoreRefused, match=r"could not be (made|opened)") as caught:
        Library.open(tmp_path / "gone" / "a.clerestory")
    assert "folder" in caught.value.hint


@pytest.mark.parametrize("left", [50, 3000, 8192])
def test_a_file_that_is_cut_off_is_refused_and_its_copies_named(filled, left):
    filled.write_bytes(filled.read_bytes()[:left])
    error = refused_unharmed(filled, "cut off")
    assert f"{filled.name}-backups" in error.hint


def test_a_library_of_a_newer_program_is_refused_with_both_versions(filled):
    newer = sqlite3.connect(filled)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    refused_unharmed(filled, f"version 99.*up to {migrations.newest_version()}")


def test_damage_inside_is_found_by_the_daily_copy_and_no_copy_is_lost(filled):
    (kept,) = backup_folder(filled).iterdir()
    kept = kept.rename(kept.with_name("daily-2020-01-01.clerestory"))
    data = bytearray(filled.read_bytes())
    data[8192:40960] = os.urandom(40960 - 8192)
    filled.write_bytes(data)
    with pytest.raises(StoreRefused, match="damaged"):
        Library.open(filled).lessons()
    assert kept in list(backup_folder(filled).iterdir())


def test_a_copy_restores_a_library_by_plain_copying(filled):
    (kept,) = backup_folder(filled).iterdir()
    filled.write_bytes(kept.read_bytes())
    with Library.open(filled) as library:
        assert [row.title for row in library.lessons()] == ["Ice"]


def fill(library, transcript):
    for _ in range(1000):
        library.add_lesson("More", None, transcript)


READ_ONLY = """
import os, sys
from pathlib import Path
from app.errors import StoreRefused
from app.store.library import Library
os.setuid(65534)
try:
    Library.open(Path(sys.argv[1]))
except StoreRefused as error:
    print(error)
"""


@pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user"
)
@pytest.mark.parametrize("folder_mode", [0o755, 0o777])
def test_a_library_one_may_not_write_is_refused(folder_mode, transcript):
    # Under the temporary folder itself, since pytest's own folders are closed to other users.
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "a.clerestory"
        with Library.open(path) as library:
            library.add_lesson("Ice", None, transcript)
        folder.chmod(folder_mode)
        path.chmod(0o644)
        before = digest(path)
        child = in_child(READ_ONLY, path)
        assert "ou may not write a.clerestory" in child.stdout, child.stderr
        assert digest(path) == before


FULL = """
import resource, signal, sys
from pathlib import Path
from app.errors import StoreRefused
from app.lesson.transcript.records import Transcript, Utterance
from app.store.library import Library
library = Library.open(Path(sys.argv[1]))
lesson_id = library.lessons()[0].lesson_id
library.set_note(lesson_id, "kept")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
long = Transcript(tuple(Utterance(n, f"line {n} " * 20) for n in range(1, 5000)), "x")
try:
    library.set_transcript(lesson_id, long)
except StoreRefused as error:
    print(error)
print(len(library.lesson(lesson_id).transcript.utterances), library.lesson(lesson_id).note)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sets no limit to the size of files")
def test_a_disk_that_takes_no_more_loses_only_the_last_change(filled):
    child = in_child(FULL, filled)
    assert "was not kept" in child.stdout, child.stderr
    assert child.stdout.splitlines()[-1] == "3 kept"
    with Library.open(filled) as library:
        (row,) = library.lessons()
        assert library.lesson(row.lesson_id).note == "kept"


def test_a_full_disk_is_told_in_plain_words_and_undone_whole(filled, transcript):
    with Library.open(filled) as library:
        with library._connections.plain() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreRefused, match="no room left"):
            fill(library, transcript)
        whole = library.lessons()
        assert all(row.has_transcript for row in whole)
        assert len(library.search("melts", 1000)) == len(whole)


def test_a_second_program_waits_and_is_then_told(filled):
    other = sqlite3.connect(filled, isolation_level=None, check_same_thread=False)
    with Library.open(filled, wait_ms=3000) as library:
        lesson_id = library.lessons()[0].lesson_id
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.2, other.execute, ["ROLLBACK"]).start()
        library.set_note(lesson_id, "after waiting")
        assert library.lesson(lesson_id).note == "after waiting"
    with Library.open(filled, wait_ms=100) as library:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreRefused, match="written by another program"):
            library.set_note(lesson_id, "too late")
        other.execute("ROLLBACK")
        assert library.lesson(lesson_id).note == "after waiting"
    other.close()


OPEN_AND_ADD = """
import sys
from pathlib import Path
from app.store.library import Library
with Library.open(Path(sys.argv[1])) as library:
    for n in range(10):
        library.add_lesson(f"{sys.argv[2]} {n}", None, None)
"""


def test_programs_that_make_and_fill_one_library_at_once_lose_nothing(path):
    children = [
        subprocess.Popen([sys.executable, "-c", OPEN_AND_ADD, str(path), name]) for name in "abc"
    ]
    assert [child.wait(60) for child in children] == [0, 0, 0]
    with Library.open(path) as library:
        assert len(library.lessons()) == 30
    left = {p.name for p in path.parent.iterdir()}
    assert left == {path.name, f"{path.name}-backups", f"{path.name}-lock"}


def test_threads_write_and_read_side_by_side(library, transcript):
    lesson_id = library.add_lesson("Ice", None, transcript)
    failures = []

    def work(name):
        try:
            for n in range(15):
                library.set_note(lesson_id, f"{name} {n}")
                library.lesson(lesson_id)
        except Exception as error:  # told below, outside the thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(library.history(lesson_id)) == 60


def test_a_closed_library_says_so(path):
    library = Library.open(path)
    library.close()
    with pytest.raises(StoreRefused, match="is closed"):
        library.lessons()


@pytest.mark.parametrize("table", ["decision", "change", "utterance", "evidence", "clip"])
def test_nothing_that_was_said_can_be_rewritten(filled, table, clip):
    from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict

    with Library.open(filled) as library:
        lesson_id = library.lessons()[0].lesson_id
        cited = Evidence(Citation("Why do you think"), Check.VERIFIED, "Why do you think", (1,))
        library.propose_clips(lesson_id, [clip])
        library.add_run(lesson_id, "e/1", (), [Prediction(clip, "e/1", "D1", 1, None, (cited,))])
        library.decide(lesson_id, Decision(clip, Verdict.REJECT, "", None, "Ann", "2026"))
        with library._connections.plain() as connection:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for attack in (
                f"DELETE FROM {table}",
                f"UPDATE {table} SET {columns[-1]} = {columns[-1]}",
                f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
            ):
                with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
                    connection.execute(attack)


KILLED = """
import os, signal, sys
from pathlib import Path
from app.store import migrations
from app.store.library import Library

def half_a_step(db):
    db.execute("CREATE TABLE later (x TEXT) STRICT")
    db.execute("INSERT INTO setting VALUES ('half', 'done')")
    os.kill(os.getpid(), signal.SIGKILL)

migrations.MIGRATIONS = (*migrations.MIGRATIONS, half_a_step)
Library.open(Path(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_crash_in_a_migration_leaves_the_version_before_it(filled, monkeypatch):
    child = in_child(KILLED, filled)
    assert child.returncode == -signal.SIGKILL
    with Library.open(filled) as library:
        assert library.setting("half") == ""
        assert [row.title for row in library.lessons()] == ["Ice"]
    newest = migrations.newest_version()
    copies = list(backup_folder(filled).glob(f"before-version-{newest}-*"))
    assert len(copies) == 1

    def whole_step(db):
        db.execute("CREATE TABLE later (x TEXT) STRICT")

    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, whole_step))
    with Library.open(filled) as library, library._connections.plain() as connection:
        assert migrations.version_of(connection) == newest + 1
        assert [row.title for row in library.lessons()] == ["Ice"]


def test_a_library_with_odd_signs_in_its_name_opens(tmp_path):
    path = tmp_path / "Übung 100% #1 ?.clerestory"
    with Library.open(path) as library:
        library.add_lesson("Ice", None, None)
    with Library.open(path) as library:
        assert len(library.lessons()) == 1
