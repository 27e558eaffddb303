"""The command line: one module a command, over the same functions the window calls."""
