"""The syntax room: text in, tree out, and back. What names mean is asked elsewhere."""

from worldengine.syntax.parser import parse
from worldengine.syntax.printer import format_document

__all__ = ["format_document", "parse"]
