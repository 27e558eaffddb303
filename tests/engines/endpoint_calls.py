"""Questions put to a server that does as it is told."""

from __future__ import annotations

import threading

from fault_server import (
    FaultServer,
)

from app.running.protocols import no_report
from app.running.questions import Message, Question, Sampler
from engines.endpoint_line import Patience
from engines.endpoints import Endpoint
from engines.openai_api import OpenAIChat

SCHEMA = '{"properties":{"level":{"type":"integer"}},"required":["level"],"type":"object"}'
QUICK = Patience(tries=3, first_wait_s=0.01, longest_wait_s=5.0)
JPEG = b"\xff\xd8\xff\xe0 not much of a picture"


def question(*parts, schema=SCHEMA, draws=1):
    shown = (Message("system", ("Be brief.",)), Message("user", parts or ("How is it?",)))
    return Question("a question", shown, schema, Sampler(0.7, 300, 40, 0.9), draws)


def chat_with(server, pictures=None, capabilities=None, **settings):
    given = {"is_on": True, "silence_s": 5.0, "connect_s": 2.0, **settings}
    endpoint = Endpoint("bench", server.url, "tiny", **given)
    return OpenAIChat(endpoint, capabilities, pictures, QUICK)


def ask(chat, asked=None, draws=(0,), stop=None):
    stop = stop if stop is not None else threading.Event()
    return chat.ask(asked if asked is not None else question(), draws, no_report, stop)


def one(*acts, always=None, **settings):
    """Ask once with the given acts; give the answer and what the server saw."""
    with FaultServer(*acts, always=always) as server:
        return ask(chat_with(server, **settings))[0], server.bodies
