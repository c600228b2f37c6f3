"""The house rules for the folder `tui`: sizes, what it imports, what it never does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "tui"
MODULES = sorted(FOLDER.glob("*.py"))
RULES = ("worldengine.runtime.interpreter", "worldengine.runtime.derivation")
"""Where turns are carried out; `tracing` alone looks over the interpreter's shoulder."""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules_are_small_and_say_what_they_are(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= 300
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_it_is_one_package_under_either_name(path: Path) -> None:
    """`tui` in a checkout, `worldengine.tui` where it is installed: so it names itself
    neither way. And it knows nothing of the rules."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            assert node.module.split(".")[0] != "tui"
            assert not node.module.startswith("worldengine.tui")
            if path.stem != "tracing":
                assert node.module not in RULES


def test_no_text_is_ever_markup() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert "from_markup" not in text and "markup=True" not in text
        for line in text.splitlines():
            assert "yield Static(" not in line or "markup=False" in line, f"{path.name}: {line}"
