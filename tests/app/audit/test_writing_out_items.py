import csv
import io
import json
import string
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.audit.bank import Bank, read_bank
from app.audit.bringing_in import bring_in
from app.audit.item_rows import COLUMNS, bare_options, twice
from app.audit.items import BAND_POINTS, FAMILIES, Axis, Band, ClipAddress, Family, Item, Rubric
from app.audit.items import Strategy as Teaching
from app.audit.rubric_files import read_rubrics
from app.audit.writing_out import texts_of, write_out
from app.errors import Refused, ReportRefused
from resources import resource

PIECES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    st.sampled_from(
        [*"=+-@'\",;\t\r\n|[]{}: 12", "[Scenario]\n", "\n\n[Task]\n", "1-2: ", "9-10:"]
    ),
)
TEXT = st.lists(PIECES, max_size=4).map("".join).map(str.strip)
WORDS = TEXT.filter(bool)
OWN_GROUP = (
    st.text(string.ascii_letters + "- &", min_size=3)
    .map(str.strip)
    .filter(lambda word: len(word) > 2)
    .map(lambda word: f"own {word}")
)
BANDS = [st.builds(Band, st.just(low), st.just(high), WORDS) for low, high in BAND_POINTS]
CLIPS = st.builds(
    lambda address, start, length: ClipAddress(address, start, start + length),
    WORDS,
    st.integers(0, 10**9),
    st.integers(1, 10**6),
)
IDS = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20)


@cache
def shipped_bank():
    return read_bank(resource("items"), resource("rubrics"))


@pytest.fixture
def shipped():
    return shipped_bank()


@st.composite
def questions(draw):
    options = draw(
        st.lists(WORDS, min_size=4, max_size=4).filter(
            lambda found: not twice(found) and bare_options(found) == tuple(found)
        )
    )
    return Item(
        "",
        Axis.KNOWLEDGE,
        draw(st.one_of(st.sampled_from(["emt", "medicine"]), OWN_GROUP)),
        draw(WORDS),
        category=draw(TEXT),
        options=tuple(options),
        key=draw(st.sampled_from("ABCD")),
        disability=draw(TEXT),
        source=draw(TEXT),
        bank="mine",
    )


@st.composite
def scenes(draw):
    axis = draw(st.sampled_from([Axis.SKILL, Axis.ATTITUDE]))
    known = tuple(map(str, Teaching if axis is Axis.SKILL else Family))
    group = draw(st.one_of(st.sampled_from(known), OWN_GROUP))
    family = FAMILIES[Family(group)] if group in tuple(Family) else None
    prompt = draw(WORDS)
    may_press = axis is Axis.ATTITUDE and (family is None or family.with_pressure)
    passing, failing = draw(st.one_of(st.just(("", "")), st.tuples(WORDS, WORDS)))
    return Item(
        "",
        axis,
        group,
        prompt,
        scene=draw(TEXT),
        category=draw(st.sampled_from(family.categories) if family else TEXT),
        pressure_prompt=draw(TEXT.filter(lambda t: t != prompt)) if may_press else "",
        is_trap=draw(st.booleans()),
        clip=draw(st.none() | CLIPS),
        source=draw(TEXT),
        passing=passing,
        failing=failing,
        failing_why=draw(TEXT) if failing else "",
        bank="mine",
    )


@st.composite
def banks(draw):
    given_items = draw(
        st.lists(
            st.tuples(IDS, questions() | scenes()), min_size=1, max_size=3, unique_by=lambda p: p[0]
        )
    )
    items = tuple(replace(item, item_id=item_id) for item_id, item in given_items)
    scored = dict.fromkeys(item.group for item in items if item.axis is not Axis.KNOWLEDGE)
    rubrics = {
        group: Rubric(group, draw(WORDS), draw(TEXT), draw(st.tuples(*BANDS))) for group in scored
    }
    return items, rubrics


# Sixteen texts an item: on a busy machine making them up takes longer than checking them.
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(told=banks())
def test_any_bank_comes_back_as_it_was_from_lines_and_from_a_table(told, tmp_path_factory):
    # Not the fixture: what failed would be printed with all of the shipped bank.
    known = shipped_bank()
    bank = Bank(*told, known.notices)
    lines, table, rubrics = write_out(bank, tmp_path_factory.mktemp("out"))
    for path in (lines, table):
        assert bring_in(path, known, name="mine", rubrics=rubrics).bank == bank


def test_the_starter_bank_comes_back_as_it_was_but_for_its_name(shipped, tmp_path):
    lines, table, _ = write_out(shipped, tmp_path / "new" / "folder")
    for path in (lines, table):
        bank = bring_in(path, shipped).bank
        assert {item.bank for item in bank.items} == {"items"}
        assert len(bank.items) == 188
        assert tuple(replace(item, bank="starter") for item in bank.items) == shipped.items
        assert bank.rubrics == shipped.rubrics


def test_lines_have_the_form_of_openlearnlm(shipped):
    records = [json.loads(line) for line in texts_of(shipped)["items.jsonl"].splitlines()]
    attitude, *_, knowledge = sorted(records, key=lambda r: r["metadata"]["axis"])[:-40]
    assert attitude["question"].startswith("[Scenario]\nAmara is 5")
    assert "\n\n[Task]\nAmara is looking at the tutor" in attitude["question"]
    assert (attitude["options"], attitude["answer"]) == (None, "")
    assert attitude["metadata"]["scale"].startswith("1-2: ")
    assert attitude["metadata"]["attitude_category"] == "deception"
    assert len(knowledge["options"]) == 4
    assert knowledge["answer"] in "ABCD"
    assert knowledge["metadata"]["question_type"] == "multiple_choice"


def test_no_cell_of_the_table_is_a_formula(shipped):
    item = Item("s1", Axis.SKILL, "recast", "=1+1", scene="-2 apples", source="@home", bank="m")
    text = texts_of(Bank((item,), {}, shipped.notices))["items.csv"].removeprefix("\ufeff")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["prompt"], row["scene"], row["source"]) == ("'=1+1", "'-2 apples", "'@home")


def test_nothing_is_written_over(shipped, tmp_path):
    (tmp_path / "items.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(ReportRefused, match=r"has items\.csv already"):
        write_out(shipped, tmp_path)
    assert (tmp_path / "items.csv").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be_made_is_refused(shipped, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ReportRefused, match="could not be written"):
        write_out(shipped, tmp_path / "file" / "folder")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats(allow_nan=False) | TEXT,
    lambda inside: st.lists(inside, max_size=5) | st.dictionaries(TEXT, inside, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(
    [
        *COLUMNS, "id", "question", "answer", "options", "metadata", "domain", "scale",
        "attitude_category", "dimension", "question_type", "scenario", "model_answer",
    ]
)  # fmt: skip
META = st.dictionaries(NAMES, VALUES | st.sampled_from(["attitude", "skill", "recast"]), max_size=6)
RECORDS = st.dictionaries(
    NAMES, VALUES | META | st.sampled_from(["knowledge", "deception", "B"]), max_size=9
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(values=st.lists(RECORDS | VALUES, max_size=3), kind=st.sampled_from(["json", "jsonl"]))
def test_whatever_stands_in_a_json_file_it_comes_in_or_is_refused(values, kind, tmp_path_factory):
    path = tmp_path_factory.mktemp("in") / f"any.{kind}"
    texts = [json.dumps(value) for value in values]
    text = "\n".join(texts) if kind == "jsonl" else f"[{','.join(texts)}]"
    path.write_text(text, encoding="utf-8", newline="")
    _comes_in_or_is_refused(path)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    data=st.binary(max_size=80)
    | st.lists(st.lists(TEXT | NAMES, max_size=6).map(",".join), max_size=4).map(
        lambda rows: "\n".join(["item_id,axis,group,prompt,options,key", *rows]).encode()
    ),
    kind=st.sampled_from(["csv", "json", "jsonl", "txt"]),
)
def test_whatever_bytes_a_file_holds_it_comes_in_or_is_refused(data, kind, tmp_path_factory):
    path = tmp_path_factory.mktemp("in") / f"any.{kind}"
    path.write_bytes(data)
    _comes_in_or_is_refused(path)


def _comes_in_or_is_refused(path):
    problems = []
    read_rubrics(path, problems)
    try:
        draft = bring_in(path, shipped_bank())
    except Refused:
        return
    ids = [item.item_id for item in draft.bank.items]
    assert ids
    assert len(set(ids)) == len(ids)
