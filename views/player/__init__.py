"""The player: picture, sound and the keys that move through them."""

from views.player.player import Player

__all__ = ["Player"]
