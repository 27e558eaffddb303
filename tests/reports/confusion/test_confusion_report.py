"""The student confusion report: what people confirmed leads, and nothing is claimed unseen."""

from __future__ import annotations

import csv
import re
import subprocess
from dataclasses import replace

import pypdf
import pytest
from PIL import Image

from app.confusion.records import Cue, CueKind, EventVerdict
from app.confusion.review import Learner
from app.errors import ReportRefused
from reports.confusion import picture_times, write_confusion_report

A = {"reader": "face-cues/1", "found_start_ms": 4_000, "found_end_ms": 8_000}
TWO = {"face-cues/1": "nnmmnn..nhnn", "Qwen x5": "nlmhnnnnnnnn"}


def text_of(pdf) -> str:
    pages = pypdf.PdfReader(pdf).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def table(folder, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_one_page_meets_pdf_ua_and_leads_with_what_is_confirmed(
    make_review, decide_on, write_report, findings_of
):
    pdf = write_report(make_review(TWO, decide_on(EventVerdict.CONFIRM, 4_000, 8_000, **A)))
    assert findings_of(pdf) == []
    assert len(pypdf.PdfReader(pdf).pages) == 1
    text = text_of(pdf)
    assert "A person confirmed signs of confusion in 1 stretch." in text
    assert "suggest 1 more stretch that no person has checked yet" in text
    assert text.index("0:04 to 0:08") < text.index("0:18 to 0:20")
    assert "never a basis for a mark, a diagnosis, a placement" in text


def test_figures_stand_with_what_they_rest_on(make_review, write_report):
    text = text_of(write_report(make_review({"face-cues/1": "nnmmnn..nhnn"})))
    # 3 of 10 windows that can be judged; 2 events in 20 s.
    assert "30% [11, 60] 6 s of 20 s" in text
    assert "6.0 2 in 20 s" in text
    assert "83% 20 s of 24 s" in text


def test_a_screen_reader_is_told_each_band_in_words(make_review, decide_on, write_report, parts_of):
    review = make_review(TWO, decide_on(EventVerdict.CONFIRM, 4_000, 8_000, **A))
    nodes = parts_of(write_report(review))
    alts = [alt for role, alt in nodes if role == "Figure"]
    assert "Reviewer. Signs of confusion: 0:04 to 0:08." in alts[1]
    told = "Reader face-cues/1. Signs of confusion: 0:04 to 0:08 and 0:18 to 0:20."
    assert alts[2] == f"{told} Face not visible for 4 s."
    heads = [role for role, _ in nodes if re.fullmatch(r"H\d", role)]
    assert heads[0] == "H1"
    assert heads.count("H1") == 1


def test_the_page_is_read_in_the_order_it_is_meant(make_review, decide_on, write_report):
    review = make_review(TWO, decide_on(EventVerdict.CONFIRM, 4_000, 8_000, **A))
    text = text_of(write_report(review))
    parts = [
        "Learner K.", "What this page can and cannot say", "A person confirmed", "Over time",
        "Time with signs", "How far they agree", "Moments to talk over",
    ]  # fmt: skip
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_no_face_is_no_sign_of_anything(make_review, write_report, findings_of):
    pdf = write_report(make_review({"face-cues/1": "." * 30}), full=True)
    assert findings_of(pdf) == []
    text = text_of(pdf)
    assert "nothing can be said about confusion. That is no sign that there was none." in text
    assert "no usable face can be seen in any window" in text
    assert "0%" in text[text.index("Counted") :]
    assert "no face is seen (1 min 0 s)." in text


def test_no_event_is_told_without_reassurance(make_review, write_report):
    text = text_of(write_report(make_review({"face-cues/1": "nnlnn"})))
    assert "Confusion does not always show in a face." in text
    assert "None is confirmed or suggested." in text


def test_suggestions_alone_are_called_hints(make_review, write_report):
    text = text_of(write_report(make_review({"face-cues/1": "nnmmnn"})))
    assert "These are hints to look, no findings." in text
    assert "Looked over by nobody yet" in text
    assert "Suggested by reader 1; no person has checked it yet." in text
    assert "Confirmed" not in text


def test_the_full_version_tells_signs_and_what_speaks_against(
    make_review, make_bands, make_reading, decide_on, write_report, findings_of
):
    smile = Cue(CueKind.SMILE, (7_100,), 0.5, 0.1, speaks_against=True)
    bands = make_bands("face-cues/1", "nnmmnnn")
    last = make_reading("m", 3)
    readings = (*bands.readings[:3], replace(last, cues=(*last.cues, smile)), *bands.readings[4:])
    review = make_review(
        {"Qwen x5": "nlnnnnn"},
        decide_on(EventVerdict.ADJUST, 4_500, 8_000, note="At the second task.", **A),
    )
    review = replace(review, bands=(replace(bands, readings=readings), *review.bands))
    pdf = write_report(review, full=True)
    assert findings_of(pdf) == []
    text = text_of(pdf)
    assert (
        "brows drawn down in all 2 windows (up to 0.62 on a scale to 1; usual here: 0.21)" in text
    )
    assert "A smile at 0:07, which speaks against confusion (face-cues/1)." in text
    assert "Qwen x5 looked at the same moment and saw no signs" in text
    assert "Confirmed with other limits by R. Okafor. face-cues/1 had it from 0:04 to 0:08." in text
    assert "Note: “At the second task.”" in text
    assert "thresholds SHA-256" in text


def test_words_of_a_model_are_quoted_and_its_other_cues_never_counted(
    make_review, make_bands, make_reading, write_report
):
    said = Cue(CueKind.OTHER, (2_000,), words="scratches the head")
    odd = replace(make_reading("m", 1), cues=(said,), note="4 of 5 draws say so.")
    bands = make_bands("a model", "nmn")
    readings = (bands.readings[0], odd, bands.readings[2])
    review = replace(make_review({}), bands=(replace(bands, readings=readings),))
    text = text_of(write_report(review, full=True))
    assert "in its own words: “scratches the head”. To know: 4 of 5 draws say so." in text
    short = text_of(write_report(review))
    assert "Seen: In a model’s words: “scratches the head”." in short


def test_reasons_why_nothing_is_seen_are_added_up(make_review, make_bands, write_report):
    bands = make_bands("face-cues/1", "...n")
    hidden = [
        replace(r, note=f"the eyes are shut (in {n} of 10 pictures)")
        for n, r in enumerate(bands.readings[:3], 6)
    ]
    review = replace(
        make_review({}), bands=(replace(bands, readings=(*hidden, bands.readings[3])),)
    )
    text = text_of(write_report(review, full=True))
    assert "face-cues/1: the eyes are shut (6 s);" in text


def test_an_event_the_reviewer_added_says_that_no_reader_points_there(
    make_review, decide_on, write_report
):
    review = make_review({"face-cues/1": "nnnnnn"}, decide_on(EventVerdict.ADD, 3_000, 7_000))
    text = text_of(write_report(review, full=True))
    assert "No reader found signs here; it rests on the reviewer’s eye alone." in text


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        ([CueKind.BROW], "saw brows drawn down without eyes narrowed; the two together are more"),
        ([CueKind.LIDS], "saw eyes narrowed without brows drawn down; the two together are more"),
        ([CueKind.HAND], "saw supporting signs only, neither lowered brows nor narrowed eyes"),
        ([CueKind.BROW, CueKind.LIDS], "Nothing was noted against it. That is no proof"),
    ],
)
def test_weak_signs_are_said_to_be_weak(
    kinds, told, make_review, make_bands, make_reading, write_report
):
    cues = tuple(Cue(kind, (2_000,), 0.5, 0.1) for kind in kinds)
    seen = [replace(make_reading("m", n), cues=cues) for n in (0, 1)]
    bands = replace(make_bands("face-cues/1", "mm"), readings=tuple(seen))
    text = text_of(write_report(replace(make_review({}), bands=(bands,)), full=True))
    assert told in text


def test_a_reader_that_saw_only_a_part_is_not_said_to_have_seen_all(
    make_review, decide_on, write_report
):
    review = make_review({"face-cues/1": "..nnn"}, decide_on(EventVerdict.ADD, 0, 6_000))
    text = text_of(write_report(review, full=True))
    assert "face-cues/1 could judge 1 of 3 windows here, and saw no signs there." in text
    assert "looked at the same moment" not in text


def test_a_reader_that_could_not_see_says_neither(make_review, decide_on, write_report):
    review = make_review({"a": "..nn", "b": "xxnn"}, decide_on(EventVerdict.ADD, 0, 4_000))
    text = text_of(write_report(review, full=True))
    assert "a could not see the face here, so says neither yes nor no." in text
    assert "b gave no usable answer here." in text


def test_a_dismissed_event_is_named_with_its_reason(make_review, decide_on, write_report):
    review = make_review(TWO, decide_on(EventVerdict.DISMISS, 4_000, 8_000, note="A yawn", **A))
    text = text_of(write_report(review, full=True))
    assert "0:04 to 0:08 face-cues/1 R. Okafor A yawn" in text
    assert "looked over what was found and confirmed no stretch" in text


def test_nothing_to_report_is_refused(make_review, tmp_path):
    with pytest.raises(ReportRefused, match="nothing to report") as refused:
        write_confusion_report(make_review({}), {}, tmp_path / "out", "", "")
    assert "Learner page" in refused.value.hint
    assert not (tmp_path / "out").exists()


def test_five_readers_over_an_hour_still_fit_one_page(
    make_review, decide_on, write_report, findings_of
):
    letters = "nnnlmmn.nnhnnnnnlnnn" * 90
    name = "a-reader-with-a-very-long-name-from-a-model-file-Q4_K_M-instruct-2026-11.gguf"
    readers = {f"{name} x{n}": letters[n:] + letters[:n] for n in range(1, 7)}
    found = {"reader": f"{name} x1", "found_start_ms": 6_000, "found_end_ms": 10_000}
    decisions = [
        decide_on(EventVerdict.ADD, start, start + 5_000, author=f"Somebody With A Long Name {n}")
        for n, start in enumerate(range(0, 3_600_000, 400_000))
    ]
    review = make_review(
        readers,
        decide_on(EventVerdict.CONFIRM, 6_000, 10_000, note="A note that is long. " * 30, **found),
        *decisions,
        title="A very long title of a video " * 10,
        learner=Learner("l", "Wilhelmina-Alexandra van den Hoogenbandt-Featherstonehaugh"),
        note="A note on all of it. " * 40,
    )
    pdf = write_report(review)
    assert findings_of(pdf) == []
    assert len(pypdf.PdfReader(pdf).pages) == 1
    assert "1 more reader is in the full version" in text_of(pdf)


def test_names_from_right_to_left_are_printed_whole(
    make_review, decide_on, write_report, findings_of
):
    review = make_review(
        {"קורא שני": "nnmmnn"},
        decide_on(EventVerdict.ADD, 0, 2_000, note="هو عبس"),
        learner=Learner("l", "تلميذ"),
    )
    pdf = write_report(review, full=True)
    assert findings_of(pdf) == []
    read = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, check=True)
    text = read.stdout.decode()
    assert "תלמיד" not in text
    assert "קורא שני" in text
    assert "\ufffd" not in text


def test_words_of_people_are_never_read_as_markup(make_review, decide_on, write_report):
    odd = '#panic("x") $x^2$ *bold* _it_ `raw`'
    review = make_review(
        {odd: "nnmmnn"},
        decide_on(EventVerdict.ADD, 0, 2_000, note=odd, author="#A"),
        learner=Learner("l", odd),
        title=odd,
    )
    assert text_of(write_report(review, full=True)).count('#panic("x") $x^2$ *bold*') >= 4


def test_the_same_review_gives_the_same_bytes(make_review, write_report):
    review = make_review(TWO)
    first = write_report(review).read_bytes()
    assert write_report(review).read_bytes() == first


def test_tables_hold_every_window_and_every_event(make_review, decide_on, write_report):
    review = make_review(TWO, decide_on(EventVerdict.CONFIRM, 4_000, 8_000, **A))
    folder = write_report(review).parent
    windows = table(folder, "confusion-windows.csv")
    assert len(windows) == 3 * 12
    hidden = [w for w in windows if w["says"] == "not visible" and w["row"] == "face-cues/1"]
    assert [(w["start_ms"], w["visible"], w["level"]) for w in hidden] == [
        ("12000", "no", ""),
        ("14000", "no", ""),
    ]
    events = table(folder, "confusion-events.csv")
    assert [(e["row"], e["start_ms"], e["end_ms"], e["word"]) for e in events] == [
        ("reviewer", "4000", "8000", "confirmed"),
        ("reviewer’s words", "4000", "8000", "confirm"),
        ("face-cues/1", "4000", "8000", "confirm"),
        ("Qwen x5", "4000", "8000", "suggestion"),
        ("face-cues/1", "18000", "20000", "suggestion"),
    ]


def test_the_bands_come_as_a_picture_in_red_and_blue(make_review, decide_on, write_report):
    review = make_review(TWO, decide_on(EventVerdict.CONFIRM, 4_000, 8_000, **A))
    with Image.open(write_report(review).parent / "confusion-bands.png") as picture:
        colours = {colour[:3] for _, colour in picture.getcolors(1 << 20)}
    assert {(0xB3, 0x26, 0x1E), (0x1F, 0x4E, 0x9E)} <= colours


def test_pictures_lie_inside_their_event_and_in_the_video(make_review, decide_on):
    review = make_review(TWO, decide_on(EventVerdict.CONFIRM, 4_000, 8_000, **A))
    assert picture_times(review, False) == (6_900, 18_900)
    assert picture_times(review, True) == (4_900, 6_900, 18_900)
    assert picture_times(replace(review, media_found=False), True) == ()


def test_a_report_without_its_recording_says_that_pictures_are_missing(
    make_review, write_report, findings_of
):
    pdf = write_report(make_review(TWO), full=True, pictures={})
    assert findings_of(pdf) == []
    assert "No picture could be had for this stretch." in text_of(pdf)
