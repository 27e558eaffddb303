"""The Learner page: bands of readers beside the video, and a person's own events."""
