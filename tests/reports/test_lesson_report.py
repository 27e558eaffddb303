"""The lesson report: every quote true, nothing counted that nobody decided, readable by all."""

from __future__ import annotations

import errno
import itertools
import os
import re
from dataclasses import replace

import pypdf
import pytest

from app.coding.records import Check, Citation, Evidence, Verdict
from app.errors import ReportRefused
from app.lesson.transcript.records import Flag
from reports import fonts
from reports.lesson import picture_times

ODD_WORDS = '#panic("x") $x^2$ *bold* _it_ `raw` "q" \\ @ref <label> // [a] {b} = ~ --- '
ODD_WORDS += "😀 مرحبا שלום Привет"
EVIDENCE = re.compile(
    r"([A-Z][\w ]*?), (\d+:\d\d) to (\d+:\d\d), lines? (\d+) “(.+?)” [✓≈] (Verified|Close)"
)


def text_of(pdf) -> str:
    pages = pypdf.PdfReader(pdf).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def seconds(clock: str) -> int:
    minutes, rest = clock.split(":")
    return int(minutes) * 60 + int(rest)


def test_every_quote_printed_stands_in_the_transcript_at_the_time_printed(
    sample_review, write_report
):
    printed = EVIDENCE.findall(text_of(write_report(sample_review)))
    assert len(printed) == 16
    lines = {u.number: u for u in sample_review.transcript.utterances}
    for speaker, start, end, number, quote, _ in printed:
        line = lines[int(number)]
        assert speaker.endswith(line.speaker)
        assert quote in line.text
        assert line.start_ms // 1000 <= seconds(start) <= seconds(end) <= line.end_ms // 1000


def test_a_quote_that_nobody_said_is_shown_and_does_not_count(sample_review, write_report):
    text = text_of(write_report(sample_review))
    invented = "“We proved it with a microscope on the moon” ✗ Not found: does not count"
    assert invented in text
    told = "Word for word in the transcript: 8; closely: 8; not confirmed, so not counted: 1."
    assert f"Evidence cited: 17. {told}" in text


def test_the_page_meets_pdf_ua(sample_review, write_report, findings_of):
    pdf = write_report(sample_review)
    assert findings_of(pdf) == []
    reader = pypdf.PdfReader(pdf)
    assert reader.metadata.title == "Lesson report: Where does the water on a cold can come from?"
    assert reader.trailer["/Root"]["/Lang"] == "en-GB"
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]


def test_headings_tables_and_pictures_can_be_found_by_a_screen_reader(
    sample_review, write_report, parts_of
):
    nodes = parts_of(write_report(sample_review))
    heads = [int(role[1]) for role, _ in nodes if re.fullmatch(r"H\d", role)]
    assert heads[0] == 1
    assert heads.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(heads))
    alternatives = [alt for role, alt in nodes if role == "Figure"]
    assert len(alternatives) >= 18
    assert all(alternatives)
    assert any("clip 1, 0:01 to 0:17: suggested nothing, rejected" in a for a in alternatives)
    tables = sum(role == "Table" for role, _ in nodes)
    # Decided; changed; four practices; evidence; outcomes; one coder; where it comes from.
    assert tables == 10
    assert sum(role == "TH" for role, _ in nodes) == 6 + 4 + 4 * 3 + 8 + 6 + 2 + 2


def test_evidence_comes_before_the_label_and_the_label_before_the_decision(
    sample_review, write_report
):
    text = text_of(write_report(sample_review))
    clip = text[text.index("Clip 2: ") : text.index("Clip 3: ")]
    order = [
        clip.index(part)
        for part in ("This can comes from", "Verified", "Finder’s suggestion", "Accepted")
    ]
    assert order == sorted(order)


def test_only_decisions_are_counted_as_decided(sample_review, write_report):
    text = text_of(write_report(sample_review))
    told = "People have decided on 4 of 10: 2 accepted, 1 corrected, 1 rejected."
    assert told in text
    assert "2 of these 4 decisions were made blind. 6 of 10 are not yet reviewed" in text
    assert "BI Framing a big idea 0 0 1 – 1 of 4" in text
    assert "D1 Drawing out students' ideas 0 2 0 – 2 of 4" in text
    assert "D3 Pressing for explanation 0 0 0 0 0 of 4" in text
    assert "None of the four – – – – 1 of 4" in text


def test_clips_nobody_decided_on_are_listed(sample_review, write_report):
    text = text_of(write_report(sample_review))
    listed = text[text.index("Not yet reviewed • ") : text.index("What people changed")]
    assert re.findall(r"Clip (\d+)", listed) == ["4", "5", "6", "8", "9", "10"]
    assert "Clip 10, 3:41 to 3:46: nothing suggested" in listed


def test_a_page_for_somebody_who_codes_blind_says_what_it_leaves_out(sample_review, write_report):
    first, *others = sample_review.clips
    kept = tuple(p for p in sample_review.predictions if p.clip == first)
    hidden = tuple(clip.clip_id for clip in others)
    pdf = write_report(replace(sample_review, predictions=kept, withheld=hidden))
    total = len(sample_review.clips)
    assert f"codes blind: of {total - 1} of {total} clips" in text_of(pdf)


def test_a_correction_shows_both_codes(sample_review, write_report):
    text = text_of(write_report(sample_review))
    clip = text[text.index("Clip 3: ") : text.index("Clip 4: ")]
    assert "D1 Drawing out students' ideas, level 3: Building on what students say" in clip
    assert "Corrected: D1 Drawing out students' ideas, level 2: Asking for first ideas" in clip
    assert "R. Okafor, 30 November 2026, 10:15 UTC, with the suggestion in view" in clip
    assert "Note: The plan changes, but only one student is heard." in clip


def test_words_of_people_are_never_read_as_markup(
    make_review, suggest_for, write_report, findings_of
):
    review = make_review(1)
    spoken = replace(review.transcript.utterances[0], text=ODD_WORDS, speaker="#T $1")
    words = replace(review.transcript, utterances=(spoken, *review.transcript.utterances[1:]))
    review = replace(review, title=ODD_WORDS, transcript=words, note=ODD_WORDS)
    clip = review.clips[0]
    prediction = suggest_for(review, clip, "D3", 2, ODD_WORDS, note=ODD_WORDS)
    pdf = write_report(replace(review, predictions=(prediction,)))
    text = text_of(pdf)
    # The title, the footer, the notes and the quote, each letter by letter as they were typed.
    assert text.count('#panic("x") $x^2$ *bold* _it_ `raw`') >= 5
    assert "#T $1, 0:00 to 0:04, line 1" in text
    assert "\ufffd" not in text
    assert findings_of(pdf) == []


def test_a_lesson_in_arabic_keeps_its_letters(make_review, suggest_for, write_report, findings_of):
    review = make_review(1)
    said = "لماذا توجد قطرات ماء على العلبة"
    spoken = replace(review.transcript.utterances[0], text=said)
    words = replace(review.transcript, utterances=(spoken,), language="ar")
    review = replace(review, transcript=words)
    prediction = suggest_for(review, review.clips[0], "D1", 2, said)
    pdf = write_report(replace(review, predictions=(prediction,)))
    assert findings_of(pdf) == []
    assert "\ufffd" not in text_of(pdf)
    # Joined letters come back as letters; the order of a line is up to the reader of the file.
    assert set("لماذاتوجد") <= set(text_of(pdf))


def test_signs_without_a_font_are_marked_and_told(
    make_review, suggest_for, write_report, findings_of, monkeypatch
):
    monkeypatch.setattr(fonts, "_system_fonts", lambda: ())
    review = make_review(1)
    spoken = replace(review.transcript.utterances[0], text="水从哪里来 says the can\x00")
    words = replace(review.transcript, utterances=(spoken,))
    review = replace(review, transcript=words)
    prediction = suggest_for(review, review.clips[0], "D1", 2, spoken.text)
    pdf = write_report(replace(review, predictions=(prediction,)))
    text = text_of(pdf)
    assert "“����� says the can" in text
    assert "5 different signs (Cjk) cannot be drawn with the fonts on this computer" in text
    assert findings_of(pdf) == []
    assert "水从哪里来" in (pdf.parent / "utterances.csv").read_text("utf-8-sig")


def test_without_a_recording_the_page_rests_on_the_transcript(
    make_review, suggest_for, write_report
):
    review = make_review(2, timed=False)
    prediction = suggest_for(review, review.clips[0], "D3", 3, "Why would that be so?")
    assert picture_times(review) == ()
    text = text_of(write_report(replace(review, predictions=(prediction,))))
    assert "There is no recording, only a transcript" in text
    assert "The transcript has no times" in text
    assert "Ms Linden, no time, line 3 “Why would that be so?” ✓ Verified" in text
    assert "the figure runs by lines of the transcript" in text


def test_without_a_transcript_nothing_is_claimed_of_words(make_review, write_report):
    review = replace(make_review(1), transcript=None, original=None)
    text = text_of(write_report(review))
    assert "There is no transcript: what was said is not known" in text
    assert "Nobody has decided yet: 0 of 1 reviewed." in text
    assert "Clips without any suggestion, because no coder has looked at them: 1." in text


def test_without_clips_the_page_says_so(make_review, write_report, findings_of):
    pdf = write_report(replace(make_review(1), clips=()))
    text = text_of(pdf)
    assert "No clips have been drawn in this lesson yet" in text
    assert "There are no clips to review." in text
    assert findings_of(pdf) == []


def test_flagged_lines_are_counted_and_named(make_review, write_report):
    review = make_review(2)
    first, *rest = review.transcript.utterances
    flagged = replace(first, flags=(Flag.INVENTED,), speaker="")
    words = replace(review.transcript, utterances=(flagged, *rest), notes=("Read as cp1251.",))
    text = text_of(write_report(replace(review, transcript=words)))
    assert "1 of 6 lines were heard by speech to text where nobody speaks: 1." in text
    assert "They are never used as evidence." in text
    assert "Who speaks is not known for 1 of 6 lines." in text
    assert "Read as cp1251." in text


def test_a_quote_edited_away_since_the_check_no_longer_counts(
    make_review, suggest_for, write_report
):
    review = make_review(1)
    prediction = suggest_for(review, review.clips[0], "D1", 2, "What do you notice here?")
    first, *rest = review.transcript.utterances
    edited = replace(first, text="What do you hear?")
    words = replace(review.transcript, utterances=(edited, *rest))
    text = text_of(write_report(replace(review, transcript=words, predictions=(prediction,))))
    assert "No longer in the transcript: does not count" in text
    assert "The line now reads: “What do you hear?”" in text
    assert "Nothing that was cited supports this suggestion." in text
    assert "Lines edited by people 1 of 3" in text


def test_what_was_seen_is_left_to_a_person(make_review, suggest_for, write_report):
    review = make_review(1)
    citation = Citation(seen="Three hands go up", start_ms=2_000, end_ms=12_000)
    seen = Evidence(citation, Check.SEEN, start_ms=2_000, end_ms=12_000)
    prediction = replace(suggest_for(review, review.clips[0], "D1", 2), evidence=(seen,))
    review = replace(review, predictions=(prediction,))
    text = text_of(write_report(review))
    assert "Seen: Three hands go up ○ Seen, not checked: only a person can check this" in text
    assert picture_times(review) == (3_000, 4_500, 9_500)


def test_a_clip_moved_since_says_where_it_was(make_review, suggest_for, decide_on, write_report):
    review = make_review(2)
    then = replace(review.clips[1], end_ms=20_000)
    prediction = suggest_for(review, then, "D3", 2, "Why would that be so?")
    decision = decide_on(then, Verdict.ACCEPT, "D3", 2)
    gone = replace(prediction, clip=replace(then, clip_id="clip-gone"))
    text = text_of(
        write_report(replace(review, predictions=(gone, prediction), decisions=(decision,)))
    )
    assert "changed after this suggestion: then it was 0:15 to 0:20." in text
    assert "changed after this decision: then it was 0:15 to 0:20." in text
    assert "Suggestions for 1 clip that was later split, merged or removed are not shown." in text


def test_two_coders_stand_side_by_side(make_review, suggest_for, write_report):
    review = make_review(1)
    one = suggest_for(review, review.clips[0], "D1", 2, "What do you notice here?")
    old = suggest_for(review, review.clips[0], "BI", 1, coder="chat/2")
    new = suggest_for(review, review.clips[0], "D3", None, coder="chat/2", margin=None)
    text = text_of(write_report(replace(review, predictions=(old, one, new))))
    assert "The coders chat/2 and evidence-finder/1 suggested a practice for 1 of 1 clip." in text
    assert "Suggestion (chat/2) D3 Pressing for explanation, level – (none was given)" in text
    assert "Lead over the next practice: – (this coder gives none)." in text
    assert "BI Framing a big idea, level 1" not in text


def test_a_picture_that_cannot_be_read_is_told_and_left_out(sample_review, write_report, tmp_path):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8 no picture")
    first, *others = picture_times(sample_review)
    pdf = write_report(sample_review, dict.fromkeys([first], broken))
    text = text_of(pdf)
    assert f"{len(others)} of {len(others)} pictures of the evidence could not be had" in text
    assert "The picture for the top of the page could not be had" in text


def test_very_long_words_and_quotes_stay_on_the_page(
    make_review, suggest_for, write_report, findings_of
):
    review = make_review(1)
    said = "and then we looked at the can again " * 400 + "x" * 3000
    spoken = replace(review.transcript.utterances[0], text=said)
    review = replace(
        review,
        transcript=replace(review.transcript, utterances=(spoken,)),
        title="A very long title " * 12,
    )
    prediction = suggest_for(review, review.clips[0], "D1", 2, said)
    pdf = write_report(replace(review, predictions=(prediction,)))
    assert findings_of(pdf) == []
    text = re.sub(r"(A very long title )+page \d+ of \d+ ", "", text_of(pdf))
    assert text.count("looked at the can again") == 400


@pytest.mark.slow
def test_two_hundred_clips_over_three_hours_fit(
    make_review, suggest_for, decide_on, write_report, findings_of
):
    review = make_review(200)
    spaced = tuple(
        replace(c, start_ms=n * 54_000, end_ms=n * 54_000 + 50_000)
        for n, c in enumerate(review.clips)
    )
    review = replace(
        review,
        clips=spaced,
        predictions=tuple(
            suggest_for(review, c, ("BI", "D1", "D2", "D3")[n % 4], 2, "What do you notice here?")
            for n, c in enumerate(spaced)
        ),
        decisions=tuple(decide_on(c, Verdict.ACCEPT, "D1", 2) for c in spaced[:50]),
    )
    pdf = write_report(review)
    assert "People have decided on 50 of 200" in text_of(pdf)
    assert findings_of(pdf) == []
    assert pdf.stat().st_size < 8_000_000


def test_a_folder_that_is_a_file_is_refused(make_review, practices, tmp_path):
    from reports.lesson import write_lesson_report

    taken = tmp_path / "taken"
    taken.write_text("mine")
    with pytest.raises(ReportRefused, match="is not a folder"):
        write_lesson_report(make_review(1), practices, {}, taken, "2026-11-30", "Clerestory")
    assert taken.read_text() == "mine"


def test_a_full_disk_keeps_the_older_report(make_review, write_report, monkeypatch):
    pdf = write_report(make_review(1))
    before = {f.name: f.read_bytes() for f in pdf.parent.iterdir()}

    def full(_handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportRefused, match="the disk is full") as refused:
        write_report(make_review(2))
    assert "Free some space" in refused.value.hint
    assert {f.name: f.read_bytes() for f in pdf.parent.iterdir()} == before


def test_the_same_review_gives_the_same_bytes(sample_review, write_report):
    assert write_report(sample_review).read_bytes() == write_report(sample_review).read_bytes()
