"""Everything that can be done when clips are talked over, with its key, for the menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from views.common.controls import view_action

if TYPE_CHECKING:
    from views.people.talk import TalkView


def talk_actions(view: TalkView) -> list[QAction | None]:
    """Make the actions of the view, in the order of the menu; `None` stands for a line."""
    panel = view.panel
    practices = ("BI", "D1", "D2", "D3")
    made = partial(view_action, view)
    actions: list[QAction | None] = [
        made("Next difference", partial(view.step, 1), "N"),
        made("Previous difference", partial(view.step, -1), "P"),
        made("Play or pause the clip", view.play, "Space"),
        None,
    ]
    for place, practice in enumerate(practices):
        act = partial(panel.codes.pick_practice, place)
        actions.append(made(f"Practice {practice}", act, str(place + 1)))
    actions.append(None)
    for level in range(1, 5):
        act = partial(panel.codes.pick_level, level)
        actions.append(made(f"Level {level}", act, f"Shift+{level}"))
    actions.append(None)
    for place, practice in enumerate(practices):
        act = partial(panel.codes.pick_further, place)
        actions.append(made(f"Also practice {practice}", act, f"Alt+{place + 1}"))
    actions += [
        None,
        made("Agree on the picked code", view.agree, "Return", "Enter"),
        made("Agree that no practice shows", view.agree_on_none, "X"),
        made("Note on the discussion", panel.focus_note, "Ctrl+Return"),
        None,
        made("Take back the last consensus", view.undo, "Ctrl+Z"),
    ]
    return actions
