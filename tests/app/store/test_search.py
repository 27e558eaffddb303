from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.lesson.transcript.records import Transcript, Utterance
from app.store.records import MARK_END, MARK_START, HitKind
from app.store.search import fold, snippet

LINES = [
    "Why do you think the ice melts?",
    "Émile a dit: c'est là-bas.",
    "因为光合作用需要阳光",
    "والمدرسة كبيرة جدًا",
    "식물은 햇빛이 필요해요",
    'He said "NOT me" AND left - 100% *sure*',
    "artful starts",
]


@pytest.fixture
def lesson_id(library):
    lines = [Utterance(n, text, n * 1000) for n, text in enumerate(LINES, 1)]
    return library.add_lesson("Weather", None, Transcript(tuple(lines), "import:srt"))


def found(library, query):
    return [hit.text for hit in library.search(query)]


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("ice melts", 1),
        ("melts ICE", 1),
        ("think mel", 1),
        ("emile", 2),
        ("LÀ", 2),
        ("光合", 3),
        ("作用", 3),
        ("阳", 3),
        ("مدرسة", 4),
        ("جدا", 4),
        ("햇빛", 5),
        ("not me", 6),
        ('"NOT', 6),
        ("100%", 6),
        ("*sure*", 6),
    ],
)
def test_words_and_parts_are_found_in_any_script(library, lesson_id, query, line):
    assert found(library, query) == [LINES[line - 1]]


def test_whole_words_come_before_parts_of_words(library):
    lines = (Utterance(1, "they start"), Utterance(2, "make art"))
    library.add_lesson("Drawing", None, Transcript(lines, "x"))
    assert found(library, "art") == ["make art", "they start"]


def test_a_hit_says_where_it_is(library, lesson_id):
    (hit,) = library.search("emile")
    assert (hit.lesson_id, hit.title, hit.kind) == (lesson_id, "Weather", HitKind.UTTERANCE)
    assert (hit.start_ms, hit.utterance) == (2000, 2)
    assert hit.snippet == f"{MARK_START}Émile{MARK_END} a dit: c'est là-bas."


def test_notes_titles_and_quotes_that_hold_are_found(library, lesson_id, clip):
    good = Evidence(Citation("you think the ice"), Check.VERIFIED, "", (1,), 1000)
    made_up = Evidence(Citation("glaciers are huge"), Check.NOT_FOUND)
    said = [Prediction(clip, "e/1", "D1", 2, None, (good, made_up))]
    library.add_run(lesson_id, "e/1", (), said)
    library.add_run(lesson_id, "e/1", (), said)
    library.set_note(lesson_id, "ask about steam")
    made = Decision(clip, Verdict.REJECT, "", None, "Ann", "2026", "steam again")
    library.decide(lesson_id, made)
    quotes = [hit for hit in library.search("think ice") if hit.kind is HitKind.QUOTE]
    assert [(hit.text, hit.start_ms) for hit in quotes] == [("you think the ice", 1000)]
    assert found(library, "glaciers") == []
    assert sorted(found(library, "steam")) == ["ask about steam", "steam again"]
    assert [hit.kind for hit in library.search("weather")] == [HitKind.TITLE]
    library.undo(lesson_id)
    assert found(library, "steam") == ["ask about steam"]


def test_an_edited_line_is_found_by_its_new_words_only(library, lesson_id):
    library.edit_utterance(lesson_id, 1, "What melts?")
    assert found(library, "ice") == []
    library.undo(lesson_id)
    assert found(library, "ice melts") == [LINES[0]]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "  ",
        '"',
        "*",
        "-",
        "(",
        "NEAR(a b, 3)",
        "a OR",
        "text:x",
        "^",
        "\0",
        "{a}:b",
        "'; DROP TABLE lesson",
        "%",
        "_",
        "\\",
        "\ud800",
    ],
)
def test_no_sign_in_a_query_has_a_meaning(library, lesson_id, query):
    library.search(query)
    assert len(library.lessons()) == 1


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=st.text(st.characters(), max_size=12))
def test_any_text_can_be_searched_for(library, lesson_id, query):
    library.search(query)


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=200), data=st.data())
def test_a_snippet_marks_a_part_of_the_text_and_changes_nothing_in_it(text, data):
    words = fold(text).split() or ["x"]
    word = data.draw(st.sampled_from(words))
    shown = snippet(text, [word])
    plain = shown.replace(MARK_START, "").replace(MARK_END, "")
    clean = text.replace(MARK_START, "\ufffd").replace(MARK_END, "\ufffd")
    assert plain.removeprefix("…").removesuffix("…") in clean or plain in clean
    assert shown.count(MARK_START) == shown.count(MARK_END)
    if word != "x":
        assert MARK_START in shown


def test_the_limit_holds(library, lesson_id):
    assert len(library.search("e", 2)) == 2
    assert library.search("e", 0) == []
