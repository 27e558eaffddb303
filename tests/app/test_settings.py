from __future__ import annotations

import json

import pytest

from app.errors import Refused
from app.places import settings_file
from app.settings import Settings


def test_settings_come_back_as_they_were_saved():
    Settings(author="MB", theme="dark", text_scale=1.5, blind=True).save()
    assert Settings.load() == Settings(author="MB", theme="dark", text_scale=1.5, blind=True)


def test_settings_that_cannot_be_read_are_set_aside_and_kept():
    settings_file().write_text("{ not json", encoding="utf-8")
    assert Settings.load() == Settings()
    assert settings_file().with_suffix(".unreadable.json").read_text("utf-8") == "{ not json"


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ({"theme": "pink"}, Settings()),
        ({"text_scale": 9}, Settings(text_scale=2.0)),
        ({"blind": "yes", "author": "MB"}, Settings(author="MB")),
        ({"of_a_later_version": 1}, Settings()),
    ],
)
def test_what_makes_no_sense_is_left_as_it_comes(stored, read):
    settings_file().write_text(json.dumps(stored), encoding="utf-8")
    assert Settings.load() == read


def test_settings_that_cannot_be_written_are_refused_and_the_old_ones_stay(monkeypatch):
    Settings(author="MB").save()
    before = settings_file().read_bytes()
    blocked = settings_file().with_suffix(".part")
    blocked.mkdir()
    with pytest.raises(Refused, match="could not be saved"):
        Settings(author="XY").save()
    blocked.rmdir()
    assert settings_file().read_bytes() == before
