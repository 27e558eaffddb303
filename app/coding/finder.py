"""The evidence finder: what in a clip is most like our exemplars of a practice.

It is a finder, not a judge. It compares wording with `resources/practices.toml` through a sentence
model and has no notion of what a teacher is up to; how often it meets the code that people meant is
measured in tests/benchmarks/bench_finder.py and published.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.coding.evidence import QuoteFinder, stands
from app.coding.material import Material
from app.coding.passages import Passage, cut_passages
from app.coding.practices import Practice, digest, read_background
from app.coding.readout import Floats, ReadOut, fit
from app.coding.records import Citation, Evidence, Prediction
from app.errors import Cancelled, Refused, TranscriptRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Utterance
from app.running.plan import Plan
from app.running.protocols import Embedder, Report
from resources import resource

NAME = "evidence-finder/1"

_NOTHING = "none of the four"
_SHOWN = 3
_FEWEST, _SHARE = 3, 0.25
_NEAR_ENOUGH = 0.1
_AT_ONCE = 256


class EvidenceFinder:
    """A coder that finds the passages most like the exemplars, and from them practice and level.

    For each clip it scores every passage for each practice, takes the best quarter of them (three
    at least) for each practice, and names the practice whose passages score highest. Where the
    roles of the speakers are known, only the teacher's words decide, because the four practices
    are things a teacher does; with no teacher among the clip's speakers, all words do, and the
    prediction says so. It gives no practice when those passages are more like talk that shows none
    of the four, when nothing comes near, or when the words found cannot stand alone.

    Args:
        embedder: The sentence model.
        practices: The practices with their exemplars.
        background: What is said in lessons and shows no practice; `None` takes what is shipped.
    """

    name = NAME

    def __init__(
        self,
        embedder: Embedder,
        practices: Sequence[Practice],
        background: Sequence[str] | None = None,
    ) -> None:
        if background is None:
            background = read_background(resource("practices.toml"))
        self._embedder = embedder
        self._practices = tuple(practices)
        self._background = tuple(background)
        self._readouts: tuple[ReadOut[str], ReadOut[tuple[str, int]]] | None = None

    def refusal(self, material: Material) -> Refused | None:
        """Refuse a lesson without words: there is nothing to compare."""
        if material.has_words:
            return None
        return TranscriptRefused(
            f"“{material.title}” has no transcript to look for evidence in.",
            "Have the speech written down first, or add a transcript file.",
        )

    def plan(self, _materials: Sequence[Material]) -> Plan | None:
        """Give no plan: no model is asked."""
        return None

    def code_all(
        self,
        materials: Sequence[Material],
        report: Report,
        stop: threading.Event,
        done: Callable[[Material, list[Prediction]], None] = lambda *_: None,
    ) -> list[list[Prediction]]:
        """Look through each clip of each lesson; one prediction for each, in order.

        Raises:
            TranscriptRefused: A lesson has no words.
            Cancelled: `stop` was set.
        """
        for refused in filter(None, map(self.refusal, materials)):
            raise refused
        found = []
        for number, material in enumerate(materials):
            found.append(self._code_lesson(material, _part(report, number, len(materials)), stop))
            done(material, found[-1])
        report(1.0, "compared with the exemplars")
        return found

    def _code_lesson(
        self, material: Material, report: Report, stop: threading.Event
    ) -> list[Prediction]:
        finder = QuoteFinder(material.utterances)
        heard = [_hear(material.utterances, clip, material.roles) for clip in material.clips]
        vectors = self._embed([p.text for one in heard for p in one.passages], report, stop)
        predictions, at = [], 0
        for one in heard:
            own = vectors[at : at + len(one.passages)]
            predictions.append(self._code_clip(one, own, finder))
            at += len(own)
        return predictions

    def _embed(
        self, texts: Sequence[str], report: Report, stop: threading.Event
    ) -> NDArray[np.float32]:
        """Embed the passages of all clips, some at a time, so that work can be stopped."""
        rows = []
        for at in range(0, len(texts), _AT_ONCE):
            if stop.is_set():
                raise Cancelled()
            report(at / len(texts), f"comparing what was said, {at} of {len(texts)} passages")
            rows.append(self._embedder.embed(texts[at : at + _AT_ONCE]))
        return np.concatenate(rows) if rows else np.zeros((0, 0), dtype=np.float32)

    def _code_clip(
        self, heard: _Heard, vectors: NDArray[np.float32], finder: QuoteFinder
    ) -> Prediction:
        clip = heard.clip
        if not heard.passages:
            return self._nothing(clip, "Nothing that can be compared is said in this clip.")
        by_practice, by_level = self._fitted()
        scores = by_practice.scores(vectors)
        columns = {kind: scores[:, at] for at, kind in enumerate(by_practice.kinds)}
        totals = {p.id: float(columns[p.id][_best(columns[p.id])].mean()) for p in self._practices}
        ranked = sorted(totals, key=lambda practice: totals[practice], reverse=True)
        best = ranked[0]
        if totals[best] <= max(_NEAR_ENOUGH, self._otherwise(columns, best)):
            told = "Nothing here is near enough to the exemplars of a practice."
            return self._nothing(clip, told)
        evidence = self._evidence(heard, columns[best], finder)
        if not stands(evidence):
            told = "Only words that cannot stand alone were found here."
            return replace(self._nothing(clip, told), evidence=evidence)
        lead = totals[best] - totals[ranked[1]] if len(ranked) > 1 else 1.0
        return Prediction(
            clip=clip,
            coder=NAME,
            practice=best,
            level=_best_level(by_level, vectors, best),
            margin=min(1.0, lead),
            evidence=evidence,
            provenance=self._provenance(),
            note=heard.note,
        )

    def _otherwise(self, columns: Mapping[str, Floats], practice: str) -> float:
        """Say how much the passages that speak for a practice are like talk that shows none."""
        if not self._background:
            return -math.inf
        return float(columns[_NOTHING][_best(columns[practice])].mean())

    def _evidence(self, heard: _Heard, scores: Floats, finder: QuoteFinder) -> tuple[Evidence, ...]:
        """Cite the passages that speak most for a practice, best first, and have them checked."""
        said = [heard.passages[at] for at in _best(scores)[:_SHOWN] if scores[at] > 0]
        checked = [finder.check(Citation(p.text, p.numbers), heard.clip) for p in said]
        return tuple(evidence for evidence in checked if evidence.check.supports)

    def _fitted(self) -> tuple[ReadOut[str], ReadOut[tuple[str, int]]]:
        """Fit the read-outs once: one for the practices, one for their levels."""
        if self._readouts is None:
            said = [
                (practice.id, level.level, exemplar)
                for practice in self._practices
                for level in practice.levels
                for exemplar in (*level.exemplars, level.descriptor)
            ]
            said += [(_NOTHING, 0, exemplar) for exemplar in self._background]
            vectors = self._embedder.embed([text for _, _, text in said])
            self._readouts = (
                fit(vectors, [practice for practice, _, _ in said]),
                fit(vectors, [(practice, level) for practice, level, _ in said]),
            )
        return self._readouts

    def _nothing(self, clip: Clip, note: str) -> Prediction:
        return Prediction(clip, NAME, "", None, None, (), self._provenance(), note)

    def _provenance(self) -> tuple[tuple[str, str], ...]:
        facts = self._embedder.facts()
        return (
            ("kind", "finder: likeness to exemplars, not a judgement"),
            ("embedder", f"{facts.name} {facts.version}".strip()),
            *facts.identity,
            ("practices", f"sha256 {digest(self._practices, self._background)}"),
        )


@dataclass(frozen=True, slots=True)
class _Heard:
    """What of a clip is compared, and what the reader should know of it."""

    clip: Clip
    passages: tuple[Passage, ...]
    note: str


def _part(report: Report, number: int, of: int) -> Report:
    """Let one lesson of several report its share of the whole."""
    return lambda share, doing: report((number + share) / of, doing)


def _hear(utterances: Sequence[Utterance], clip: Clip, roles: Mapping[str, Role]) -> _Heard:
    """Take the teacher's passages of a clip; all of them where no teacher is marked."""
    passages = cut_passages(utterances, clip, roles)
    taught = tuple(passage for passage in passages if passage.role is Role.TEACHER)
    if taught:
        return _Heard(clip, taught, "")
    note = "No words of a teacher are marked here, so all words were compared."
    return _Heard(clip, tuple(passages), note)


def _best(scores: Floats) -> NDArray[np.int64]:
    """Give the places of the best quarter of some scores, three at least, best first."""
    count = max(_FEWEST, math.ceil(len(scores) * _SHARE))
    return np.argsort(-scores, kind="stable")[:count]


def _best_level(
    by_level: ReadOut[tuple[str, int]], vectors: NDArray[np.float32], practice: str
) -> int:
    """Give the level of a practice whose exemplars the best passages are most like."""
    columns = zip(by_level.kinds, by_level.scores(vectors).T, strict=True)
    own = {level: row[_best(row)].mean() for (kind, level), row in columns if kind == practice}
    return max(own, key=lambda level: own[level])
