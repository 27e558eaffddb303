"""Pages and files a reviewer hands over: one file a report or an export."""
