"""What every page shares: colours, text sizes and small widgets."""
