"""Long and dangerous work: the watched child process that native code runs in."""
