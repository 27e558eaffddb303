"""The audit of an AI tutor: items, tutoring, judging, effects, experts, gates."""
