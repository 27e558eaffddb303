"""The one timeline under the player."""
