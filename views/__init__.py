"""The window: one folder a page, and the only place that knows Qt."""
