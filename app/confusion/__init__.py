"""Confusion in learner videos: windows, cues, readers, votes, events, curation."""
