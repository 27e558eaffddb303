"""A server on loopback as the settings keep it, and what it was shown."""

from app.settings import Settings
from engines.endpoint_capabilities import Capabilities, Finding
from engines.endpoints import Endpoint


def settings_for(server, images=4):
    """Give settings in which the server is on under the name `near` and was tested."""
    yes = Finding("yes", "seen")
    found = Capabilities("now", "m", "", yes, yes, images, yes, 48_000, yes, None).to_json()
    stored = Endpoint("near", server.url, "tiny-1", is_on=True, max_in_flight=32).to_json()
    return Settings(endpoints=(stored,), endpoints_found={"near": found})


def images_of(body):
    """Give the pictures of a request, as the addresses that hold them."""
    return [
        part["image_url"]["url"]
        for part in body["messages"][-1]["content"]
        if isinstance(part, dict) and part["type"] == "image_url"
    ]
