"""`models list|add|get|check|remove`: the models of this computer, without a window."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from app.commands.out import Out
from app.errors import WrongUse
from app.models import ModelShelf, ModelState, show_size

ACTIONS = ("list", "add", "get", "check", "remove")


def models_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `models` takes."""
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a model, or the file or folder to add"
    )
    parser.add_argument("--projector", metavar="FILE", help="with add: what reads pictures for it")
    parser.add_argument("--title", metavar="TEXT", default="", help="with add: what to call it")
    parser.add_argument(
        "--copy", action="store_true", help="with add: copy it instead of using it where it lies"
    )


def models(
    action: str,
    name: str | None,
    shelf: ModelShelf,
    out: Out,
    *,
    projector: Path | None = None,
    title: str = "",
    copy: bool = False,
) -> int:
    """Do one thing with models.

    Args:
        action: One of `ACTIONS`.
        name: A model's name, or the path to add; `list` and `check` do without.
        shelf: What can be done with models; opens no connection except for `get`.
        out: Where to write.
        projector: For `add`, the file that turns pictures into tokens.
        title: For `add`, what to call the model.
        copy: For `add`, whether to copy it.

    Returns:
        0, or 1 when `check` found something wrong.

    Raises:
        WrongUse: Something is missing that the action needs, or there that it does not know.
        ClerestoryError: As the shelf says.
    """
    if action != "add" and (projector is not None or title or copy):
        raise WrongUse("--projector, --title and --copy go with models add.")
    if action == "list":
        return _list(shelf, out)
    if action == "check":
        return _check(name, shelf, out)
    if not name:
        what = "the file or folder of a model" if action == "add" else "a model"
        raise WrongUse(f"models {action} needs {what}.", "See what there is with: models list")
    if action == "add":
        state = shelf.add(Path(name), projector, title, copy=copy, report=out.report)
        return _done(state, "was added", out)
    if action == "get":
        return _done(shelf.get(name, out.report), "is installed", out)
    if action == "remove":
        told = shelf.remove(name)
        out.give({"removed": name, "told": told})
        out.say(told)
        return 0
    raise WrongUse(f"There is no models {action}.", f"Choose one of {', '.join(ACTIONS)}.")


def _list(shelf: ModelShelf, out: Out) -> int:
    states, computer = shelf.states(), shelf.computer()
    out.give({"computer": computer, "models": [state_as_json(state) for state in states]})
    out.say(computer)
    _part(out, "Installed", [state for state in states if state.is_installed])
    _part(out, "Recommended, not installed", [state for state in states if not state.is_installed])
    return 0


def _part(out: Out, heading: str, states: list[ModelState]) -> None:
    out.say("")
    out.say(f"{heading}:" if states else f"{heading}: none")
    for state in states:
        size = "size not known" if state.size_bytes is None else show_size(state.size_bytes)
        licence = f", {state.licence}" if state.licence else ""
        out.say(f"  {state.name}  ({state.title}, {state.kind}, {size}{licence})")
        for line in (state.good_for, state.instead, state.fit.words):
            if line:
                out.say(f"      {line}")


def _check(name: str | None, shelf: ModelShelf, out: Out) -> int:
    names = [name] if name else [state.name for state in shelf.states() if state.is_installed]
    found = {each: shelf.check(each, out.report) for each in names}
    out.done()
    out.give({"models": [{"name": each, "troubles": list(wrong)} for each, wrong in found.items()]})
    for each, wrong in found.items():
        out.say(f"{each}: {'as it was when it came' if not wrong else ' '.join(wrong)}")
    if not found:
        out.say("No model is installed.")
    return 1 if any(found.values()) else 0


def _done(state: ModelState, what: str, out: Out) -> int:
    out.done()
    out.give(state_as_json(state))
    out.say(f"{state.title} {what} as {state.name}. {state.fit.words}")
    return 0


def state_as_json(state: ModelState) -> dict[str, Any]:
    """Give what `models list --json` prints of a model."""
    return {
        "name": state.name,
        "title": state.title,
        "kind": state.kind,
        "form": state.form,
        "licence": state.licence or None,
        "good_for": state.good_for or None,
        "used_in": list(state.used_in),
        "size_bytes": state.size_bytes,
        "memory_bytes": state.memory_bytes,
        "fits": str(state.fit.verdict),
        "fits_in_words": state.fit.words,
        "recommended": state.recommended,
        "can_fetch": state.can_fetch,
        "instead": state.instead or None,
        "source": state.source,
        "installed": state.is_installed,
        "origin": str(state.origin) if state.origin else None,
        "files": [{"path": path, "sha256": sha256 or None} for path, sha256 in state.files],
    }
