"""The page and tables of rated evidence, against the paper's Table 5 and hand arithmetic."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pypdf
import pytest

from app.benchmark.eqs import EqsResults
from app.benchmark.eqs_records import DrawnOutput, DrawSettings, EqsDraw, GivenRating, Opened
from app.coding.records import Citation, Stage
from app.lesson.clips import Clip
from app.scoring.eqs import Output, four_cells, mean_scores, rater_agreement
from app.scoring.rounding import printed
from app.scoring.scored import Code
from reports.eqs import write_eqs

MADE_AT, PROGRAM = "2026-11-30T14:05:00+00:00", "Clerestory 0.1.0"
ROWS = json.loads(
    (Path(__file__).parents[1] / "data" / "scoring" / "sciibi_tables.json").read_text("utf-8")
)["table5_eqs"]
SUMS = ((60, (152, 121, 159)), (58, (155, 156, 153)))
"""Two raters on 30 outputs, and on 29: see the tests of the scores for why not 30."""


def spread(total, n):
    each, more = divmod(total, n)
    return [each + (place < more) for place in range(n)]


def output(number, coder, right, quote="Why do you think so?"):
    said = Code("D1", 2) if right else Code("D3", 2)
    cited = (Citation(quote, (3,)),) if quote else ()
    clip = Clip(f"c{number}", 1, 4, 1000, 9000)
    return DrawnOutput(number, "ice", clip, coder, said, (Code("D1", 2),), cited)


def results_of(outputs, own, consensus=(), **more):
    """Count the ratings as the program does, without a library."""
    settings = DrawSettings(1, tuple(dict.fromkeys(o.coder for o in outputs)), 15, 7, ())
    draw = EqsDraw(1, "SciIBI", settings, MADE_AT, tuple(outputs))
    settled = {one.prediction_id for one in consensus}
    counting = [*consensus, *(one for one in own if one.prediction_id not in settled)]
    ratings = [one.rating for one in counting]
    plain = [Output(str(o.prediction_id), o.coder, "D1", o.is_right) for o in outputs]
    raters = tuple(dict.fromkeys(one.rater for one in own))
    agreement = rater_agreement(*([o.rating for o in own if o.rater == r] for r in raters))
    rated = len({one.prediction_id for one in counting})
    return EqsResults(
        draw, raters, agreement, mean_scores(plain, ratings), four_cells(plain, ratings), rated,
        len(consensus), tuple(own), tuple(consensus), **more,
    )  # fmt: skip


def given(number, rater, scores, note=""):
    stage = Stage.CONSENSUS if "&" in rater else Stage.OWN
    return GivenRating(number, rater, stage, tuple(scores), note)


def table(folder, name):
    with (folder / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def text_of(folder):
    reader = pypdf.PdfReader(folder / "evidence-quality.pdf")
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Files of ratings whose means are those the paper prints."""
    outputs, own = [], []
    for row, (n, sums) in zip(ROWS, SUMS, strict=True):
        scores = list(zip(*(spread(total, n) for total in sums), strict=True))
        for place in range(n // 2):
            outputs.append(output(len(outputs), row["model"], right=place < 15))
            number = outputs[-1].prediction_id
            own.append(given(number, "AK", scores[2 * place]))
            own.append(given(number, "BM", scores[2 * place + 1]))
    folder = tmp_path_factory.mktemp("eqs")
    write_eqs(results_of(outputs, own), folder, MADE_AT, PROGRAM)
    return folder


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["model"])
def test_table_5_is_the_papers(published, row):
    (found,) = [r for r in table(published, "eqs_table5.csv") if r["model"] == row["model"]]
    for part in ("alignment", "sufficiency", "specificity", "mean"):
        assert printed(float(found[part]), 2) == printed(row[part], 2)
        assert float(found[f"{part}_low_95"]) <= float(found[part])
        assert f"{row[part]:.2f} [" in text_of(published)


def test_a_denominator_stands_beside_every_figure(published):
    assert [r["outputs_rated"] for r in table(published, "eqs_table5.csv")] == ["30", "29"]
    assert {r["outputs"] for r in table(published, "eqs_agreement.csv")} == {"59"}
    assert {r["rated"] for r in table(published, "eqs_cells.csv")} == {"59"}
    assert sum(int(r["outputs"]) for r in table(published, "eqs_cells.csv")) == 59
    assert "Rated by both: 59 of 59 outputs" in text_of(published)


@pytest.fixture
def four(tmp_path):
    """Four outputs, one in each cell; on the last the raters differed and agreed on a poor 5/3."""
    outputs = [output(1, "one", True), output(2, "one", False), output(3, "two", True, "")]
    outputs.append(output(4, "two", False, "=IF(1)"))
    good, poor = (3, 3, 2), (1, 2, 1)
    own = [given(n, r, s) for n, s in ((1, good), (2, good), (3, poor)) for r in ("AK", "BM")]
    own += [given(4, "AK", (3, 3, 3)), given(4, "BM", poor, "thin")]
    opened = Opened("AK", MADE_AT, 1)
    consensus = [given(4, "AK & BM", (1, 2, 2), "talked")]
    results = results_of(outputs, own, consensus, coded_by={"BM": 2, "CN": 4}, opened=opened)
    write_eqs(results, tmp_path, MADE_AT, PROGRAM)
    return tmp_path


def test_each_output_stands_with_every_score_that_was_given(four):
    rows = {r["prediction_id"]: r for r in table(four, "eqs_outputs.csv")}
    last = rows["4"]
    assert [last[f"{who}_alignment"] for who in ("first", "second", "agreed")] == ["3", "1", "1"]
    # (1 + 2 + 2) / 3: what was agreed stands in the place of their own.
    assert (printed(float(last["mean"]), 2), last["high"]) == ("1.67", "no")
    assert (last["note_second"], last["note_agreed"]) == ("thin", "talked")
    # (3 + 3 + 2) / 3 by both.
    assert (printed(float(rows["1"]["mean"]), 2), rows["1"]["high"]) == ("2.67", "yes")
    assert (rows["2"]["given"], rows["2"]["acceptable"], rows["2"]["right"]) == (
        "D3:2",
        "D1:2",
        "no",
    )


def test_the_page_lists_mistakes_and_says_what_speaks_against_its_figures(four):
    text = text_of(four)
    assert "Reasonable mistakes 1 of 4 rated outputs. c2: one says D3, people accept D1" in text
    assert "Right for the wrong reasons 1 of 4 rated outputs. c3: two says D1" in text
    assert "Nothing is cited." in text
    assert "BM has also coded 2 of the drawn clips" in text
    assert "CN has" not in text
    assert "1 output on which the raters differed had not been agreed on" in text
    assert "1/4 = 25.0% [" in text


def test_the_page_is_one_that_a_screen_reader_can_read(four, findings_of):
    assert findings_of(four / "evidence-quality.pdf") == []


def test_without_a_second_rater_nothing_is_made_up(tmp_path):
    outputs = [output(1, "one", True)]
    settings = DrawSettings(1, ("one",), 15, 7, ("right outputs of one: 1 of 15",))
    draw = EqsDraw(1, "Set", settings, MADE_AT, tuple(outputs))
    plain = [Output("1", "one", "D1", True)]
    results = EqsResults(draw, ("AK",), (), mean_scores(plain, []), four_cells(plain, []), 0, 0)
    write_eqs(results, tmp_path, MADE_AT, PROGRAM)
    text = text_of(tmp_path)
    assert "AK has begun; a second, different person is needed." in text
    assert "Short: right outputs of one: 1 of 15." in text
    assert "The paper rates two models; here there is 1." in text
    (row,) = table(tmp_path, "eqs_table5.csv")
    assert (row["mean"], row["outputs_rated"]) == ("", "0")
    assert table(tmp_path, "eqs_agreement.csv") == []
