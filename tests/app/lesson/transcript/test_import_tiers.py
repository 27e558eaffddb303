from __future__ import annotations

import pytest

from app.errors import TranscriptRefused
from app.lesson.transcript.read import read_transcript
from app.lesson.transcript.records import Flag

SLOTS = [("a", 1000), ("b", 1400), ("c", None), ("d", 3000), ("e", 2500), ("f", 4000)]
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT FORMAT="3.0"><HEADER TIME_UNITS="milliseconds"/><TIME_ORDER>"""
TYPES = """
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="utt"/>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="words" CONSTRAINTS="Time_Subdivision"/>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="symbols" CONSTRAINTS="Symbolic_Subdivision"/>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="beside" CONSTRAINTS="Symbolic_Association"/>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="gesture" CONTROLLED_VOCABULARY_REF="G"/>
</ANNOTATION_DOCUMENT>"""


def timed(key, start, end, text):
    return (
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{key}" TIME_SLOT_REF1="{start}" '
        f'TIME_SLOT_REF2="{end}"><ANNOTATION_VALUE>{text}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION>"
    )


def referring(key, parent, text):
    return (
        f'<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="{key}" ANNOTATION_REF="{parent}">'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>"
    )


def tier(name, kind, *annotations, parent="", participant=""):
    above = f' PARENT_REF="{parent}"' if parent else ""
    who = f' PARTICIPANT="{participant}"' if participant else ""
    return (
        f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="{kind}"{above}{who}>'
        + "".join(annotations)
        + "</TIER>"
    )


@pytest.fixture
def read_eaf(tmp_path):
    def read_eaf(*tiers):
        slots = "".join(
            f'<TIME_SLOT TIME_SLOT_ID="{k}"' + (f' TIME_VALUE="{v}"/>' if v is not None else "/>")
            for k, v in SLOTS
        )
        path = tmp_path / "lesson.eaf"
        path.write_text(HEAD + slots + "</TIME_ORDER>" + "".join(tiers) + TYPES, "utf-8")
        return read_transcript(path)

    return read_eaf


def facts(found):
    return [(u.start_ms, u.end_ms, u.speaker, u.text) for u in found.utterances]


def test_tiers_are_speakers_in_order_of_time_and_overlaps_are_flagged(read_eaf):
    found = read_eaf(
        tier("Ana", "utt", timed("a2", "e", "f", "it grew")),
        tier("sp1", "utt", timed("a1", "a", "d", "why is that"), participant="Ms Roe"),
    )
    assert facts(found) == [
        (1000, 3000, "Ms Roe", "why is that"),
        (2500, 4000, "Ana", "it grew"),
    ]
    assert found.utterances[1].flags == (Flag.OVERLAP,)


def test_words_between_slots_without_time_have_no_time(read_eaf):
    found = read_eaf(
        tier("T", "utt", timed("a1", "a", "d", "why is that")),
        tier(
            "T-words",
            "words",
            timed("w1", "a", "b", "why"),
            timed("w2", "b", "c", "is"),
            timed("w3", "c", "d", "that"),
            parent="T",
        ),
    )
    (line,) = found.utterances
    assert [(w.text, w.start_ms, w.end_ms) for w in line.words] == [
        ("why", 1000, 1400),
        ("is", 1400, None),
        ("that", None, 3000),
    ]
    assert line.flags == (Flag.UNTIMED_WORDS,)


def test_symbolic_words_have_no_times_of_their_own(read_eaf):
    found = read_eaf(
        tier("T", "utt", timed("a1", "a", "d", "why so")),
        tier("w", "symbols", referring("s1", "a1", "why"), referring("s2", "a1", "so"), parent="T"),
    )
    assert [(w.text, w.start_ms) for w in found.utterances[0].words] == [
        ("why", None),
        ("so", None),
    ]


def test_text_beside_numbered_lines_is_the_speech(read_eaf):
    found = read_eaf(
        tier("ref@Ana", "utt", timed("a1", "a", "d", "lesson.001")),
        tier("tx@Ana", "beside", referring("s1", "a1", "it grew to the light"), parent="ref@Ana"),
    )
    assert facts(found) == [(1000, 3000, "Ana", "it grew to the light")]


def test_gestures_from_a_fixed_list_are_no_speech(read_eaf):
    found = read_eaf(
        tier("T", "utt", timed("a1", "a", "d", "why is that")),
        tier("hands", "gesture", timed("g1", "a", "b", "stroke")),
    )
    assert len(found.utterances) == 1
    assert any("hands" in note for note in found.notes)


def test_an_elan_file_that_declares_entities_is_refused(tmp_path):
    path = tmp_path / "bomb.eaf"
    path.write_text(
        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]>'
        "<ANNOTATION_DOCUMENT><TIER>&y;</TIER></ANNOTATION_DOCUMENT>",
        "utf-8",
    )
    with pytest.raises(TranscriptRefused, match=r"bomb\.eaf cannot be read as an ELAN file"):
        read_transcript(path)


def test_a_cut_elan_file_is_refused_with_its_line(tmp_path):
    path = tmp_path / "cut.eaf"
    path.write_text(HEAD + "\n<TIME_SLOT", "utf-8")
    with pytest.raises(TranscriptRefused, match=r"cut\.eaf, line 3, cannot be read"):
        read_transcript(path)


LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 4
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "Ms Roe"
        xmin = 0
        xmax = 4
        intervals: size = 3
        intervals [1]:
            xmin = -0
            xmax = 1e-03
            text = ""
        intervals [2]:
            xmin = 1e-03
            xmax = 2.5
            text = "why is ""that"" = 3
the plant bent" ! a remark
        intervals [3]:
            xmin = 2.5
            xmax = 4
            text = "<sil>"
    item [2]:
        class = "TextTier"
        name = "pitch"
        xmin = 0
        xmax = 4
        points: size = 1
        points [1]:
            number = 1.5
            mark = "120"
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_long_textgrid_gives_its_intervals(tmp_path, encoding):
    path = tmp_path / "a.TextGrid"
    path.write_bytes(LONG.encode(encoding))
    found = read_transcript(path)
    assert facts(found) == [(1, 2500, "Ms Roe", 'why is "that" = 3\nthe plant bent')]
    assert "Tiers not read as speech: pitch." in found.notes


def short(*tiers):
    body = [f"{len(tiers)}"]
    for name, intervals in tiers:
        body += ['"IntervalTier"', f'"{name}"', "0", "9", f"{len(intervals)}"]
        for start, end, text in intervals:
            body += [str(start), str(end), f'"{text}"']
    return 'File type = "ooTextFile"\n"TextGrid"\n\n0\n9\n<exists>\n' + "\n".join(body) + "\n"


def test_words_of_a_tier_give_an_utterance_its_word_times(tmp_path):
    path = tmp_path / "a.TextGrid"
    words = [(0, 1, "it"), (1, 2, "grew")]
    path.write_text(short(("Ana", [(0, 2, "It grew")]), ("words", words)), "utf-8")
    (line,) = read_transcript(path).utterances
    assert [(w.text, w.start_ms, w.end_ms) for w in line.words] == [
        ("it", 0, 1000),
        ("grew", 1000, 2000),
    ]


def test_single_words_are_put_into_lines_at_pauses(tmp_path):
    path = tmp_path / "a.TextGrid"
    words = [(0, 1, "it"), (1, 2, "grew"), (2, 4, "sp"), (4, 5, "yes")]
    phones = [(0, 1, "IH1"), (1, 2, "T")]
    path.write_text(short(("Ana - words", words), ("Ana - phones", phones)), "utf-8")
    assert facts(read_transcript(path)) == [(0, 2000, "Ana", "it grew"), (4000, 5000, "Ana", "yes")]


def test_a_textgrid_cut_short_is_refused(tmp_path):
    path = tmp_path / "cut.TextGrid"
    path.write_text(LONG[:400], "utf-8")
    with pytest.raises(TranscriptRefused, match=r"cut\.TextGrid"):
        read_transcript(path)


def test_word_times_that_run_backwards_are_taken_away(tmp_path):
    path = tmp_path / "a.TextGrid"
    path.write_text(short(("words", [(3, 1, "it"), (4, 5, "grew")])), "utf-8")
    (line,) = read_transcript(path).utterances[:1]
    assert (line.words[0].text, line.words[0].start_ms, line.words[0].end_ms) == ("it", None, None)
    assert Flag.UNTIMED_WORDS in line.flags
