"""Playing needs nothing that Windows has not got.

No Windows is at hand where these tests run: what is looked at is that every module that playing
loads can be loaded where the modules of a Unix are missing. How a terminal there draws is not.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "tui"
UNIX = ("termios", "fcntl", "resource", "pwd", "grp", "tty", "pty", "readline", "curses", "syslog")
LOADING = """
import importlib, importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {missing!r}:
            raise ImportError(f"{{name}} is not there")
for name in {missing!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for name in {modules!r}:
    importlib.import_module("tui." + name)
import worldengine.cli.play, worldengine.cli.tour
from tui.session import Session
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.resources import shipped_world
session = Session(compile_source(read(shipped_world("bakery")).source).machine)
print(session.play("look").text)
"""
NEVER = {"fork", "getuid", "geteuid", "nice", "sched_setaffinity", "killpg", "setsid", "mkfifo"}


def test_what_playing_loads_needs_no_unix() -> None:
    modules = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    code = LOADING.format(missing=UNIX, modules=modules)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=FOLDER.parent, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_nothing_of_os_that_only_a_unix_has_is_called() -> None:
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert not (node.value.id == "os" and node.attr in NEVER), path.name
