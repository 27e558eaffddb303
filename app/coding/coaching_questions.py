"""Questions to talk over: ours, by practice and level, chosen by a rule and never at random."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

WHEN = "{when}"
"""Stands in a question for the time or the lines of the moment it is about."""

Talk = Mapping[tuple[str, int | None], tuple[str, ...]]
"""Questions by practice and level; `None` for a code without a level."""


@cache
def read_talk(path: Path) -> Talk:
    """Read `resources/coaching.toml`.

    Raises:
        ValueError: An entry is not in full; the installation is broken.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        return {
            (str(entry["practice"]), entry.get("level")): tuple(map(str, entry["questions"]))
            for entry in table["talk"]
        }
    except KeyError as error:
        raise ValueError(f"{path.name} lacks {error}") from error


def choose_question(
    talk: Talk, practice: str, level: int | None, moment: str, asked: Collection[str]
) -> str:
    """Choose the question for a moment, with `WHEN` still in it; the same each time.

    Where to begin in the list hangs on the moment's own name, so that two lessons do not always
    open with the same question; one that stands on the page already is passed over while another
    is left.

    Args:
        talk: All questions.
        practice: The practice that holds in the moment.
        level: Its level, if it has one.
        moment: A name of the moment that stays, such as lesson and clip.
        asked: Questions that are on the page.
    """
    known = talk.get((practice, level)) or talk[practice, None]
    start = int.from_bytes(hashlib.sha256(moment.encode("utf-8", "replace")).digest()[:8])
    turned = [known[(start + step) % len(known)] for step in range(len(known))]
    return next((question for question in turned if question not in asked), turned[0])
