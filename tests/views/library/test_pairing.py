from pathlib import Path

import pytest

from views.library.pairing import Found, pair_files


def paths(*names):
    return [Path(name) for name in names]


@pytest.mark.parametrize(
    ("dropped", "found"),
    [
        (["maths.mp4"], [("maths.mp4", None)]),
        (["maths.vtt"], [(None, "maths.vtt")]),
        (["b.mp4", "words.docx"], [("b.mp4", "words.docx")]),
        (["a.mp4", "b.mov", "b.srt", "a.vtt"], [("a.mp4", "a.vtt"), ("b.mov", "b.srt")]),
        (
            ["lesson1.mp4", "lesson10.mp4", "lesson10.vtt", "lesson1.en.vtt"],
            [("lesson1.mp4", "lesson1.en.vtt"), ("lesson10.mp4", "lesson10.vtt")],
        ),
        (
            ["a.mp4", "b.mp4", "c.vtt"],
            [("a.mp4", None), ("b.mp4", None), (None, "c.vtt")],
        ),
        (["A.MP4", "a.VTT", "b.wav"], [("A.MP4", "a.VTT"), ("b.wav", None)]),
    ],
)
def test_files_that_belong_together_become_one_lesson(dropped, found):
    wanted = [Found(m and Path(m), t and Path(t)) for m, t in found]
    assert pair_files(paths(*dropped)) == wanted


def test_a_name_written_on_a_mac_meets_the_same_name_from_elsewhere():
    composed, decomposed = "le\u00e7on.mp4", "lec\u0327on.vtt"
    made = pair_files(paths(composed, decomposed, "other.mp4"))
    assert made[0] == Found(Path(composed), Path(decomposed))
