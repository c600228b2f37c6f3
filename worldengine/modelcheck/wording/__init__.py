"""Parts of a Machine in its author's words, and where they stand in the script."""
