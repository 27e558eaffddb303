"""The jobs page: everything long, with its progress."""
