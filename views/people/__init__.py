"""The Agreement page: what people coded differently, and how far they agree."""
