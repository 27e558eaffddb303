"""What our reading of ELAN files gives, beside what pympi gives where pympi is right."""

from __future__ import annotations

import pytest
from pympi.Elan import Eaf

from app.lesson.transcript.read import read_transcript


@pytest.mark.shared
@pytest.mark.parametrize("name", ["pympi_sample_2.7.eaf", "pympi_sample_3.0.eaf"])
def test_utterances_have_the_times_and_words_that_pympi_reads(shared, name):
    path = shared / "data" / "3_subtitles" / "elan" / name
    peer = Eaf(str(path))
    theirs = {
        (start, end, " ".join(text.split()))
        for tier in peer.get_tier_names()
        for start, end, text, *_rest in peer.get_annotation_data_for_tier(tier)
        if text.strip()
    }
    lines = read_transcript(path).utterances
    ours = {(line.start_ms, line.end_ms, " ".join(line.text.split())) for line in lines}
    assert lines
    assert ours <= theirs
