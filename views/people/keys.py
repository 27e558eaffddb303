"""Everything that can be done when clips are talked over, with its key, for the menu."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from views.people.talk import TalkView


def talk_actions(view: TalkView) -> list[QAction | None]:
    """Make the actions of the view, in the order of the menu; `None` stands for a line."""
    panel = view.panel
    practices = ("BI", "D1", "D2", "D3")
    made: list[QAction | None] = [
        _action(view, "Next difference", ("N",), partial(view.step, 1)),
        _action(view, "Previous difference", ("P",), partial(view.step, -1)),
        _action(view, "Play or pause the clip", ("Space",), view.play),
        None,
    ]
    for place, practice in enumerate(practices):
        act = partial(panel.codes.pick_practice, place)
        made.append(_action(view, f"Practice {practice}", (str(place + 1),), act))
    made.append(None)
    for level in range(1, 5):
        act = partial(panel.codes.pick_level, level)
        made.append(_action(view, f"Level {level}", (f"Shift+{level}",), act))
    made.append(None)
    for place, practice in enumerate(practices):
        act = partial(panel.codes.pick_further, place)
        made.append(_action(view, f"Also practice {practice}", (f"Alt+{place + 1}",), act))
    made += [
        None,
        _action(view, "Agree on the picked code", ("Return", "Enter"), view.agree),
        _action(view, "Agree that no practice shows", ("X",), view.agree_on_none),
        _action(view, "Note on the discussion", ("Ctrl+Return",), panel.focus_note),
        None,
        _action(view, "Take back the last consensus", ("Ctrl+Z",), view.undo),
    ]
    return made


def _action(view: TalkView, text: str, keys: tuple[str, ...], act: Callable[[], object]) -> QAction:
    action = QAction(text, view)
    action.setShortcuts([QKeySequence(key) for key in keys])
    # The same keys mean other things on the lesson page: these work only inside this view.
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _on=False: act())
    view.addAction(action)
    return action
