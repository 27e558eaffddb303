"""What was said in a lesson, when and by whom: records, import of files, cleaning of speech."""
