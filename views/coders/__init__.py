"""The choice of who codes a lesson, and what it takes, before anything is started."""
