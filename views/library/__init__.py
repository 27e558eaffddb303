"""The library page: all lessons, what has been done, what waits."""
