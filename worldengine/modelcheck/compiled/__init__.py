"""Compiled code of the searches: from one state to all that can follow."""
