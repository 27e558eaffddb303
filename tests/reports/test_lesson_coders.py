"""The end of the lesson report: who coded, how the evidence held, who differs, what changed."""

from __future__ import annotations

from dataclasses import replace

import pypdf
import pytest

from app.coding.records import Citation, Prediction, Said, Stage, Verdict
from app.scoring.proportions import Proportion
from app.scoring.scored import Code
from reports.lesson_changes import changes
from reports.lesson_coders import (
    coder_blocks,
    grounding_table,
    name_coders,
    outcomes_table,
    rate_words,
    shown,
)
from reports.lesson_differences import coders_apart, draws_apart, people_apart

MODEL = "tiny T zero_shot"
TOLD = (("kind", "chat"), ("engine", "tiny"), ("input", "T"), ("prompting", "zero_shot"))


def text_of(pdf) -> str:
    pages = pypdf.PdfReader(pdf).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.fixture
def say(suggest_for):
    """Give a function that has the model say something of a clip."""

    def build(review, clip, practice, level=2, *quotes, **more) -> Prediction:
        settings = {"coder": MODEL, "margin": None, "provenance": TOLD, **more}
        return suggest_for(review, clip, practice, level, *quotes, **settings)

    return build


def test_a_model_is_described_in_a_sentence_with_what_pins_it_down(make_review, say):
    review = make_review(2)
    pinned = (
        *TOLD,
        ("draws", "5"),
        ("most new tokens", "1024"),
        ("sha256 weights", "ab" * 32),
        ("sha256 projector", "0" * 64),
    )
    said = tuple(
        say(
            review, clip, "D1", made_at=f"2026-11-30T10:0{n}:00.000Z",
            provenance=(
                *pinned, ("frames", f"{9 + n} at 0, 1000 ms"), ("tokens in", str(100 + n)),
                ("attempt", str(n)), ("retry", "no"),
            ),
            said=(Said(Code("D1", 2)),) * 5,
        )
        for n, clip in enumerate(review.clips)
    )  # fmt: skip
    (block,) = coder_blocks(replace(review, predictions=said))
    assert block["what"] == (
        "The model tiny, given the numbered lines of the transcript of each clip (T), asked for a "
        "code with the definitions alone (zero_shot)."
    )
    assert dict(block["rows"]) == {
        "Clips": "2",
        "Kept": "30 November 2026, 10:00 UTC to 30 November 2026, 10:01 UTC",
        "Asked of each clip": "5 times",
        "Most new tokens": "1024",
        "Weights (SHA-256)": "ab" * 32,
        "Projector for pictures (SHA-256)": "– (none)",
        "Frames": "9 to 10 a clip; their times are kept in the library",
        "Tokens in": "201 over 2 clips",
    }


def test_the_finder_is_never_called_a_judge(make_review, suggest_for):
    review = make_review(1)
    said = suggest_for(review, review.clips[0], "D1", 2)
    (block,) = coder_blocks(replace(review, predictions=(said,)))
    assert "asks no model and judges nothing" in block["what"]


def test_grounding_counts_each_check_of_all_that_was_cited(make_review, say):
    review = make_review(3)
    first, *others = review.transcript.utterances
    elsewhere = "Please put the heavy books away."
    lines = (replace(first, text=f"{first.text} {elsewhere}"), *others)
    review = replace(review, transcript=replace(review.transcript, utterances=lines))
    one, two, three = review.clips
    said = (
        say(review, one, "D1", 2, "What do you notice here?", "Nobody ever said these words"),
        say(review, two, "D1", 2, "The drops are clear.", elsewhere),
        say(review, three, "", None),
    )  # fmt: skip
    ((name, cited, *checks, rate),) = grounding_table(replace(review, predictions=said))
    assert (name, cited) == (MODEL, "4")
    assert checks == ["2", "0", "1", "1", "0"]
    assert rate == "50% (–)"


def test_a_rate_of_nothing_is_a_dash():
    assert rate_words(Proportion(0, 0), None) == "–"


def test_failures_stand_beside_and_are_named_in_plain_words(make_review, say):
    review = make_review(4)
    said = (
        say(review, review.clips[0], "D1", status="retry-ok"),
        say(review, review.clips[1], "", None),
        say(review, review.clips[2], "", None, status="schema-fail"),
        say(review, review.clips[3], "", None, status="refusal"),
    )
    (row,) = outcomes_table(replace(review, predictions=said))
    failed = "2 (not in the form asked for 1 and declined by the model 1)"
    assert row == [MODEL, "4", "1", "1", failed, "1"]


def test_coders_that_differ_are_listed_with_who_says_what(make_review, say, suggest_for):
    review = make_review(4)
    said = []
    for clip, practice, level in zip(
        review.clips, ("D1", "D1", "D3", ""), (2, 1, 2, None), strict=True
    ):
        said.append(suggest_for(review, clip, "D1", 2))
        status = "ok" if practice else "truncated"
        said.append(say(review, clip, practice, level, status=status))
    part = coders_apart(replace(review, predictions=tuple(said)))
    assert part["told"] == [
        "Of 3 clips that two or more coders answered, 2 got the same practice from all of them: "
        "67% (95% interval 21 to 94%).",
        "They agree on the practice but not on its level in clip 2.",
    ]
    assert part["rows"] == [
        ["Clip 3", "0:30 to 0:44", f"D1 level 2: evidence-finder/1; D3 level 2: {MODEL}"]
    ]


def test_one_coder_alone_differs_from_nobody(make_review, say):
    review = make_review(1)
    alone = replace(review, predictions=(say(review, review.clips[0], "D1"),))
    assert coders_apart(alone) is None
    assert draws_apart(alone) == []


def test_draws_are_counted_against_the_answer_and_failed_ones_beside(make_review, say):
    review = make_review(2)
    same, other, failed = Said(Code("D1", 2)), Said(Code("D3", 1)), Said(None, "schema-fail")
    said = (
        say(review, review.clips[0], "D1", said=(same, same, other, failed)),
        say(review, review.clips[1], "D1", said=(same, same, same, Said(None))),
    )
    (told,) = draws_apart(replace(review, predictions=said))
    assert told.startswith(f"{MODEL}: 5 of 7 draws over 2 clips name the practice that stands")
    assert "71% (95% interval 67 to 75%)" in told
    assert told.endswith("1 more draw failed.")


def test_many_coders_are_numbered(make_review, say, write_report):
    review = make_review(1)
    coders = [f"Qwen/Qwen3-VL-235B-A22B-Instruct-quantised-{n} T zero_shot" for n in range(10)]
    said = tuple(
        say(
            review, review.clips[0], "D1" if n < 9 else "D3", 2, "The drops are clear.",
            f"words number {n} that nobody ever said", coder=coder,
        )
        for n, coder in enumerate(coders)
    )  # fmt: skip
    review = replace(review, predictions=said)
    assert name_coders(review).together([coders[0], coders[9]]) == "coders 1 and 10"
    text = text_of(write_report(review))
    assert "cited by coders 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10 “The drops are clear.”" in text
    assert text.count("“The drops are clear.”") == 1
    assert "Cited, but not confirmed, so not counted:" in text
    assert "9 of 10 coders (coders 1, 2, 3, 4, 5, 6, 7, 8 and 9) D1 Drawing out" in text
    assert "1 of 10 coders (coder 10) D3 Pressing for explanation" in text
    last = text[text.index("What coded this lesson") :].replace("\u200b", "")
    assert f"Coder 10: {coders[9]}" in last


def test_all_evidence_of_all_coders_comes_before_the_first_label(
    make_review, say, suggest_for, write_report
):
    review = make_review(1)
    one = suggest_for(review, review.clips[0], "D1", 2, "What do you notice here?")
    two = say(review, review.clips[0], "D3", 2, "Why would that be so?")
    text = text_of(write_report(replace(review, predictions=(one, two))))
    clip = text[text.index("Clip 1: ") :]
    assert clip.index("Why would that be so?") < clip.index("Finder’s suggestion")
    assert f"cited by {MODEL} “Why would that be so?”" in clip


def test_what_the_probes_say_stands_at_the_suggestion(make_review, say, practices):
    from app.palette import read_palette
    from reports.lesson_page import build_page
    from resources import resource

    review = make_review(1)
    said = say(review, review.clips[0], "D1", prediction_id=7)
    flag = "Right for the wrong reason? The code stays when its evidence is hidden."
    page, _ = build_page(
        replace(review, predictions=(said,)), practices, read_palette(resource("palette.toml")),
        {}, "2026-11-30", "Clerestory", {7: flag},
    )  # fmt: skip
    assert flag in page["clips"][0]["suggestions"][0]["notes"]


def test_people_who_differ_leave_no_code_and_are_shown_side_by_side(
    make_review, decide_on, write_report
):
    review = make_review(2)
    decisions = (
        decide_on(review.clips[0], Verdict.ACCEPT, "D1", 2, author="AB", blind=True),
        decide_on(review.clips[0], Verdict.ACCEPT, "D3", 2, author="CD"),
    )
    review = replace(review, decisions=decisions)
    part = people_apart(review)
    assert part["rows"] == [["Clip 1", "0:00 to 0:14", "AB: D1 level 2 (blind); CD: D3 level 2"]]
    text = text_of(write_report(review))
    assert "People differ, and have not agreed since: no code stands here." in text
    assert "On 1 of 2 people differ, so no code stands there." in text
    assert "None of the four – – – – " not in text


def test_a_consensus_names_what_each_said_before(make_review, decide_on, write_report):
    review = make_review(1)
    clip = review.clips[0]
    decisions = (
        decide_on(clip, Verdict.ACCEPT, "D1", 2, author="AB"),
        decide_on(clip, Verdict.ACCEPT, "D3", 2, author="CD"),
        decide_on(clip, Verdict.CORRECT, "D1", 3, author="AB & CD", stage=Stage.CONSENSUS,
                  also=(Code("D3", 1),)),
    )  # fmt: skip
    text = text_of(write_report(replace(review, decisions=decisions)))
    assert "Agreed: D1 Drawing out students' ideas, level 3" in text
    assert "Also: D3 Pressing for explanation, level 1" in text
    assert "Before that, each on their own: AB: D1 level 2; CD: D3 level 2." in text


def test_what_a_person_cites_is_checked_and_stands_before_the_code(
    make_review, decide_on, write_report
):
    review = make_review(1)
    cited = (Citation(quote="The drops are clear."), Citation(quote="nobody ever said these words"))
    decision = decide_on(review.clips[0], Verdict.ACCEPT, "D1", 2, evidence=cited)
    text = text_of(write_report(replace(review, decisions=(decision,))))
    assert "cited by R. Okafor “The drops are clear.” ✓ Verified" in text
    assert "“nobody ever said these words” ✗ Not found" in text
    clip = text[text.index("Clip 1: ") :]
    assert clip.index("“The drops are clear.”") < clip.index("Accepted: D1")


def test_changes_are_counted_by_what_became_of_the_suggestion(make_review, say, decide_on):
    review = make_review(6)
    said = tuple(say(review, clip, "D1", 2) for clip in review.clips)
    made = [("D1", 2), ("D1", 3), ("D1", 1), ("D3", 2), ("", None)]
    decisions = tuple(
        decide_on(
            clip, Verdict.ACCEPT if practice else Verdict.REJECT, practice, level, coder=MODEL,
            note="Only one student." if practice == "D3" else "",
        )
        for clip, (practice, level) in zip(review.clips, made, strict=False)
    )  # fmt: skip
    blind = decide_on(review.clips[5], Verdict.ACCEPT, "D1", 1, author="CD", blind=True)
    part = changes(replace(review, predictions=said, decisions=(*decisions, blind)))
    assert part["told"] == [
        "Of 5 decisions with a suggestion in view, 1 left it as it was, 2 changed its level "
        "(1 up, 1 down), 1 changed the practice, 1 rejected it.",
        "Of 1 blind decision on clips with a suggestion, set beside the latest one, 0 came to the "
        "same code and 1 to the same practice at another level.",
    ]
    assert [row[2] for row in part["rows"]] == [
        "D1 level 3, 1 up", "D1 level 1, 1 down", "D3 level 2", "rejected", "D1 level 1, 1 down",
    ]  # fmt: skip
    assert part["rows"][2][3] == "R. Okafor, with it in view. “Only one student.”"
    assert part["rows"][4][3] == "CD, blind."


def test_a_change_of_mind_after_seeing_is_told(make_review, say, decide_on):
    review = make_review(1)
    clip = review.clips[0]
    decisions = (
        decide_on(clip, Verdict.ACCEPT, "D1", 2, blind=True),
        decide_on(clip, Verdict.ACCEPT, "D3", 2, coder=MODEL),
    )
    said = (say(review, clip, "D3"),)
    part = changes(replace(review, predictions=said, decisions=decisions))
    told = "Clip 1: R. Okafor decided D1 level 2 blind and D3 level 2 after seeing suggestions."
    assert told in part["told"]
    assert part["rows"] == []


def test_without_a_decision_nothing_was_changed(make_review, say):
    review = make_review(1)
    assert changes(replace(review, predictions=(say(review, review.clips[0], "D1"),))) is None


def test_long_names_get_places_to_break_and_short_ones_stay():
    assert shown("evidence-finder/1") == "evidence-finder/1"
    name = "Qwen/Qwen3-VL-235B-A22B-Instruct TV few_shot"
    assert shown(name).replace("\u200b", "") == name
    assert "\u200b" in shown(name)


def test_the_page_with_all_of_it_meets_pdf_ua(
    make_review, say, suggest_for, decide_on, write_report, findings_of
):
    review = make_review(3)
    one, two, three = review.clips
    said = (
        *(suggest_for(review, c, "D1", 2, "What do you notice here?") for c in review.clips),
        say(review, one, "D3", said=(Said(Code("D3", 2)), Said(Code("D1", 2)))),
        say(review, two, "", None, status="refusal"),
    )
    decisions = (
        decide_on(one, Verdict.CORRECT, "D3", 2, coder=MODEL),
        decide_on(two, Verdict.ACCEPT, "D1", 2, author="AB"),
        decide_on(two, Verdict.ACCEPT, "D3", 2, author="CD"),
        decide_on(three, Verdict.REJECT, blind=True),
    )
    pdf = write_report(replace(review, predictions=said, decisions=decisions))
    assert findings_of(pdf) == []
    text = text_of(pdf)
    parts = (
        "What people changed", "Where people differ", "Where coders differ",
        "Where one model’s answers differ", "What could not be known", "How to read this page",
        "How the evidence held", "What coded this lesson", "Where this comes from",
    )  # fmt: skip
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "no usable answer (declined by the model); it is counted beside, never scored" in text
