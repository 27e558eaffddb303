"""Moments of the whole library: clips by the code that stands, and texts by their words.

What stands on a clip, and what a reviewer who codes blind may see of it, is left to the rules in
`app.coding.review` and `app.coding.sight`; here the rows are fetched that they need.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

from app.coding.moments import Found, Moment, Order, Term, Wanted
from app.coding.people_names import people_in
from app.coding.sight import Sight
from app.store.connections import Connections
from app.store.kept_settings import keep_setting, read_setting
from app.store.moments_by_code import moments_by_code
from app.store.moments_by_words import moments_by_words
from app.store.moments_read import Shelf, read_shelf

MOST = 500
"""Moments that are given unless more are asked for."""
_TERM = "term"


class Moments:
    """Finds moments in one library."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def find(self, wanted: Wanted, sight: Sight, limit: int = MOST) -> Found:
        """Give the moments that fit, and say what was left out.

        Args:
            wanted: What is looked for; one that is empty finds nothing.
            sight: Who looks; a reviewer who codes blind is not given away any code.
            limit: Most moments to give.
        """
        if wanted.is_empty or limit < 1:
            return Found()
        with self._connections.reading() as connection:
            shelf = read_shelf(connection, wanted)
            look = moments_by_code if wanted.is_about_codes else moments_by_words
            found = look(connection, shelf, wanted, sight, limit)
        if wanted.order is Order.LESSON:
            found = replace(found, moments=_by_lesson(found.moments, shelf))
        return found

    def authors(self) -> tuple[str, ...]:
        """Name everybody who has decided on a clip, in the order of the alphabet."""
        with self._connections.reading() as connection:
            rows = connection.execute("SELECT DISTINCT author FROM decision").fetchall()
        names = {name for (author,) in rows for name in people_in(author)}
        return tuple(sorted(names, key=str.casefold))

    def term(self) -> Term | None:
        """Give the days that “this term” means in this library; `None` until a person has said."""
        with self._connections.reading() as connection:
            kept = read_setting(connection, _TERM)
        if kept is None:
            return None
        first, last = json.loads(kept)
        return Term(date.fromisoformat(first), date.fromisoformat(last))

    def set_term(self, term: Term) -> None:
        """Keep the days that “this term” means."""
        value = json.dumps([term.first_day.isoformat(), term.last_day.isoformat()])
        with self._connections.writing() as connection:
            keep_setting(connection, _TERM, value)


def _by_lesson(moments: tuple[Moment, ...], shelf: Shelf) -> tuple[Moment, ...]:
    """Sort by day, then lesson, then time; by lines in a lesson where some have no time."""
    untimed = {m.lesson_id for m in moments if m.start_ms is None}
    order = {lesson_id: place for place, lesson_id in enumerate(shelf.lessons)}

    def place(moment: Moment) -> tuple[date, int, int]:
        is_timed = moment.lesson_id not in untimed
        within = moment.start_ms if is_timed and moment.start_ms is not None else moment.first
        return moment.day, order[moment.lesson_id], within

    return tuple(sorted(moments, key=place))
