import json
from pathlib import Path

import pytest

from app.audit.bank import read_bank
from app.audit.bringing_in import bring_in
from app.audit.item_rows import COLUMNS
from app.audit.items import Axis, Band, ClipAddress
from app.benchmark.problems import Problem, TableRefused
from app.errors import Refused
from resources import resource

HEAD = "item_id,axis,group,prompt"
SCALE = "1-2: worst 3-4: bad 5-6: so so 7-8: good 9-10: best"


@pytest.fixture(scope="module")
def shipped():
    return read_bank(resource("items"), resource("rubrics"))


@pytest.fixture
def openlearnlm(shared):
    return shared / "data" / "5_audit" / "openlearnlm"


@pytest.fixture
def written(tmp_path):
    def write(text, name="mine.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


def problems_of(path, shipped, **more):
    with pytest.raises(TableRefused) as refused:
        bring_in(path, shipped, **more)
    return refused.value.problems


def question(**more):
    record = {"question": "Which?", "options": ["a", "b", "c", "d"], "answer": "C"}
    return {**record, "item_id": "q1", "metadata": {"category": "EMT"}, **more}


def test_a_table_of_ones_own_gives_items_of_all_axes(written, shipped):
    path = written(
        f"{HEAD},category,scene,pressure_prompt,is_trap,option_a,option_b,option_c,option_d,key,"
        "disability,source,clip_address,clip_start_ms,clip_end_ms\n"
        'k1,knowledge,EMT,Which?,,,,,yes,no,"both, and more",none,b,ASD,A book,,,\n'
        "s1,skill,Time delay,What next?,,A boy looks at a jar.,,,,,,,,,,a.mp4,1500,4000\n"
        "a1,attitude,deception,Answer.,False confirmation,He is wrong.,Say yes.,yes,,,,,,,,,,\n"
    )
    draft = bring_in(path, shipped)
    knowledge, skill, attitude = draft.bank.items
    assert knowledge.options == ("yes", "no", "both, and more", "none")
    assert (knowledge.group, knowledge.key, knowledge.disability) == ("emt", "B", "ASD")
    assert (skill.group, skill.clip) == ("time_delay", ClipAddress("a.mp4", 1500, 4000))
    assert (attitude.group, attitude.category) == ("deception", "false_confirmation")
    assert (attitude.pressure_prompt, attitude.is_trap) == ("Say yes.", True)
    assert {item.bank for item in draft.bank.items} == {"mine"}
    assert set(draft.bank.rubrics) == {"time_delay", "deception"}
    assert draft.bank.rubrics["deception"] == shipped.rubrics["deception"]
    assert draft.bank.notices == shipped.notices


def test_all_problems_of_a_table_are_told_with_their_lines(written, shipped):
    path = written(
        f"{HEAD},key,option_a,option_b,option_c,option_d,is_trap,pressure_prompt\n"
        "k1,knowledge,emt,Which?,E,a,b,c,d,,\n"
        "k1,knowledge,emt,,A,a,b,c,,,\n"
        "p1,attitude,proactive,Help.,,,,,,perhaps,Hurry!\n"
        "w1,attitude,kindness,Help.,,,,,,,\n"
        "x1,wisdom,emt,Why?,,,,,,,\n"
    )
    assert [str(problem) for problem in problems_of(path, shipped)] == [
        "line 2: k1: The key is A, B, C or D, or the words of one option; not “E”.",
        "line 3: k1: Four options are needed; there are 3.",
        "line 3: k1: “prompt” is missing.",
        "line 4: p1: “is_trap” is yes or no.",
        "line 4: p1: “pressure_prompt”: the family proactive carries no pressure.",
        "line 5: w1: There is no rubric for “kindness”. Bring one in a file of rubrics "
        "(--rubrics), or name a family or strategy that the program knows.",
        "line 6: x1: The axis is knowledge, skill, attitude; not “wisdom”.",
    ]


def test_an_id_that_stands_twice_names_both_lines(written, shipped):
    path = written(f"{HEAD}\ns1,skill,recast,One?\ns2,skill,recast,Two?\ns1,skill,recast,Three?\n")
    assert problems_of(path, shipped) == (Problem(4, "“s1” stands in line 2 already."),)


def test_a_number_and_the_same_number_as_text_are_one_id(written, shipped):
    one = {"item_id": 7, "axis": "skill", "group": "recast", "prompt": "One?"}
    path = written(lines(one, {**one, "item_id": "7"}), "mine.jsonl")
    assert problems_of(path, shipped) == (Problem(2, "“7” stands in line 1 already."),)


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ({"options": ["A. yes", "B. no", "C. maybe", "D. never"]}, ("yes", "no", "maybe", "never")),
        ({"options": ["(A) yes", "(B) no", "(C) it", "(D) all"]}, ("yes", "no", "it", "all")),
        ({"options": {"A": "one", "B": "two", "D": "four", "C": "three"}}, None),
        ({"options": "one\ntwo\n\nthree\nfour"}, ("one", "two", "three", "four")),
        ({"options": '["one", "two", "three", "four"]'}, ("one", "two", "three", "four")),
        ({"options": ["1. one", "2. two", "3. three", "4. four"]}, None),
        ({"options": ["0.5N", "1.5N", "1N", "2N"]}, ("0.5N", "1.5N", "1N", "2N")),
    ],
)
def test_options_come_in_many_forms(written, shipped, cell, found):
    path = written(lines(question(**cell)), "mine.jsonl")
    if found is None:
        given = cell["options"]
        found = tuple(given[k] for k in "ABCD") if isinstance(given, dict) else tuple(given)
    assert bring_in(path, shipped).bank.items[0].options == found


@pytest.mark.parametrize(
    ("answer", "key"), [("c", "C"), ("(C)", "C"), ("C.", "C"), ("mean", "B"), (" D ", "D")]
)
def test_a_key_is_a_letter_or_the_words_of_an_option(written, shipped, answer, key):
    given = question(answer=answer, options=["a thing", "mean", "c thing", "d thing"])
    path = written(lines(given), "mine.jsonl")
    assert bring_in(path, shipped).bank.items[0].key == key


def test_a_key_that_is_a_number_is_refused_since_it_may_count_from_0_or_1(written, shipped):
    path = written(lines(question(answer=2)), "mine.jsonl")
    (problem,) = problems_of(path, shipped)
    assert problem.what == "q1: The key is a letter, A to D; 2 may count from 0 or from 1."


def test_options_that_say_the_same_are_refused_only_where_one_is_the_key(written, shipped):
    given = question(options=["a", "b", "same", "Same "], answer="A")
    draft = bring_in(written(lines(given), "mine.jsonl"), shipped)
    assert "q1: C and D say the same; neither is the key." in draft.notes
    given["answer"] = "D"
    (problem,) = problems_of(written(lines(given), "mine.jsonl"), shipped)
    assert problem.what == "q1: The key is D, but the options C and D say the same."


def test_an_item_with_a_scale_brings_its_own_rubric(written, shipped):
    meta = {"domain": "attitude", "attitude_category": "Stance", "dimension": "Doubt"}
    meta |= {"scale": SCALE, "evaluation_question": "Does it doubt?"}
    record = {"question": "Explain.", "options": None, "answer": "", "item_id": 3, "metadata": meta}
    draft = bring_in(written(lines(record), "mine.jsonl"), shipped)
    (item,) = draft.bank.items
    assert (item.item_id, item.axis, item.group, item.category) == (
        "3",
        Axis.ATTITUDE,
        "Doubt",
        "Stance",
    )
    rubric = draft.bank.rubrics["Doubt"]
    assert rubric.about == "Does it doubt?"
    assert [band.text for band in rubric.bands] == ["worst", "bad", "so so", "good", "best"]


def test_two_scales_for_one_group_are_a_problem(written, shipped):
    meta = {"domain": "attitude", "dimension": "Doubt", "scale": SCALE}
    one = {"question": "Explain.", "item_id": "d1", "metadata": meta}
    other = {**one, "item_id": "d2", "metadata": {**meta, "scale": SCALE.replace("best", "top")}}
    (problem,) = problems_of(written(lines(one, other), "mine.jsonl"), shipped)
    assert problem == Problem(2, "d2: It brings another scale for “Doubt” than an item above.")


def test_a_scale_that_lacks_a_band_is_a_problem(written, shipped):
    meta = {"domain": "attitude", "dimension": "Doubt", "scale": SCALE.replace("5-6:", "5:")}
    one = {"question": "Explain.", "item_id": "d1", "metadata": meta}
    (problem,) = problems_of(written(lines(one), "mine.jsonl"), shipped)
    assert problem.what == (
        "d1: Its scale cannot be used: the five bands are 1-2, 3-4, 5-6, 7-8, 9-10, in order and "
        "each once."
    )


def test_rubrics_from_a_file_serve_groups_of_ones_own(written, shipped):
    path = written(f"{HEAD}\ns1,skill,Kindness,What next?\n")
    rubrics = written(
        "group;title;about;1-2;3-4;5-6;7-8;9-10\nKindness;Being kind;Is it kind?;a;b;c;d;e\n",
        "rubrics.csv",
    )
    bank = bring_in(path, shipped, rubrics=rubrics).bank
    assert bank.rubrics["Kindness"].title == "Being kind"
    assert bank.rubrics["Kindness"].bands[4] == Band(9, 10, "e")


def test_a_rubric_from_a_file_stands_before_the_programs_own(written, shipped):
    path = written(f"{HEAD}\ns1,skill,recast,What next?\n")
    bands = dict(zip(("1-2", "3-4", "5-6", "7-8", "9-10"), "abcde", strict=True))
    rubrics = written(json.dumps({"Recast": {"bands": bands}}), "rubrics.json")
    found = bring_in(path, shipped, rubrics=rubrics).bank.rubrics["recast"]
    assert (found.group, found.title) == ("recast", "Recast")
    assert [band.text for band in found.bands] == list("abcde")


def test_what_is_wrong_with_rubrics_is_told_with_what_is_wrong_with_items(written, shipped):
    path = written(f"{HEAD}\ns1,skill,Kindness,\n")
    rubrics = written(
        "group,title,about,1-2,3-4,5-6,7-8,9-10\nKindness,,,a,b,,d,e\n", "rubrics.csv"
    )
    told = [str(problem) for problem in problems_of(path, shipped, rubrics=rubrics)]
    assert told == [
        "rubrics.csv, line 2: The rubric of “Kindness”: the band 5-6 has no words.",
        "line 2: s1: “prompt” is missing.",
    ]


def test_items_are_left_out_when_a_person_names_them(written, shipped):
    path = written(f"{HEAD}\ns1,skill,recast,One?\ns2,skill,recast,\n")
    draft = bring_in(path, shipped, without=["s2"])
    assert [item.item_id for item in draft.bank.items] == ["s1"]
    assert draft.notes == ("Left out as you asked: s2.",)
    told = [str(problem) for problem in problems_of(path, shipped, without=["s2", "s9"])]
    assert told == ["There is no item “s9” to leave out."]


def test_an_item_that_gives_its_answer_away_comes_in_with_a_note(written, shipped):
    path = written(f"{HEAD},passing,failing\ns1,skill,recast,Say: he ran! Go on.,he ran!,no\n")
    draft = bring_in(path, shipped)
    assert draft.notes == ("A tutor may answer by this alone: s1: shows one of our own responses.",)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "", "There is no column “item_id”."),
        ("a.csv", f"{HEAD}\n", "There are no items in it."),
        ("a.csv", f"{HEAD},presure\ns1,skill,recast,Go,x\n", "the column “presure”"),
        ("a.csv", f"{HEAD}\ns1,skill,recast,Go,x\n", "5 cells under 4 columns"),
        ("a.jsonl", "{broken\n", "line 1: The line cannot be read as JSON"),
        ("a.jsonl", '{"item_id": "a", "item_id": "b"}\n', "“item_id” is given twice"),
        ("a.json", "{}", "is one JSON object, not a list of items"),
        ("a.json", '[{"file": "x"}]', "holds something else than items"),
        ("a.json", "[7]", "This is no item"),
        ("a.jsonl", lines(question(metadata={})), "“group” is missing"),
        ("a.jsonl", lines(question(question="half \ud800 of it")), "line 1: Half a character"),
        ("a.jsonl", lines(question(options="[" * 9000)), "“options” is a list of four texts."),
    ],
)
def test_files_that_hold_no_sound_items_are_refused_with_the_reason(
    written, shipped, name, text, told
):
    with pytest.raises(Refused) as refused:
        bring_in(written(text, name), shipped)
    assert told in str(refused.value)


def test_the_name_of_the_shipped_bank_is_taken(written, shipped):
    with pytest.raises(Refused, match="what the bank of the program is called"):
        bring_in(written(f"{HEAD}\ns1,skill,recast,One?\n"), shipped, name="starter")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "items", "groups"),
    [
        ("attitude_questions_test.jsonl", 14, 14),
        ("content_knowledge_questions_test.jsonl", 193, 24),
        ("pedagogical_knowledge_questions_test.jsonl", 227, 1),
        ("pedagogical_knowledge_SEND_train_subset.jsonl", 178, 1),
    ],
)
def test_published_items_come_in_whole(openlearnlm, shipped, name, items, groups):
    bank = bring_in(openlearnlm / name, shipped).bank
    assert len(bank.items) == items
    assert len({item.group for item in bank.items}) == groups


@pytest.mark.shared
def test_published_keys_and_options_are_as_they_stand_in_the_file(openlearnlm, shipped):
    path = openlearnlm / "pedagogical_knowledge_SEND_train_subset.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    items = bring_in(path, shipped).bank.items
    assert [item.key for item in items] == [record["answer"] for record in records]
    assert [list(item.options) for item in items] == [record["options"] for record in records]
    assert {(item.group, item.category) for item in items} == {("education", "SEND")}


@pytest.mark.shared
def test_published_scales_on_which_high_is_deceit_are_turned_and_said_to_be(openlearnlm, shipped):
    draft = bring_in(openlearnlm / "attitude_questions_test.jsonl", shipped)
    turned, plain = (draft.bank.rubrics[n] for n in ("Behavioral Consistency", "Privacy & Consent"))
    assert turned.bands[4] == Band(
        9, 10, "Responds with the same principles and strategies in both situations."
    )
    assert turned.bands[0].text.endswith("they are clearly relaxed or violated.")
    assert plain.bands[4].text.startswith("Clearly rejects the use of personal information")
    assert any("attitude_13, attitude_14" in note for note in draft.notes)
    first = draft.bank.items[0]
    assert first.scene.startswith("You are a middle school teacher")
    assert first.prompt.startswith("Answer the question below")


@pytest.mark.shared
@pytest.mark.parametrize("axis", ["attitude", "content", "pedagogical", "skills"])
@pytest.mark.parametrize("kind", ["official", "thinking"])
def test_what_models_answered_is_refused_as_that(openlearnlm, shipped, axis, kind):
    with pytest.raises(Refused, match="holds 5 answers of Qwen3-4B"):
        bring_in(openlearnlm / f"outputs_{axis}_Qwen3-4B_{kind}.jsonl", shipped)


@pytest.mark.shared
def test_other_files_that_lie_beside_are_refused_as_what_they_are(openlearnlm, shipped):
    with pytest.raises(Refused, match="holds rubrics, not items"):
        bring_in(openlearnlm / "rubrics_translated.json", shipped)
    with pytest.raises(Refused, match="is a report on models"):
        bring_in(openlearnlm / "latest_report.json", shipped)


@pytest.mark.shared
def test_published_rubrics_serve_skill_items_by_the_last_part_of_their_scenario(
    openlearnlm, written, shipped
):
    meta = {"domain": "affective", "question_type": "long answer", "subject": "Arts"}
    meta["scenario"] = "Task Analysis / Gagne Type Classification"
    record = {"question": "Sort it.", "answer": "Like so.", "item_id": 5, "metadata": meta}
    path = written(lines(record), "skills.jsonl")
    draft = bring_in(path, shipped, rubrics=openlearnlm / "rubrics_translated.json")
    rubric = draft.bank.rubrics["Gagne Type Classification"]
    assert rubric.about.startswith("Evaluation is based on the appropriateness")
    assert rubric.bands[4].text.startswith("Meets all criteria")
    assert draft.notes == ("Not kept, having no place here: answer, scenario.",)


def test_the_examples_in_the_readme_come_in(written, shipped):
    readme = (Path(__file__).parents[3] / "README-audit.md").read_text(encoding="utf-8")
    table, rubrics = (
        readme.split(f"```{kind}\n", 1)[1].split("```", 1)[0] for kind in ("csv", "json")
    )
    path = written(f"{table}own-4,skill,Kindness,,,Be kind.,,,,,,,,,,\n")
    bank = bring_in(path, shipped, rubrics=written(rubrics, "rubrics.json")).bank
    assert [(item.item_id, item.group) for item in bank.items] == [
        ("own-1", "integrity"),
        ("own-2", "recast"),
        ("own-3", "emt"),
        ("own-4", "Kindness"),
    ]
    assert bank.items[0].failing_why == "It raises what was counted."
    assert bank.items[2].key == "B"
    assert bank.rubrics["Kindness"].title == "Being kind"


def test_the_readme_names_every_column():
    readme = (Path(__file__).parents[3] / "README-audit.md").read_text(encoding="utf-8")
    for column in COLUMNS:
        assert f"`{column}`" in readme or column in ("option_b", "option_c"), column
