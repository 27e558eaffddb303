"""Search over what was said, what was cited and found, notes and titles.

Whole words first, the last of them as the beginning of a word; then parts of words, for languages
that write without spaces or with prefixes. Accents and the case of letters make no difference.
"""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.store.records import MARK_END, MARK_START, Hit, HitKind
from app.store.rows import sound_text

_COLUMNS = "s.lesson_id, s.kind, s.ref, s.text, s.start_ms, s.utterance"
_SHOWN_BEFORE = 40
_SHOWN_AFTER = 80
"""Characters around the first word found that a snippet shows."""
_SPARE = 4
"""How many times as many texts are fetched, since the same words may be cited several times."""
_TRIGRAM = 3
"""Shortest piece that the index over parts of words can look up."""


def fold(text: str) -> str:
    """Give text without accents and case, so that `Émile` and `emile` are the same."""
    return _fold_with_places(text)[0]


def put_text(
    connection: sqlite3.Connection,
    lesson_id: str,
    kind: HitKind,
    ref: int,
    text: str,
    start_ms: int | None = None,
    utterance: int | None = None,
) -> None:
    """Make a text findable in place of what was there; an empty one is taken out."""
    if not text.strip():
        drop_text(connection, lesson_id, kind, ref)
        return
    sound = sound_text(text)
    connection.execute(
        """INSERT INTO search_text (lesson_id, kind, ref, text, folded, start_ms, utterance)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (lesson_id, kind, ref) DO UPDATE SET
            text = excluded.text, folded = excluded.folded,
            start_ms = excluded.start_ms, utterance = excluded.utterance""",
        (lesson_id, kind.value, ref, sound, fold(sound), start_ms, utterance),
    )


def drop_text(connection: sqlite3.Connection, lesson_id: str, kind: HitKind, ref: int) -> None:
    """Take a text out of the search."""
    connection.execute(
        "DELETE FROM search_text WHERE lesson_id = ? AND kind = ? AND ref = ?",
        (lesson_id, kind.value, ref),
    )


def drop_utterances(connection: sqlite3.Connection, lesson_id: str) -> None:
    """Take a whole transcript out of the search, before another comes in."""
    connection.execute(
        "DELETE FROM search_text WHERE lesson_id = ? AND kind = ?",
        (lesson_id, HitKind.UTTERANCE.value),
    )


def find(
    connection: sqlite3.Connection, titles: dict[str, str], query: str, limit: int
) -> list[Hit]:
    """Find every text that holds all the words of the query.

    Args:
        connection: A connection that is reading.
        titles: Present title of every lesson.
        query: Whatever a person typed; no sign in it has a special meaning.
        limit: Most hits to give.
    """
    words = words_of(query)
    return [
        Hit(
            text.lesson_id,
            titles.get(text.lesson_id, ""),
            text.kind,
            text.text,
            snippet(text.text, words),
            text.start_ms,
            text.utterance,
        )
        for text in find_texts(connection, words, limit)
    ]


@dataclass(frozen=True, slots=True)
class Text:
    """A text that holds the words looked for."""

    lesson_id: str
    kind: HitKind
    ref: int
    """The line's number, the evidence, the change, or 0 for the lesson itself."""
    text: str
    start_ms: int | None
    utterance: int | None


def find_texts(
    connection: sqlite3.Connection,
    words: list[str],
    limit: int,
    lessons: Collection[str] | None = None,
) -> list[Text]:
    """Give the texts that hold all the words, whole words first, then best first; each once.

    Args:
        connection: A connection that is reading.
        words: As `words_of` gives them.
        limit: Most texts to give.
        lessons: Ids of the lessons to look in; `None` for all.
    """
    if not words or limit < 1:
        return []
    among = None if lessons is None else json.dumps(sorted(lessons))
    found: dict[tuple[Any, ...], Text] = {}
    looks = ((_whole_words(words), "rank, s.row_id"), (_parts(words), "s.row_id"))
    for look, order in looks:
        if look is None:
            continue
        source, values = look
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM {source} {_among(among)} ORDER BY {order} LIMIT :limit",
            {**values, "among": among, "limit": limit * _SPARE},
        )
        for lesson_id, kind, ref, text, start_ms, utterance in rows:
            # Several runs of coders cite the same words; a reader wants them once.
            key = (lesson_id, kind, text, start_ms, utterance)
            if key not in found:
                found[key] = Text(lesson_id, HitKind(kind), ref, text, start_ms, utterance)
            if len(found) == limit:
                return list(found.values())
    return list(found.values())


def snippet(text: str, words: Iterable[str]) -> str:
    """Cut out the part of a text around the first word found, with every word marked."""
    text = _without_marks(text)
    folded, places = _fold_with_places(text)
    spans = _spans(folded, places, map(_without_marks, words))
    first = spans[0][0] if spans else 0
    start = max(0, first - _SHOWN_BEFORE)
    end = min(len(text), max(first + _SHOWN_AFTER, spans[0][1] if spans else 0))
    parts, at = ["…" if start else ""], start
    for span_start, span_end in spans:
        if span_start < at or span_end > end:
            continue
        parts += [text[at:span_start], MARK_START, text[span_start:span_end], MARK_END]
        at = span_end
    parts += [text[at:end], "…" if end < len(text) else ""]
    return "".join(parts)


def words_of(query: str) -> list[str]:
    """Give the folded words of a query, each once, in their order."""
    folded = fold(sound_text(query).replace("\0", " "))
    return list(dict.fromkeys(folded.split()))


def holds_all(text: str, words: Iterable[str]) -> bool:
    """Say whether a text holds all the words, or parts of words, that `words_of` gave."""
    folded = fold(text)
    return all(word in folded for word in words)


def first_in_stretches(
    connection: sqlite3.Connection, words: list[str], stretches: Sequence[tuple[str, int, int]]
) -> dict[int, tuple[int, int]]:
    """Find stretches of lines that hold all the words in one line.

    Args:
        connection: A connection that is reading.
        words: As `words_of` gives them.
        stretches: Lesson, first and last line.

    Returns:
        By place in `stretches`, the number of the first such line for `texts_at`, and how many
        lines there are.
    """
    tests, values = _holding(words)
    rows = connection.execute(
        f"""SELECT w.key, min(s.row_id), count(*) FROM json_each(:stretches) AS w
        JOIN search_text AS s ON s.lesson_id = json_extract(w.value, '$[0]')
            AND s.kind = '{HitKind.UTTERANCE.value}'
            AND s.ref BETWEEN json_extract(w.value, '$[1]') AND json_extract(w.value, '$[2]')
        WHERE {tests} GROUP BY w.key""",
        {**values, "stretches": json.dumps(stretches)},
    )
    return {place: (number, count) for place, number, count in rows}


def quotes_holding(
    connection: sqlite3.Connection, words: list[str], predictions: Collection[int]
) -> dict[int, int]:
    """Give for each prediction the number, for `texts_at`, of a quote with all the words."""
    tests, values = _holding(words)
    rows = connection.execute(
        f"""SELECT e.prediction_id, min(s.row_id) FROM evidence AS e
        JOIN prediction AS p USING (prediction_id)
        JOIN search_text AS s ON s.lesson_id = p.lesson_id AND s.kind = '{HitKind.QUOTE.value}'
            AND s.ref = e.evidence_id
        WHERE e.prediction_id IN (SELECT value FROM json_each(:predictions)) AND {tests}
        GROUP BY e.prediction_id""",
        {**values, "predictions": json.dumps(list(predictions))},
    )
    return dict(rows.fetchall())


def _holding(words: list[str]) -> tuple[str, dict[str, str]]:
    tests = " AND ".join(f"instr(s.folded, :word{n}) > 0" for n in range(len(words)))
    return tests or "0", {f"word{n}": word for n, word in enumerate(words)}


def texts_at(
    connection: sqlite3.Connection, numbers: Collection[int]
) -> dict[int, tuple[str, int | None]]:
    """Give the texts with these numbers, each with its moment in ms."""
    rows = connection.execute(
        "SELECT row_id, text, start_ms FROM search_text "
        "WHERE row_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(numbers)),),
    )
    return {number: (text, start_ms) for number, text, start_ms in rows}


def _whole_words(words: list[str]) -> tuple[str, dict[str, Any]] | None:
    """Give where to look for whole words, and the values in it; `None` where that is no use."""
    if not all(any(sign.isalnum() for sign in word) for word in words):
        return None  # a piece without a letter or a digit is nothing to this index
    pattern = " ".join(_quoted(word) for word in words) + "*"
    source = (
        "search_text_fts JOIN search_text AS s ON s.row_id = search_text_fts.rowid "
        "WHERE search_text_fts MATCH :pattern"
    )
    return source, {"pattern": pattern}


def _parts(words: list[str]) -> tuple[str, dict[str, Any]]:
    """Give where to look for parts of words, and the values in it."""
    long = [word for word in words if len(word) >= _TRIGRAM]
    short = [word for word in words if len(word) < _TRIGRAM]
    values: dict[str, Any] = {f"part{n}": word for n, word in enumerate(short)}
    tests = [f"instr(s.folded, :part{n}) > 0" for n in range(len(short))]
    source = "search_text AS s"
    if long:
        source = "search_parts JOIN search_text AS s ON s.row_id = search_parts.rowid"
        tests.insert(0, "search_parts MATCH :pattern")
        values["pattern"] = " ".join(_quoted(word) for word in long)
    return f"{source} WHERE {' AND '.join(tests)}", values


def _among(among: str | None) -> str:
    return "" if among is None else "AND s.lesson_id IN (SELECT value FROM json_each(:among))"


def _quoted(word: str) -> str:
    doubled = word.replace('"', '""')
    return f'"{doubled}"'


def _fold_with_places(text: str) -> tuple[str, list[int]]:
    """Give folded text and, for each of its characters, the place it came from."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        if sign.isascii():
            signs.append(sign.lower())
            places.append(place)
            continue
        for part in unicodedata.normalize("NFKD", sign.casefold()):
            if not unicodedata.combining(part):
                signs.append(part)
                places.append(place)
    return "".join(signs), places


def _without_marks(text: str) -> str:
    return text.replace(MARK_START, "\ufffd").replace(MARK_END, "\ufffd")


def _spans(folded: str, places: list[int], words: Iterable[str]) -> list[tuple[int, int]]:
    found = []
    for word in words:
        at = folded.find(word)
        while at >= 0:
            found.append((places[at], places[at + len(word) - 1] + 1))
            at = folded.find(word, at + len(word))
    return sorted(found, key=lambda span: (span[0], -span[1]))
