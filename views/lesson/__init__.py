"""The lesson page: player, timeline, transcript, evidence and decision."""
