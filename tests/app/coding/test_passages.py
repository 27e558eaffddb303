from hypothesis import given
from hypothesis import strategies as st

from app.coding.folding import folded_words
from app.coding.passages import cut_passages
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Utterance


def cut(*said):
    lines = tuple(Utterance(n, text, speaker=who) for n, (who, text) in enumerate(said, 1))
    return cut_passages(lines, Clip("c", 1, len(lines), None, None), {"T": Role.TEACHER})


def test_notes_in_square_brackets_are_nobodys_words():
    found = cut(
        ("T", "Put the mats under [hands out mats] because it is far too noisy in here"),
        ("T", "[camera two, picture only"),
        ("T", "for a while] That is very interesting to me"),
    )
    assert [p.text for p in found] == [
        "Put the mats under",
        "because it is far too noisy in here",
        "That is very interesting to me",
    ]


def test_nothing_is_joined_across_a_note():
    found = cut(("T", "So why [coughs]"), ("T", "did it melt"))
    assert [p.text for p in found] == ["So why", "did it melt"]


def test_lines_of_different_speakers_stay_apart():
    found = cut(("T", "Why?"), ("S", "Heat."), ("T", "Say more."))
    assert [(p.text, p.role) for p in found] == [
        ("Why?", Role.TEACHER),
        ("Heat.", Role.UNKNOWN),
        ("Say more.", Role.TEACHER),
    ]


said = st.lists(
    st.tuples(
        st.sampled_from("TS"),
        st.lists(st.sampled_from("why so. [note] the ice? melts [ ] fast".split()), max_size=60),
    ),
    min_size=1,
    max_size=6,
)


@given(said)
def test_every_passage_is_a_run_of_words_of_the_lines_it_names(talk):
    lines = [(who, " ".join(words)) for who, words in talk]
    for passage in cut(*lines):
        named = " ".join(lines[number - 1][1] for number in passage.numbers)
        words = " ".join(folded_words(passage.text))
        assert f" {words} " in f" {' '.join(folded_words(named))} "


def test_an_empty_line_after_a_note_does_not_join_what_the_note_parts():
    passages = cut(("T", "why [a bell rings]"), ("T", ""), ("T", "why"))
    assert [p.text for p in passages] == ["why", "why"]
