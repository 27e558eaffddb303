"""The finder with the sentence model that is shipped, on the development clips."""

import json
import threading
from pathlib import Path

import pytest

from app.coding.finder import EvidenceFinder
from app.coding.folding import folded_words
from app.coding.material import Material
from app.coding.practices import read_practices
from app.coding.records import Check
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Utterance
from app.running.protocols import no_report
from engines.minilm import MiniLM
from resources import resource

FILE = Path(__file__).parents[2] / "data" / "coded_clips" / "clips.jsonl"
ROLES = {"Teacher": Role.TEACHER, "Student": Role.STUDENT}


@pytest.fixture(scope="module")
def coded():
    """Each clip with its lines and the prediction for it."""
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["split"] == "development"]
    lines, clips = [], []
    for row in rows:
        # All clips stand in one transcript, one after another, so that all are embedded at once.
        before = len(lines)
        lines += [
            Utterance(before + u["number"], u["text"], speaker=u["speaker"])
            for u in row["utterances"]
        ]
        clips.append(Clip(row["id"], before + 1, len(lines), None, None))
    finder = EvidenceFinder(MiniLM(), read_practices(resource("practices.toml")))
    (said,) = finder.code_all(
        [Material("set", "Coded clips", tuple(clips), tuple(lines), ROLES)],
        no_report,
        threading.Event(),
    )
    return [(row, lines, one) for row, one in zip(rows, said, strict=True)]


def test_every_quote_is_in_the_transcript_where_it_says(coded):
    for _, lines, prediction in coded:
        for evidence in prediction.evidence:
            assert evidence.check is Check.VERIFIED
            named = " ".join(u.text for u in lines if u.number in evidence.utterances)
            quoted = " ".join(folded_words(evidence.citation.quote))
            assert quoted in " ".join(folded_words(named))


def test_a_code_always_has_evidence_and_no_code_always_has_a_note(coded):
    for _, _, prediction in coded:
        if prediction.practice:
            assert prediction.evidence
            assert 0 <= prediction.margin <= 1
        else:
            assert prediction.note
            assert (prediction.level, prediction.margin) == (None, None)


def test_it_does_on_the_development_clips_what_the_note_says(coded):
    shown = [(row, said) for row, _, said in coded if row["codes"]]
    right = sum(said.practice in {c["practice"] for c in row["codes"]} for row, said in shown)
    silent = sum(not said.practice for row, _, said in coded if not row["codes"])
    # 17 of 20 and 4 of 4; a little room for processors that round otherwise.
    assert right >= 15
    assert silent >= 3
