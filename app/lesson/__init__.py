"""What a lesson is made of: its media, its transcript, its clips."""
