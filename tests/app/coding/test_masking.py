from hypothesis import given
from hypothesis import strategies as st

from app.coding.evidence import check_evidence
from app.coding.folding import folded_words
from app.coding.masking import MARK, CitedWords
from app.coding.records import Check, Citation
from app.lesson.clips import Clip
from app.lesson.transcript.records import Flag, Utterance

TALK = (
    "Right. Why do you think the ice melts faster?",
    "Because the metal is warmer, I think.",
    "How do you know?",
    "So: how do you know that?",
    "Pack up now.",
)
LINES = tuple(Utterance(n, text, n * 1000, n * 1000 + 900, "T") for n, text in enumerate(TALK, 1))
CLIP = Clip("c1", 1, 4, 1000, 5000)


def cited(*quotes, lines=LINES, clip=CLIP, numbers=()):
    citations = [Citation(quote, numbers) for quote in quotes]
    return CitedWords(lines, clip, check_evidence(citations, lines, clip))


def texts(lines):
    return {line.number: line.text for line in lines}


def test_only_the_cited_words_are_left():
    found = cited("why do you think the ice melts", "the metal is warmer")
    assert texts(found.only()) == {
        1: f"{MARK} Why do you think the ice melts {MARK}",
        2: f"{MARK} the metal is warmer {MARK}",
    }


def test_a_line_that_is_cited_whole_reads_as_it_was():
    assert texts(cited("How do you know?", numbers=(3,)).only()) == {3: "How do you know?"}


def test_the_mark_is_the_same_for_a_word_and_for_a_line_and_takes_its_signs_along():
    found = cited("Why do you think the ice melts faster?", "Because")
    assert texts(found.without()) == {
        1: f"Right {MARK}",
        2: f"{MARK} the metal is warmer, I think.",
        3: "How do you know?",
        4: "So: how do you know that?",
    }


def test_the_same_words_are_hidden_wherever_they_stand_in_the_clip():
    found = texts(cited("How do you know?", numbers=(3,)).without())
    assert (found[3], found[4]) == (MARK, f"So {MARK} that?")


def test_lines_keep_number_time_and_speaker():
    [line] = [u for u in cited("How do you know?").without() if u.number == 3]
    assert (line.number, line.start_ms, line.end_ms, line.speaker) == (3, 3000, 3900, "T")


def test_a_close_quote_hides_the_true_words():
    found = cited("Because the metal is warmer, I thinks")
    assert texts(found.without())[2] == MARK


def test_a_quote_over_two_lines_is_hidden_in_both():
    found = texts(cited("melts faster because the metal").without())
    assert found[1] == f"Right. Why do you think the ice {MARK}"
    assert found[2] == f"{MARK} is warmer, I think."


def test_a_quote_in_parts_leaves_what_lies_between():
    found = texts(cited("Why do you think … because the metal is").without())
    assert found[1] == f"Right {MARK} the ice melts faster?"


def test_what_nobody_said_is_neither_shown_nor_hidden():
    found = cited("Photosynthesis makes the ice melt", "Pack up now.")
    assert found.is_empty
    assert found.only() == ()
    assert found.without() == LINES[:4]


def test_words_that_were_edited_since_are_missed():
    edited = (*LINES[:2], Utterance(3, "Who knows?"), LINES[3])
    evidence = check_evidence(
        [Citation("why do you think the ice"), Citation("I think")], LINES, CLIP
    )
    assert CitedWords(edited, CLIP, evidence).missing == 0
    other = (Utterance(1, "Something else."), *LINES[1:])
    assert CitedWords(other, CLIP, evidence).missing == 1


def test_lines_that_are_never_coded_from_are_not_shown():
    lines = (*LINES[:3], Utterance(4, "How do you know?", flags=(Flag.REPEATED,)))
    assert [u.number for u in cited("Because", lines=lines).without()] == [1, 2, 3]


WORDS = st.sampled_from("ice melts why warm metal the a, you know? know. – … ! 3.5 don't".split())
TALKS = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=5)


@given(TALKS, st.data())
def test_hidden_words_are_gone_and_nothing_else_is(talk, data):
    lines = tuple(Utterance(n, text) for n, text in enumerate(talk, 1))
    clip = Clip("c", 1, len(lines), None, None)
    line = data.draw(st.sampled_from(lines))
    words = line.text.split()
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    (evidence,) = check_evidence([Citation(" ".join(words[first : last + 1]))], lines, clip)
    found = CitedWords(lines, clip, [evidence])
    if evidence.check is not Check.VERIFIED:
        assert evidence.check.supports or found.is_empty
        return
    assert found.missing == 0
    hidden = found.without()
    assert [u.number for u in hidden] == [u.number for u in lines]
    # Nowhere can it be read on any more; words with a mark between them do not stand together.
    pieces = [folded_words(piece) for piece in " ".join(u.text for u in hidden).split(MARK)]
    wanted = folded_words(evidence.found)
    starts = [piece[at : at + len(wanted)] for piece in pieces for at in range(len(piece))]
    assert wanted not in starts
    shown = found.only()
    assert shown
    assert CitedWords(shown, clip, [evidence]).missing == 0


def test_words_on_both_sides_of_a_mark_are_not_hidden_as_if_they_stood_together():
    lines = (Utterance(1, "ice"), Utterance(2, "ice metal metal"), Utterance(3, "ice ice metal"))
    clip = Clip("c", 1, 3, None, None)
    evidence = check_evidence([Citation("ice metal", (3,))], lines, clip)
    shown = CitedWords(lines, clip, evidence).without()
    # Line 1 and the end of line 2 were said apart, and are no part of what was cited.
    assert [u.text for u in shown] == ["ice", f"{MARK} metal", f"ice {MARK}"]
