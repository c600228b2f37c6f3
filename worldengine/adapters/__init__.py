"""Doors to other people's frameworks; each needs the extra of its name."""
