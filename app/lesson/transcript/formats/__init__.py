"""One module for each kind of transcript file, and the few things they share."""
