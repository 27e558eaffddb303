"""The models page: models on this computer, endpoints elsewhere, and trying either out."""
