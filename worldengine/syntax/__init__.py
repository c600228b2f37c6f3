"""The syntax room: text in, tree out, and back. What names mean is asked elsewhere."""

from worldengine.syntax.parser import parse

__all__ = ["parse"]
