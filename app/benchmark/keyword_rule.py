"""The plainest coder there is: which practice's keywords stand most often in the teacher's words.

It is no use for coding. A model that does not do better than this has not understood a clip.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from app.coding.coders import LessonDone, no_keeping
from app.coding.folding import folded_words
from app.coding.material import Material
from app.coding.practices import Practice, digest
from app.coding.records import Prediction
from app.errors import Cancelled, Refused, TranscriptRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role
from app.running.plan import Plan
from app.running.protocols import Report

NAME = "keyword-rule/1"


class KeywordRule:
    """Counts the keywords of `resources/practices.toml`; gives neither level nor evidence.

    Args:
        practices: The practices with their keywords.
    """

    name = NAME

    def __init__(self, practices: Sequence[Practice]) -> None:
        self._practices = tuple(practices)
        self._keywords = {
            p.id: [f" {' '.join(folded_words(word))} " for word in p.keywords] for p in practices
        }
        self._provenance = (
            ("kind", "keyword rule: the most frequent keywords, a floor to measure against"),
            ("practices", f"sha256 {digest(self._practices)}"),
        )

    def refusal(self, material: Material) -> Refused | None:
        """Refuse a lesson without words: there is nothing to count."""
        if material.has_words:
            return None
        return TranscriptRefused(f"“{material.title}” has no transcript to count words in.")

    def plan(self, _materials: Sequence[Material]) -> Plan | None:
        """Give no plan: no model is asked."""
        return None

    def code_all(
        self,
        materials: Sequence[Material],
        report: Report,
        stop: threading.Event,
        done: LessonDone = no_keeping,
    ) -> list[list[Prediction]]:
        """Count in each clip of each lesson.

        Raises:
            TranscriptRefused: A lesson has no words.
            Cancelled: `stop` was set.
        """
        for refused in filter(None, map(self.refusal, materials)):
            raise refused
        found = []
        for number, material in enumerate(materials):
            if stop.is_set():
                raise Cancelled()
            report(number / len(materials), f"counting keywords in {material.title}")
            found.append([self._code(material, clip) for clip in material.clips])
            done(material, found[-1])
        return found

    def _code(self, material: Material, clip: Clip) -> Prediction:
        lines = [u for u in material.utterances if clip.first <= u.number <= clip.last]
        taught = [u for u in lines if material.roles.get(u.speaker) is Role.TEACHER]
        heard = [word for u in taught or lines if u.is_sound for word in folded_words(u.text)]
        spoken = f" {' '.join(heard)} "
        counts = {
            practice: sum(spoken.count(word) for word in words)
            for practice, words in self._keywords.items()
        }
        # The first of equals, in the order of the practices.
        best = max(counts, key=lambda practice: counts[practice])
        if not counts[best]:
            told = "No keyword of any practice is said in this clip."
            return Prediction(clip, NAME, "", None, None, (), self._provenance, told)
        return Prediction(clip, NAME, best, None, None, (), self._provenance)
