"""Models arrive whole and checked from a server that speaks as the hub does, or not at all."""

from __future__ import annotations

import json
import socket
import sys
import threading
from dataclasses import replace

import pytest
from hub_server import COMMIT, HubServer
from model_files import write_ctranslate2, write_model, write_projector
from tiny_downloads import REPOSITORY, TINY, hub, left, sha256

from app.errors import Refused
from app.models import Origin
from app.places import models_folder
from engines.catalogue import ModelFile
from engines.downloads import download
from engines.hub_line import Hub
from engines.local_models import find_installed, installed_models


def test_a_model_arrives_whole_and_is_listed_with_where_it_came_from(server, files):
    model = download(TINY, hub(server))
    assert model == find_installed("tiny")
    assert (model.origin, model.source) == (Origin.DOWNLOADED, f"{REPOSITORY}@{COMMIT}")
    assert [file.path.read_bytes() for file in model.files] == list(files.values())
    assert [file.sha256 for file in model.files] == [sha256(data) for data in files.values()]
    assert left() == ["tiny"]


def test_asking_again_for_what_is_there_asks_nobody(server):
    download(TINY, hub(server))
    asked = len(server.asked)
    assert download(TINY, hub(server)).name == "tiny"
    assert len(server.asked) == asked


def test_progress_goes_up_to_the_whole_size(server, files):
    server.faults.pause_s = 0.05
    told = []
    download(TINY, hub(server), lambda share, words: told.append((share, words)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] > 0.3
    assert told[0][1] == "asking for Tiny"
    assert told[-1][1].startswith("fetching Tiny, ")
    assert told[-1][1].endswith(" of 2 MB")


def test_nothing_is_said_of_who_asks_and_no_token_is_looked_for(server, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret_of_somebody")
    download(TINY, hub(server))
    assert {asked.headers["user-agent"] for asked in server.asked} == {"clerestory"}
    assert not any("authorization" in asked.headers for asked in server.asked)
    assert "secret" not in repr(server.asked)


def test_a_token_goes_to_the_hub_and_not_to_where_the_hub_sends_us(server):
    download(TINY, hub(server, token="hf_given"))
    by_host = {}
    for asked in server.asked:
        by_host.setdefault(asked.host.split(":")[0], set()).add(asked.headers.get("authorization"))
    assert by_host == {"127.0.0.1": {"Bearer hf_given"}, "localhost": {None}}


def test_a_token_is_never_shown_nor_sent_in_the_open(caplog):
    careless = Hub("http://hub.example.org", token="hf_given")
    assert "hf_given" not in repr(careless)
    with pytest.raises(Refused, match="for all to read"):
        download(TINY, careless)
    assert "hf_given" not in caplog.text


@pytest.mark.parametrize("endpoint", ["ftp://hub", "hub", "file:///etc/passwd"])
def test_only_addresses_of_the_web_are_asked(endpoint):
    with pytest.raises(Refused, match="not the address of a model hub"):
        download(TINY, Hub(endpoint))


def test_the_quick_way_past_our_checks_is_not_taken(server):
    server.faults.xet = True
    download(TINY, hub(server))
    assert not any("xet" in asked.path for asked in server.asked)
    assert "hf_xet" not in sys.modules


def test_a_broken_line_is_gone_on_with_where_it_broke(server, files):
    size = len(files["tiny.gguf"])
    server.faults.cuts = [300_000, 0, 500_000]
    model = download(TINY, hub(server))
    assert model.weights.path.read_bytes() == files["tiny.gguf"]
    asked = server.ranges("tiny.gguf")
    assert asked == ["", "bytes=300000-", "bytes=300000-", "bytes=800000-"]
    assert size > 800_000


def test_a_busy_hub_is_asked_again(server, files):
    server.faults.busy = 3
    assert download(TINY, hub(server)).weights.sha256 == sha256(files["tiny.gguf"])


def test_a_line_that_brings_nothing_any_more_is_given_up_and_the_part_is_kept(server, files):
    server.faults.cuts = [300_000] + [0] * 20
    with pytest.raises(Refused, match="connection to the hub broke") as caught:
        download(TINY, hub(server, tries=3))
    assert "what has arrived is kept" in caught.value.hint
    assert installed_models() == ()
    assert server.ranges("tiny.gguf") == ["", "bytes=300000-", "bytes=300000-"]
    server.faults.cuts = []
    server.asked.clear()
    assert download(TINY, hub(server)).weights.path.read_bytes() == files["tiny.gguf"]
    assert server.ranges("tiny.gguf") == ["bytes=300000-"]


def test_a_server_that_cannot_go_on_in_the_middle_is_read_from_the_start(server, files):
    server.faults.ranges = False
    server.faults.cuts = [300_000]
    assert download(TINY, hub(server)).weights.path.read_bytes() == files["tiny.gguf"]


def test_silence_is_noticed_and_gone_on_from(server, files):
    server.faults.cuts = [300_000]
    server.faults.silent.set()
    threading.Timer(0.5, server.faults.silent.clear).start()
    model = download(TINY, hub(server, silence_s=0.2, tries=9))
    assert model.weights.path.read_bytes() == files["tiny.gguf"]


def test_silence_without_end_is_told(server):
    server.faults.silent.set()
    with pytest.raises(Refused, match="connection to the hub broke"):
        download(TINY, hub(server, silence_s=0.1, tries=2))


@pytest.mark.parametrize("change", ["one byte", "longer", "shorter", "a page"])
def test_wrong_bytes_are_refused_and_deleted(server, files, change):
    data = files["tiny.gguf"]
    server.faults.wrong["tiny.gguf"] = {
        "one byte": data[:900_000] + bytes([data[900_000] ^ 1]) + data[900_001:],
        "longer": data + b"more",
        "shorter": data[:-1],
        "a page": b"<html>" + b"x" * (len(data) - 6),
    }[change]
    with pytest.raises(Refused, match=r"tiny\.gguf is not what it should be|connection") as caught:
        download(TINY, hub(server, tries=2))
    assert installed_models() == ()
    if change != "shorter":
        assert "deleted" in caught.value.message
        assert left() == [".tiny.part"]
        assert list((models_folder() / ".tiny.part").iterdir()) == []
    server.faults.wrong.clear()
    assert download(TINY, hub(server)).weights.path.read_bytes() == data


def test_small_files_are_checked_by_the_hash_of_git(tmp_path):
    folder = write_ctranslate2(tmp_path / "model", numbers=600)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    model = replace(
        TINY,
        kind="speech",
        form="ctranslate2",
        files=(
            ModelFile("model.bin", "weights", None, ""),
            ModelFile("config.json", "support", None, ""),
        ),
    )
    with HubServer(REPOSITORY, files) as server:
        server.faults.wrong["config.json"] = b"[]"
        with pytest.raises(Refused, match=r"config\.json is not what it should be: its git hash"):
            download(model, hub(server))
        server.faults.wrong.clear()
        assert download(model, hub(server)).origin is Origin.DOWNLOADED


def pinned(sha):
    return replace(TINY, files=(replace(TINY.files[0], sha256=sha), TINY.files[1]))


def test_a_pinned_hash_decides_before_a_byte_is_fetched(server, files):
    with pytest.raises(Refused, match=r"another tiny\.gguf than the one that is recommended"):
        download(pinned("0" * 64), hub(server))
    assert server.ranges("tiny.gguf") == []
    assert left() == []
    assert download(pinned(sha256(files["tiny.gguf"])), hub(server)).name == "tiny"


def test_a_server_that_keeps_no_record_is_not_believed(server):
    server.faults.no_record = True
    with pytest.raises(Refused, match="does not say how large"):
        download(TINY, hub(server))


def test_a_file_that_changed_on_the_hub_is_fetched_anew(server, files, tmp_path):
    server.faults.cuts = [300_000] + [0] * 9
    with pytest.raises(Refused):
        download(TINY, hub(server, tries=2))
    other = write_model(tmp_path / "other.gguf", numbers=400_000 // 64 * 64).read_bytes()
    server.files["tiny.gguf"] = other
    server.faults.cuts = []
    server.asked.clear()
    assert download(TINY, hub(server)).weights.path.read_bytes() == other
    assert server.ranges("tiny.gguf") == [""]
    assert left() == ["tiny"]


@pytest.mark.parametrize(
    ("status", "code", "told", "hint"),
    [
        (
            401,
            "GatedRepo",
            "only to those who have accepted its licence",
            "Accept it with your own",
        ),
        (403, "GatedRepo", "only to those who have accepted its licence", REPOSITORY),
        (401, "RepoNotFound", "does not give Tiny to everybody", "may ask for an account"),
        (403, "", "does not give Tiny to everybody", "may ask for an account"),
        (404, "EntryNotFound", "has not, or no longer", "what it is called now"),
        (404, "RevisionNotFound", "has not, or no longer", "what it is called now"),
        (404, "", "has not, or no longer", "what it is called now"),
        (400, "", "answered with status 400", "Try again later"),
        (500, "", "answered with status 500", "what has arrived is kept"),
    ],
)
def test_a_refusal_of_the_hub_is_told_in_plain_words(server, status, code, told, hint):
    server.faults.status["mmproj-tiny.gguf"] = status
    server.faults.error_code = code
    with pytest.raises(Refused, match=told) as caught:
        download(TINY, hub(server, tries=2))
    assert hint in caught.value.hint
    assert server.ranges("tiny.gguf") == []
    assert left() == []


def test_no_hub_at_all_is_told():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(Refused, match="none could be made"):
            download(TINY, Hub(nobody, tries=2, wait_s=0.01))


def test_what_is_no_model_is_refused_whatever_its_hash(server):
    server.files["tiny.gguf"] = b"PK\x03\x04" + bytes(5000)
    with pytest.raises(Refused, match="pickle"):
        download(TINY, hub(server))
    assert left() == []


def test_a_projector_that_does_not_fit_is_refused(server, tmp_path):
    wide = write_projector(tmp_path / "wide.gguf", 128).read_bytes()
    server.files["mmproj-tiny.gguf"] = wide
    with pytest.raises(Refused, match="gives 128 numbers for each token, and the model takes 64"):
        download(TINY, hub(server))
    assert left() == []


def test_nothing_is_asked_before_a_download_is(monkeypatch, files):
    def connect(*_):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", connect)
    from engines.catalogue import catalogue
    from engines.shelf import Shelf

    shelf = Shelf()
    assert len(shelf.states()) >= len(catalogue())
    assert "memory" in shelf.computer()


def test_the_record_is_plain_json_and_names_no_place_outside(server):
    model = download(TINY, hub(server))
    table = json.loads((models_folder() / "tiny" / "model.json").read_text("utf-8"))
    assert [file["name"] for file in table["files"]] == ["tiny.gguf", "mmproj-tiny.gguf"]
    assert str(models_folder()) not in json.dumps(table)
    assert model.licence == "MIT"


def test_a_model_without_a_ready_file_says_what_to_do_instead():
    with pytest.raises(Refused, match="no ready file") as caught:
        download(replace(TINY, files=(), instead="Serve it with vLLM."))
    assert caught.value.hint == "Serve it with vLLM."


def test_a_folder_that_is_no_model_is_not_written_over():
    (models_folder() / "tiny").mkdir()
    (models_folder() / "tiny" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Refused, match="not a whole model"):
        download(TINY)
    assert (models_folder() / "tiny" / "notes.txt").read_text(encoding="utf-8") == "mine"
