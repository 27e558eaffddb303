"""The library on disk. The only code that speaks SQLite."""
