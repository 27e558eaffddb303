"""The sentences of the lesson report: summary, what could not be known, where it all came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.coding.practices import Practice
from app.coding.records import Check, Decision, Prediction, Verdict
from app.coding.review import LessonReview
from app.lesson.transcript.records import NEVER_CODED_FROM, Flag, Transcript
from reports.lesson_coders import MOST_NAMED
from reports.lesson_evidence import Lines, counts
from reports.moments import suggestions
from reports.wording import UNDEFINED, count, listed, show_date, show_length, some

_FLAG_MEANS = {
    Flag.NO_TIME: "have no time in the file",
    Flag.DOUBTFUL_TIME: "have a time that cannot be right or can be read in two ways",
    Flag.NO_END: "have a start but no end",
    Flag.OVERLAP: "start before the line above has ended",
    Flag.REPEATED: "repeat the same words again and again, probably invented by speech to text",
    Flag.INVENTED: "were heard by speech to text where nobody speaks",
    Flag.PAST_END: "lie after the end of the recording",
    Flag.LOW_PROBABILITY: "were heard by speech to text without certainty",
    Flag.UNTIMED_WORDS: "hold words that have no time of their own",
}


def standing(review: LessonReview) -> list[Decision]:
    """Give the decisions that stand on the clips as they are now."""
    found = (review.decision_for(clip.clip_id) for clip in review.clips)
    return [decision for decision in found if decision is not None]


def current(review: LessonReview) -> list[Prediction]:
    """Give the suggestions shown on the page: of clips that are there now, the latest each."""
    return [p for clip in review.clips for p in suggestions(review, clip.clip_id)]


def reviewers(review: LessonReview) -> str:
    """Name who decided."""
    return (
        listed(sorted({d.author or "somebody unnamed" for d in standing(review)})) or "nobody yet"
    )


def summary(review: LessonReview, lines: Lines) -> list[str]:
    """Sum the lesson up in plain words, every number with its denominator."""
    if not review.clips:
        return [
            "No clips have been drawn in this lesson yet, so nothing has been suggested or decided."
        ]
    decided, total = standing(review), len(review.clips)
    length = f" is {show_length(review.media.duration_ms)} long and" if review.media else ""
    apart = sum(review.is_disputed(clip.clip_id) for clip in review.clips)
    told = [
        f"The lesson{length} is cut into {count(total, 'clip')}. {_decided(decided, apart, total)}"
    ]
    told += [" ".join([_suggested(review), _cited(review, lines)]).strip()]
    if review.withheld:
        told.append(
            f"This page is for somebody who codes blind: of {len(review.withheld)} of {total} "
            "clips, which that person has not coded yet, everything is left out that coders and "
            "other people said. Here they read as if nobody had looked at them."
        )
    return told


def _decided(decided: Sequence[Decision], apart: int, total: int) -> str:
    differ = f"On {apart} of {total} people differ, so no code stands there. " if apart else ""
    if not decided:
        return differ or f"Nobody has decided yet: 0 of {total} reviewed."
    kinds = Counter(d.verdict for d in decided)
    blind = sum(d.blind for d in decided)
    left = total - len(decided) - apart
    return (
        f"People have decided on {len(decided)} of {total}: "
        f"{kinds[Verdict.ACCEPT]} accepted, {kinds[Verdict.CORRECT]} corrected, "
        f"{kinds[Verdict.REJECT]} rejected. {differ}"
        + (f"{blind} of these {len(decided)} decisions were made blind. " if blind else "")
        + (
            f"{left} of {total} {'is' if left == 1 else 'are'} not yet reviewed, and "
            f"{'counts' if left == 1 else 'count'} as neither right nor wrong."
            if left
            else "None is left to review."
        )
    )


def _suggested(review: LessonReview) -> str:
    shown = current(review)
    if not shown:
        return "No coder has looked at these clips, so there are no suggestions."
    named = {p.clip.clip_id for p in shown if p.practice}
    coders = sorted({p.coder for p in shown})
    who = f"coder{'s' if len(coders) > 1 else ''} {listed(coders)}"
    if len(coders) > MOST_NAMED:
        who = f"{len(coders)} coders, which are listed and numbered at the end,"
    return (
        f"The {who} suggested a practice for "
        f"{len(named)} of {count(len(review.clips), 'clip')}. A suggestion points to where a look "
        "may be worth while; it is not a judgement."
    )


def _cited(review: LessonReview, lines: Lines) -> str:
    evidence = [e for p in current(review) for e in p.evidence]
    if not evidence:
        return ""
    good = [e.check for e in evidence if counts(e, lines)]
    exact, close = good.count(Check.VERIFIED), good.count(Check.CLOSE)
    seen = sum(e.check is Check.SEEN for e in evidence)
    rest = len(evidence) - exact - close - seen
    told = f"Evidence cited: {len(evidence)}. "
    told += f"Word for word in the transcript: {exact}; closely: {close}"
    if seen:
        told += f"; described as seen, which only a person can check: {seen}"
    return f"{told}; not confirmed, so not counted: {rest}."


def unknowns(review: LessonReview) -> list[str]:
    """Say what could not be known, each thing once."""
    told = [*_media_gaps(review), *_transcript_gaps(review), *_coding_gaps(review)]
    return list(dict.fromkeys(told))


def _media_gaps(review: LessonReview) -> Iterator[str]:
    media = review.media
    if media is None:
        yield "There is no recording, only a transcript: nothing could be seen or heard again."
        return
    if not review.media_found:
        yield "The recording was not where it was last seen, so no pictures are shown."
    if media.video is None:
        yield "The recording has no picture: what was shown, drawn or gestured is not known."
    if media.audio is None:
        yield "The recording has no sound: what was said rests on the transcript alone."
    yield from media.notes


def _transcript_gaps(review: LessonReview) -> Iterator[str]:
    transcript = review.transcript
    if transcript is None or not transcript.utterances:
        yield "There is no transcript: what was said is not known, and no quote could be checked."
        if transcript is not None:
            yield from transcript.notes
        return
    yield from transcript.notes
    yield from _time_gaps(transcript)
    unnamed = sum(not u.speaker for u in transcript.utterances)
    total = len(transcript.utterances)
    if unnamed:
        yield f"Who speaks is not known for {unnamed:,} of {count(total, 'line')}."
    for flag, means in _FLAG_MEANS.items():
        numbers = [u.number for u in transcript.utterances if flag in u.flags]
        if numbers and len(numbers) < total:
            never = " They are never used as evidence." if flag in NEVER_CODED_FROM else ""
            yield f"{len(numbers):,} of {total:,} lines {means}: {some(numbers)}.{never}"
        elif numbers:
            yield f"All {total:,} lines {means}."


def _time_gaps(transcript: Transcript) -> Iterator[str]:
    total = len(transcript.utterances)
    untimed = [
        u.number
        for u in transcript.utterances
        if u.start_ms is None and Flag.NO_TIME not in u.flags
    ]
    if len(untimed) == total:
        yield "The transcript has no times: where in the lesson a line was spoken is not known."
    elif untimed:
        yield f"{len(untimed):,} of {total:,} lines have no time: {some(untimed)}."


def _coding_gaps(review: LessonReview) -> Iterator[str]:
    if not review.clips:
        return
    uncoded = [n for n, c in enumerate(review.clips, 1) if not review.prediction_for(c.clip_id)]
    if uncoded:
        yield f"Clips without any suggestion, because no coder has looked at them: {some(uncoded)}."
    there = {clip.clip_id for clip in review.clips}
    gone = len({p.clip.clip_id for p in review.predictions} - there)
    if gone:
        yield (
            f"Suggestions for {count(gone, 'clip')} that {'was' if gone == 1 else 'were'} later "
            "split, merged or removed are not shown."
        )
    lost = len({d.clip.clip_id for d in review.decisions} - there)
    if lost:
        yield (
            f"Decisions on {count(lost, 'clip')} that {'was' if lost == 1 else 'were'} later "
            "split, merged or removed are kept in the library and not counted here."
        )


def decided_table(
    review: LessonReview, practices: Sequence[Practice]
) -> tuple[list[str], list[list[str]]]:
    """Count decided clips by practice and level: heads and rows; no rows without decisions.

    A level that a practice does not have is undefined, not zero.
    """
    decided = standing(review)
    if not decided:
        return [], []
    most = max(level.level for p in practices for level in p.levels)
    heads = ["Practice", *(f"Level {n}" for n in range(1, most + 1)), "Together"]
    rows = []
    for practice in practices:
        mine = [d for d in decided if d.verdict is not Verdict.REJECT and d.practice == practice.id]
        has = {level.level for level in practice.levels}
        cells = [
            str(sum(d.level == n for d in mine)) if n in has else UNDEFINED
            for n in range(1, most + 1)
        ]
        rows.append([f"{practice.id} {practice.title}", *cells, f"{len(mine)} of {len(decided)}"])
    rejected = sum(d.verdict is Verdict.REJECT for d in decided)
    rows.append(
        ["None of the four", *[UNDEFINED] * most, f"{rejected} of {len(decided)}"],
    )
    return heads, rows


def provenance(review: LessonReview, made_at: str, program: str) -> list[list[str]]:
    """Say where everything came from, as pairs of name and value."""
    rows = [*_media_rows(review), *_transcript_rows(review)]
    origins = Counter(clip.proposed_by or "not recorded" for clip in review.clips)
    if origins:
        rows.append(["Clips by", listed([f"{name} ({n})" for name, n in origins.items()])])
    if review.history:
        done = [change for change in review.history if not change.undone]
        rows.append(["Changes by people", count(len(done), "change")])
    rows.append(["Added to the library", show_date(review.added_at)])
    rows.append(["Page made", f"{show_date(made_at)}, by {program}"])
    return rows


def _media_rows(review: LessonReview) -> Iterator[list[str]]:
    media = review.media
    if media is None:
        yield ["Recording", f"{UNDEFINED} (none)"]
        return
    yield ["Recording", Path(media.path).name]
    yield ["Fingerprint (SHA-256)", media.fingerprint]
    size = f"{media.size_bytes / 1e6:,.1f} MB"
    yield ["Length and size", f"{show_length(media.duration_ms)}, {size}, {media.container}"]


def _transcript_rows(review: LessonReview) -> Iterator[list[str]]:
    transcript = review.transcript
    if transcript is None:
        yield ["Transcript", f"{UNDEFINED} (none)"]
        return
    yield ["Transcript", f"{transcript.source}, {count(len(transcript.utterances), 'line')}"]
    if transcript.language:
        yield ["Language", transcript.language]
    if transcript.encoding:
        yield ["Text encoding", transcript.encoding]
    if review.original is not None:
        before = {u.number: u.text for u in review.original.utterances}
        edited = sum(before.get(u.number) != u.text for u in transcript.utterances)
        yield ["Lines edited by people", f"{edited:,} of {len(transcript.utterances):,}"]
