"""The Tutor audit page: what is settled, what came of it, and the responses behind each figure."""
