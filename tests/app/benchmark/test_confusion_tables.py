"""Tables of events: read whole, or refused with every problem and its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmark.confusion_tables import MarkedVideo, TablesRefused, read_both, read_marked
from app.lesson.spans import Span

HEAD = "video,duration_ms,start_ms,end_ms"


@pytest.fixture
def table(tmp_path):
    def write(*rows, head=HEAD, name="truth.csv"):
        path = tmp_path / name
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def problems(path, *, is_truth=True):
    return [(p.line, p.what) for p in read_marked(path, is_truth=is_truth)[1]]


def test_a_table_gives_videos_in_order_with_their_events_in_order_of_time(table):
    path = table("b,9000,4000,6000", "a,7000,,", "b,9000,0,2000")
    assert read_marked(path, is_truth=True) == (
        [
            MarkedVideo("b", 9000, (Span(0, 2000), Span(4000, 6000)), line=2),
            MarkedVideo("a", 7000, (), line=3),
        ],
        [],
    )


def test_events_that_only_touch_and_one_to_the_very_end_are_fine(table):
    assert problems(table("001,9000,0,2000", "001,9000,2000,9000")) == []


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("001,9000,1000,3000", "The event from 1000 to 3000 ms overlaps the event from 0 to 2000"),
        ("001,9000,5000,5000", "The event at 5000 ms has no length."),
        ("001,9000,7000,5000", "The event from 7000 to 5000 ms runs backwards."),
        ("001,9000,8000,9001", "The event from 8000 to 9001 ms lies outside video “001”"),
        ("001,9000,-1,0", "The event from -1 to 0 ms lies outside video “001”"),
        ("001,9000,0,2000", "The same stands in line 2 already."),
        ("001,8000,4000,6000", "Video “001” is 8000 ms long here and 9000 ms in line 2."),
        ("001,9000,,", "Without times this row says that video “001” has no events"),
        ("001,9000,4000,", "end_ms is empty; it has to be a whole number of milliseconds."),
        ("001,9000,4000,5e3", "end_ms is “5e3”; it has to be a whole number"),
        ("001,9000,4000,5_000", "end_ms is “5_000”"),
        ("001,,4000,5000", "duration_ms is empty"),
        ("001,0,4000,5000", "A video cannot be 0 ms long."),
        ("001,99999999999999,4000,5000", "A video cannot be 99999999999999 ms long."),
        (",9000,4000,5000", "The row names no video."),
        ("001,9000,4000,5000,more", "There are 5 cells under 4 columns."),
        ('001,9000,4000,"5000', "The row cannot be read as CSV"),
    ],
)
def test_a_row_that_makes_no_sense_is_told_with_its_line(table, row, told):
    found = problems(table("001,9000,0,2000", row))
    assert [line for line, _ in found] == [3]
    assert told in found[0][1]


def test_a_short_event_inside_a_long_one_and_a_later_one_both_overlap_the_long_one(table):
    found = problems(table("v,9000,0,8000", "v,9000,1000,2000", "v,9000,5000,9000"))
    assert [line for line, _ in found] == [3, 4]
    assert all("overlaps the event from 0 to 8000 ms in line 2" in what for _, what in found)


def test_all_that_is_wrong_with_both_tables_is_one_list(table):
    truth = table("001,9000,0,2000", "001,9000,1000,3000", "002,9000,,", "003,9000,5,5")
    given_ = table("001,8000,,", "004,9000,,", name="found.csv")
    with pytest.raises(TablesRefused) as refused:
        read_both(truth, given_)
    assert [(p.table, p.problem.line) for p in refused.value.problems] == [
        ("truth.csv", 3),
        ("truth.csv", 5),
        ("found.csv", 0),
        ("found.csv", 0),
        ("found.csv", 2),
        ("found.csv", 3),
    ]
    told = str(refused.value)
    assert told.startswith("Nothing was scored: there are 6 problems in truth.csv and found.csv.")
    assert "found.csv, line 3: Video “004” is not in truth.csv." in told
    assert "found.csv: Video “002” of truth.csv, line 4, is not in this table." in told
    assert "is 8000 ms long here and 9000 ms in truth.csv, line 2." in told


def test_files_of_one_name_are_told_apart_by_their_folders(table, tmp_path):
    truth = table("001,9000,5,5")
    (tmp_path / "other").mkdir()
    given_ = table("001,9000,6,6", name="other/truth.csv")
    with pytest.raises(TablesRefused, match="other") as refused:
        read_both(truth, given_)
    assert refused.value.problems[0].table == str(truth)


def test_what_could_not_be_judged_stands_in_predictions_alone(table):
    head, row = f"{HEAD},what", "001,9000,0,2000,not visible"
    path = table(row, "001,9000,3000,4000,", "001,9000,4000,5000,Failed", head=head)
    videos, wrong = read_marked(path, is_truth=False)
    assert wrong == []
    assert videos[0].events == (Span(3000, 4000),)
    assert videos[0].left_out == (("not visible", Span(0, 2000)), ("failed", Span(4000, 5000)))
    assert "no meaning for the column “what”" in problems(path)[0][1]


def test_a_window_cannot_be_confused_and_not_visible(table):
    head = f"{HEAD},what"
    path = table("001,9000,0,4000,not visible", "001,9000,2000,6000,event", head=head)
    found = problems(path, is_truth=False)
    assert found[0][0] == 3
    assert "overlaps the stretch “not visible” from 0 to 4000 ms in line 2" in found[0][1]
    path = table("001,9000,0,4000,gone", head=head)
    assert problems(path, is_truth=False) == [
        (2, "“gone” has no meaning here; there are event, not visible, failed, not read.")
    ]


def test_a_table_needs_its_columns_and_knows_all_of_them(table, tmp_path):
    assert [what for _, what in problems(table("1,2", head="video,end_ms"))] == [
        "There is no column “duration_ms”.",
        "There is no column “start_ms”.",
    ]
    found = problems(table("v,9,,,1,2", head=f"{HEAD},colour,video"))
    assert [line for line, _ in found] == [1, 1]
    assert "“video”" in found[0][1]
    assert "“colour”" in found[1][1]
    assert problems(table()) == [(0, "The table has no rows.")]
    (tmp_path / "empty.csv").write_bytes(b"")
    assert problems(tmp_path / "empty.csv") == [(0, "The table is empty.")]
    assert "cannot be opened" in problems(tmp_path / "none.csv")[0][1]
    (tmp_path / "old.csv").write_bytes(HEAD.encode() + b"\nJos\xe9,9,,\n")
    assert problems(tmp_path / "old.csv")[0][0] == 2


def test_semicolons_tabs_and_what_excel_saves_are_read(table, tmp_path):
    for separator, encoding in ((";", "utf-8-sig"), ("\t", "utf-16")):
        text = f"{HEAD}\r\nJosé,9000,0,2000\r\n".replace(",", separator)
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode(encoding))
        assert read_marked(path, is_truth=True)[0][0].video == "José"


cells = st.text(alphabet="0123456789-,;\"'\n\rvwx .", max_size=60)


@given(st.lists(cells, max_size=6))
def test_whatever_stands_in_a_table_is_read_or_told(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("\n".join([HEAD, *rows]), encoding="utf-8", newline="")
    videos, wrong = read_marked(path, is_truth=True)
    assert videos or wrong
    for video in [] if wrong else videos:
        ends = [0, *(event.end_ms for event in video.events)]
        assert all(e.start_ms >= end for end, e in zip(ends, video.events, strict=False))
        assert ends[-1] <= video.duration_ms
