"""The figures of agreement as rows of one table: for the page, and for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.coding.people import AgreementReport, ClipPair, Side, clip_key
from app.coding.people_anchoring import AnchoredClip, Anchoring
from app.coding.practices import Practice
from app.lesson.spans import show_time
from app.scoring.figures import Figure
from app.scoring.scored import Code

COLUMNS = ("first", "second", "words", "part", "figure", "value", "low_95", "high_95", "n", "of",
           "reason", "about")  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure with what it is called, what it counts, and the clips behind it."""

    part: str
    """Heading that it stands under."""
    name: str
    figure: Figure
    of: str
    """What `n` counts, in the plural: `clips`, `joint stretches`."""
    clips: tuple[str, ...]
    """Keys of the clips it rests on; see `people.clip_key`."""
    about: str = ""
    """What a reader should know of it."""
    is_share: bool = False
    """Whether it is a share, read in percent; else a coefficient that is at most 1."""


UNSURE = "An interval with 0 in it: they may not have moved at all."


def agreement_rows(report: AgreementReport, practices: Sequence[Practice]) -> tuple[FigureRow, ...]:
    """Give every figure of a comparison, in the order in which it is read."""
    return (
        *_practice_rows(report),
        *_each_practice(report, practices),
        *_level_rows(report),
        *_time_rows(report),
        *_cited_rows(report),
    )


def anchoring_rows(found: Anchoring) -> tuple[FigureRow, ...]:
    """Give the figures on what changed once a suggestion had been seen."""
    part = "Before and after the suggestion was shown"
    again, all_clips = _anchored_keys(found.again), _anchored_keys(found.clips)
    moved = f"{found.toward} moved to the suggestion, {found.away} away from it."
    left = f"{len(found.clips) - len(found.again)} of these were left as they were."
    told = (
        ("Decided again: before", found.before, again, ""),
        ("Decided again: after", found.after, again, moved),
        ("Decided again: after less before, in points", found.change, again, UNSURE),
        ("All coded blind: before", found.before_all, all_clips, ""),
        ("All coded blind: after", found.after_all, all_clips, left),
        ("All coded blind: after less before, in points", found.change_all, all_clips, ""),
    )
    return tuple(
        FigureRow(part, name, figure, "clips", clips, about, is_share=True)
        for name, figure, clips, about in told
    )


@dataclass(frozen=True, slots=True)
class ClipLine:
    """A clip behind a figure: where it is, and what both said of it."""

    lesson_id: str
    clip_id: str
    start_ms: int | None
    words: str


def clip_lines(report: AgreementReport, anchored: Anchoring | None = None) -> dict[str, ClipLine]:
    """Say of each clip behind the figures what both said, by the clip's key."""
    found = {}
    for pair in report.pairs:
        said = (
            f"{report.first.name} {code_text(pair.first.codes)}, "
            f"{report.second.name} {code_text(pair.second.codes)}"
        )
        found[pair.key] = _clip_line(pair, said)
    for clip in anchored.clips if anchored else ():
        after = code_text(clip.after.codes) if clip.after else "left as it was"
        said = (
            f"suggested {clip.suggested or '–'}; {clip.before.author} blind "
            f"{code_text(clip.before.codes)}, then {after}"
        )
        found[clip_key(clip.lesson_id, clip.clip.clip_id)] = _clip_line(clip, said)
    return found


def table_text(
    first: Side, second: Side, rows: Iterable[FigureRow], *, only_blind: bool = False
) -> str:
    """Write rows as comma-separated values, numbers in full; a cell is never a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    words = "blind only" if only_blind else "all first words"
    for row in rows:
        figure, interval = row.figure, row.figure.interval
        texts = (first.name, second.name, words, row.part, row.name)
        writer.writerow(
            [
                *map(_plain, texts),
                _number(figure.value),
                _number(interval.low if interval else None),
                _number(interval.high if interval else None),
                figure.n,
                row.of,
                figure.reason,
                row.about,
            ]
        )
    return file.getvalue()


def code_text(codes: Sequence[Code]) -> str:
    """Write codes shortly: `D1·2`, `D1·2 + D3·1`, an en dash for none."""
    named = [c.practice if c.level is None else f"{c.practice}·{c.level}" for c in codes]
    return " + ".join(named) or "–"


def _clip_line(found: ClipPair | AnchoredClip, said: str) -> ClipLine:
    clip = found.clip
    where = f"{found.title}, clip {found.number}, {show_time(clip.start_ms)}"
    return ClipLine(found.lesson_id, clip.clip_id, clip.start_ms, f"{where}: {said}")


def _practice_rows(report: AgreementReport) -> Iterable[FigureRow]:
    codes, clips = report.codes, _keys(report.pairs)
    part = "Main practice"
    differ = sum(not pair.is_same for pair in report.pairs)
    told = f"{differ} differ; {report.both_blind} coded blind on both sides."
    if report.failures:
        told += f" {report.failures} without a usable answer are left out."
    yield FigureRow(part, "Same practice", codes.percent, "clips", clips, told, is_share=True)
    yield FigureRow(part, "Cohen kappa", codes.kappa, "clips", clips)
    yield FigureRow(part, "Krippendorff alpha", codes.alpha, "clips", clips)
    about = "Does not fall where one practice is very common."
    yield FigureRow(part, "Gwet AC1", codes.ac1, "clips", clips, about)
    part = "All codes of a clip"
    yield FigureRow(part, "Any code in common", codes.in_common, "clips", clips, is_share=True)
    yield FigureRow(part, "Alpha over sets of codes (MASI)", codes.masi, "clips", clips)


def _each_practice(report: AgreementReport, practices: Sequence[Practice]) -> Iterable[FigureRow]:
    titles = {practice.id: practice.title for practice in practices}
    for found in report.codes.by_practice:
        part = f"{found.practice} against the rest: {titles.get(found.practice, '')}"
        clips = _keys(p for p in report.pairs if _gives(p, found.practice))
        told = (
            f"Both {found.both}, only {report.first.name} {found.only_one}, "
            f"only {report.second.name} {found.only_other}, neither {found.neither}."
        )
        yield FigureRow(part, "Same answer", found.percent, "clips", clips, told, is_share=True)
        yield FigureRow(part, "Cohen kappa", found.kappa, "clips", clips)
        yield FigureRow(part, "Gwet AC1", found.ac1, "clips", clips)


def _level_rows(report: AgreementReport) -> Iterable[FigureRow]:
    levels, part = report.codes.levels, "Level, where the practice is the same"
    clips = _keys(p for p in report.pairs if _has_same_practice(p))
    for name, figure in (
        ("Same level", levels.percent),
        ("Cohen kappa, plain", levels.plain),
        ("Cohen kappa, quadratic", levels.quadratic),
        ("Krippendorff alpha, ordinal", levels.alpha),
    ):
        is_share = figure is levels.percent
        yield FigureRow(part, name, figure, "clips", clips, is_share=is_share)


def _time_rows(report: AgreementReport) -> Iterable[FigureRow]:
    time, part = report.time, "Over time, weighed by milliseconds"
    clips = _keys(p for p in report.pairs if p.first.stretch and p.second.stretch)
    told = f"{_minutes(time.same_ms)} of {_minutes(time.joint_ms)} min coded by both."
    yield FigureRow(part, "Same practice", time.same, "joint stretches", clips, told, is_share=True)
    yield FigureRow(part, "Cohen kappa", time.kappa, "joint stretches", clips)


def _cited_rows(report: AgreementReport) -> Iterable[FigureRow]:
    cited, part = report.cited, "Evidence cited, common to both out of all cited"
    timed = _keys(p for p in report.pairs if p.first.spans or p.second.spans)
    lined = _keys(p for p in report.pairs if p.first.lines or p.second.lines)
    told = (
        f"In {cited.only_one_cites} only {report.first.name} cites, "
        f"in {cited.only_other_cites} only {report.second.name}; they count as no overlap."
    )
    yield FigureRow(part, "Moments", cited.pooled, "clips", timed, told, is_share=True)
    yield FigureRow(part, "Lines of the transcript", report.lines, "clips", lined, is_share=True)


def _keys(pairs: Iterable[ClipPair]) -> tuple[str, ...]:
    """Name the clips, those that differ first."""
    return tuple(pair.key for pair in sorted(pairs, key=lambda pair: pair.is_same))


def _anchored_keys(clips: Iterable[AnchoredClip]) -> tuple[str, ...]:
    """Name the clips, those that moved to the suggestion or away from it first."""
    ordered = sorted(clips, key=lambda clip: clip.agreed_before == clip.agreed_after)
    return tuple(clip_key(clip.lesson_id, clip.clip.clip_id) for clip in ordered)


def _gives(pair: ClipPair, practice: str) -> bool:
    return any(c.practice == practice for word in (pair.first, pair.second) for c in word.codes)


def _has_same_practice(pair: ClipPair) -> bool:
    both = pair.first.codes and pair.second.codes
    return bool(both) and pair.is_same


def _minutes(ms: int) -> str:
    return f"{ms / 60_000:.1f}"


def _number(value: float | None) -> str:
    return "" if value is None else repr(float(value))


def _plain(text: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
