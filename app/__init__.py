"""The core of Clerestory: lessons, coding, the store, the command line. No Qt, no engines."""
