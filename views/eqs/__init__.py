"""Rating of evidence: draws, blind ratings by two people, the talk after them, the figures."""
