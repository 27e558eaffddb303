"""The clips of the lesson report: first the evidence, then what was suggested, then decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.coding.evidence import QuoteFinder, stands
from app.coding.practices import Practice
from app.coding.queue import LOW_MARGIN
from app.coding.records import Decision, Evidence, Prediction, Stage, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.palette import Palette
from app.scoring.scored import Code
from reports.lesson_coders import Names, ending
from reports.lesson_differences import who_decided
from reports.lesson_evidence import Lines, counts, evidence_block
from reports.moments import evidence_times, suggestions
from reports.wording import UNDEFINED, show_date, show_length, show_lines, show_place

SAID = {Verdict.ACCEPT: "Accepted", Verdict.CORRECT: "Corrected", Verdict.REJECT: "Rejected"}
Block = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ClipPage:
    """What all clips of a page share."""

    review: LessonReview
    practices: Sequence[Practice]
    palette: Palette
    lines: Lines
    pictures: Mapping[int, str]
    """Names of the picture files that are there, by moment."""
    names: Names
    flags: Mapping[int, str]
    """What the probes say against a suggestion, by the number of the prediction."""


def clip_blocks(page: ClipPage) -> list[Block]:
    """Give every clip for the template: all evidence of all coders before the first label."""
    times = evidence_times(page.review)
    utterances = page.review.transcript.utterances if page.review.transcript else ()
    finder = QuoteFinder(utterances)
    return [
        _clip_block(page, number, clip, times, finder)
        for number, clip in enumerate(page.review.clips, 1)
    ]


def code_words(code: Code, practices: Sequence[Practice]) -> str:
    """Write a code out: `Pressing for explanation, level 2: What happened`."""
    known = next((p for p in practices if p.id == code.practice), None)
    title = known.title if known else code.practice
    if code.level is None:
        return f"{title}, level {UNDEFINED} (none was given)"
    step = next((s.title for s in known.levels if s.level == code.level), "") if known else ""
    return f"{title}, level {code.level}" + (f": {step}" if step else "")


def badge(practice: str, title: str, palette: Palette) -> Block:
    """Give the mark of a practice: its letters on its colour."""
    colours = palette.of(practice)
    return {"id": practice, "title": title, "fill": colours.fill, "ink": colours.ink}


def _clip_block(
    page: ClipPage,
    number: int,
    clip: Clip,
    times: Mapping[tuple[str, str, int], tuple[int, ...]],
    finder: QuoteFinder,
) -> Block:
    said = suggestions(page.review, clip.clip_id)
    decision = page.review.decision_for(clip.clip_id)
    apart = page.review.disputed_words(clip.clip_id)
    return {
        "number": number,
        "place": show_place(clip),
        "extent": _extent(clip),
        **_evidence(page, clip, said, times),
        "uncited": _uncited(page, said),
        "looked": bool(said),
        "suggestions": _suggestions(page, clip, said),
        "cited": _cited(page, apart or ((decision,) if decision else ()), finder),
        "decision": _decision(page, decision, clip) if decision else None,
        "apart": [who_decided(word) for word in apart],
    }


def _uncited(page: ClipPage, said: Sequence[Prediction]) -> str:
    without = [p.coder for p in said if not p.evidence]
    return page.names.together(without) if without else ""


def _extent(clip: Clip) -> str:
    if clip.span is None:
        return "no times"
    return f"{show_length(clip.span.duration_ms)}, {show_lines(clip)}"


def _evidence(
    page: ClipPage,
    clip: Clip,
    said: Sequence[Prediction],
    times: Mapping[tuple[str, str, int], tuple[int, ...]],
) -> Block:
    """Give what coders cite, each piece once; with several coders it says who cites it.

    Where coders are many, what was not confirmed is gathered in a list of its own.
    """
    found: dict[tuple[object, ...], Block] = {}
    for prediction in said:
        for place, evidence in enumerate(prediction.evidence):
            moments = times.get((clip.clip_id, prediction.coder, place), ())
            block = evidence_block(evidence, page.lines, moments, page.pictures)
            known = found.setdefault(_mark(evidence), {**block, "pictures": [], "by": []})
            known["pictures"] += block["pictures"]
            known["by"].append(prediction.coder)
    several = len(said) > 1
    blocks = [
        {**b, "by": f"cited by {page.names.together(b['by'])}" if several else ""}
        for b in found.values()
    ]
    struck = [b for b in blocks if b["kind"] == "struck"] if page.names.by_number else []
    return {"evidence": [b for b in blocks if b not in struck], "struck": struck}


def _mark(evidence: Evidence) -> tuple[object, ...]:
    """Name a piece of evidence by all that is printed of it."""
    cited = evidence.citation.quote or evidence.citation.seen
    same = evidence.found if evidence.check.supports else cited
    told = (cited, evidence.reason) if evidence.found != cited else (evidence.reason,)
    return (evidence.check, same, evidence.utterances, evidence.start_ms, evidence.end_ms, *told)


def _suggestions(page: ClipPage, clip: Clip, said: Sequence[Prediction]) -> list[Block]:
    if not page.names.by_number:
        return [_suggestion(page, clip, [prediction], len(said)) for prediction in said]
    same: dict[object, list[Prediction]] = {}
    for prediction in said:
        same.setdefault((prediction.code, prediction.is_failure), []).append(prediction)
    return [_suggestion(page, clip, group, len(said)) for group in same.values()]


def _suggestion(page: ClipPage, clip: Clip, group: Sequence[Prediction], coders: int) -> Block:
    first, several = group[0], page.names.by_number
    notes: dict[str, list[str]] = {}
    for prediction in group:
        for note in _notes(page, clip, prediction):
            notes.setdefault(note, []).append(prediction.coder)
    kind = "Finder’s suggestion" if "finder" in first.coder else "Suggestion"
    return {
        "coder": page.names.together(p.coder for p in group),
        "kind": f"{len(group)} of {coders} coders" if several else kind,
        "badge": badge(first.practice, "", page.palette) if first.practice else None,
        "code": _said_words(first, page.practices),
        "margin": "" if several else _margin(first),
        "notes": [
            f"{page.names.together(who)}: {note}" if several else note
            for note, who in notes.items()
        ],
    }


def _said_words(prediction: Prediction, practices: Sequence[Practice]) -> str:
    if prediction.is_failure:
        return f"no usable answer ({ending(prediction.status)}); it is counted beside, never scored"
    if prediction.code is None:
        return "no practice: nothing to go by was found"
    return code_words(prediction.code, practices)


def _notes(page: ClipPage, clip: Clip, prediction: Prediction) -> list[str]:
    notes = [prediction.note] if prediction.note else []
    if _moved(prediction.clip, clip):
        before = show_place(prediction.clip)
        notes.append(f"The clip was changed after this suggestion: then it was {before}.")
    if prediction.practice and not any(counts(e, page.lines) for e in prediction.evidence):
        notes.append("Nothing that was cited supports this suggestion.")
    elif prediction.practice and not stands(prediction.evidence):
        notes.append("What supports this suggestion is too weak to stand alone.")
    if len(prediction.said) > 1:
        same = sum(
            s.code is not None and s.code.practice == prediction.practice for s in prediction.said
        )
        notes.append(f"{same} of {len(prediction.said)} draws name this practice.")
    if prediction.prediction_id in page.flags:
        notes.append(page.flags[prediction.prediction_id])
    return notes


def _margin(prediction: Prediction) -> str:
    if not prediction.practice:
        return ""
    if prediction.margin is None:
        return f"Lead over the next practice: {UNDEFINED} (this coder gives none)."
    size = "Narrow lead" if prediction.margin < LOW_MARGIN else "Lead"
    return f"{size} over the next practice: {prediction.margin:.2f} on a scale from 0 to 1."


def _cited(page: ClipPage, words: Sequence[Decision], finder: QuoteFinder) -> list[Block]:
    """Give what people cite, checked like everybody's evidence."""
    return [
        {
            **evidence_block(finder.check(citation, word.clip), page.lines, (), {}),
            "by": f"cited by {word.author or 'somebody unnamed'}",
        }
        for word in words
        for citation in word.evidence
    ]


def _decision(page: ClipPage, decision: Decision, clip: Clip) -> Block:
    rejected = decision.verdict is Verdict.REJECT
    before = show_place(decision.clip)
    return {
        "word": "Agreed" if decision.stage is Stage.CONSENSUS else SAID[decision.verdict],
        "badge": None if rejected else badge(decision.practice, "", page.palette),
        "code": "none of the four practices, or not to be coded"
        if rejected
        else code_words(decision.codes[0], page.practices),
        "also": [
            {"badge": badge(c.practice, "", page.palette), "code": code_words(c, page.practices)}
            for c in decision.also
        ],
        "by": f"{decision.author or 'somebody unnamed'}, {show_date(decision.made_at)}, "
        f"{_how(decision)}",
        "first": _first_words(page.review, decision),
        "note": decision.note,
        "moved": f"The clip was changed after this decision: then it was {before}."
        if _moved(decision.clip, clip)
        else "",
    }


def _how(decision: Decision) -> str:
    if decision.stage is Stage.CONSENSUS:
        return "after talking it over"
    if decision.blind:
        return "blind, before any suggestion was shown"
    return "with the suggestion in view" if decision.coder else "without a suggestion to look at"


def _first_words(review: LessonReview, decision: Decision) -> str:
    """Say what people had decided on their own before they agreed."""
    own = review.own_decisions(decision.clip.clip_id)
    if decision.stage is not Stage.CONSENSUS or not own:
        return ""
    return f"Before that, each on their own: {'; '.join(map(who_decided, own))}."


def _moved(then: Clip, now: Clip) -> bool:
    return (then.first, then.last, then.start_ms, then.end_ms) != (
        now.first,
        now.last,
        now.start_ms,
        now.end_ms,
    )
