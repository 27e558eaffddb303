"""`search`: moments of the whole library, by words, code, person and day."""

from __future__ import annotations

import argparse
from datetime import date
from typing import Any

from app.coding.moments import (
    Found,
    Moment,
    Order,
    Term,
    Wanted,
    codes_in_words,
    left_out,
)
from app.coding.practice_names import offer_for, read_names
from app.coding.sight import Sight
from app.commands.journeys import lesson_named
from app.commands.out import Out
from app.desk import Desk
from app.errors import Refused, WrongUse
from app.lesson.spans import show_time
from app.scoring.scored import Code
from resources import resource

NAMES = "practice_names.toml"
MOST = 200
"""Moments that are printed unless another number is asked for."""


def search_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `search` takes."""
    parser.add_argument("words", metavar="WORDS", nargs="?", default="", help="words to look for")
    parser.add_argument("--practice", choices=("BI", "D1", "D2", "D3"), help="clips of this code")
    parser.add_argument("--level", type=int, choices=(1, 2, 3, 4), help="clips of this level")
    parser.add_argument(
        "--with-suggestions", action="store_true", help="also codes that only coders claim"
    )
    parser.add_argument("--by", metavar="NAME", default="", help="clips that this person decided")
    parser.add_argument("--lesson", metavar="LESSON", default="", help="only in this lesson")
    parser.add_argument("--from", dest="first_day", metavar="DAY", help="lessons from this day on")
    parser.add_argument("--to", dest="last_day", metavar="DAY", help="lessons up to this day")
    parser.add_argument("--term", action="store_true", help="lessons of this term")
    parser.add_argument(
        "--set-term", nargs=2, metavar=("FIRST", "LAST"), help="say which days this term has"
    )
    parser.add_argument("--sort", choices=[str(order) for order in Order], default="lesson")
    parser.add_argument("--limit", type=int, metavar="N", default=MOST)


def search(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Print what is found; each moment with time, lesson, code and words.

    Args:
        desk: The library that is looked in.
        chosen: As `search_arguments` reads it.
        out: Where it is printed.

    Raises:
        WrongUse: Nothing is asked for, or a day cannot be read.
        Refused: No term is set.
    """
    if chosen.set_term:
        _set_term(desk, chosen.set_term)
    lesson_id = lesson_named(desk, chosen.lesson) if chosen.lesson else ""
    wanted = _wanted(desk, chosen, lesson_id)
    if wanted.is_empty:
        if chosen.set_term:
            out.say("The days of this term are kept in the library.")
            out.give({"term": chosen.set_term})
            return 0
        raise WrongUse(
            "Nothing is asked for.", "Give words, or a code: clerestory search --practice D3"
        )
    sight = Sight(desk.author, desk.settings.blind)
    found = desk.library.moments.find(wanted, sight, max(1, chosen.limit))
    _tell(wanted, found, out)
    return 0


def _wanted(desk: Desk, chosen: argparse.Namespace, lesson_id: str) -> Wanted:
    first, last = _day(chosen.first_day), _day(chosen.last_day)
    if chosen.term:
        term = desk.library.moments.term()
        if term is None:
            raise Refused(
                "The library does not know which days this term has.",
                "Say it once: clerestory search --set-term 2026-09-01 2026-12-18",
            )
        first, last = term.first_day, term.last_day
    return Wanted(
        words=chosen.words,
        practice=chosen.practice or "",
        level=chosen.level,
        with_suggestions=chosen.with_suggestions,
        author=chosen.by,
        lesson_id=lesson_id,
        first_day=first,
        last_day=last,
        order=Order(chosen.sort),
    )


def _set_term(desk: Desk, days: list[str]) -> None:
    first, last = (_day(day) for day in days)
    if first is None or last is None or first > last:
        raise WrongUse("A term needs a first and a last day.", "For example: 2026-09-01 2026-12-18")
    desk.library.moments.set_term(Term(first, last))


def _day(typed: str | None) -> date | None:
    if not typed:
        return None
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise WrongUse(
            f"“{typed}” is no day.", "Write it as year, month, day: 2026-09-01"
        ) from None


def _tell(wanted: Wanted, found: Found, out: Out) -> None:
    notes = _notes(wanted, found)
    out.give({"moments": [_as_json(moment) for moment in found.moments], "notes": notes})
    lesson = ""
    for moment in found.moments:
        if moment.lesson_id != lesson:
            lesson = moment.lesson_id
            how = "recorded" if moment.is_recorded_day else "added"
            out.say(f"{moment.title}  ({how} {moment.day})")
        out.say(f"  {show_time(moment.at_ms):>8}  {codes_in_words(moment):<14} {_quote(moment)}")
    for note in notes:
        out.say(f"  note: {note}")


def _notes(wanted: Wanted, found: Found) -> list[str]:
    notes = [] if found.moments else ["Nothing was found."]
    if found.has_more:
        notes.append(f"There are more; the first {len(found.moments)} are shown (--limit).")
    notes += left_out(found)
    offer = None if wanted.practice else offer_for(wanted.words, read_names(resource(NAMES)))
    if offer is not None:
        words = f' "{offer.words}"' if offer.words else ""
        term = " --term" if offer.this_term else ""
        level = f" --level {offer.level}" if offer.level else ""
        notes.append(
            f"These words were looked for as words. For clips coded {offer.practice}: "
            f"clerestory search{words} --practice {offer.practice}{level}{term}"
        )
    return notes


def _quote(moment: Moment) -> str:
    if moment.text:
        return f"“{moment.text}”"
    return f"no quote; the clip begins: “{moment.begins}”" if moment.begins else "no quote"


def _as_json(moment: Moment) -> dict[str, Any]:
    return {
        "lesson_id": moment.lesson_id,
        "lesson": moment.title,
        "day": moment.day.isoformat(),
        "day_is": "recorded" if moment.is_recorded_day else "added",
        "kind": str(moment.kind),
        "codes": [_code_as_json(code) for code in moment.codes],
        "by": moment.by,
        "disputed": moment.is_disputed,
        "clip_id": moment.clip_id or None,
        "start_ms": moment.start_ms,
        "end_ms": moment.end_ms,
        "at_ms": moment.at_ms,
        "quote": moment.text,
    }


def _code_as_json(code: Code) -> dict[str, Any]:
    return {"practice": code.practice, "level": code.level}
