from __future__ import annotations

import pytest

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.decoding import decode

SAID = [
    ("cp1252", "Señor, ¿qué pasó? La niña comió."),
    ("cp1252", "Das Mädchen läuft über die Straße. Möchtest du Äpfel?"),
    ("cp1252", "Ça va? Où est la règle? Très bien, élève."),
    ("cp1252", "“Why?” she said – it’s five."),
    ("cp1252", "It’s 5°"),
    ("cp1252", "Café"),
    ("cp1250", "Zażółć gęślą jaźń. Dzień dobry, proszę pana."),
    ("cp1250", "Đino, dođavola. Što čekaš? Žao mi je, idući put."),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("cp1250", "Bună dimineaţa copii, ce fac?"),
    ("cp1251", "Доброе утро, дети. Кто скажет почему?"),
    ("koi8_r", "Доброе утро, дети. Кто скажет почему?"),
    ("cp1253", "Καλημέρα παιδιά"),
    ("cp1254", "Günaydın çocuklar, şimdi ne yapıyoruz?"),
    ("cp1255", "שלום ילדים"),
    ("cp1256", "صباح الخير يا أولاد"),
    ("shift_jis", "おはようございます。今日は何を勉強しますか。"),
    ("gb18030", "大家好，今天我们学习数学。"),
    ("big5", "大家好，今天我們學習數學。"),
    ("euc_kr", "안녕하세요 여러분 오늘은 수학을 배웁니다"),
]


@pytest.mark.parametrize(("page", "said"), SAID)
def test_old_code_pages_are_told_apart_by_their_letters(page, said):
    found = decode(said.encode(page), "old.txt")
    assert (found.encoding, found.text) == (page, said)
    assert "does not say how its letters are stored" in found.notes[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_settles_the_encoding_and_is_taken_off(encoding):
    found = decode("\ufeffÇa va?".encode(encoding), "marked.txt")
    assert (found.text, found.encoding, found.notes) == ("Ça va?", encoding, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_its_mark_is_known_by_its_zero_bytes(encoding):
    found = decode("Teacher: why?\nPupil: é".encode(encoding), "unmarked.txt")
    assert (found.text, found.encoding) == ("Teacher: why?\nPupil: é", encoding)


def test_plain_letters_are_utf8_without_a_note():
    found = decode(b"Good morning.", "plain.txt")
    assert (found.encoding, found.notes) == ("utf-8", ())


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 4, b"\x00\x01\x02\x03" * 50, b"\xff\xfe\x00\xd8"]
)
def test_what_is_no_text_is_refused_by_name(data):
    with pytest.raises(TranscriptRefused, match=r"blob\.txt"):
        decode(data, "blob.txt")
