"""Figures from counts and ratings: pure functions, where an undefined figure is `None`."""
