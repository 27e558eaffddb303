"""The openai package's client over our own line, for whatever is not asked hundreds of times."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engines.endpoint_line import Judge, Line
from engines.endpoints import Endpoint

if TYPE_CHECKING:
    import openai


def client(endpoint: Endpoint, line: Line, judge: Judge, stop: threading.Event) -> openai.OpenAI:
    """Make a client of the openai package whose every call goes over `line`.

    What the package takes from the environment (keys, organisation, headers, proxies) ends here:
    only method, path and body are passed on.
    """
    import httpx2
    import openai

    base = urlsplit(endpoint.base_url).path

    class Through(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            path = request.url.raw_path.decode("ascii").removeprefix(base)
            body = request.read() or None
            reply, _ = line.deliver(request.method, path, body, judge, stop)
            kind = {"content-type": "application/json"}
            return httpx2.Response(reply.status, headers=kind, content=reply.body)

    return openai.OpenAI(
        api_key="kept elsewhere",
        base_url=endpoint.base_url,
        max_retries=0,
        http_client=httpx2.Client(transport=Through(), trust_env=False, follow_redirects=False),
    )
