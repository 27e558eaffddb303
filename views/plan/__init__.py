"""What a plan will take, shown before anything is asked."""
