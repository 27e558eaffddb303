"""`models` from the command line: what it does, says and gives."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import pytest

from app.commands.models import models, models_arguments
from app.commands.out import Out
from app.errors import Refused, WrongUse
from app.models import Fit, Fits, ModelState, Origin

FIT = Fit(Fits.MEMORY, "It needs about 6.4 GB of the computer's 16.0 GB.")
FOUR = ModelState(
    name="four",
    title="Four",
    kind="vision",
    form="gguf",
    licence="MIT",
    good_for="Tests.",
    used_in=("confusionbench",),
    size_bytes=2_951_255_968,
    memory_bytes=6_440_916_896,
    fit=FIT,
    recommended=True,
    can_fetch=True,
    instead="",
    source="someone/four@main",
    origin=None,
)


class ShelfStandIn:
    def __init__(self, *states, troubles=()):
        self.all = list(states)
        self.troubles = troubles
        self.done = []

    def computer(self):
        return "This computer has 16.0 GB of memory."

    def states(self):
        return tuple(self.all)

    def get(self, name, report, stop=None):
        self.done.append(("get", name))
        report(0.5, "fetching Four, 1.0 GB of 3.0 GB")
        return replace(FOUR, origin=Origin.DOWNLOADED, files=(("/models/four/four.gguf", "ab"),))

    def add(self, path, projector=None, title="", *, copy=False, report=None, stop=None):
        self.done.append(("add", str(path), projector, title, copy))
        return replace(FOUR, name="mine", title=title or "Mine", origin=Origin.LINKED)

    def check(self, name, report, stop=None):
        self.done.append(("check", name))
        return self.troubles

    def remove(self, name):
        if name != "four":
            raise Refused(f"No model called {name} is installed.")
        return "Four was deleted."


def test_the_list_says_what_is_there_what_fits_and_what_it_is_good_for(capsys):
    here = replace(FOUR, name="here", origin=Origin.LINKED, size_bytes=None, licence="")
    assert models("list", None, ShelfStandIn(here, FOUR), Out()) == 0
    assert capsys.readouterr().out.splitlines() == [
        "This computer has 16.0 GB of memory.",
        "",
        "Installed:",
        "  here  (Four, vision, size not known)",
        "      Tests.",
        f"      {FIT.words}",
        "",
        "Recommended, not installed:",
        "  four  (Four, vision, 3.0 GB, MIT)",
        "      Tests.",
        f"      {FIT.words}",
    ]


def test_the_list_for_programs_is_one_object(capsys):
    models("list", None, ShelfStandIn(FOUR), Out(as_json=True))
    told = json.loads(capsys.readouterr().out)
    assert told["computer"] == "This computer has 16.0 GB of memory."
    (model,) = told["models"]
    assert (model["name"], model["fits"], model["installed"]) == ("four", "memory", False)
    assert (model["origin"], model["files"]) == (None, [])


def test_a_fetched_model_is_named_with_its_files(capsys):
    shelf = ShelfStandIn()
    assert models("get", "four", shelf, Out(as_json=True)) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["files"] == [{"path": "/models/four/four.gguf", "sha256": "ab"}]
    assert "fetching Four, 1.0 GB of 3.0 GB" in told.err
    assert shelf.done == [("get", "four")]


def test_a_file_is_added_as_the_person_chose(capsys, tmp_path):
    shelf = ShelfStandIn()
    projector = tmp_path / "mmproj.gguf"
    assert models("add", "a.gguf", shelf, Out(), projector=projector, title="Own", copy=True) == 0
    assert shelf.done == [("add", "a.gguf", projector, "Own", True)]
    assert capsys.readouterr().out.startswith("Own was added as mine. It needs about 6.4 GB")


def test_a_check_of_all_takes_only_what_is_installed(capsys):
    here = replace(FOUR, name="here", origin=Origin.LINKED)
    shelf = ShelfStandIn(here, FOUR)
    assert models("check", None, shelf, Out()) == 0
    assert shelf.done == [("check", "here")]
    assert capsys.readouterr().out == "here: as it was when it came\n"


def test_a_check_that_finds_something_ends_with_one(capsys):
    shelf = ShelfStandIn(troubles=("four.gguf has changed.",))
    assert models("check", "four", shelf, Out(as_json=True)) == 1
    (model,) = json.loads(capsys.readouterr().out)["models"]
    assert model == {"name": "four", "troubles": ["four.gguf has changed."]}


def test_a_check_without_models_says_so(capsys):
    assert models("check", None, ShelfStandIn(FOUR), Out()) == 0
    assert capsys.readouterr().out == "No model is installed.\n"


def test_a_removal_says_what_was_deleted(capsys):
    assert models("remove", "four", ShelfStandIn(), Out()) == 0
    assert capsys.readouterr().out == "Four was deleted.\n"
    with pytest.raises(Refused, match="No model called five"):
        models("remove", "five", ShelfStandIn(), Out())


@pytest.mark.parametrize("action", ["add", "get", "remove"])
def test_what_is_missing_is_asked_for(action):
    with pytest.raises(WrongUse, match=f"models {action} needs"):
        models(action, None, ShelfStandIn(), Out())


def test_choices_of_adding_go_with_adding_alone():
    with pytest.raises(WrongUse, match="go with models add"):
        models("get", "four", ShelfStandIn(), Out(), copy=True)


def test_the_arguments_are_those_of_the_function():
    parser = argparse.ArgumentParser()
    models_arguments(parser)
    chosen = parser.parse_args(["add", "a.gguf", "--projector", "p.gguf", "--copy"])
    assert vars(chosen) == {
        "action": "add",
        "name": "a.gguf",
        "projector": "p.gguf",
        "title": "",
        "copy": True,
    }
    with pytest.raises(SystemExit):
        parser.parse_args(["fetch"])
