"""The coaching page: only what people accepted, in words that are true, on two sheets at most."""

from __future__ import annotations

import re
from dataclasses import replace

import pypdf
import pytest

from app.coding.records import Citation, Verdict
from app.errors import ReportRefused
from app.scoring.scored import Code
from reports.coaching import write_coaching_page

MADE_AT = "2026-11-30T14:05:00+00:00"


@pytest.fixture
def write_coaching(tmp_path, practices):
    def write(review):
        (page,) = write_coaching_page(
            review, practices, tmp_path / "out", MADE_AT, "Clerestory 0.1.0"
        )
        return page

    return write


@pytest.fixture
def decided_sample(sample_review, decide_on):
    """The sample lesson with every suggestion accepted but the last clip left open."""
    decisions = tuple(
        decide_on(clip, Verdict.ACCEPT, said.practice, said.level, coder=said.coder)
        if said.practice
        else decide_on(clip, Verdict.REJECT)
        for clip, said in zip(sample_review.clips, sample_review.predictions, strict=True)
    )
    return replace(sample_review, decisions=decisions[:-1])


def text_of(pdf) -> str:
    pages = pypdf.PdfReader(pdf).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_the_page_meets_pdf_ua_and_has_two_sheets(decided_sample, write_coaching, findings_of):
    pdf = write_coaching(decided_sample)
    assert findings_of(pdf) == []
    assert len(pypdf.PdfReader(pdf).pages) == 2


def test_quotes_are_the_transcript_s_own_words_at_their_time(decided_sample, write_coaching):
    text = text_of(write_coaching(decided_sample))
    printed = re.findall(r"“([^“”]+)” (Ms Linden|Robin|Maya|Oscar), (\d+):(\d\d), line (\d+)", text)
    assert len(printed) == 12
    lines = {u.number: u for u in decided_sample.transcript.utterances}
    for words, speaker, minutes, seconds, number in printed:
        line = lines[int(number)]
        assert words in line.text
        assert speaker == line.speaker
        start_s = int(minutes) * 60 + int(seconds)
        assert line.start_ms // 1000 <= start_s < line.end_ms // 1000
    assert "microscope on the moon" not in text


def test_it_says_what_it_rests_on(decided_sample, write_coaching):
    text = text_of(write_coaching(decided_sample))
    assert "It rests on 9 of 10 clips, decided on by R. Okafor." in text
    assert "Together they are 3 min 1 s of a lesson of 3 min 48 s." in text
    assert "Nobody has decided so far on 1 other clip." in text
    assert "It is no assessment" in text


def test_minutes_and_shares_stand_with_what_they_are_shares_of(decided_sample, write_coaching):
    text = text_of(write_coaching(decided_sample))
    assert "Practice Clips Time Share of 3 min 1 s Longest stretch" in text
    assert "BI Framing a big idea 2 36 s 20% 36 s (1:56 to 2:37)" in text


def test_the_words_come_before_the_label_and_the_label_before_the_question(
    decided_sample, write_coaching
):
    text = text_of(write_coaching(decided_sample))
    moment = text[text.index("Clip 2, 0:22 to 0:46") : text.index("Clip 3, 0:50 to 1:09")]
    parts = ("“This can comes from", "Asking for first ideas", "?", "A step further")
    order = [moment.index(parts[0]), moment.index(parts[1]), moment.rindex("?")]
    assert order == sorted(order)
    assert moment.index("A step further") > moment.index("(level 2 of 3)")


def test_the_screen_reader_is_told_the_strip_in_words(decided_sample, write_coaching, parts_of):
    nodes = parts_of(write_coaching(decided_sample))
    (alt,) = [alt for role, alt in nodes if role == "Figure"]
    assert "D1 Drawing out students' ideas: clips 2 and 3" in alt
    assert "none of the four: clip 1" in alt
    heads = [role for role, _ in nodes if re.fullmatch(r"H\d", role)]
    assert heads[0] == "H1"
    assert heads.count("H1") == 1
    assert sum(role == "TH" for role, _ in nodes) == 5


def test_a_suggestion_that_nobody_decided_on_gives_no_page(sample_review, write_coaching, tmp_path):
    with pytest.raises(ReportRefused, match="nobody has decided") as refused:
        write_coaching(replace(sample_review, decisions=()))
    assert "accept or correct" in refused.value.hint
    assert not (tmp_path / "out").exists()


def test_the_longest_of_everything_stays_on_two_sheets(
    make_review, decide_on, write_coaching, findings_of
):
    review = make_review(60)
    said = "and then we looked at the can again and saw that the drops were clear, " * 6
    name = "Ms Wilhelmina-Alexandra van den Hoogenbandt-Featherstonehaugh"
    lines = tuple(
        replace(u, text=f"{u.number} {said}", speaker=name) for u in review.transcript.utterances
    )
    codes = [("BI", 1), ("D1", 3), ("D2", 4), ("D3", 1), ("BI", 3), ("D1", 1)]
    decisions = tuple(
        decide_on(
            clip,
            Verdict.ACCEPT,
            *codes[n % 6],
            author=f"{name} {n % 3}",
            also=(Code("D3", 2),) if n % 4 == 0 else (),
            evidence=tuple(Citation(quote=u.text) for u in lines[3 * n : 3 * n + 3]),
        )
        for n, clip in enumerate(review.clips)
    )
    pdf = write_coaching(
        replace(
            review,
            title="A very long title of a lesson " * 10,
            transcript=replace(review.transcript, utterances=lines),
            decisions=decisions,
        )
    )
    assert len(pypdf.PdfReader(pdf).pages) == 2
    assert findings_of(pdf) == []
    text = text_of(pdf)
    assert "54 more clips have accepted evidence" in text
    assert "In 15 clips more than one practice shows; each counts, so the shares may add up" in text
    assert "[…]”" in text


def test_without_times_clips_are_counted_and_lines_named(make_review, decide_on, write_coaching):
    review = make_review(2, timed=False)
    cited = (Citation(quote="The drops are clear."),)
    decision = decide_on(review.clips[0], Verdict.CORRECT, "D1", None, evidence=cited)
    text = text_of(write_coaching(replace(review, decisions=(decision,))))
    assert "Share of 1 clip Most clips in a row" in text
    assert "D1 Drawing out students' ideas 1 100% 1 (clip 1)" in text
    assert "“The drops are clear.” Robin, line 2" in text
    assert "in line 2" in text
    assert "The lesson has no times, so clips are counted" in text


def test_what_a_person_saw_is_printed_as_seen(make_review, decide_on, write_coaching):
    review = make_review(1)
    cited = (Citation(seen="Three hands go up", start_ms=2_000, end_ms=4_000),)
    decision = decide_on(review.clips[0], Verdict.ACCEPT, "D1", 2, evidence=cited)
    text = text_of(write_coaching(replace(review, decisions=(decision,))))
    assert "To be seen: Three hands go up 0:02" in text


def test_clips_people_differ_on_are_told_and_give_no_moment(make_review, decide_on, write_coaching):
    review = make_review(2)
    cited = (Citation(quote="The drops are clear."),)
    decisions = (
        decide_on(review.clips[0], Verdict.ACCEPT, "D1", 2, evidence=cited),
        decide_on(review.clips[1], Verdict.ACCEPT, "D1", 2, evidence=cited),
        decide_on(review.clips[1], Verdict.ACCEPT, "D3", 2, author="CD", evidence=cited),
    )
    text = text_of(write_coaching(replace(review, decisions=decisions)))
    assert "It rests on 1 of 2 clips, decided on by R. Okafor." in text
    assert "Clip 2: people coded it differently and have not talked that over yet" in text
    assert "Pressing for explanation: “" not in text


def test_words_of_people_are_never_read_as_markup(make_review, decide_on, write_coaching):
    review = make_review(1)
    odd = '#panic("x") $x^2$ *bold* _it_ `raw` and more'
    spoken = replace(review.transcript.utterances[0], text=odd, speaker="#T $1")
    words = replace(review.transcript, utterances=(spoken, *review.transcript.utterances[1:]))
    decision = decide_on(
        review.clips[0], Verdict.ACCEPT, "D3", 2, author="#A", evidence=(Citation(quote=odd),)
    )
    text = text_of(
        write_coaching(replace(review, title=odd, transcript=words, decisions=(decision,)))
    )
    assert text.count('#panic("x") $x^2$ *bold* _it_ `raw`') == 2
    assert "decided on by #A" in text


def test_the_same_review_gives_the_same_bytes(decided_sample, write_coaching):
    first = write_coaching(decided_sample).read_bytes()
    assert write_coaching(decided_sample).read_bytes() == first


def test_a_page_for_somebody_who_codes_blind_says_what_it_leaves_out(
    decided_sample, write_coaching
):
    last = decided_sample.clips[-1].clip_id
    text = text_of(write_coaching(replace(decided_sample, withheld=(last,))))
    assert "What people decided on 1 clip is left out" in text
    assert "Nobody has decided so far" not in text
