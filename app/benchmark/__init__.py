"""The practice benchmark: coded clips brought in, coders run over them, figures drawn from it."""
