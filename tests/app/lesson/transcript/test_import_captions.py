from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.markup import Node, parse_cue
from app.lesson.transcript.read import read_transcript
from app.lesson.transcript.records import Flag

DATA = Path(__file__).resolve().parents[3] / "data" / "transcripts"


@pytest.fixture
def read(tmp_path):
    def read(name: str, text: str):
        path = tmp_path / name
        path.write_text(text, "utf-8", newline="")
        return read_transcript(path)

    return read


def lines_of(transcript):
    return [(u.start_ms, u.end_ms, u.speaker, u.text) for u in transcript.utterances]


def test_a_note_counts_only_where_it_starts_a_block():
    found = read_transcript(DATA / "bugs" / "note_inside_cue.vtt")
    assert lines_of(found)[1] == (
        1_461_400,
        1_464_370,
        "",
        "What is worth a\nnote here is that both plants had water.",
    )
    assert len(found.utterances) == 3


def test_a_countdown_without_blank_lines_is_speech():
    found = read_transcript(DATA / "bugs" / "numeric_text_no_blank_lines.vtt")
    assert lines_of(found) == [
        (1000, 2000, "", "3"),
        (2000, 3000, "", "2"),
        (3000, 4000, "", "1"),
    ]


def test_rolling_captions_are_read_once_with_their_word_times():
    found = read_transcript(DATA / "bugs" / "youtube_rolling.vtt")
    assert [u.text for u in found.utterances] == [
        "today we look at two plants again",
        "one stood by the window here",
        "what do you notice about it",
    ]
    assert [u.start_ms for u in found.utterances] == [469, 3179, 6000]
    assert [w.start_ms for w in found.utterances[1].words] == [3179, 3479, 3779, 4079, 4379, 4679]
    assert all(w.end_ms is None for u in found.utterances for w in u.words)
    assert found.language == "en"


def test_rolling_captions_without_word_times_are_known_by_their_hold_cues(read):
    text = ""
    for number, (start, end, shown) in enumerate(
        [
            ("00:00:01,000", "00:00:03,000", "first line"),
            ("00:00:03,000", "00:00:03,010", "first line"),
            ("00:00:03,010", "00:00:05,000", "first line\nsecond line"),
            ("00:00:05,000", "00:00:05,010", "second line"),
            ("00:00:05,010", "00:00:07,000", "second line\nthird line"),
        ],
        1,
    ):
        text += f"{number}\n{start} --> {end}\n{shown}\n\n"
    assert lines_of(read("rolling.srt", text)) == [
        (1000, 3000, "", "first line"),
        (3010, 5000, "", "second line"),
        (5010, 7000, "", "third line"),
    ]


def test_who_says_the_same_twice_is_heard_twice(read):
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nYes.\n\n00:02.000 --> 00:03.000\nYes.\n"
    assert [u.text for u in read("twice.vtt", text).utterances] == ["Yes.", "Yes."]


def test_teams_voices_are_speakers_and_empty_captions_are_told():
    found = read_transcript(DATA / "bugs" / "teams_guid_v_tags.vtt")
    assert lines_of(found) == [
        (3120, 6480, "Teacher One", "OK, so look at the two plants & tell\nme what you notice."),
        (6480, 8000, "Teacher One", "Take a minute."),
        (7600, 9900, "Student, Two (Grade 7)", "This one is bent to the window."),
    ]
    assert found.utterances[2].flags == (Flag.OVERLAP,)
    assert "1 caption without text was left out." in found.notes


def test_zoom_names_are_speakers_and_other_colons_are_not():
    found = read_transcript(DATA / "bugs" / "zoom_numbered_name_colon.vtt")
    assert [(u.speaker, u.text) for u in found.utterances] == [
        ("Teacher One", "So who can say what happened to the water?"),
        ("Student Two", "It went into the air."),
        ("", "10:30 Meeting: is on the calendar, ignore that."),
        ("", "Here's the key: evaporation."),
    ]


def test_stream_confidence_flags_unsure_captions(read):
    text = (
        "WEBVTT\n\nNOTE language:en-us\n\nNOTE Confidence: 0.31\n\nabc-1\n"
        "00:00:01.000 --> 00:00:02.000\nHello.\n\nNOTE Confidence: 0.92\n\nabc-2\n"
        "00:00:02.000 --> 00:00:03.000\nHi there.\n"
    )
    found = read("stream.vtt", text)
    assert [u.flags for u in found.utterances] == [(Flag.LOW_PROBABILITY,), ()]
    assert found.language == "en-us"


def test_two_voices_in_one_caption_become_two_lines(read):
    text = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ms Roe>Why?</v>\n<v Ana>It grew.</v>\n"
    found = read("voices.vtt", text)
    assert lines_of(found) == [(1000, 4000, "Ms Roe", "Why?"), (1000, 4000, "Ana", "It grew.")]
    assert found.utterances[1].flags == (Flag.OVERLAP,)


def test_text_that_stands_under_no_times_is_told_by_its_line(read):
    found = read("lost.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nOne.\n\nTwo.\n")
    assert [u.text for u in found.utterances] == ["One."]
    assert any("line 6 on stands under no times" in note for note in found.notes)


def test_bad_times_are_told_by_their_lines(read):
    found = read(
        "bad.srt",
        "1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n00:00:02,000 --> 00:0x:03,000\nTwo.\n",
    )
    assert [u.text for u in found.utterances] == ["One."]
    assert any("line 6 cannot be read" in note for note in found.notes)


def test_a_file_with_no_good_time_is_refused_with_the_line(read):
    with pytest.raises(TranscriptRefused, match=r"comma\.vtt, line 3, are not written as WebVTT"):
        read("comma.vtt", "WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nOne.\n")


def test_times_without_milliseconds_are_read_and_told():
    found = read_transcript(DATA / "bugs" / "no_milliseconds.srt")
    assert [(u.start_ms, u.end_ms) for u in found.utterances] == [
        (280_000, 281_000),
        (282_000, 284_000),
        (284_000, 287_000),
    ]
    assert "lines 2, 6 and 10 have no milliseconds" in found.notes[0]


def test_times_that_cannot_be_right_are_flagged_and_never_replaced(read):
    found = read(
        "odd.srt",
        "1\n-00:00:02,000 --> 00:00:01,000\nBefore.\n\n"
        "2\n00:00:05,000 --> 00:00:03,000\nBackwards.\n\n"
        "3\n00:00:06,000 --> 00:00:06,000\nNo length.\n",
    )
    assert [(u.start_ms, u.end_ms, u.flags) for u in found.utterances] == [
        (None, None, (Flag.DOUBTFUL_TIME,)),
        (5000, None, (Flag.DOUBTFUL_TIME,)),
        (6000, 6000, (Flag.DOUBTFUL_TIME,)),
    ]
    assert len([note for note in found.notes if note.startswith("Times that cannot")]) == 3


def test_subrip_tags_go_and_what_only_looks_like_them_stays(read):
    found = read(
        "tags.srt",
        "1\n00:00:01,000 --> 00:00:02,000  X1:010 X2:710\n"
        '{\\an8}<font color="#00f"><i>Is 2<3, or 5>1?</i></font> <odd>yes</odd> <open>no\n',
    )
    assert found.utterances[0].text == "Is 2<3, or 5>1? yes <open>no"


def test_captions_out_of_order_are_put_in_order_of_time(read):
    text = "WEBVTT\n\n00:05.000 --> 00:06.000\nlater\n\n00:01.000 --> 00:02.000\nearlier\n"
    found = read("order.vtt", text)
    assert [(u.number, u.text) for u in found.utterances] == [(1, "earlier"), (2, "later")]
    assert any("out of order" in note for note in found.notes)


def test_ruby_readings_are_not_spoken_twice(read):
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<ruby>漢字<rt>かんじ</rt></ruby>です\n"
    assert read("ruby.vtt", text).utterances[0].text == "漢字です"


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("arrows", ["text0", "text1", "text2", "text3", "text4", "text5"]),
        ("ids", ["text0", "text1", "text2", "text3", "text4"]),
        ("newlines", ["text0", "text1", "text2", "text3"]),
        ("nulls", ["text0", "text1", "\ufffdtext\ufffd2", "text3", "text4", "text5", "text6"]),
        ("timings-60", ["text1", "text2"]),
        ("timings-too-long", ["text0", "text1"]),
        ("timings-too-short", ["text0", "text1"]),
        ("header-timings", ["text"]),
        ("whitespace-chars", ["text0", "text1", "text2"]),
    ],
)
def test_files_are_cut_into_cues_as_the_web_platform_tests_say(name, texts):
    found = read_transcript(DATA / "wpt" / f"wpt_{name}.vtt")
    assert [u.text for u in found.utterances] == texts


TREES = [
    (name, case["text"], case["expectedTree"])
    for name in ("tags", "entities", "timestamps", "tree-building")
    for case in json.loads((DATA / "wpt" / f"wpt_cue_{name}.expected.json").read_text("utf-8"))
]
SHOWN_AS = {"c": "span", "v": "span", "lang": "span"}


def show(node: Node, depth: int = 0) -> str:
    text = ""
    for child in node.children:
        pad = "| " + "  " * depth
        if isinstance(child, str):
            text += f'{pad}"{child}"\n'
        elif child.tag == "time":
            whole_s, rest = divmod(child.time_ms, 1000)
            at = f"{whole_s // 3600:02}:{whole_s // 60 % 60:02}:{whole_s % 60:02}.{rest:03}"
            text += f"{pad}<?timestamp {at}>\n"
        else:
            text += f"{pad}<{SHOWN_AS.get(child.tag, child.tag)}>\n"
            inner = pad + "  "
            if child.classes:
                text += f'{inner}class="{" ".join(child.classes)}"\n'
            if child.tag == "lang":
                text += f'{inner}lang="{child.annotation}"\n'
            if child.tag == "v":
                text += f'{inner}title="{child.annotation}"\n'
            text += show(child, depth + 1)
    return text


@pytest.mark.parametrize(("name", "text", "tree"), TREES)
def test_cue_text_gives_the_tree_of_the_web_platform_tests(name, text, tree):
    lines = text.removesuffix("\n").replace("\0", "\ufffd")
    cue = lines.split("\n\n")[0].rstrip("\n")  # an empty line ends the cue
    assert show(parse_cue(cue)) == tree


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.txt", "[0][20]Why?|Say it.\n[20][45]/It grew.\n", [(0, 2000), (2000, 4500)]),
        ("a.txt", "00:00:01:Why?\n00:00:05:It grew.\n", [(1000, None), (5000, None)]),
        ("a.sub", "{1}{1}25\n{25}{50}Why?\n{50}{75}It grew.\n", [(1000, 2000), (2000, 3000)]),
    ],
)
def test_formats_of_old_players_are_read(read, name, text, wanted):
    found = read(name, text)
    assert [(u.start_ms, u.end_ms) for u in found.utterances] == wanted
    assert found.utterances[-1].text == "It grew."


def test_substation_subtitles_are_read(read):
    text = (
        "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        "Dialogue: 0,0:00:01.00,0:00:02.50,Default,Ms Roe,0,0,0,,{\\i1}Why{\\i0} is that?\n"
    )
    assert lines_of(read("a.ass", text)) == [(1000, 2500, "Ms Roe", "Why is that?")]
