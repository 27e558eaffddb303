"""Names of the people who code, and how several of them are written as one author."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.errors import Refused

JOIN = " & "
"""Stands between the names of those who agreed; so no single name may hold it."""
MOST_LETTERS = 40


def sound_name(typed: str) -> str:
    """Give a name or initials as they are kept: without spaces around or doubled inside.

    Raises:
        Refused: It is empty, too long, or could be read as two people.
    """
    name = " ".join(typed.split())
    if not name:
        raise Refused("A reviewer needs a name or initials.", "Type at least one letter.")
    if len(name) > MOST_LETTERS:
        raise Refused(
            f"“{name[:MOST_LETTERS]}…” is too long for a name.",
            f"Use at most {MOST_LETTERS} letters, such as initials.",
        )
    if "&" in name:
        raise Refused(
            f"“{name}” reads like two people.",
            "Add each person on their own; a consensus names them all.",
        )
    return name


def joined(names: Iterable[str]) -> str:
    """Write several people as one author, each once, in their order."""
    return JOIN.join(dict.fromkeys(names))


def people_in(author: str) -> tuple[str, ...]:
    """Give the people an author stands for: one, or all who agreed."""
    return tuple(part for part in author.split(JOIN) if part)


def same_person(name: str, known: Sequence[str]) -> str:
    """Find a name among those known, however it is written large or small; empty for none."""
    return next((one for one in known if one.casefold() == name.casefold()), "")


def how_far_words(done: Mapping[str, int], many: int, what: str) -> str:
    """Say who has done how much: `Ann has rated 3 of 40; a second person has not begun.`

    Args:
        done: How many each has done, by name.
        many: How many there are.
        what: What is done with them, as in `rated`.
    """
    told = [f"{name} has {what} {count} of {many}" for name, count in done.items()]
    if len(told) < 2:
        told.append("a second person has not begun" if told else "nobody has begun")
    words = "; ".join(told)
    return f"{words[0].upper()}{words[1:]}."
