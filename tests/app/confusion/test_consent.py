"""Notes on consent: kept, taken back, and never with a learner's name."""

from __future__ import annotations

import pytest

from app.confusion.consent import name_in, read_consent, write_consent
from app.errors import Refused


def test_a_note_is_kept_with_who_and_when():
    kept = write_consent("  guardian signed,\n research ", "KL", "2026-03-02T08:00:00+00:00", [])
    consent = read_consent(kept)
    assert (consent.note, consent.by) == ("guardian signed, research", "KL")
    assert read_consent("") is None
    assert read_consent(write_consent(" ", "KL", "2026-03-02", [])) is None


@pytest.mark.parametrize("note", ["Mia's mother signed", "form of MIA", "see Mia, 2b"])
def test_a_note_that_names_the_learner_is_refused(note):
    with pytest.raises(Refused, match="Mia"):
        write_consent(note, "KL", "2026-03-02", ["Mia"])


def test_names_are_found_as_words_of_their_own():
    assert name_in("remiand amiable", ["Mia"]) == ""
    assert name_in("Video of a learner", ["video", "Learner", "KL"]) == ""
    assert name_in("as in webcam_anna_03 here", ["Tom", "webcam_anna_03"]) == "webcam_anna_03"


def test_a_long_note_is_refused():
    with pytest.raises(Refused, match="500"):
        write_consent("a" * 501, "KL", "2026-03-02", [])
