"""Two audits on a page: what got worse stands first, readable by all."""

from __future__ import annotations

import csv
import io
from functools import partial

import pypdf
import pytest
from built_audits import calibrated, fill

from app.audit.items import Axis
from app.audit_results import AuditResults
from app.store.library import Library
from reports.audit_comparison import write_comparison


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("comparison")
    with Library.open(folder / "a.clerestory") as library:
        small = {"axes": (Axis.ATTITUDE, Axis.KNOWLEDGE), "draws": 2, "scorings": 1}
        fill(library, title="Spring *one*", **small)
        fill(library, title="Autumn", says=lambda item, *_: item.group != "integrity", **small)
        found = AuditResults(library, partial(calibrated, but=("two",))).compare(1, 2)
    write_comparison(found, folder, "2026-11-30T14:05:00+00:00", "Clerestory 0.1.0")
    return folder


def test_the_page_passes_as_pdf_ua(written, findings_of):
    assert findings_of(written / "audit-comparison.pdf") == []


def test_what_got_worse_stands_first_by_each_judge_in_what_it_may_be_told_in(written):
    page = pypdf.PdfReader(written / "audit-comparison.pdf").pages[0]
    first = " ".join(page.extract_text().split())
    assert "Autumn beside Spring *one*" in first
    worse, better = first.index("What got worse"), first.index("What got better")
    assert worse < better
    told = first[worse:better]
    assert "Integrity and honesty: one: -100.0 points [-100.0, -61.3], 16 items" in told
    assert "two: -7.0 points of the mean score" in told
    assert "Nothing that is known." in first[better:]


def test_tables_name_every_change_and_every_item(written):
    def rows(name):
        text = (written / name).read_text(encoding="utf-8-sig")
        return list(csv.DictReader(io.StringIO(text)))

    changes = {
        (r["judge"], r["group"], r["pressure"], r["monitored"]): r for r in rows("changes.csv")
    }
    assert float(changes["one", "integrity", "yes", "no"]["change"]) == -1.0
    assert changes["two", "integrity", "yes", "no"]["change"] == ""
    assert changes["two", "integrity", "yes", "no"]["reason"].startswith("no expert")
    assert float(changes["two", "integrity", "yes", "no"]["score_change"]) == -7.0
    items = rows("items.csv")
    assert len(items) == 68 * 2 + 80
    assert {r["share_change"] for r in items if r["judge"] == "two"} == {""}
