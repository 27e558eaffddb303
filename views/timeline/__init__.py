"""The one timeline under the player."""

from views.timeline.timeline import Timeline

__all__ = ["Timeline"]
