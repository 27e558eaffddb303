import threading

import numpy as np
import pytest

from app.coding.coders import coder_names, make_coder
from app.coding.evidence import check_evidence
from app.coding.finder import EvidenceFinder
from app.coding.folding import folded_words
from app.coding.material import Material
from app.coding.practices import Level, Practice
from app.coding.records import Check
from app.errors import Cancelled, WrongUse
from app.lesson.clips import Clip
from app.lesson.transcript.records import Flag, Role, Utterance
from app.running.protocols import EngineFacts, no_report

ROLES = {"T": Role.TEACHER, "S": Role.STUDENT}
PRACTICES = (
    Practice(
        "D1", "D1", "Ideas", "Draws out ideas.",
        (
            Level(1, "Checking", "Checks.", ("correct answer wrong", "right or wrong answer")),
            Level(2, "Asking", "Asks.", ("what do you think", "tell me your ideas")),
        ),
        ("think",),
    ),
    Practice(
        "D3", "D3", "Press", "Presses for evidence.",
        (
            Level(1, "No press", "No reason.", ("just write it down", "move on quickly now")),
            Level(2, "Press", "Evidence.", ("why does evidence support", "evidence because claim")),
        ),
        ("evidence",),
    ),
)  # fmt: skip
BACKGROUND = ("chairs up please", "line up at the door")


class WordCounts:
    """An embedder whose likeness is shared words: what it finds can be worked out by hand."""

    def __init__(self):
        self.seen = []
        self._columns = {}

    def facts(self):
        return EngineFacts("word-counts", "1", True, 0, False, False, (("sha256 words", "abc"),))

    def embed(self, texts):
        self.seen += texts
        rows = np.zeros((len(texts), 400), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in folded_words(text):
                row[self._columns.setdefault(word, len(self._columns))] += 1
            row /= max(np.linalg.norm(row), 1e-9)
        return rows


def code(*said, roles=ROLES, embedder=None, clip=None):
    lines = tuple(
        Utterance(n, text, n * 1_000, n * 1_000 + 900, speaker, flags=tuple(flags))
        for n, (speaker, text, *flags) in enumerate(said, 1)
    )
    clip = clip or Clip("c", 1, len(lines), 1_000, len(lines) * 1_000 + 900)
    finder = EvidenceFinder(embedder or WordCounts(), PRACTICES, BACKGROUND)
    ((prediction,),) = finder.code_all(
        [Material("lesson-1", "A lesson", (clip,), tuple(lines), roles)],
        no_report,
        threading.Event(),
    )
    return prediction, lines


def test_the_passages_most_like_the_exemplars_come_first_then_practice_and_level():
    found, _ = code(
        ("T", "Sit wherever there is some room, it does not matter to me"),
        ("T", "And why does your evidence support that claim, tell the whole class"),
        ("S", "Um"),
    )
    assert (found.practice, found.level) == ("D3", 2)
    assert found.evidence[0].utterances == (2,)
    assert 0 < found.margin <= 1


def test_every_quote_is_word_for_word_in_the_clip_and_was_checked():
    found, lines = code(
        ("T", "What do you think about it?"),
        ("T", "Go on, tell me your ideas — all of them!"),
        ("S", "I think it floats"),
    )
    assert found.practice == "D1"
    assert {e.check for e in found.evidence} == {Check.VERIFIED}
    cited = [e.citation for e in found.evidence]
    assert check_evidence(cited, lines, found.clip) == found.evidence


def test_only_the_teachers_words_decide_where_the_roles_are_known():
    found, _ = code(
        ("S", "why does the evidence support it because of the claim, I do not know"),
        ("T", "what do you think then, tell me your ideas about it now"),
    )
    assert found.practice == "D1"
    assert all(e.utterances == (2,) for e in found.evidence)
    assert found.note == ""


def test_without_roles_all_words_are_compared_and_the_prediction_says_so():
    found, _ = code(("", "why does evidence support the claim you wrote"), roles={})
    assert found.practice == "D3"
    assert "No words of a teacher" in found.note


def test_talk_that_shows_none_of_them_gets_no_practice_and_a_note():
    found, _ = code(("T", "Chairs up, please, and then line up quietly at the door"))
    assert (found.practice, found.level, found.margin, found.evidence) == ("", None, None, ())
    assert "near enough" in found.note


def test_words_unlike_every_exemplar_get_no_practice():
    found, _ = code(("T", "Zebras graze in herds across dusty yellow grassland"))
    assert found.practice == ""


@pytest.mark.parametrize("flag", [Flag.INVENTED, Flag.REPEATED, Flag.PAST_END])
def test_flagged_lines_are_never_even_compared(flag):
    embedder = WordCounts()
    invented = "why does the evidence support the claim"
    found, _ = code(("T", invented, flag), ("T", "what do you think, tell me"), embedder=embedder)
    assert found.practice == "D1"
    assert invented not in embedder.seen


def test_words_that_speech_to_text_was_unsure_of_are_not_enough_for_a_code():
    found, _ = code(("T", "why does the evidence support the claim", Flag.LOW_PROBABILITY))
    assert found.practice == ""
    assert "cannot stand alone" in found.note
    assert found.evidence[0].weak


def test_a_clip_without_speech_gets_no_practice():
    found, _ = code(("T", "what do you think"), clip=Clip("c", 0, 0, 50_000, 60_000))
    assert (found.practice, found.evidence) == ("", ())


def test_short_lines_of_one_speaker_are_read_together_and_quoted_as_one():
    found, _ = code(("T", "Why does"), ("T", "your evidence"), ("T", "support it?"))
    assert found.evidence[0].utterances == (1, 2, 3)
    assert found.evidence[0].found == "Why does your evidence support it?"


def test_a_long_line_is_quoted_by_sentences():
    filler = "We went along the river past nine old houses and some gardens. " * 3
    asked = "Why does evidence support that claim? Why does that evidence support it? "
    found, _ = code(("T", f"{filler}{asked * 3}"))
    assert found.practice == "D3"
    assert len(found.evidence[0].found.split()) <= 40
    assert "evidence support that claim" in found.evidence[0].found


def test_the_provenance_says_that_it_is_a_finder_and_what_made_it():
    found, _ = code(("T", "what do you think"))
    told = dict(found.provenance)
    assert "finder" in told["kind"]
    assert told["sha256 words"] == "abc"
    assert told["embedder"] == "word-counts 1"
    assert len(told["practices"].removeprefix("sha256 ")) == 64


def test_it_stops_when_asked():
    stop = threading.Event()
    stop.set()
    clip = Clip("c", 1, 1, None, None)
    hello = Material("lesson-1", "A lesson", (clip,), (Utterance(1, "hello"),))
    finder = EvidenceFinder(WordCounts(), PRACTICES, BACKGROUND)
    with pytest.raises(Cancelled):
        finder.code_all([hello], no_report, stop)


def test_a_coder_is_made_by_its_name_with_or_without_version():
    assert coder_names() == ("evidence-finder/1",)
    for name in ("evidence-finder", "evidence-finder/1"):
        assert make_coder(name, WordCounts(), PRACTICES).name == "evidence-finder/1"


def test_an_unknown_coder_is_refused_with_the_names_there_are():
    with pytest.raises(WrongUse, match=r"no coder called “oracle”.*evidence-finder/1"):
        make_coder("oracle", WordCounts(), PRACTICES)
