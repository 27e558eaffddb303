"""Read the windows of a learner video off the series of its faces: pure, and the same each time.

What is usual for a learner is known only once some of the video has been seen. So windows are read
in blocks of `renewed_s` seconds: each rests on all that was seen up to the end of its block and on
nothing later, and stays what it was however much is seen afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from app.confusion.baseline import Baseline, baseline_of, seconds_a_picture
from app.confusion.cue_words import (
    NOT_LOOKED,
    WORDS,
    as_usual_words,
    hidden_words,
    level_words,
    too_few_words,
)
from app.confusion.face_choice import CLICK_REACH_MS, Followed, follow
from app.confusion.face_levels import (
    SLIGHT,
    Signs,
    confidence_of,
    held_value,
    level_of,
    lowered_deg,
    needed,
    signs_of,
    usual_of,
)
from app.confusion.face_measures import Hindrance, Measures, measures_of
from app.confusion.faces import FaceSeries
from app.confusion.records import Cue, CueKind, Level, Reading
from app.confusion.thresholds import Thresholds
from app.lesson.spans import Span

Face = tuple[int, float, float]
"""A moment in ms and a point of the learner's face then, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What is known of the learner's face at the end of a block."""

    followed: Followed
    measures: Measures
    baseline: Baseline | None
    picture_width_px: int
    others_ms: np.ndarray
    """Moments at which a face was seen that is not the learner's."""


def readings_of(
    series: FaceSeries,
    windows: Sequence[Span],
    start_ms: int,
    face: Face | None,
    kept: Baseline | None,
    thresholds: Thresholds,
) -> Iterator[Reading]:
    """Give a reading for each window, in order, as far as the series reaches by now.

    Args:
        series: What has been seen, perhaps not to the end.
        windows: Those to read, in order.
        start_ms: First moment of the recording, from which blocks are counted.
        face: The chosen face; `None` where nobody has chosen.
        kept: What is usual for this learner by an earlier video; used until this one has enough.
        thresholds: From when on a sign counts.
    """
    block_ms = round(thresholds.renewed_s * 1000)
    for block, inside in groupby(windows, lambda w: (w.start_ms - start_ms) // block_ms):
        end_ms = start_ms + (block + 1) * block_ms
        if face is not None:
            # Whose face it is must be known first, however late in the video somebody chose it.
            end_ms = max(end_ms, face[0] + CLICK_REACH_MS)
        if not _reaches(series, end_ms):
            return
        seen = _seen(_until(series, end_ms), face, kept, thresholds)
        for window in inside:
            yield _read(window, seen, thresholds)


def learner_baseline(
    series: FaceSeries, face: Face | None, thresholds: Thresholds
) -> Baseline | None:
    """Find what is usual for the learner over the whole video, to be kept for the next one."""
    return _seen(series, face, None, thresholds).baseline


def _reaches(series: FaceSeries, end_ms: int) -> bool:
    if series.is_complete:
        return True
    return len(series.looked_ms) > 0 and int(series.looked_ms[-1]) >= end_ms


def _until(series: FaceSeries, end_ms: int) -> FaceSeries:
    """Cut a series off, as if no more had been seen."""
    rows = int(np.searchsorted(series.time_ms, end_ms))
    looked = int(np.searchsorted(series.looked_ms, end_ms))
    cut = {name: getattr(series, name)[:rows] for name in _ROW_ARRAYS}
    return replace(series, looked_ms=series.looked_ms[:looked], **cut)


_ROW_ARRAYS = (
    "time_ms",
    "track",
    "box",
    "presence",
    "blendshapes",
    "pose_deg",
    "covered",
    "light",
    "eye_distance",
)


def _seen(
    series: FaceSeries, face: Face | None, kept: Baseline | None, thresholds: Thresholds
) -> Seen:
    followed = follow(series, face, thresholds)
    measures = measures_of(series, followed.rows, thresholds)
    width = series.frame_px[0]
    baseline = baseline_of(measures, width, thresholds) or kept
    if baseline is not None:  # else a head that looks down may be one under a high camera
        bent = lowered_deg(measures, baseline, thresholds) > thresholds.bent_deg
        measures = measures.hidden(bent, Hindrance.BENT)
    others = np.setdiff1d(series.time_ms, measures.time_ms)
    return Seen(followed, measures, baseline, width, others)


def _read(window: Span, seen: Seen, thresholds: Thresholds) -> Reading:
    measures = seen.measures.inside(window)
    hidden = _why_hidden(window, measures, seen, thresholds)
    if hidden:
        return Reading(window.start_ms, window.end_ms, is_visible=False, note=hidden)
    signs = signs_of(measures, seen.picture_width_px, seen.baseline, thresholds)
    level = level_of(signs, thresholds)
    cues = _cues(signs, measures, seen.baseline, thresholds)
    as_usual = _as_usual(signs, measures, seen, thresholds)
    first_ms, last_ms = seen.followed.known_ms
    back = window.end_ms <= first_ms or window.start_ms > last_ms
    doubts = int(seen.baseline is None) + int(back)
    share = float(measures.usable.sum()) / len(measures.looked_ms)
    return Reading(
        window.start_ms,
        window.end_ms,
        is_visible=True,
        level=level,
        confidence=confidence_of(signs, share, doubts, thresholds),
        cues=cues,
        evidence_ms=() if level is Level.NONE else signs.evidence_ms,
        note=level_words(level, cues, as_usual, seen.baseline, is_taken_back=back),
    )


def _as_usual(signs: Signs, measures: Measures, seen: Seen, thresholds: Thresholds) -> str:
    baseline = seen.baseline
    measured = [
        held_value(measures.signs[sign][measures.usable], thresholds.held_share)
        for sign in ("brow", "lids")
    ]
    least = [
        usual_of(sign, baseline, thresholds).median + needed(sign, SLIGHT, baseline, thresholds)
        for sign in ("brow", "lids")
    ]
    return as_usual_words(
        (measured[0], measured[1]),
        (least[0], least[1]),
        baseline,
        is_head_lowered=signs.is_head_lowered,
    )


def _why_hidden(window: Span, measures: Measures, seen: Seen, thresholds: Thresholds) -> str:
    """Say why a window cannot be read; empty when it can."""
    looked = len(measures.looked_ms)
    if not looked:
        return NOT_LOOKED
    usable = int(measures.usable.sum())
    readable_s = usable * seconds_a_picture(seen.measures)
    if readable_s >= thresholds.readable_s - 1e-6 and usable >= thresholds.seen_share * looked:
        return ""
    others = np.searchsorted(seen.others_ms, [window.start_ms, window.end_ms])
    strangers = int(others[1] - others[0])
    if seen.followed.refusal and (strangers or len(measures.time_ms)):
        return seen.followed.refusal
    reasons = Counter(list(Hindrance)[at] for at in measures.hindrance if at >= 0)
    reasons[Hindrance.OTHER_FACE] = strangers
    reasons[Hindrance.NO_FACE] = looked - len(measures.time_ms) - strangers
    reason, pictures = reasons.most_common(1)[0]
    if pictures <= usable:
        return too_few_words(usable, looked, readable_s, thresholds.readable_s)
    return hidden_words(reason.value, pictures, looked)


_MEASURED = {
    CueKind.BROW: "brow",
    CueKind.LIDS: "lids",
    CueKind.LIP_RAISED: "lip_raised",
    CueKind.LIPS_PRESSED: "lips_pressed",
    CueKind.SMILE: "smile",
}


def _cues(
    signs: Signs, measures: Measures, baseline: Baseline | None, thresholds: Thresholds
) -> tuple[Cue, ...]:
    """Give the signs of a window with what was measured and what is usual."""
    shown = {
        CueKind.BROW: signs.brow > 0,
        CueKind.LIDS: signs.lids > 0,
        CueKind.LIP_RAISED: signs.lip_raised,
        CueKind.LIPS_PRESSED: signs.lips_pressed,
        CueKind.SMILE: signs.smile_share >= thresholds.held_share,
    }
    cues = [_measured_cue(k, measures, baseline, thresholds) for k, is_so in shown.items() if is_so]
    if signs.hand_share:
        at = tuple(int(t) for t in measures.time_ms[measures.hand][:3])
        cues.append(Cue(CueKind.HAND, at, round(signs.hand_share, 2), words=WORDS[CueKind.HAND]))
    if signs.leaning:
        value = min(1.0, signs.leaning)
        cues.append(Cue(CueKind.POSTURE, (), round(value, 2), 0.0, words=WORDS[CueKind.POSTURE]))
    return tuple(cues)


def _measured_cue(
    kind: CueKind, measures: Measures, baseline: Baseline | None, thresholds: Thresholds
) -> Cue:
    sign = _MEASURED[kind]
    values = np.where(measures.usable, measures.signs[sign], 0)
    value = held_value(values[measures.usable], thresholds.held_share)
    best = np.argsort(-values, kind="stable")[:3]
    return Cue(
        kind,
        tuple(int(t) for t in np.sort(measures.time_ms[best])),
        round(value, 3),
        None if baseline is None else round(baseline.of(sign).median, 3),
        speaks_against=kind is CueKind.SMILE,
        words=WORDS[kind],
    )
