"""Sets of coded clips, coders run over them, and the tables and matrices that come of it."""
