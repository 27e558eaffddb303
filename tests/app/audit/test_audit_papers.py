"""The report on an audit from the desk and from the command line."""

from __future__ import annotations

import json

import pytest
from built_audits import fill

from app.__main__ import main, parts
from app.audit.gates import read_gate
from app.audit.items import Axis
from app.desk import Desk
from app.errors import ReportRefused
from app.settings import Settings
from app.store.library import Library

GATES = (read_gate("knowledge >= 0.7"),)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.clerestory"
    with Library.open(path) as library:
        fill(library, axes=(Axis.KNOWLEDGE, Axis.SKILL), title="Spring", gates=GATES, scorings=1)
    return path


@pytest.fixture
def told(path, capsys):
    """Give a function that runs a command on the library and gives its JSON."""

    def run(*words):
        code = main(["audit", *words, "--library", str(path), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out)

    return run


def test_scores_are_told_with_findings_gates_and_figures(told):
    code, found = told("score", "Spring")
    assert code == 0
    assert found["responses"] == {"done": 280, "planned": 280}
    assert found["gates"][0]["verdict"] == "met"
    skill = next(
        f for f in found["figures"] if (f["axis"], f["measure"]) == ("skill", "mean_score")
    )
    assert (skill["value"], skill["judge"]) == (9.0, "one")
    assert [one["told"] for one in found["findings"]["unknown"]] == [
        "Pass shares in skill: withheld."
    ]
    assert found["findings"]["held"] == []


def test_the_terminal_says_first_that_items_were_not_reviewed(path, capsys):
    assert main(["audit", "score", "1", "--library", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["Spring: small", "  Starter items, not expert-reviewed."]
    assert any(line.startswith("What cannot be told") for line in lines)


@pytest.mark.slow
def test_the_report_is_written_with_all_its_files(told, tmp_path, warm_children):
    code, found = told("report", "1", "--out", str(tmp_path / "out"))
    assert code == 0
    written = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert written == [
        "figures.csv", "gates.csv", "inspect", "responses.csv", "responses.jsonl",
        "scorings.csv", "tutor-audit.json", "tutor-audit.pdf",
    ]  # fmt: skip
    assert len(found["files"]) == 8


def test_an_audit_that_is_not_there_is_refused_with_those_that_are(told):
    code, found = told("score", "Autumn")
    assert code == 1
    assert found["error"] == "No audit is called “Autumn”."
    assert "1  Spring" in found["hint"]


def test_nothing_is_reported_before_the_tutor_has_said_anything(path, tmp_path):
    with Desk(Library.open(path), parts(), Settings()) as desk:
        plan = desk.library.audits.audit(1).plan
        audit_id = desk.audit.begin(plan)
        with pytest.raises(ReportRefused, match="the tutor has given no response"):
            desk.audit.papers.write_report(
                audit_id, tmp_path, made_at="2026-11-30T14:05:00+00:00", program="Clerestory 0"
            )
