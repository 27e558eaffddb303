"""Coding clips by practice and level, with evidence that is checked before it counts."""
