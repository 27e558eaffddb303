"""What runs a model: one file an engine, each bringing its heavy library only when it is used."""
