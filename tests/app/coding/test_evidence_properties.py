"""What must hold of the evidence check for any transcript and any quote."""

from hypothesis import given
from hypothesis import strategies as st

from app.coding.evidence import QuoteFinder
from app.coding.folding import fold, folded_words
from app.coding.records import Check, Citation
from app.lesson.clips import Clip
from app.lesson.transcript.records import Utterance

WORDS = st.sampled_from(
    "the ice melts faster on metal why don't you not 3 five Straße 水 é".split()
)
MARKS = st.sampled_from([" ", ", ", "... ", "? ", " — ", "\n", "  ", "! “"])


@st.composite
def lines(draw):
    """Draw one to six utterances of one to nine words with all kinds of punctuation."""
    texts = draw(st.lists(st.lists(WORDS, min_size=1, max_size=9), min_size=1, max_size=6))
    return tuple(
        Utterance(number, "".join(word + draw(MARKS) for word in text))
        for number, text in enumerate(texts, 1)
    )


def clip_of(utterances):
    return Clip("c", utterances[0].number, utterances[-1].number, None, None)


@given(lines(), st.data())
def test_any_run_of_words_of_the_clip_is_verified(utterances, data):
    words = [w for u in utterances for w in folded_words(u.text)]
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    quote = data.draw(MARKS).join(words[start:end]).upper().replace("STRASSE", "Straße")
    found = QuoteFinder(utterances).check(Citation(quote), clip_of(utterances))
    assert found.check is Check.VERIFIED


@given(lines(), st.lists(WORDS, min_size=1, max_size=5))
def test_a_verified_quote_really_stands_at_the_place_that_is_named(utterances, words):
    found = QuoteFinder(utterances).check(Citation(" ".join(words)), clip_of(utterances))
    if found.check is Check.VERIFIED:
        named = [u for u in utterances if u.number in found.utterances]
        spoken = " ".join(w for u in named for w in folded_words(u.text))
        quoted = " ".join(folded_words(" ".join(words)))
        assert f" {quoted} " in f" {spoken} "
        assert folded_words(found.found) == folded_words(quoted)
        assert [u.number for u in named] == list(found.utterances)


@given(lines(), st.lists(WORDS, max_size=3), st.lists(WORDS, max_size=3))
def test_a_quote_with_a_word_nobody_said_is_never_verified(utterances, before, after):
    quote = " ".join([*before, "chlorophyll", *after])
    found = QuoteFinder(utterances).check(Citation(quote), clip_of(utterances))
    assert found.check is not Check.VERIFIED


@given(lines(), st.text(max_size=40))
def test_any_text_at_all_can_be_checked(utterances, quote):
    found = QuoteFinder(utterances).check(Citation(quote), clip_of(utterances))
    assert found.check.supports == bool(found.utterances) or found.check is Check.OUTSIDE


@given(st.text(max_size=60))
def test_folded_words_point_at_the_letters_they_came_from(text):
    for word in fold(text):
        assert word.text in folded_words(text[word.start : word.end])


@given(st.text(max_size=60))
def test_folding_again_changes_nothing(text):
    once = folded_words(text)
    assert folded_words(" ".join(once)) == once
