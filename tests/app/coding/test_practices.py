import pytest

from app.coding.practices import digest, is_high, read_practices
from resources import resource


@pytest.fixture(scope="module")
def practices():
    return read_practices(resource("practices.toml"))


def test_the_four_practices_have_the_levels_that_the_paper_gives_them(practices):
    levels = {p.id: [step.level for step in p.levels] for p in practices}
    assert levels == {"BI": [1, 2, 3], "D1": [1, 2, 3], "D2": [1, 2, 3, 4], "D3": [1, 2, 3, 4]}


def test_every_level_is_described_and_has_eight_to_twelve_exemplars(practices):
    for step in (step for p in practices for step in p.levels):
        assert step.title
        assert step.descriptor.endswith(".")
        assert 8 <= len(step.exemplars) <= 12


def test_no_exemplar_stands_twice(practices):
    said = [e for p in practices for step in p.levels for e in step.exemplars]
    assert len(said) == len(set(said))


def test_every_practice_is_told_apart_by_its_letters_and_has_keywords(practices):
    assert len({p.letter for p in practices}) == 4
    assert all(p.keywords for p in practices)


def test_levels_three_and_four_are_high():
    assert [is_high(level) for level in (1, 2, 3, 4)] == [False, False, True, True]


def test_the_digest_changes_with_any_word(practices, tmp_path):
    text = resource("practices.toml").read_text(encoding="utf-8")
    changed = tmp_path / "practices.toml"
    changed.write_text(text.replace("simple machines", "machines"), encoding="utf-8")
    assert digest(read_practices(changed)) != digest(practices)


def test_a_file_that_lacks_a_part_is_refused_by_name(tmp_path):
    broken = tmp_path / "practices.toml"
    broken.write_text('[[practice]]\nid = "BI"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="level"):
        read_practices(broken)
