"""Worlds written by a model: the page it is given, the loop that checks what it writes, and
the judging of whether a world does what it says."""
