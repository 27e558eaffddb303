"""Reading lesson recordings: facts, exact frames, sound. PyAV's timestamps are the one clock."""
