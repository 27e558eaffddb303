from __future__ import annotations

from app.running.protocols import EngineFacts
from app.store import migrations
from app.store.backups import backup_folder
from app.store.library import Library
from app.store.schema import lay_tables

FACTS = EngineFacts("scripted", "1", True, 0, False, False, (("script", "a"),))


def test_a_library_of_the_first_version_can_keep_attempts(path, transcript, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", (lay_tables,))
        with Library.open(path, "Ann") as library:
            lesson_id = library.add_lesson("Ice", None, transcript)
    with Library.open(path, "Ann") as library:
        assert library.lesson(lesson_id).title == "Ice"
        assert library.attempts.start_run("levels", FACTS, 3) == 1
        assert library.attempts.runs()[0].title == "levels"
    assert len(list(backup_folder(path).glob("before-version-1-*"))) == 1


def test_a_library_keeps_its_attempts_over_closing(path):
    with Library.open(path) as library:
        library.attempts.start_run("levels", FACTS, 3)
    with Library.open(path) as library:
        run = library.attempts.runs()[0]
    assert (run.engine, run.identity, run.draws, run.attempts) == (
        "scripted",
        (("script", "a"),),
        3,
        0,
    )
