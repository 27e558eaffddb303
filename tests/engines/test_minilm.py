"""The sentence model: likeness as people see it, and the same vector in whatever company."""

from __future__ import annotations

import random
import shutil
import threading

import numpy as np
import pytest

from app.errors import Cancelled, EngineMissing, Refused
from engines import minilm, weights
from engines.minilm import MiniLM, embed
from engines.weights import MINILM, minilm_folder
from resources import resource

WORDS = "the water moved because particles push harder when heat is added so explain why".split()


def some_texts(number, longest, seed=7):
    pick = random.Random(seed)
    return [" ".join(pick.choices(WORDS, k=pick.randint(1, longest))) for _ in range(number)]


def test_like_sentences_lie_nearer_than_unlike_ones():
    eats, bread, stocks = MiniLM().embed(
        ["A man is eating food.", "A man is eating a piece of bread.", "The market fell today."]
    )
    # 0.755 is what the model card's own example gives with the unshortened weights.
    assert float(eats @ bread) == pytest.approx(0.755, abs=0.02)
    assert abs(float(eats @ stocks)) < 0.1


def test_the_company_a_text_is_in_does_not_change_its_vector():
    texts = some_texts(12, 60)
    together = MiniLM().embed(texts)
    alone = np.vstack([MiniLM().embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-4


def test_the_order_of_texts_does_not_change_their_vectors():
    texts = some_texts(40, 12)
    forth, back = MiniLM().embed(texts), MiniLM().embed(texts[::-1])
    assert np.abs(forth - back[::-1]).max() < 1e-4


def test_what_stands_after_the_longest_text_is_cut_off():
    long = "heat " * 400
    assert np.allclose(MiniLM().embed([long]), MiniLM().embed([long + "and a zebra"]), atol=1e-5)


def test_progress_is_told_and_a_stop_is_heard_between_batches():
    stop = threading.Event()
    heard = []

    def report(share, doing):
        heard.append((share, doing))
        if len(heard) == 2:
            stop.set()

    with pytest.raises(Cancelled):
        embed(some_texts(200, 4), report, stop)
    assert heard == [(0.0, "comparing texts, 0 of 200"), (0.16, "comparing texts, 32 of 200")]


def test_a_text_embedded_before_is_not_computed_again(monkeypatch):
    texts = some_texts(40, 12, seed=11)
    fresh = MiniLM().embed(texts)
    computed = []
    real = MiniLM.embed

    def noted(self, given, *others):
        computed.append(list(given))
        return real(self, given, *others)

    monkeypatch.setattr(minilm, "_kept", {})
    monkeypatch.setattr(MiniLM, "embed", noted)
    first, again = embed(texts[:30]), embed(texts[::-1])
    assert computed[0] == texts[:30]
    assert not set(computed[1]) & set(texts[:30])
    assert np.abs(first - fresh[:30]).max() < 1e-4
    assert np.abs(again - fresh[::-1]).max() < 1e-4
    again[:] = 0
    assert np.array_equal(embed(texts[:30]), first)
    assert len(computed) == 2


def test_only_the_texts_asked_for_last_are_kept(monkeypatch):
    monkeypatch.setattr(minilm, "_kept", {})
    monkeypatch.setattr(minilm, "MOST_KEPT", 2)
    embed(["heat", "air"])
    embed(["heat", "ice"])
    assert list(minilm._kept) == ["heat", "ice"]
    assert embed(["air", "heat", "ice"]).shape == (3, minilm.WIDTH)
    assert embed([]).shape == (0, minilm.WIDTH)


def test_the_hashes_are_those_that_the_readme_of_the_models_states():
    table = resource("models/README.md").read_text(encoding="utf-8")
    for name, sha in MINILM.items():
        line = next(line for line in table.splitlines() if f"minilm/{name} " in line)
        assert sha in line


def test_a_changed_model_is_refused_by_name(tmp_path, monkeypatch):
    copy = tmp_path / "minilm"
    shutil.copytree(minilm_folder(), copy)
    (copy / "tokenizer.json").chmod(0o644)
    (copy / "tokenizer.json").write_text("{}")
    monkeypatch.setattr(weights, "resource", lambda name: tmp_path / name.removeprefix("models/"))
    with pytest.raises(Refused, match=r"tokenizer\.json is not the file it should be"):
        minilm_folder()


def test_a_missing_model_is_said_plainly(monkeypatch, tmp_path):
    def nowhere(name):
        raise FileNotFoundError(f"{name} is missing")

    monkeypatch.setattr(weights, "resource", nowhere)
    with pytest.raises(EngineMissing, match="sentence model is missing"):
        minilm_folder()
