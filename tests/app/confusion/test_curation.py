"""Researchers and experts: who may speak of what, what counts, and the paper's arithmetic."""

from __future__ import annotations

import pytest
from curated_stand_in import both, experts, review, word

from app.confusion.curation import (
    Curated,
    Validated,
    agreement,
    candidates_of,
    check_word,
    counts_of,
    standings_of,
    to_judge,
    to_talk_over,
    why_not,
)
from app.confusion.review import Stage
from app.errors import Refused


def standing(words):
    (one,) = standings_of(candidates_of([review(a="m")]), words)
    return one


def test_whole_windows_that_a_reader_found_are_candidates():
    found = candidates_of([review(a="-mlh.!", b="mm-")])
    assert [(one.start_ms, one.readers) for one in found] == [
        (0, ("b",)), (2000, ("a", "b")), (6000, ("a",)),
    ]  # fmt: skip
    assert [one.start_ms for one in candidates_of([review(a="-mlh", b="m")], ["b"])] == [0]


def test_the_counts_of_the_paper_follow_from_single_words():
    # 1,348 candidates; 301 kept by both; 224 yes, 46 unsure, 31 no (ConfusionBench, 3.3 and 3.4).
    words = []
    for number in range(1348):
        at = 2000 * number
        if number < 301:
            words += both("keep", at)
            said = "yes" if number < 224 else "unsure" if number < 270 else "no"
            words += experts(said, said, at)
        elif number < 1000:
            words += both("drop", at)
        else:
            words += [word("keep", "RA", at=at), word("drop", "RB", at=at)]
    counts = counts_of(standings_of(candidates_of([review(a="m" * 1348)]), words))
    assert counts.candidates == 1348
    assert counts.kept == 301
    assert counts.curated[Curated.DROPPED] == 699
    assert counts.curated[Curated.SPLIT] == 348
    assert {v: n for v, n in counts.validated.items() if n} == {
        Validated.YES: 224, Validated.UNSURE: 46, Validated.NO: 31,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "curated", "validated"),
    [
        ([], Curated.WAITING, Validated.NOT_ASKED),
        ([word("keep", "RA")], Curated.WAITING, Validated.NOT_ASKED),
        ([word("keep", "RA"), word("keep", "ra")], Curated.WAITING, Validated.NOT_ASKED),
        ([word("keep", "RA"), word("drop", "RB")], Curated.SPLIT, Validated.NOT_ASKED),
        (both("drop"), Curated.DROPPED, Validated.NOT_ASKED),
        (both("keep"), Curated.KEPT, Validated.WAITING),
        (both("keep") + experts("yes", "yes")[:1], Curated.KEPT, Validated.WAITING),
        (both("keep") + experts("yes", "unsure"), Curated.KEPT, Validated.DIFFER),
        (both("keep") + experts("no", "no"), Curated.KEPT, Validated.NO),
    ],
)
def test_a_clip_stays_only_on_full_agreement(words, curated, validated):
    one = standing(words)
    assert (one.curated, one.validated) == (curated, validated)


def test_a_researcher_may_think_again_until_the_other_has_spoken():
    one = standing([word("keep", "RA"), word("drop", "RA"), word("drop", "RB")])
    assert one.curated is Curated.DROPPED
    # A later word would no longer be said alone, and changes nothing.
    one = standing([word("keep", "RA"), word("drop", "RB"), word("keep", "RB")])
    assert one.curated is Curated.SPLIT
    assert why_not(one, Stage.CURATE, "RB") == (
        "Both researchers have spoken; what they said alone stays."
    )


def test_experts_who_differ_may_talk_and_what_they_said_alone_is_kept():
    said = [*both("keep"), *experts("yes", "unsure")]
    one = standing(said)
    assert to_talk_over([one], "EB") == (one,)
    assert to_talk_over([one], "EC") == ()
    assert to_judge([one], Stage.VALIDATE, "EA") == ()
    after = standing([*said, word("yes", "EB", Stage.VALIDATE, criteria=())])
    assert after.validated is Validated.YES
    assert [w.verdict for w in after.alone(Stage.VALIDATE)] == ["yes", "unsure"]
    assert counts_of([after]).talked_over == 1
    assert agreement([after], Stage.VALIDATE)[0].value == 0.0


@pytest.mark.parametrize(
    ("words", "stage", "who", "told"),
    [
        ([], Stage.CURATE, "", "Nobody is named"),
        ([word("keep", "RA")], Stage.CURATE, "RA", ""),
        ([word("keep", "RA")], Stage.CURATE, "RB", ""),
        ([word("keep", "RA")], Stage.VALIDATE, "EA", "both researchers kept"),
        (both("keep"), Stage.VALIDATE, "ra", "as a researcher"),
        (both("keep"), Stage.VALIDATE, "EA", ""),
        ([*both("keep"), *experts("yes", "no")], Stage.VALIDATE, "EC", "EA and EB judge"),
        ([*both("keep"), *experts("yes", "no")], Stage.VALIDATE, "EA", ""),
        ([*both("keep"), *experts("no", "no")], Stage.VALIDATE, "EA", "Both experts agree"),
    ],
)
def test_who_may_speak_of_a_clip(words, stage, who, told):
    why = why_not(standing(words), stage, who)
    assert why == told if not told else told in why


def test_a_clip_is_kept_for_a_sign_that_is_seen():
    one = standing([])
    with pytest.raises(Refused, match="none is ticked"):
        check_word(one, word("keep", "RA", criteria=()))
    with pytest.raises(Refused, match="none is ticked"):
        check_word(one, word("keep", "RA", criteria=("smile",)))
    with pytest.raises(Refused, match="no verdict in this round"):
        check_word(one, word("yes", "RA"))
    check_word(one, word("keep", "RA", criteria=("smile", "hand")))
    check_word(one, word("drop", "RA", criteria=()))


def test_criteria_count_when_both_saw_them():
    one = standing(
        [
            word("keep", "RA", criteria=("hand", "brow_lids")),
            word("keep", "RB", criteria=("brow_lids", "lips")),
        ]
    )
    assert one.criteria == ("brow_lids",)


def test_researchers_go_by_time_and_each_expert_in_an_own_order():
    found = candidates_of([review(a="m" * 40)])
    blank = standings_of(found, [])
    times = [one.candidate.start_ms for one in to_judge(blank, Stage.CURATE, "RA")]
    assert times == sorted(times)
    kept = standings_of(found, [w for one in found for w in both("keep", one.start_ms)])
    orders = [
        [one.candidate.start_ms for one in to_judge(kept, Stage.VALIDATE, who)]
        for who in ("EA", "EB", "ea")
    ]
    assert orders[0] != orders[1]
    assert orders[0] == orders[2]
    assert sorted(orders[0]) == times


def test_a_judged_clip_stays_when_no_reader_finds_it_any_more():
    (one,) = standings_of(candidates_of([review(a="-")]), both("keep"))
    assert one.curated is Curated.KEPT
    assert one.candidate.readers == ()
