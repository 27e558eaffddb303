"""The traps that made-up, shortened and bent quotes set for the evidence check."""

import pytest

from app.coding.evidence import QuoteFinder, check_evidence, grounding, stands
from app.coding.records import Check, Citation, Evidence
from app.lesson.clips import Clip
from app.lesson.transcript.records import Flag, Utterance, Word
from app.scoring.proportions import Proportion

LINES = (
    Utterance(1, "Settle down, please. Settle down.", 0, 4_000, "Teacher"),
    Utterance(2, "Why do you think the ice melted faster on the metal block?", 4_000, 9_000, "T"),
    Utterance(3, "Yes, um — I don’t think it’s hotter.", 9_000, 12_000, "S1"),
    Utterance(4, "We held a party for the plants. Yes.", 12_000, 15_000, "S2"),
    Utterance(
        5, "Plants do not need soil to grow, they need 3 cups of water.", 15_000, 20_000, "S1"
    ),
    Utterance(6, "Yes. And what made you change your mind?", 20_000, 24_000, "T"),
    Utterance(7, "Because the metal carries the heat away.", 30_000, 33_000, "S2"),
)
CLIP = Clip("c", 2, 6, 4_000, 24_000)


def check(quote, lines=LINES, clip=CLIP, **cited):
    (evidence,) = check_evidence([Citation(quote, **cited)], lines, clip)
    return evidence


@pytest.mark.parametrize(
    "quote",
    [
        "Why do you think the ice melted faster on the metal block?",
        "WHY DO YOU THINK the ice   melted\nfaster",
        "“the ice melted faster—on the metal block”",
        "I don't think it's hotter",
        "ｔｈｅ　ｉｃｅ　ｍｅｌｔｅｄ",
        "the metal block? Yes, um",
        "block Yes um I dont think its hotter We held a party",
    ],
)
def test_words_that_are_there_are_verified_however_they_are_dressed(quote):
    assert check(quote).check is Check.VERIFIED


def test_the_true_wording_lines_and_times_stand_beside_the_quote():
    found = check("ICE MELTED FASTER ON THE METAL BLOCK yes um")
    assert found.found == "ice melted faster on the metal block? Yes, um"
    assert (found.utterances, found.start_ms, found.end_ms) == ((2, 3), 4_000, 12_000)
    assert (found.score, found.reason, found.weak) == (100.0, "", False)


@pytest.mark.parametrize("quote", ["...", "?!", "“ ”", "—", "😀"])
def test_a_quote_without_a_word_is_not_found(quote):
    found = check(quote)
    assert (found.check, found.reason) == (Check.NOT_FOUND, "The quote holds no words.")


def test_a_citation_of_nothing_at_all_is_not_found():
    assert check("  ").check is Check.NOT_FOUND
    assert check("", seen="a drawing").check is Check.NOT_FOUND


@pytest.mark.parametrize(
    "quote", ["art", "lock", "lant", "old a party", "hink the ic", "elted fast"]
)
def test_a_quote_must_begin_and_end_with_whole_words(quote):
    assert check(quote).check is not Check.VERIFIED


def test_a_short_piece_of_a_word_is_not_even_close():
    assert check("art").check is Check.NOT_FOUND
    assert check("lock").check is Check.NOT_FOUND


def test_a_typing_slip_is_close_and_shows_what_was_said():
    found = check("Why do you think the ice melts faster on the metal block?")
    assert found.check is Check.CLOSE
    assert found.found == "Why do you think the ice melted faster on the metal block?"
    assert 90 <= found.score < 100
    assert not found.weak


@pytest.mark.parametrize(
    "quote",
    [
        "How does the particle model explain what you see here?",
        "Why do you think the balloon rose faster in the warm room?",
        "yes no maybe so perhaps",
        "ice the on melted block metal the faster",
    ],
)
def test_made_up_words_are_not_found_and_never_support(quote):
    found = check(quote)
    assert (found.check, found.found, found.utterances) == (Check.NOT_FOUND, "", ())
    assert not found.check.supports
    assert found.reason == "These words are not in the transcript of the clip."


def test_a_quote_that_drops_not_is_marked_even_when_it_is_close():
    found = check("Plants do need soil to grow, they need 3 cups of water and")
    assert found.check is Check.CLOSE
    assert found.weak
    assert "leaves out “not”" in found.reason
    assert found.found.startswith("Plants do not need soil")


def test_a_quote_that_adds_a_negation_is_marked():
    found = check("Why do you not think the ice melted faster on the metal block?")
    assert (found.check, found.weak) == (Check.CLOSE, True)
    assert "has “not”, which was not said" in found.reason


@pytest.mark.parametrize("number", ["5", "8", "five", "30"])
def test_a_changed_number_is_marked(number):
    found = check(f"Plants do not need soil to grow, they need {number} cups of water.")
    assert (found.check, found.weak) == (Check.CLOSE, True)
    assert "A number differs" in found.reason
    assert "said was 3" in found.reason


def test_the_same_number_written_as_a_word_is_no_changed_number():
    found = check("Plants do not need soil to grow, they need three cups of water.")
    assert "number" not in found.reason


def test_a_sign_or_a_decimal_point_makes_another_number():
    lines = (Utterance(1, "It was -5 degrees and then 3.5 degrees and 1,200 steps."),)
    clip = Clip("c", 1, 1, None, None)
    assert check("it was -5 degrees", lines, clip).check is Check.VERIFIED
    assert check("it was −5 degrees", lines, clip).check is Check.VERIFIED
    assert check("1200 steps", lines, clip).check is Check.VERIFIED
    assert check("it was 5 degrees", lines, clip).check is not Check.VERIFIED
    assert check("then 35 degrees", lines, clip).check is not Check.VERIFIED
    assert check("then 5 degrees", lines, clip).check is not Check.VERIFIED


def test_parts_joined_by_dots_must_all_be_there_and_in_order():
    found = check("the ice melted faster ... We held a party")
    assert (found.check, found.utterances) == (Check.VERIFIED, (2, 4))
    assert found.found == "the ice melted faster … We held a party"
    assert (found.start_ms, found.end_ms) == (4_000, 15_000)
    assert "left out between the parts of the quote: 11" in found.reason
    assert check("We held a party … the ice melted faster").check is Check.NOT_FOUND
    assert check("the ice melted faster [...] we baked a cake").check is Check.NOT_FOUND


def test_dots_cannot_join_single_words_into_a_sentence_nobody_spoke():
    assert check("ice ... I ... party ... need ... water").check is Check.NOT_FOUND
    assert check("why do ... the plants ... change").check is Check.NOT_FOUND


def test_a_not_that_hides_behind_the_dots_is_told():
    lines = (Utterance(1, "I think the plants really do not ever need the light to grow."),)
    found = check("the plants really … need the light", lines, Clip("c", 1, 1, None, None))
    assert (found.check, found.weak) == (Check.VERIFIED, True)
    assert "skips has “not”" in found.reason


def test_dots_that_only_show_a_pause_do_not_disturb():
    assert check("the ice... melted faster... on").check is Check.VERIFIED


def test_a_word_that_stands_everywhere_is_verified_but_never_enough():
    found = check("yes")
    assert (found.check, found.weak, found.utterances) == (Check.VERIFIED, True, (3,))
    assert "3 places" in found.reason
    assert not stands([found])
    assert check("yes", utterances=(6,)).utterances == (6,)


def test_a_quote_longer_than_the_clip_is_not_found_in_it():
    clip = Clip("c", 6, 6, 20_000, 24_000)
    long = "Before that he said yes. And what made you change your mind? Then they all went home."
    assert check(long, clip=clip).check is Check.NOT_FOUND
    assert check(" ".join(u.text for u in LINES)).check is Check.OUTSIDE


def test_words_of_the_lesson_outside_the_clip_are_named_but_do_not_support():
    found = check("the metal carries the heat away")
    assert (found.check, found.utterances) == (Check.OUTSIDE, (7,))
    assert (found.start_ms, found.end_ms) == (30_000, 33_000)
    assert "utterance 7 at 0:30" in found.reason


def test_words_that_cross_the_edge_of_the_clip_are_outside():
    assert check("change your mind? Because the metal").check is Check.OUTSIDE


def test_a_wrong_line_number_is_set_right():
    found = check("We held a party", utterances=(2,))
    assert (found.check, found.utterances, found.weak) == (Check.VERIFIED, (4,), False)
    assert found.reason == "The words stand in utterance 4 at 0:12, not in the cited 2."


def test_a_wrong_time_beside_the_right_words_is_set_right():
    found = check("We held a party", start_ms=4_000, end_ms=5_000)
    assert (found.start_ms, found.end_ms) == (12_000, 15_000)
    assert found.reason == "The words are spoken at 0:12, not at the cited 0:04."


@pytest.mark.parametrize("flag", [Flag.INVENTED, Flag.REPEATED, Flag.PAST_END])
def test_lines_that_speech_to_text_made_up_never_support(flag):
    lines = (*LINES[:4], Utterance(5, "Thanks for watching this video!", flags=(flag,)), *LINES[5:])
    found = check("thanks for watching this video", lines)
    assert found.check is Check.NOT_FOUND
    assert "utterance 5" in found.reason
    assert flag.value in found.reason


def test_words_that_speech_to_text_was_unsure_of_never_stand_alone():
    unsure = Utterance(5, "The osmosis pressed it in.", flags=(Flag.LOW_PROBABILITY,))
    lines = (*LINES[:4], unsure, *LINES[5:])
    found = check("the osmosis pressed it in", lines)
    assert (found.check, found.weak) == (Check.VERIFIED, True)
    assert "unsure" in found.reason
    assert not stands([found])
    assert stands([found, check("why do you think", lines)])


def test_times_come_from_the_words_where_they_are_timed():
    words = (Word("What", 100, 300), Word(" made", 300, 500), Word(" you", 500, 900))
    lines = (Utterance(1, "What made you?", 0, 2_000, words=words),)
    found = check("made you", lines, Clip("c", 1, 1, 0, 2_000))
    assert (found.start_ms, found.end_ms) == (300, 900)


def test_words_that_no_longer_match_an_edited_line_do_not_time_it():
    words = (Word("What", 100, 300), Word(" maid", 300, 500), Word(" you", 500, 900))
    lines = (Utterance(1, "What made you?", 0, 2_000, words=words),)
    found = check("made you", lines, Clip("c", 1, 1, 0, 2_000))
    assert (found.start_ms, found.end_ms) == (0, 2_000)


def test_lines_without_times_are_found_without_times():
    lines = (Utterance(1, "What made you?"),)
    found = check("what made you", lines, Clip("c", 1, 1, None, None))
    assert (found.check, found.start_ms, found.end_ms) == (Check.VERIFIED, None, None)


@pytest.mark.parametrize(
    ("start_ms", "end_ms", "expected"),
    [
        (4_000, 24_000, Check.SEEN),
        (5_000, 6_000, Check.SEEN),
        (3_999, 6_000, Check.OUTSIDE),
        (23_000, 24_001, Check.OUTSIDE),
        (40_000, 41_000, Check.OUTSIDE),
        (6_000, 5_000, Check.NOT_FOUND),
        (5_000, None, Check.NOT_FOUND),
    ],
)
def test_what_is_seen_must_lie_inside_the_clip(start_ms, end_ms, expected):
    found = check("", seen="A student raises a hand", start_ms=start_ms, end_ms=end_ms)
    assert found.check is expected
    assert not found.check.supports
    assert (found.reason == "") == (expected is Check.SEEN)


def test_a_time_cited_of_a_clip_without_times_cannot_be_checked():
    found = check("", clip=Clip("c", 2, 6, None, None), seen="a hand", start_ms=0, end_ms=5)
    assert found.check is Check.NOT_FOUND


def test_a_clip_without_speech_verifies_no_quote():
    silent = Clip("c", 0, 0, 24_000, 30_000)
    assert check("nobody said these words", clip=silent).check is Check.NOT_FOUND
    assert check("yes", clip=silent).check is Check.OUTSIDE


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("Le café, c’est là où l’énergie se perd.", "cafe\u0301 c'est là"),
        ("植物需要阳光。为什么？", "需要阳光"),
        ("Почему лёд растаял быстрее?", "ПОЧЕМУ лёд"),
        ("पौधों को पानी चाहिए।", "पानी चाहिए"),
        ("لماذا ذاب الجليد؟", "ذاب الجليد"),
        ("ต้นไม้ต้องการแสง", "ต้องการ"),
        ("Straße und Fluß", "STRASSE UND FLUSS"),
    ],
)
def test_quotes_in_any_script_are_verified(said, quote):
    lines = (Utterance(1, said),)
    assert check(quote, lines, Clip("c", 1, 1, None, None)).check is Check.VERIFIED


def test_an_accent_that_is_missing_is_not_word_for_word():
    lines = (Utterance(1, "Il a trouvé un pré vert et où"),)
    assert check("ou", lines, Clip("c", 1, 1, None, None)).check is Check.NOT_FOUND


def test_an_empty_transcript_is_no_obstacle():
    assert check("anything at all here", ()).check is Check.NOT_FOUND


def test_the_finder_may_be_asked_clip_by_clip():
    finder = QuoteFinder(LINES)
    assert finder.check(Citation("settle down please"), CLIP).check is Check.OUTSIDE
    assert finder.check(Citation("settle down please"), Clip("d", 1, 1, 0, 4_000)).check is (
        Check.VERIFIED
    )


def test_grounding_counts_verified_and_close_over_all_cited():
    checks = [Check.VERIFIED, Check.CLOSE, Check.NOT_FOUND, Check.OUTSIDE, Check.SEEN]
    assert grounding([Evidence(Citation("x"), c) for c in checks]) == Proportion(2, 5)


def test_grounding_of_nothing_is_undefined():
    assert grounding([]) is None
