"""The player: picture, sound and the keys that move through them."""
