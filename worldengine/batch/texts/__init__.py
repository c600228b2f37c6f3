"""Texts and numbers: what was typed, what is read, and their ids."""
