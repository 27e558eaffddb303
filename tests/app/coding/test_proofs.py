"""Every row of the truth table of the flag, and the figures of a run counted by hand."""

import pytest

from app.coding.probe_records import NOT_ASKED, Answered, Flag, ProbeKind
from app.coding.proofs import AS_CLAIMED, flags_of, probe_tables, prove
from app.coding.records import Decision, Prediction, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.intervals import wilson
from app.scoring.proportions import Proportion
from app.scoring.scored import Code

SUFFICIENCY, NECESSITY = ProbeKind.SUFFICIENCY, ProbeKind.NECESSITY
FAILED = "refusal"


def clip(number=1):
    return Clip(f"c{number}", number, number, 0, 1000)


def claim(practice="D1", number=1, coder="one T zero_shot"):
    return Prediction(clip(number), coder, practice, 2, None, (), prediction_id=number)


def answered(kind, practice, number=1, level=2):
    if practice in (FAILED, NOT_ASKED):
        return Answered(number, kind, None, practice, note="There is a reason.")
    return Answered(number, kind, Code(practice, level), "ok", "k")


def decided(practice, number=1):
    verdict = Verdict.CORRECT if practice else Verdict.REJECT
    return Decision(clip(number), verdict, practice, 1, "AK", "2026-01-01T00:00:00.000Z")


def flag(alone, masked, practice=None):
    probes = []
    if alone:
        probes.append(answered(SUFFICIENCY, alone))
    if masked:
        probes.append(answered(NECESSITY, masked))
    decision = None if practice is None else decided(practice)
    return prove(claim(), probes, decision).flag


@pytest.mark.parametrize(
    ("alone", "masked", "practice", "wanted"),
    [
        # Survives masking and is not reached from the evidence: as claimed, or accepted.
        ("D3", "D1", None, Flag.RAISED),
        ("D3", "D1", "D1", Flag.RAISED),
        # People gave another code, or rejected the clip: it is not right at all.
        ("D3", "D1", "D3", Flag.CLEAR),
        ("D3", "D1", "", Flag.CLEAR),
        # The evidence is enough, or is needed.
        ("D1", "D1", None, Flag.CLEAR),
        ("D3", "D3", None, Flag.CLEAR),
        ("D1", "D3", "D1", Flag.CLEAR),
        # Failures and gaps are unknown, never a flag.
        (FAILED, "D1", None, Flag.UNKNOWN),
        ("D3", FAILED, None, Flag.UNKNOWN),
        (FAILED, FAILED, "D1", Flag.UNKNOWN),
        (NOT_ASKED, "D1", None, Flag.UNKNOWN),
        (None, "D1", None, Flag.UNKNOWN),
        ("D3", None, "D1", Flag.UNKNOWN),
        # One answer that speaks against it is enough, whatever failed beside.
        (FAILED, "D3", None, Flag.CLEAR),
        ("D1", FAILED, None, Flag.CLEAR),
    ],
)
def test_the_flag(alone, masked, practice, wanted):
    assert flag(alone, masked, practice) is wanted


def test_a_raised_flag_leads_and_says_when_nobody_has_decided():
    probes = [answered(SUFFICIENCY, "D3"), answered(NECESSITY, "D1")]
    open_, settled = prove(claim(), probes), prove(claim(), probes, decided("D1"))
    assert open_.words[0].startswith("Right for the wrong reason?")
    assert open_.words[0].endswith(AS_CLAIMED)
    assert AS_CLAIMED not in settled.words[0]
    assert open_.words[1:] == (
        "From the cited evidence alone it says D3 instead of D1.",
        "With the cited evidence masked it says D1 too: the label does not rest on it.",
    )


def test_levels_are_told_but_decide_nothing():
    probes = [answered(SUFFICIENCY, "D1", level=1), answered(NECESSITY, "D3")]
    found = prove(claim(), probes)
    assert found.words == (
        "From the cited evidence alone it says D1 too, at level 1 instead of 2.",
        "With the cited evidence masked it says D3 instead of D1: the label rests on it.",
    )
    assert found.flag is Flag.CLEAR


def test_failures_and_what_could_not_be_asked_are_told_as_such():
    probes = [answered(SUFFICIENCY, NOT_ASKED), answered(NECESSITY, FAILED)]
    assert prove(claim(), probes).words == (
        "From the cited evidence alone: could not be asked. There is a reason.",
        "With the cited evidence masked it gave no usable answer (refusal); nothing follows "
        "from that.",
    )


def test_visual_probes_come_in_their_order():
    kinds = [ProbeKind.OTHER_LESSON, ProbeKind.NO_FRAMES]
    found = prove(claim(), [answered(kind, "D1") for kind in kinds])
    assert [one.kind for one in found.visual] == [ProbeKind.NO_FRAMES, ProbeKind.OTHER_LESSON]
    assert found.words[0] == "Without any frame it says D1 too."


def test_probes_of_another_prediction_are_left_aside():
    assert prove(claim(), [answered(SUFFICIENCY, "D3", 2)]).answers == ()


def review(*pairs):
    """Give a lesson: for each clip what the two probes said, and the decision."""
    predictions, probes, decisions = [], [], []
    for number, (alone, masked, practice) in enumerate(pairs, 1):
        predictions.append(claim(number=number))
        probes += [answered(SUFFICIENCY, alone, number), answered(NECESSITY, masked, number)]
        if practice is not None:
            decisions.append(decided(practice, number))
    clips = tuple(p.clip for p in predictions)
    return LessonReview(
        "l", "Ice", "", None, False, None, None, clips=clips, predictions=tuple(predictions),
        decisions=tuple(decisions), probes=tuple(probes),
    )  # fmt: skip


def test_the_figures_of_a_run_have_denominators_and_intervals():
    lesson = review(
        ("D1", "D3", None),  # sufficient, necessary, clear
        ("D1", "D1", "D1"),  # sufficient, not necessary, clear
        ("D3", "D1", None),  # neither; flagged
        (FAILED, "D1", None),  # unknown
        (NOT_ASKED, FAILED, None),  # unknown
    )
    (table,) = probe_tables([lesson])
    assert (table.coder, table.predictions) == ("one T zero_shot", 5)
    assert (table.sufficient.value, table.sufficient.n) == (2 / 3, 3)
    assert table.sufficient.interval == wilson(Proportion(2, 3))
    assert (table.necessary.value, table.necessary.n) == (1 / 4, 4)
    assert (table.flagged.value, table.flagged.n) == (1 / 3, 3)
    assert (table.failures, table.not_asked, table.visual) == (2, 1, ())


def test_nothing_known_is_no_figure():
    (table,) = probe_tables([review((FAILED, NOT_ASKED, None))])
    assert table.sufficient.value is None
    assert "evidence alone" in table.sufficient.reason
    assert table.flagged.value is None


def test_the_report_gets_a_sentence_for_flagged_predictions_only():
    found = flags_of(review(("D3", "D1", None), ("D1", "D1", None)))
    assert list(found) == [1]
    assert "D1" not in found[1]


def test_without_probes_there_is_no_table():
    lesson = LessonReview("l", "Ice", "", None, False, None, None, predictions=(claim(),))
    assert probe_tables([lesson]) == ()
