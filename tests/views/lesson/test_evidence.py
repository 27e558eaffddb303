import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel

from app.coding.probe_records import NOT_ASKED
from app.coding.records import Check, Citation, Evidence, Prediction
from app.lesson.clips import Clip
from views.lesson.evidence import EvidenceCard, EvidenceCards
from views.lesson.suggestion import FINDER_CAVEAT, Suggestion

VERIFIED = Evidence(Citation("Why?", (1,)), Check.VERIFIED, "Why?", (1,), 2500, 3000, 100.0)
CLOSE = Evidence(
    Citation("Because it melted", (2,)), Check.CLOSE, "Because it melts.", (2,), 4000, 5000, 94.0
)
MADE_UP = Evidence(
    Citation("Ice is a solid", (2,)), Check.NOT_FOUND, reason="Nobody says this in the clip."
)
CLIP = Clip("a", 1, 2, 0, 9000)


def words_on(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


@pytest.fixture
def cards(qtbot):
    made = EvidenceCards()
    qtbot.addWidget(made)
    made.show_evidence(
        (VERIFIED, CLOSE, MADE_UP), {1: "Ms O (teacher)", 2: "Robin"}, has_picture=False
    )
    made.show()
    return made


def test_the_cited_words_stand_first_with_speaker_and_time(cards):
    words = words_on(cards.cards[0])
    assert "“Why?”" in words
    assert "Ms O (teacher) · 0:02.5" in words


def test_a_close_quote_shows_the_true_words_and_the_cited_ones(cards):
    words = words_on(cards.cards[1])
    assert "“Because it melts.”" in words
    assert "Cited as: “Because it melted”" in words


def test_a_made_up_quote_says_that_it_does_not_count(cards):
    words = words_on(cards.cards[2])
    assert "not found in the transcript – does not count" in words
    assert "Nobody says this in the clip." in words
    assert "nowhere in the transcript" in words


@pytest.mark.parametrize("check", list(Check))
def test_every_outcome_of_the_check_is_said_in_words(qtbot, check):
    card = EvidenceCard(Evidence(Citation("Why?"), check, start_ms=1000), "", False)
    qtbot.addWidget(card)
    assert check.value.split(",")[0] in " ".join(words_on(card))
    assert check.value.split(",")[0] in card.accessibleName()


def test_enter_space_and_a_click_go_to_the_moment(cards, qtbot):
    card = cards.cards[0]
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        with qtbot.waitSignal(cards.moment_picked) as picked:
            qtbot.keyClick(card, key)
        assert picked.args == [2500]
    with qtbot.waitSignal(cards.moment_picked) as picked:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert picked.args == [2500]


def test_evidence_at_the_very_start_gets_its_picture(qtbot, tmp_path):
    frame = QPixmap(8, 8)
    frame.fill(Qt.GlobalColor.red)
    assert frame.save(str(tmp_path / "frame.png"))
    made = EvidenceCards()
    qtbot.addWidget(made)
    at_start = Evidence(Citation("Why?", (1,)), Check.VERIFIED, "Why?", (1,), 0, 900, 100.0)
    made.show_evidence((at_start,), {1: "Ms O"}, has_picture=True)
    made.show_pictures({0: tmp_path / "frame.png"})
    assert not made.cards[0]._picture.pixmap().isNull()


def test_a_made_up_quote_is_struck_through_and_said_first_to_be_not_found(cards):
    struck = [label for label in cards.cards[2].findChildren(QLabel) if label.font().strikeOut()]
    assert [label.text() for label in struck] == ["“Ice is a solid”"]
    assert cards.cards[2].accessibleName().startswith("Does not count, not found in the transcript")
    assert not any(
        label.font().strikeOut() for card in cards.cards[:2] for label in card.findChildren(QLabel)
    )


def test_a_cited_line_is_a_link_for_mouse_and_keyboard(cards, qtbot):
    [link] = cards.cards[1].links
    assert link.text() == "line 2"
    for press in (
        lambda: qtbot.mouseClick(link, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(link, Qt.Key.Key_Return),
        lambda: qtbot.keyClick(link, Qt.Key.Key_Space),
    ):
        with qtbot.waitSignal(cards.line_followed) as followed:
            press()
        assert followed.args == [2]
    assert "play" in link.accessibleName()


def test_a_cited_line_that_does_not_exist_is_told_and_leads_nowhere(qtbot):
    card = EvidenceCard(Evidence(Citation("Why?", (99,)), Check.NOT_FOUND), "", False, {1: "A"})
    qtbot.addWidget(card)
    assert not card.links
    assert "line 99, which is not in the transcript" in " ".join(words_on(card))


def test_a_time_outside_the_clip_is_marked_then_and_after_the_clip_was_moved(qtbot):
    made = EvidenceCards()
    qtbot.addWidget(made)
    outside = Evidence(
        Citation(seen="A diagram", start_ms=20_000, end_ms=21_000),
        Check.OUTSIDE,
        start_ms=20_000,
        end_ms=21_000,
    )
    moved = Clip("a", 1, 2, 3_000, 9000)
    made.show_evidence((outside, VERIFIED, CLOSE), {}, has_picture=False, clip=moved)
    said = [" ".join(words_on(card)) for card in made.cards]
    assert "outside the clip – does not count" in said[0]
    assert "Outside the clip as it is now." in said[1]
    assert "Outside the clip" not in said[2]


def test_next_evidence_goes_round(cards):
    picked = []
    cards.moment_picked.connect(picked.append)
    for _ in range(4):
        cards.go_to_next()
    assert picked == [2500, 4000, 2500]


def test_the_finder_is_named_as_a_finder(qtbot):
    box = Suggestion()
    qtbot.addWidget(box)
    box.show_prediction(
        Prediction(CLIP, "evidence-finder/1", "D1", 2, 0.04, (VERIFIED,)), None, CLIP
    )
    words = " ".join(words_on(box))
    assert "The evidence finder suggests D1, level 2." in words
    assert FINDER_CAVEAT in words


def test_a_suggestion_without_support_and_one_for_a_clip_since_moved_are_doubted(qtbot):
    box = Suggestion()
    qtbot.addWidget(box)
    moved = Clip("a", 1, 2, 0, 7000)
    box.show_prediction(
        Prediction(CLIP, "evidence-finder/1", "D1", 2, 0.04, (MADE_UP,)), None, moved
    )
    words = " ".join(words_on(box))
    assert "nothing supports this" in words
    assert "has been changed since" in words


def test_a_hidden_suggestion_tells_nothing_of_its_label(qtbot):
    box = Suggestion()
    qtbot.addWidget(box)
    box.show_prediction(
        Prediction(CLIP, "evidence-finder/1", "D1", 2, 0.04, (VERIFIED,)), None, CLIP
    )
    box.hide_label()
    assert "D1" not in " ".join(words_on(box))
    assert box._badge.isHidden()


@pytest.mark.parametrize(
    ("status", "raw", "said", "told"),
    [
        (
            "refusal",
            "I would rather not.",
            "gave no answer that can be used",
            "“I would rather not.”",
        ),
        ("truncated", "", "gave no answer that can be used", "Nothing came back"),
        (NOT_ASKED, "", "was not asked about this clip", ""),
    ],
)
def test_a_failure_is_told_as_what_it_is_with_the_answer_as_it_came(qtbot, status, raw, said, told):
    box = Suggestion()
    qtbot.addWidget(box)
    failed = Prediction(CLIP, "small T cot", "", None, None, (), note="Why so.", status=status)
    box.show_prediction(failed, None, CLIP, (), raw)
    words = " ".join(words_on(box))
    assert said in words
    assert told in words
    assert "Why so." in words


def test_coders_that_differ_are_told_beside_a_mark_and_never_while_hidden(qtbot):
    box = Suggestion()
    qtbot.addWidget(box)
    shown = Prediction(CLIP, "small T cot", "D3", 2, None, (VERIFIED,))
    other = Prediction(CLIP, "evidence-finder/1", "D2", 1, 0.3, (VERIFIED,))
    box.show_prediction(shown, None, CLIP, (other,))
    told = "Coders differ: small T cot says D3, level 2; the evidence finder says D2, level 1."
    assert told in words_on(box)
    assert not box._differ_sign.isHidden()
    box.hide_label()
    assert box._differ_sign.isHidden()
    assert "D2" not in " ".join(words_on(box))
