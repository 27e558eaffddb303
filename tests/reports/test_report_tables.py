"""The tables beside a page hold what the page says, and spreadsheets read them as words."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from app.coding.records import Verdict
from app.scoring.scored import Code
from reports.tables import clips_table, utterances_table


def rows(table: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))


def test_each_clip_has_a_row_with_suggestion_and_decision(make_review, suggest_for, decide_on):
    review = make_review(2)
    clip = review.clips[0]
    review = replace(
        review,
        predictions=(suggest_for(review, clip, "D1", 2, "What do you notice here?", "Not said"),),
        decisions=(decide_on(clip, Verdict.CORRECT, "D3", 4, note="Pressed.", blind=True),),
    )
    coded, bare = rows(clips_table(review))
    assert coded["suggested_practice"] == "D1"
    assert coded["suggested_level"] == "2"
    assert (coded["evidence_cited"], coded["evidence_counting"]) == ("2", "1")
    assert coded["quotes"] == "What do you notice here?"
    assert (coded["decision"], coded["decided_practice"]) == ("correct", "D3")
    assert (coded["decided_level"], coded["blind"]) == ("4", "yes")
    assert (coded["start"], coded["end_ms"]) == ("0:00", "14000")
    assert (bare["clip"], bare["coder"], bare["decision"]) == ("2", "", "")


def test_two_coders_give_two_rows(make_review, suggest_for):
    review = make_review(1)
    clip = review.clips[0]
    one, other = (
        suggest_for(review, clip, "D1", 2),
        suggest_for(review, clip, "", None, coder="b/1"),
    )
    table = rows(clips_table(replace(review, predictions=(one, other))))
    assert [row["coder"] for row in table] == ["evidence-finder/1", "b/1"]


def test_failures_further_codes_and_people_who_differ_have_columns(
    make_review, suggest_for, decide_on
):
    review = make_review(2)
    one, two = review.clips
    decisions = (
        decide_on(one, Verdict.ACCEPT, "D1", 2, also=(Code("D3", 1),)),
        decide_on(two, Verdict.ACCEPT, "D1", 2, author="AB"),
        decide_on(two, Verdict.ACCEPT, "D3", 2, author="CD"),
    )
    said = (suggest_for(review, one, "", None, status="refusal"),)
    agreed, apart = rows(clips_table(replace(review, predictions=said, decisions=decisions)))
    assert (agreed["suggestion_status"], agreed["further_codes"]) == ("refusal", "D3 level 1")
    assert (apart["decision"], apart["people_differ"]) == (
        "", "AB: D1 level 2; CD: D3 level 2",
    )  # fmt: skip


def test_utterances_keep_the_words_as_imported_beside_the_edit(make_review):
    review = make_review(1)
    first, *rest = review.transcript.utterances
    edited = replace(review.transcript, utterances=(replace(first, text="Edited"), *rest))
    table = rows(utterances_table(replace(review, transcript=edited)))
    assert table[0]["text"] == "Edited"
    assert table[0]["text_as_imported"] == "What do you notice here? This is line 1."
    assert (table[1]["role"], table[1]["clip"]) == ("student", "1")


def test_words_are_not_taken_for_formulas(make_review):
    review = make_review(1)
    first, *rest = review.transcript.utterances
    sly = replace(first, text='=HYPERLINK("x")', speaker="-Bo")
    words = replace(review.transcript, utterances=(sly, *rest))
    table = rows(utterances_table(replace(review, transcript=words)))
    assert (table[0]["text"], table[0]["speaker"]) == ('\'=HYPERLINK("x")', "'-Bo")


def test_without_a_transcript_only_the_heads_are_written(make_review):
    assert rows(utterances_table(replace(make_review(1), transcript=None))) == []


def test_negative_times_stay_numbers(make_review):
    review = make_review(1)
    early = replace(review.clips[0], start_ms=-3_000)
    assert rows(clips_table(replace(review, clips=(early,))))[0]["start_ms"] == "-3000"
