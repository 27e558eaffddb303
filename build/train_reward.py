"""Teach a small language model as a reward model, by low-rank adapters, where there is a GPU.

The program's own reward model weighs frozen vectors and needs no GPU. This script teaches a whole
model by the same pairs, as SpecialEduBench does (section 3.5: Qwen2.5-1.5B-Instruct with low-rank
adapters under a Bradley-Terry loss, 160 pairs to learn from and 40 held out), and holds it to the
same guards. It needs libraries that the program does not have; docs/reward.md says which.

    clerestory audit reward export pairs.jsonl
    python build/train_reward.py pairs.jsonl --model FOLDER --out adapter

prints what is known of the model and writes it beside the adapter as figures.json.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from app.audit.reward_json import figures_json
from app.audit.reward_model import PADDINGS, units_of
from app.audit.reward_pairs import read_pairs
from app.audit.reward_records import Pair
from app.audit.reward_words import figure_rows
from app.errors import ClerestoryError
from app.scoring.reward import deal
from app.scoring.reward_guards import Guarded, HeldOut, guard

NEEDED = ("torch", "transformers", "trl", "peft", "datasets")
HELD_OUT_PART = 0
"""Of five: a fifth of the items is never learnt from."""

Scores = Callable[[Sequence[tuple[str, str]], bool], Sequence[float]]
"""Gives the reward of each prompt with its response; each alone, or all in one padded batch."""


def main(words: Sequence[str] | None = None) -> int:
    """Train, try and write; gives the exit code."""
    asked = _arguments().parse_args(words)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(
            f"{', '.join(missing)} cannot be found. Training a language model needs them and, in "
            "practice, a GPU; docs/reward.md says how to install them apart from the program.",
            file=sys.stderr,
        )
        return 1
    try:
        pairs = read_pairs(asked.pairs)
    except ClerestoryError as error:
        print(error, file=sys.stderr)
        return 1
    learn, held = part_pairs(pairs, asked.seed)
    if not learn or not held:
        print("There are too few items to hold a fifth of them out.", file=sys.stderr)
        return 1
    found = try_out(held, _trained(asked, learn, held), asked.seed)
    (asked.out / "figures.json").write_text(
        json.dumps(figures_json(found), ensure_ascii=False, indent=1), encoding="utf-8"
    )
    for what, figure, against in figure_rows(found):
        print(f"{what}: {figure} ({against})")
    print("Refused: " + ", ".join(found.trips) if found.trips else "It may rank.")
    return 0


def part_pairs(pairs: Sequence[Pair], seed: int) -> tuple[list[Pair], list[Pair]]:
    """Give the pairs to learn from and those held out; no item is in both."""
    parts = deal(units_of(pairs), [pair.strategy for pair in pairs], seed=seed)
    held = parts == HELD_OUT_PART
    learn = [pair for pair, is_held in zip(pairs, held, strict=True) if not is_held]
    return learn, [pair for pair, is_held in zip(pairs, held, strict=True) if is_held]


def try_out(held: Sequence[Pair], scores: Scores, seed: int) -> Guarded:
    """Hold a model to the guards on pairs that it never learnt from."""
    asked = [(pair.prompt, text) for pair in held for text in (pair.chosen, pair.rejected)]
    plain = np.array(scores(asked, False), dtype=float)
    together = np.array(scores(asked, True), dtype=float)
    padded = [
        np.array(scores([(prompt, f"{text} {behind}") for prompt, text in asked], False)) - plain
        for behind in PADDINGS
    ]
    shifts = np.array(padded).reshape(len(PADDINGS), -1)
    made = [
        HeldOut(
            item=pair.item_id,
            group=pair.strategy,
            flaw=str(pair.flaw or ""),
            chosen=float(plain[2 * at]),
            rejected=float(plain[2 * at + 1]),
            chosen_words=len(pair.chosen.split()),
            rejected_words=len(pair.rejected.split()),
            chosen_shifts=tuple(map(float, shifts[:, 2 * at])),
            rejected_shifts=tuple(map(float, shifts[:, 2 * at + 1])),
        )
        for at, pair in enumerate(held)
    ]
    parts = deal([one.item for one in made], [one.group for one in made], seed=seed)
    return guard(made, parts, float(np.abs(together - plain).max()))


def _trained(asked: argparse.Namespace, learn: Sequence[Pair], held: Sequence[Pair]) -> Scores:
    """Train the adapters and give what scores by them."""
    import torch
    from datasets import Dataset
    from peft import LoraConfig, TaskType
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    from trl import RewardConfig, RewardTrainer

    tokenizer = AutoTokenizer.from_pretrained(str(asked.model))
    model = AutoModelForSequenceClassification.from_pretrained(str(asked.model), num_labels=1)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    model.config.pad_token_id = tokenizer.pad_token_id
    adapters = LoraConfig(
        task_type=TaskType.SEQ_CLS, r=asked.rank, lora_alpha=2 * asked.rank, lora_dropout=0.05
    )
    settings = RewardConfig(
        output_dir=str(asked.out),
        num_train_epochs=asked.epochs,
        per_device_train_batch_size=asked.batch,
        learning_rate=asked.rate,
        max_length=asked.tokens,
        seed=asked.seed,
        use_cpu=not torch.cuda.is_available(),
        bf16=torch.cuda.is_available() and torch.cuda.is_bf16_supported(),
        report_to="none",
        save_strategy="no",
    )
    trainer = RewardTrainer(
        model=model,
        args=settings,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([_record(pair) for pair in learn]),
        eval_dataset=Dataset.from_list([_record(pair) for pair in held]),
        peft_config=adapters,
    )
    trainer.train()
    trainer.save_model(str(asked.out))
    return _scoring(trainer.model, tokenizer, asked.tokens)


def _record(pair: Pair) -> dict[str, list[dict[str, str]]]:
    """Give a pair in the form with messages, so that the model's own template is used."""
    return {
        "prompt": [{"role": "user", "content": pair.prompt}],
        "chosen": [{"role": "assistant", "content": pair.chosen}],
        "rejected": [{"role": "assistant", "content": pair.rejected}],
    }


def _scoring(model: Any, tokenizer: Any, tokens: int) -> Scores:
    import torch

    model.eval()

    def given(texts: list[str]) -> list[float]:
        fed = tokenizer(
            texts, padding=True, truncation=True, max_length=tokens, return_tensors="pt"
        )
        with torch.no_grad():
            found = model(**fed.to(model.device)).logits
        return [float(one) for one in found.float().squeeze(-1)]

    def scores(asked: Sequence[tuple[str, str]], together: bool) -> list[float]:
        texts = [
            tokenizer.apply_chat_template(
                [{"role": "user", "content": prompt}, {"role": "assistant", "content": text}],
                tokenize=False,
            )
            for prompt, text in asked
        ]
        return given(texts) if together else [one for text in texts for one in given([text])]

    return scores


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path, help="pairs as `audit reward export` writes them")
    parser.add_argument("--model", type=Path, required=True, help="folder of a small chat model")
    parser.add_argument("--out", type=Path, required=True, help="where the adapter is written")
    parser.add_argument("--rank", type=int, default=16, help="of the adapters")
    parser.add_argument("--epochs", type=float, default=3.0)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1e-4, help="learning rate")
    parser.add_argument("--tokens", type=int, default=1024, help="longest prompt and response")
    parser.add_argument("--seed", type=int, default=0)
    return parser


if __name__ == "__main__":
    sys.exit(main())
