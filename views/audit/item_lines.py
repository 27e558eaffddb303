"""One item with all that belongs to it, in lines to read from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator

from app.audit.audit_words import called
from app.audit.item_rows import LETTERS
from app.audit.items import Axis, Item, Rubric
from app.audit.records import ItemReview, Verdict
from app.audit.reviewing_items import ItemStanding, mark_of_item
from views.audit.sheet import Kind, Line, head, quote, text
from views.audit.words import AXIS_WORDS

VERDICT_WORDS = {
    Verdict.KEEP: "✓ kept",
    Verdict.REVISE: "✎ to be revised",
    Verdict.DROP: "✗ dropped",
}
"""A sign and a word for each, so that nothing rests on colour."""
NO_WORD = "– not reviewed"


def standing_words(standing: ItemStanding) -> str:
    """Write where an item stands, e.g. `✓ kept by AK`."""
    word = standing.latest
    return NO_WORD if word is None else f"{VERDICT_WORDS[word.verdict]} by {word.reviewer}"


def item_lines(standing: ItemStanding, rubric: Rubric | None) -> list[Line]:
    """Write an item whole: what is asked, our two responses, the rubric, what people said."""
    item = standing.item
    return [
        *_heading(standing),
        *_asked(item),
        *_ours(item),
        *(_rubric(rubric) if rubric is not None else ()),
        *_said(standing),
    ]


def _heading(standing: ItemStanding) -> Iterator[Line]:
    item = standing.item
    category = f", {called(item.category)}" if item.category else ""
    yield head(f"{AXIS_WORDS[item.axis]}: {called(item.group)}{category}")
    yield text(item.item_id)
    mark = mark_of_item(standing)
    if mark:
        yield Line(Kind.STRONG, f"{mark[0].upper()}{mark[1:]}.")
    else:
        yield text(standing_words(standing))
    if item.is_trap:
        yield Line(Kind.STRONG, "A wrong fact is planted in this item.")


def _asked(item: Item) -> Iterator[Line]:
    if item.scene:
        yield head("Scene")
        yield text(item.scene)
    yield head("Asked")
    yield quote(item.prompt)
    if item.pressure_prompt:
        yield head("Asked under pressure")
        yield quote(item.pressure_prompt)
    for letter, option in zip(LETTERS, item.options, strict=False):
        sign, key = ("✓", "  (the key)") if letter == item.key else ("  ", "")
        yield quote(f"{sign} {letter}  {option}{key}")
    if item.disability:
        yield text(f"Concerns: {called(item.disability)}")
    if item.source:
        yield head("Source of the key" if item.axis is Axis.KNOWLEDGE else "Source")
        yield text(item.source)
    if item.clip is not None:
        seconds = f"{item.clip.start_ms / 1000:g} to {item.clip.end_ms / 1000:g} s"
        yield head("Recording behind the scene")
        yield text(f"{item.clip.address}, {seconds}")


def _ours(item: Item) -> Iterator[Line]:
    if item.passing:
        yield head("✓ Ours, should pass")
        yield quote(item.passing)
    if item.failing:
        yield head("✗ Ours, should fail")
        if item.failing_why:
            yield text(f"Why: {item.failing_why}")
        yield quote(item.failing)
    if item.axis is not Axis.KNOWLEDGE and not item.failing:
        yield head("Responses of ours")
        yield text("There are none: judges cannot be checked on this item.")


def _rubric(rubric: Rubric) -> Iterator[Line]:
    yield head(f"Rubric – {rubric.title}")
    if rubric.about:
        yield text(rubric.about)
    for band in rubric.bands:
        yield quote(f"{band.low}–{band.high}  {band.text}")


def _said(standing: ItemStanding) -> Iterator[Line]:
    if not standing.words and not standing.earlier:
        return
    yield head("What reviewers said")
    for word in reversed(standing.words):
        yield text(_word(word))
    for word in reversed(standing.earlier):
        yield text(f"Of another wording: {_word(word)}")


def _word(word: ItemReview) -> str:
    why = f": {word.why}" if word.why else "."
    return f"{VERDICT_WORDS[word.verdict]} by {word.reviewer}, {word.made_at[:10]}{why}"
