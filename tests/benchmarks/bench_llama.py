"""What encoding once, reading once and forking save, beside llama-cpp-python's own road.

Run: `python tests/benchmarks/bench_llama.py`, with the extra `vlm`; the
real text model comes from the group `real-models`. Both roads run in one process, one after the
other in turns, on the same files and threads; the table gives medians and their ratios.

The stock road is what a program without this engine does: the library's chat call, once for each
draw, which reads the prompt (and encodes each picture) anew every time. `--weights FILE
[--projector FILE] [--gpu-layers N]` runs the same on a model of your own, e.g. on a graphics card.
"""

from __future__ import annotations

import argparse
import base64
import io
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engines"))

import llama_cpp
from llama_cpp.llama_chat_format import MTMDChatHandler
from PIL import Image
from real_models import QWEN, put_together
from tiny_vision import write_eye, write_language

from app.lesson.media.frames import frames_at
from app.running.protocols import no_report
from app.running.questions import FrameRef, Message, Question, RawAnswer, Sampler
from engines.cores import physical_cores
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_model import LlamaModel

LESSON = str(Path(__file__).resolve().parents[2] / "resources/sample/lesson.mp4")
SIDE_PX = 384
CONTEXT = 8192
WORDS = "The teacher asks why the ice melts faster in the metal bowl, and a child points. "
FRAMES = tuple(FrameRef(LESSON, "a" * 64, 10_000 * n, SIDE_PX) for n in range(6))


def question(words: str, frames: tuple[FrameRef, ...], answer_tokens: int) -> Question:
    """Make a question as the coders do: instructions, frames, transcript, what is asked."""
    messages = (
        Message("system", ("You code what teachers do, from what is seen and said.",)),
        Message("user", (*frames, WORDS * 12, words)),
    )
    # At temperature 0 both roads write the same, so that the work is the same.
    how = Sampler(max_tokens=answer_tokens)
    return Question("bench", messages, "", how)


def ask(chat: LlamaCppChat, asked: Question, draws: int) -> list[RawAnswer]:
    """Ask for so many draws."""
    return chat.ask(asked, range(draws), no_report, threading.Event())


def stock(model: LlamaModel, layers: int, threads: int) -> llama_cpp.Llama:
    """Open a model the library's own way."""
    handler = None
    if model.projector is not None:
        handler = MTMDChatHandler(clip_model_path=str(model.projector), verbose=False)
    return llama_cpp.Llama(
        str(model.weights),
        chat_handler=handler,
        n_ctx=CONTEXT,
        n_gpu_layers=layers,
        n_threads=threads,
        n_threads_batch=threads,
        verbose=False,
    )


def stock_calls(llama: llama_cpp.Llama, asked: Question, draws: int) -> int:
    """Ask through the library's chat call, once for each draw; gives the tokens written."""
    pictures = {frame: as_address(frame) for frame in asked.frames}
    messages: list[Any] = [
        {
            "role": message.role,
            "content": [
                {"type": "text", "text": part}
                if isinstance(part, str)
                else {"type": "image_url", "image_url": {"url": pictures[part]}}
                for part in message.parts
            ]
            if pictures and message.role == "user"
            else "".join(map(str, message.parts)),
        }
        for message in asked.messages
    ]
    written = 0
    for draw in range(draws):
        # As two programs would: nothing is kept from call to call, for pictures or for text.
        llama.reset()
        told = llama.create_chat_completion(
            messages,
            temperature=asked.sampler.temperature,
            top_p=1.0,
            top_k=0,
            min_p=0.0,
            repeat_penalty=1.0,
            max_tokens=asked.sampler.max_tokens,
            seed=draw,
        )
        written += told["usage"]["completion_tokens"]
    return written


def as_address(frame: FrameRef) -> str:
    """Give a frame as the library takes it."""
    shown = next(iter(frames_at(frame.media_path, [frame.time_ms], frame.max_px)))
    held = io.BytesIO()
    Image.fromarray(shown.image).save(held, "PNG")
    return "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """Give the seconds that some work took, and the tokens it wrote."""
    began = time.perf_counter()
    written = work()
    return time.perf_counter() - began, written


def in_turns(
    name: str, times: int, ours: Callable[[], int], theirs: Callable[[], int], goal: str
) -> None:
    """Run both roads in turns and print their medians and the ratio of the pairs."""
    pairs = [(timed(ours), timed(theirs)) for _ in range(times)]
    mine = statistics.median(a[0] for a, _ in pairs)
    other = statistics.median(b[0] for _, b in pairs)
    tokens = f"{pairs[0][0][1]} / {pairs[0][1][1]}"
    tell(f"| {name} | {mine:.2f} s | {other:.2f} s | {other / mine:.2f} | {goal} | {tokens} |")


def written(answers: list[RawAnswer]) -> int:
    """Count the tokens of answers."""
    return sum(each.tokens_out or 0 for each in answers)


def five_draws(name: str, model: LlamaModel, asked: Question, args: argparse.Namespace) -> None:
    """Five draws of one window against five calls, both from nothing."""
    llama = stock(model, args.gpu_layers, args.threads)
    chat = LlamaCppChat(model)
    ask(chat, question("Ready?", (), 1), 1)
    stock_calls(llama, question("Ready?", (), 1), 1)

    def ours() -> int:
        loaded = chat._loaded
        assert loaded is not None
        loaded.read.forget()
        loaded.frames.close()
        return written(ask(chat, asked, 5))

    in_turns(name, args.times, ours, lambda: stock_calls(llama, asked, 5), "3")
    chat.close()
    llama.close()


def one_answer(model: LlamaModel, args: argparse.Namespace) -> None:
    """One answer to a long prompt against `Llama.generate` on the same tokens."""
    llama, chat = stock(model, args.gpu_layers, args.threads), LlamaCppChat(model)
    asked = question("Say what happens, in full." + WORDS * 36, (), 40)
    ask(chat, question("Ready?", (), 1), 1)
    loaded = chat._loaded
    assert loaded is not None
    units, _ = loaded.units(asked.messages, no_report, threading.Event())
    tokens = [unit for unit in units if isinstance(unit, int)]

    def ours() -> int:
        loaded.read.forget()
        return written(ask(chat, asked, 1))

    def theirs() -> int:
        llama.reset()
        count = 0
        for token in llama.generate(tokens, temp=0.0, repeat_penalty=1.0):
            if token == llama.token_eos() or count == 40:
                break
            count += 1
        return count

    in_turns(f"one answer, {len(tokens)} tokens read", args.times, ours, theirs, "0.95")
    chat.close()
    llama.close()


def encodes(model: LlamaModel) -> None:
    """Count how often frames are encoded for two questions about them."""
    chat = LlamaCppChat(model)
    told = []
    for words in ("Which practice is it?", "Who is confused?"):
        answer = ask(chat, question(words, FRAMES, 8), 5)[0]
        told.append(f"{dict(answer.details)['frames encoded']} encoded, "
                    f"{answer.tokens_cached} of {answer.tokens_in} tokens kept")  # fmt: skip
    tell(f"\nPractice, then confusion, over {len(FRAMES)} frames, 5 draws each: {'; '.join(told)}.")
    chat.close()


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--projector", type=Path)
    parser.add_argument("--gpu-layers", type=int, default=0)
    parser.add_argument("--threads", type=int, default=physical_cores())
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only-pictures", action="store_true", help="leave the text model out")
    args = parser.parse_args()
    how = {"gpu_layers": args.gpu_layers, "threads": args.threads, "context_tokens": CONTEXT}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        weights = args.weights
        if weights is None and not args.only_pictures:
            weights = put_together(QWEN, folder)
        seeing = LlamaModel(
            args.weights or write_language(folder / "tiny.gguf", seed=2, context=CONTEXT),
            args.projector or write_eye(folder / "eye.gguf", layers=8),
            **how,
        )
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        tell(f"{args.threads} threads, {args.gpu_layers} layers on the card, load {load:.1f}\n")
        tell("| what | this engine | stock calls | ratio | goal | tokens written |")
        tell("|---|---|---|---|---|---|")
        if args.projector or not args.weights:
            asked = question("Which practice is it, and why?", FRAMES, 60)
            five_draws("five draws, 6 frames", seeing, asked, args)
        if args.only_pictures:
            pass
        elif weights is None:
            tell("(the real text model is not there: install the group real-models)")
        else:
            text = LlamaModel(weights, **how)
            asked = question("Which practice is it, and why?" + WORDS * 36, (), 60)
            five_draws("five draws, a real text model", text, asked, args)
            one_answer(text, args)
        if args.projector or not args.weights:
            encodes(seeing)


if __name__ == "__main__":
    main()
