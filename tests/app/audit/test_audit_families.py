"""Whose model a judge or tutor is, as far as its name tells."""

import pytest

from app.audit.families import family_of


@pytest.mark.parametrize(
    ("names", "family"),
    [
        (("qwen3.6-27b", "Qwen 3.6"), "qwen"),
        (("judge", "lab: Qwen/Qwen2.5-7B-Instruct"), "qwen"),
        (("gemma-4-31b-it",), "google"),
        (("gemini-2.5-pro",), "google"),
        (("qwen2.5-llama.cpp",), "qwen"),
        (("Meta-Llama-3.1-8B",), "llama"),
        (("mixtral-8x7b",), "mistral"),
        (("deepseek-r1-distill-qwen-7b",), ""),
        (("philosopher", "agpt"), ""),
        ((), ""),
    ],
)
def test_the_family_is_read_from_a_name_and_left_open_where_it_names_none_or_two(names, family):
    assert family_of(*names) == family
