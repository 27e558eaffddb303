"""Candidate clips judged blind by researchers and experts, and sets written for others."""
