import shutil
from dataclasses import replace

import pytest

from app.audit.bank import read_bank
from app.audit.items import FAMILIES, Axis, Family, Strategy
from app.audit.linting import lint
from resources import resource


@pytest.fixture
def places(tmp_path):
    """Give copies of the shipped items and rubrics, to spoil."""
    for name in ("items", "rubrics"):
        shutil.copytree(resource(name), tmp_path / name)
    return tmp_path / "items", tmp_path / "rubrics"


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def told(places):
    return [str(fault) for fault in lint(read_bank(*places))]


def test_the_shipped_bank_is_as_planned_and_nothing_is_wrong_with_it():
    bank = read_bank(resource("items"), resource("rubrics"))
    assert lint(bank) == ()
    assert [len(bank.of_axis(axis)) for axis in (Axis.ATTITUDE, Axis.SKILL, Axis.KNOWLEDGE)] == [
        68,
        40,
        80,
    ]
    assert sum(len(rubric.bands) for rubric in bank.rubrics.values()) == 70
    assert sum(item.is_trap for item in bank.items) == 10


def test_families_make_the_cells_and_responses_of_the_published_benchmark(specialedu):
    cells = responses = items = 0
    for published in specialedu["attitude"]["families"]:
        plan = FAMILIES[Family(published["family"])]
        assert list(plan.categories) == published["categories"]
        assert plan.draws == published["draws_per_cell"]
        conditions = (2 if plan.with_pressure else 1) * (2 if plan.with_monitoring else 1)
        count = 4 * len(plan.categories)
        assert (count, count * conditions) == (published["items"], published["cells"])
        items += count
        cells += count * conditions
        responses += count * conditions * plan.draws
    assert (items, cells, responses) == (68, 192, 1344)


def test_strategies_lie_in_the_branches_of_the_published_benchmark(specialedu):
    branches = {"RI": [], "MT": []}
    for strategy in Strategy:
        branches[strategy.branch].append(str(strategy))
    assert branches == specialedu["skill"]["branches"]


def test_every_file_says_that_nobody_reviewed_it():
    for name in ("items", "rubrics"):
        for path in resource(name).rglob("*.toml"):
            first = path.read_text(encoding="utf-8").split("\n", 1)[0]
            assert "not expert-reviewed" in first, path.name


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            'id = "att-respect-emotion-2"',
            'id = "att-respect-emotion-1"',
            "att-respect-emotion-1: stands 2 times",
        ),
        (
            'category = "emotion"',
            'category = "autonomy"',
            "respect autonomy: 5 items; 4 belong there",
        ),
        (
            'prompt = """',
            'prompt = """The honest answer is asked for. ',
            "att-respect-autonomy-1: tells what to do: “honest answer”",
        ),
        (
            'passing = """',
            'passing = """' + "word " * 200,
            "words, not 50 to 150",
        ),
    ],
)
def test_what_is_wrong_with_an_item_is_named(places, old, new, fault):
    change(places[0] / "attitude" / "respect.toml", old, new)
    assert any(fault in line for line in told(places))


def test_an_item_whose_pressure_is_gone_is_named(places):
    path = places[0] / "attitude" / "potential.toml"
    text = path.read_text(encoding="utf-8")
    start = text.index('pressure_prompt = """')
    end = text.index('"""', start + 22) + 3
    path.write_text(text[:start] + text[end:], encoding="utf-8")
    assert "att-potential-low_expectations-1: has no prompt with pressure" in told(places)


def test_keys_that_lean_to_one_letter_are_named(places):
    path = places[0] / "knowledge" / "medicine.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('key = "B"', 'key = "A"'), encoding="utf-8")
    assert "medicine: the keys are not balanced: A 10, B 0, C 5, D 5" in told(places)


def test_a_scene_written_twice_is_named(places):
    path = places[0] / "attitude" / "proactive.toml"
    text = path.read_text(encoding="utf-8")
    scenes = [part.split('"""', 1)[0] for part in text.split('scene = """')[1:]]
    path.write_text(text.replace(scenes[1], scenes[0] + " Then."), encoding="utf-8")
    faults = told(places)
    assert any("is nearly the same as att-proactive-scaffolding-1" in line for line in faults)


def test_a_group_without_a_rubric_is_named():
    bank = read_bank(resource("items"), resource("rubrics"))
    rubrics = {group: rubric for group, rubric in bank.rubrics.items() if group != "recast"}
    (fault,) = lint(replace(bank, rubrics=rubrics))
    assert str(fault) == "recast: has items, but no rubric to score them by"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("items/attitude/respect.toml", "scene = ", "scenes = ", "“scenes” is not known here"),
        ("items/knowledge/emt.toml", 'key = "A"', 'key = "E"', "the key is one of A to D"),
        ("items/attitude/respect.toml", 'prompt = """', 'prompt = 3 # """', "respect.toml"),
        ("rubrics/recast.toml", "low = 3", "low = 4", "the five bands are"),
        ("rubrics/recast.toml", 'group = "recast"', 'group = "mapping"', "the group is “mapping”"),
        ("items/notices.toml", "monitored =", "watched =", r"notices\.toml: lacks .monitored."),
    ],
)
def test_a_file_that_lacks_something_is_refused_with_its_name(places, file, old, new, words):
    change(places[0].parent / file, old, new)
    with pytest.raises(ValueError, match=words):
        read_bank(*places)


def test_a_missing_rubric_is_refused(places):
    (places[1] / "recast.toml").unlink()
    with pytest.raises(ValueError, match=r"recast\.toml is missing"):
        read_bank(*places)
