"""Playing in the mind: single steps, and many at once."""
