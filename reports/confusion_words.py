"""What was seen in a stretch and what speaks against it, in words a parent can read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.confusion.records import (
    Confidence,
    Cue,
    CueKind,
    EventDecision,
    EventVerdict,
    Level,
    Reading,
)
from app.confusion.rows import Row, Sign
from app.confusion.stretches import Stretch
from app.lesson.spans import show_time
from app.scoring.rounding import printed
from reports.wording import count, listed, show_length

CUES = {
    CueKind.BROW: "brows drawn down",
    CueKind.LIDS: "eyes narrowed",
    CueKind.LIP_RAISED: "upper lip raised",
    CueKind.LIPS_PRESSED: "lips pressed together",
    CueKind.SMILE: "a smile",
    CueKind.HAND: "a hand at the face",
    CueKind.POSTURE: "leaning in, or restless",
}
"""Plain names of the five criteria, in the order in which they are told."""
NAME_LETTERS, FULL_LETTERS = 36, 90
"""How long names of readers may be on the one page, and in the full version."""
_MAIN = (CueKind.BROW, CueKind.LIDS)
_STRENGTHS = (CueKind.BROW, CueKind.LIDS, CueKind.LIP_RAISED, CueKind.LIPS_PRESSED)
"""Signs whose measured value says something beside what is usual."""
_MOST_NOTES = 2
_MOST_WORDS = 2
"""Wordings of a model that are quoted for one stretch."""
_COUNTED = re.compile(r" \(in (only )?\d+ of \d+ pictures\)")
"""What makes each window's reason another one."""
NOTHING_AGAINST = "Nothing was noted against it. That is no proof that nothing is."


@dataclass(frozen=True, slots=True)
class Said:
    """What one reader says of a stretch."""

    badge: str
    reader: str
    name: str
    """Of the reader, cut where it is long."""
    readings: tuple[Reading, ...]
    """All windows that overlap the stretch."""
    finds: bool
    """Whether this reader has an event here."""

    @property
    def visible(self) -> tuple[Reading, ...]:
        """Those with a level."""
        return tuple(r for r in self.readings if r.level is not None)

    @property
    def positive(self) -> tuple[Reading, ...]:
        """Those that show signs."""
        return tuple(r for r in self.readings if r.is_positive)


def shortened(name: str, most: int = NAME_LETTERS) -> str:
    """Cut a long name in its middle, where two names of one family are the most alike."""
    if len(name) <= most:
        return name
    half = (most - 3) // 2
    return f"{name[:half].rstrip()} … {name[-half:].lstrip()}"


def cut(words: str, most: int) -> str:
    """Cut words that are longer than there is room, and show that they are cut."""
    line = " ".join(words.split())
    return line if len(line) <= most else f"{line[: most - 2].rstrip()} …"


def said_of(
    stretch: Stretch, badges: dict[str, str], name_letters: int = NAME_LETTERS
) -> list[Said]:
    """Give what each reader says of a stretch; those that did not read it are left out."""
    finders = {found.reader for found in stretch.found}
    return [
        Said(
            badges.get(reader, ""),
            reader,
            shortened(reader, name_letters),
            readings,
            reader in finders,
        )
        for reader, readings in stretch.readings
        if readings
    ]


def in_short(said: Sequence[Said]) -> tuple[str, str]:
    """Tell in two short lists what was seen, and what speaks against it, by any reader."""
    cues = [cue for each in said if each.finds for r in each.positive for cue in r.cues]
    seen = _names(cue.kind for cue in cues if not cue.speaks_against)
    against = _names(cue.kind for cue in cues if cue.speaks_against)
    short = list(against)
    others = [each for each in said if not each.finds and each.visible]
    if others:
        partly = any(len(each.visible) < len(each.readings) for each in others)
        tail = ", as far as the face was visible" if partly else ""
        short.append(f"no signs for {by_badge(others)}{tail}")
    return listed(seen) or _nothing_named(said), "; ".join(short)


def _nothing_named(said: Sequence[Said]) -> str:
    """Say what a stretch rests on where no reader names one of the known signs."""
    finders = [each for each in said if each.finds]
    if not finders:
        return "by the reviewer’s eye; no reader points here"
    words = _quoted([reading for each in finders for reading in each.positive])
    return f"in a model’s words: {words}" if words else "no single sign was named"


def by_badge(said: Sequence[Said]) -> str:
    """Name readers by their badges, where there is little room: `readers 1 and 3`."""
    return f"{'reader' if len(said) == 1 else 'readers'} {listed([each.badge for each in said])}"


def seen_by(each: Said) -> str:
    """Tell the signs one reader saw, how often, and how strong beside what is usual."""
    told = []
    for kind in CUES:
        cues = [
            (cue, reading)
            for reading in each.positive
            for cue in reading.cues
            if cue.kind is kind and not cue.speaks_against
        ]
        if cues:
            told.append(_sign_words(kind, cues, len(each.positive)))
    words = _quoted(each.positive)
    if words:
        told.append(f"in its own words: {words}")
    level = max((r.level for r in each.positive if r.level), key=lambda v: v.rank, default=None)
    levels = f"signs up to level “{level.value}”" if level else "signs"
    notes = list(dict.fromkeys(r.note.rstrip(".") for r in each.positive if r.note))
    known = f" To know: {'; '.join(notes[:_MOST_NOTES])}." if notes else ""
    return f"{levels}: {'; '.join(told) or 'it named no single sign'}.{known}"


def against(
    stretch: Stretch, said: Sequence[Said], dismissed: Sequence[EventDecision]
) -> list[str]:
    """Tell all that speaks against a stretch, in full sentences; never empty."""
    told = []
    for each in said:
        told += _against_by(each) if each.finds else []
    told += _without([each for each in said if not each.finds])
    told += [_dismissed(d) for d in dismissed if _overlaps(stretch, d)]
    if stretch.is_confirmed and not stretch.found:
        told.append("No reader found signs here; it rests on the reviewer’s eye alone.")
    return told or [NOTHING_AGAINST]


def decided(decision: EventDecision) -> str:
    """Tell what a person did about an event: `Confirmed by R. Okafor.`"""
    word = {
        EventVerdict.CONFIRM: "Confirmed",
        EventVerdict.ADJUST: "Confirmed with other limits",
        EventVerdict.DISMISS: "Dismissed",
        EventVerdict.ADD: "Added",
    }[decision.verdict]
    text = f"{word} by {decision.author or 'somebody unnamed'}."
    if decision.verdict is EventVerdict.ADJUST and decision.found_start_ms is not None:
        place = f"{show_time(decision.found_start_ms)} to {show_time(decision.found_end_ms)}"
        text += f" {decision.reader} had it from {place}."
    return text


def not_seen(row: Row, readings: Sequence[Reading]) -> list[str]:
    """Tell why the face could not be judged, the commonest reason first."""
    reasons: dict[str, int] = {}
    for reading in readings:
        if not reading.is_visible and not reading.is_failure:
            reason = _COUNTED.sub("", reading.note).rstrip(".") or "no reason was given"
            reasons[reason] = reasons.get(reason, 0) + reading.end_ms - reading.start_ms
    in_order = sorted(reasons.items(), key=lambda pair: -pair[1])
    told = [f"{reason} ({show_length(ms)})" for reason, ms in in_order[:6]]
    failed = row.number(Sign.FAILED)
    if failed:
        told.append(f"{count(failed, 'window')} without a usable answer of the model")
    unread_ms = row.time_ms(Sign.UNREAD)
    if unread_ms:
        told.append(f"not read, because the reader was stopped ({show_length(unread_ms)})")
    return told


def _against_by(each: Said) -> list[str]:
    by = each.name
    told = []
    for kind in CUES:
        cues = [c for r in each.readings for c in r.cues if c.kind is kind and c.speaks_against]
        if cues:
            times = sorted({at for cue in cues for at in cue.at_ms})
            when = f" at {_times(times)}" if times else ""
            told.append(f"{CUES[kind].capitalize()}{when}, which speaks against confusion ({by}).")
    unsure = [r for r in each.positive if r.confidence is Confidence.LOW]
    if unsure:
        told.append(f"{by} was unsure in {_of(len(unsure), len(each.positive))}.")
    if len(each.positive) == 1:
        told.append(f"{by} saw signs in a single window only.")
    kinds = {c.kind for r in each.positive for c in r.cues if not c.speaks_against}
    if kinds and not kinds & {*_MAIN}:
        told.append(f"{by} saw supporting signs only, neither lowered brows nor narrowed eyes.")
    main = [kind for kind in _MAIN if kind in kinds]
    if len(main) == 1:
        missing = next(kind for kind in _MAIN if kind not in kinds)
        told.append(
            f"{by} saw {CUES[main[0]]} without {CUES[missing]}; the two together are more reliable."
        )
    hidden = [r for r in each.readings if not r.is_visible and not r.is_failure]
    if hidden:
        told.append(f"{by} could not see the face in {_of(len(hidden), len(each.readings))}.")
    return told


def _without(others: Sequence[Said]) -> list[str]:
    """Tell which readers saw no signs at the same moment, and which could not say."""
    told = []
    partly = [each for each in others if 0 < len(each.visible) < len(each.readings)]
    for each in partly:
        windows = _of(len(each.visible), len(each.readings))
        told.append(f"{each.name} could judge {windows} here, and saw no signs there.")
    saw = [each for each in others if len(each.visible) == len(each.readings)]
    if saw:
        levels = {r.level for each in saw for r in each.visible if r.level}
        tail = " (at most level “low”)" if Level.LOW in levels else ""
        names = listed([each.name for each in saw])
        told.append(f"{names} looked at the same moment and saw no signs{tail}.")
    blind = [each for each in others if not each.visible]
    failed = [each for each in blind if all(r.is_failure for r in each.readings)]
    hidden = [each.name for each in blind if each not in failed]
    if failed:
        told.append(f"{listed([each.name for each in failed])} gave no usable answer here.")
    if hidden:
        told.append(f"{listed(hidden)} could not see the face here, so says neither yes nor no.")
    return told


def _dismissed(decision: EventDecision) -> str:
    place = f"{show_time(decision.start_ms)} to {show_time(decision.end_ms)}"
    note = f": “{decision.note}”" if decision.note else "."
    who = decision.author or "somebody unnamed"
    return f"{who} dismissed what {decision.reader} found from {place}{note}"


def _overlaps(stretch: Stretch, decision: EventDecision) -> bool:
    event = stretch.event
    return decision.start_ms < event.end_ms and event.start_ms < decision.end_ms


def _sign_words(kind: CueKind, cues: Sequence[tuple[Cue, Reading]], windows: int) -> str:
    seen_in = len({reading.start_ms for _, reading in cues})
    text = f"{CUES[kind]} in {_of(seen_in, windows)}"
    measured = [cue for cue, _ in cues if cue.value is not None]
    if not measured or kind not in _STRENGTHS:
        return text
    top = max(measured, key=lambda cue: cue.value or 0.0)
    usual = "not known" if top.baseline is None else printed(top.baseline, 2)
    return f"{text} (up to {printed(top.value, 2)} on a scale to 1; usual here: {usual})"


def _quoted(readings: Sequence[Reading]) -> str:
    """Give what a model wrote of what it saw: those that measure have numbers instead."""
    words = dict.fromkeys(
        cue.words.strip()
        for reading in readings
        for cue in reading.cues
        if cue.words.strip() and cue.value is None and not cue.speaks_against
    )
    return ", ".join(f"“{each}”" for each in list(words)[:_MOST_WORDS])


def _names(kinds: Iterable[CueKind]) -> list[str]:
    found = set(kinds)
    return [name for kind, name in CUES.items() if kind in found]


def _times(times: Sequence[int]) -> str:
    shown = dict.fromkeys(show_time(at) for at in times)
    return listed(list(shown)[:3])


def _of(some: int, all_of: int) -> str:
    if all_of == 1:
        return "the one window"
    return f"all {all_of} windows" if some == all_of else f"{some} of {all_of} windows"
