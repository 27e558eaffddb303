"""What follows from the probes of a prediction: sentences for people, a flag, figures of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.coding.probe_records import (
    NOT_ASKED,
    VISUAL_KINDS,
    Answered,
    EvidenceProof,
    Flag,
    ProbeKind,
)
from app.coding.records import Decision, Prediction
from app.coding.review import LessonReview
from app.scoring.figures import Figure, figure_of
from app.scoring.proportions import Proportion

FLAG_WORDS = (
    "Right for the wrong reason? The label stays when its evidence is masked, and it is not "
    "reached from that evidence alone."
)
AS_CLAIMED = "Nobody has decided on the clip, so the label counts as claimed."

_HOW = {
    ProbeKind.SUFFICIENCY: "From the cited evidence alone",
    ProbeKind.NECESSITY: "With the cited evidence masked",
    ProbeKind.NO_FRAMES: "Without any frame",
    ProbeKind.SHUFFLED: "With its frames in another order",
    ProbeKind.OTHER_LESSON: "With frames of another lesson",
}
NOT_PROBED = {
    ProbeKind.SUFFICIENCY: "no prediction was asked about with its evidence alone",
    ProbeKind.NECESSITY: "no prediction was asked about with its evidence masked",
    ProbeKind.NO_FRAMES: "no prediction was asked about without frames",
    ProbeKind.SHUFFLED: "no prediction was asked about with its frames in another order",
    ProbeKind.OTHER_LESSON: "no prediction was asked about with frames of another lesson",
}
NO_FLAG_KNOWN = "for no prediction do both probes tell whether its evidence carries the label"


@dataclass(frozen=True, slots=True)
class ProbeTable:
    """The probes of one coder, over all predictions that were probed."""

    coder: str
    predictions: int
    """Predictions of which anything was asked again."""
    sufficient: Figure
    """Share whose cited evidence alone gives the same practice."""
    necessary: Figure
    """Share whose practice changes, or is lost, when the cited evidence is masked."""
    flagged: Figure
    """Share that may be right for the wrong reason, of those where both probes tell."""
    visual: tuple[tuple[ProbeKind, Figure], ...]
    """Share whose practice changes with each change of the frames; empty without sight."""
    failures: int
    """Probes without a usable answer: counted beside, in no share."""
    not_asked: int
    """Probes that could not be asked."""


def prove(
    prediction: Prediction, probes: Iterable[Answered], decision: Decision | None = None
) -> EvidenceProof:
    """Say what follows from the probes of a prediction.

    Args:
        prediction: What was probed.
        probes: The latest of each kind; those of other predictions are left aside.
        decision: The decision that stands for the clip; `None` where there is none.
    """
    own = {p.kind: p for p in probes if p.prediction_id == prediction.prediction_id}
    flag = _flag(prediction, own, decision)
    words = [_sentence(prediction, own[kind]) for kind in ProbeKind if kind in own]
    if flag is Flag.RAISED:
        words = [flag_words(decision), *words]
    return EvidenceProof(
        prediction.prediction_id,
        own.get(ProbeKind.SUFFICIENCY),
        own.get(ProbeKind.NECESSITY),
        tuple(own[kind] for kind in VISUAL_KINDS if kind in own),
        flag,
        tuple(words),
    )


def flag_words(decision: Decision | None) -> str:
    """Say what a raised flag means; names no practice."""
    return FLAG_WORDS if decision is not None else f"{FLAG_WORDS} {AS_CLAIMED}"


def proofs_of(review: LessonReview) -> dict[int, EvidenceProof]:
    """Give the proof of every prediction of a lesson that was probed, by its number."""
    probes = _by_prediction(review.probes)
    return {
        p.prediction_id: prove(p, probes[p.prediction_id], review.decision_for(p.clip.clip_id))
        for p in review.predictions
        if p.prediction_id in probes
    }


def flags_of(review: LessonReview) -> dict[int, str]:
    """Give for each flagged prediction the sentence that says so, as the report takes them."""
    return {
        number: proof.words[0]
        for number, proof in proofs_of(review).items()
        if proof.flag is Flag.RAISED
    }


def probe_tables(reviews: Iterable[LessonReview]) -> tuple[ProbeTable, ...]:
    """Give one table for each coder that was probed, over the latest word of each on each clip."""
    found: dict[str, list[tuple[Prediction, EvidenceProof]]] = {}
    for review in reviews:
        proofs = proofs_of(review)
        latest = {(p.coder, p.clip.clip_id): p for p in review.predictions}
        for prediction in latest.values():
            if prediction.prediction_id in proofs:
                pair = prediction, proofs[prediction.prediction_id]
                found.setdefault(prediction.coder, []).append(pair)
    return tuple(_table(coder, found[coder]) for coder in sorted(found))


def _table(coder: str, probed: Sequence[tuple[Prediction, EvidenceProof]]) -> ProbeTable:
    answers = [(p, answer) for p, proof in probed for answer in proof.answers]
    known = [proof.flag for _, proof in probed if proof.flag is not Flag.UNKNOWN]
    flagged = Proportion(known.count(Flag.RAISED), len(known))
    seen = [kind for kind in VISUAL_KINDS if any(a.kind is kind for _, a in answers)]
    return ProbeTable(
        coder,
        len(probed),
        _share(answers, ProbeKind.SUFFICIENCY, same=True),
        _share(answers, ProbeKind.NECESSITY, same=False),
        figure_of(flagged, NO_FLAG_KNOWN),
        tuple((kind, _share(answers, kind, same=False)) for kind in seen),
        sum(not a.is_known and a.status != NOT_ASKED for _, a in answers),
        sum(a.status == NOT_ASKED for _, a in answers),
    )


def _share(
    answers: Sequence[tuple[Prediction, Answered]], kind: ProbeKind, *, same: bool
) -> Figure:
    known = [(p, a) for p, a in answers if a.kind is kind and a.is_known]
    met = sum(_is_same(p, a) is same for p, a in known)
    return figure_of(Proportion(met, len(known)), NOT_PROBED[kind])


def _flag(
    prediction: Prediction, own: Mapping[ProbeKind, Answered], decision: Decision | None
) -> Flag:
    """Raise the flag when all three signs hold; a single one against it clears it."""
    accepted = None if decision is None else {code.practice for code in decision.codes}
    signs = (
        accepted is None or prediction.practice in accepted,
        _same(prediction, own.get(ProbeKind.NECESSITY)),
        _differs(prediction, own.get(ProbeKind.SUFFICIENCY)),
    )
    if False in signs:
        return Flag.CLEAR
    return Flag.UNKNOWN if None in signs else Flag.RAISED


def _same(prediction: Prediction, answer: Answered | None) -> bool | None:
    return _is_same(prediction, answer) if answer is not None and answer.is_known else None


def _differs(prediction: Prediction, answer: Answered | None) -> bool | None:
    same = _same(prediction, answer)
    return None if same is None else not same


def _is_same(prediction: Prediction, answer: Answered) -> bool:
    """Compare practices; levels are told in words but decide nothing."""
    return answer.code is not None and answer.code.practice == prediction.practice


def _sentence(prediction: Prediction, answer: Answered) -> str:
    how = _HOW[answer.kind]
    if answer.status == NOT_ASKED:
        return f"{how}: could not be asked. {answer.note}"
    if not answer.is_known:
        return f"{how} it gave no usable answer ({answer.status}); nothing follows from that."
    said = _said(prediction, answer)
    if answer.kind is ProbeKind.NECESSITY:
        rests = "does not rest on it" if _is_same(prediction, answer) else "rests on it"
        return f"{how} {said}: the label {rests}."
    return f"{how} {said}."


def _said(prediction: Prediction, answer: Answered) -> str:
    if answer.code is None:
        return "it names no practice"
    if not _is_same(prediction, answer):
        return f"it says {answer.code.practice} instead of {prediction.practice}"
    level = ""
    if answer.code.level != prediction.level:
        level = f", at level {answer.code.level} instead of {prediction.level}"
    return f"it says {prediction.practice} too{level}"


def _by_prediction(probes: Iterable[Answered]) -> dict[int, list[Answered]]:
    found: dict[int, list[Answered]] = {}
    for probe in probes:
        found.setdefault(probe.prediction_id, []).append(probe)
    return found
