"""How far to trust a coder, by what people decided."""
