import pytest

from app.audit.records import Verdict
from app.errors import Refused
from app.item_banks import ItemBanks, starter_bank
from app.store.library import Library

HEAD = "item_id,axis,group,prompt\n"


@pytest.fixture
def banks(tmp_path):
    with Library.open(tmp_path / "a.clerestory") as library:
        yield ItemBanks(library)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"{HEAD}s1,skill,recast,One?\ns2,skill,mapping,Two?\n", encoding="utf-8")
    return path


def test_the_starter_bank_is_always_there_and_once(banks):
    assert banks.starter() == banks.starter()
    assert [(row.name, row.items) for row in banks.banks()] == [("starter", 188)]
    assert banks.mark(banks.starter()) == "starter items, not expert-reviewed"
    assert banks.find("").digest == banks.starter()


def test_the_same_file_again_is_the_same_bank(banks, table):
    digest, draft = banks.bring_in(table)
    assert (draft.name, draft.origin) == ("mine", "mine.csv")
    assert banks.bring_in(table)[0] == digest
    assert [row.name for row in banks.banks()] == ["mine", "starter"]


def test_other_items_of_the_same_name_are_a_bank_of_their_own(banks, table):
    first, _ = banks.bring_in(table)
    table.write_text(f"{HEAD}s1,skill,recast,Another?\n", encoding="utf-8")
    second, draft = banks.bring_in(table)
    assert draft.name == "mine 2"
    assert {item.bank for item in draft.bank.items} == {"mine 2"}
    assert banks.bring_in(table)[0] == second != first
    assert banks.find("mine").digest == first
    assert banks.find(second[:8]).name == "mine 2"


def test_a_file_with_a_problem_leaves_nothing_behind(banks, table):
    table.write_text(f"{HEAD}s1,skill,recast,One?\ns2,skill,recast,\n", encoding="utf-8")
    with pytest.raises(Refused, match="line 3: s2: “prompt” is missing"):
        banks.bring_in(table)
    assert [row.name for row in banks.banks()] == ["starter"]


def test_a_bank_that_is_not_there_is_refused_with_those_that_are(banks):
    with pytest.raises(Refused, match=r"No bank of items is called “yours”(.|\n)*starter  188"):
        banks.find("yours")


def test_a_bank_comes_back_from_the_files_it_was_written_to(banks, table, tmp_path):
    digest, draft = banks.bring_in(table)
    lines, written, rubrics = banks.write_out(digest, tmp_path / "out")
    for path in (lines, written):
        assert banks.bring_in(path, name="mine", rubrics=rubrics)[0] == digest
    assert len(draft.bank.rubrics) == 2


def test_a_word_on_an_item_changes_the_mark_and_what_plans_leave_out(banks):
    first, second = starter_bank().items[:2]
    digest = banks.starter()
    assert banks.say(first, Verdict.KEEP, "AK").is_kept
    assert banks.mark(digest) == (
        "1 of 188 items reviewed by AK; 187 starter items, not expert-reviewed"
    )
    assert banks.mark(digest, [first.item_id]) == "1 of 1 items reviewed by AK"
    assert banks.dropped(digest) == frozenset()
    assert banks.say(second, Verdict.DROP, "AK", "Too easy.").verdict is Verdict.DROP
    assert banks.dropped(digest) == {second.item_id}
    assert [s.verdict for s in banks.standings(digest)[:3]] == [Verdict.KEEP, Verdict.DROP, None]


def test_what_was_said_of_an_item_is_there_after_the_library_was_closed(tmp_path):
    item = starter_bank().items[0]
    with Library.open(tmp_path / "b.clerestory") as library:
        ItemBanks(library).say(item, Verdict.REVISE, "AK", "Another name.")
    with Library.open(tmp_path / "b.clerestory") as library:
        banks = ItemBanks(library)
        assert banks.standings(banks.starter())[0].latest.why == "Another name."
