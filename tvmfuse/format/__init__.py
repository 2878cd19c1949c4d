"""Files: their bytes, how they are checked and written."""
