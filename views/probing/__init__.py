"""Testing whether the evidence of models carries their labels, as a reviewer meets it."""
