"""The house rules: which room may import which, sizes, a light import, a README that runs."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.readme import fences, run_fences

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "worldengine"
README = ROOT / "README.md"

BASE = {"source", "diagnostics"}
MAY_IMPORT: dict[str, set[str]] = {
    "source": set(),
    "resources": set(),
    "diagnostics": {"source"},
    "syntax": BASE | {"resources"},
    "machine": set(),
    "compiler": BASE | {"syntax", "machine", "matching", "resources"},
    "matching": {"machine"},
    "runtime": {"machine", "matching"},
    "inputs": BASE | {"resources"},
    "loading": {"inputs", "compiler", "machine"},
    "outputs": set(),
    "documents": set(),
    "importers": BASE | {"syntax", "resources", "machine", "runtime", "players", "rollout"},
    "perturb": BASE | {"syntax", "compiler", "machine", "runtime", "proof"},
    "memo": {"machine"},
    "processes": set(),
    "diversity": {"machine"},
    "generator": BASE
    | {
        "processes",
        "documents",
        "diversity",
        "syntax",
        "compiler",
        "machine",
        "runtime",
        "proof",
        "rollout",
        "perturb",
        "matching",
    },
    "batch": {"machine", "matching", "memo"},
    "knownsets": {"machine", "runtime", "batch"},
    "proof": BASE | {"machine", "memo", "runtime"},
    "atlas": {"machine", "diagnostics"},
    "modelcheck": BASE
    | {
        "processes",
        "machine",
        "matching",
        "runtime",
        "batch",
        "memo",
        "inputs",
        "compiler",
        "proof",
    },
    "authoring": BASE
    | {
        "processes",
        "syntax",
        "compiler",
        "resources",
        "machine",
        "matching",
        "runtime",
        "inputs",
        "memo",
    }
    | {"proof", "modelcheck", "judging", "players", "models", "rollout"},
    "judging": BASE
    | {"syntax", "compiler", "machine", "runtime", "inputs", "proof", "modelcheck"}
    | {"players", "models"},
    "models": set(),
    "players": {"models", "resources"},
    "explorer": {"machine", "memo", "matching", "runtime", "batch", "modelcheck", "players"},
    "rollout": {"processes", "machine", "memo", "proof", "runtime", "players", "explorer"},
    "curation": {"batch", "machine", "memo", "perturb", "runtime", "players", "rollout"},
    "tuning": {
        "documents",
        "outputs",
        "machine",
        "memo",
        "runtime",
        "modelcheck",
        "players",
        "rollout",
        "curation",
    },
    "evaluation": {"documents", "machine", "proof", "runtime", "players", "rollout"},
    "dungeonmaster": {"machine", "runtime", "models", "players", "rollout", "evaluation"},
    "report": {"documents", "rollout", "tuning", "evaluation", "dungeonmaster"},
    "experiment": {"machine", "runtime", "compiler", "players", "rollout", "tuning", "evaluation"},
}
"""Rooms not named here (cli, demo, tui) stand on top and may import any."""

FACADE = {("machine", "runtime"), ("machine", "matching")}
"""`machine.step` is the public name of what runtime does; it imports it when it is called."""

WITHIN: dict[str, tuple[str, ...]] = {
    "batch": (
        *("compiling", "tables", "texts", "slots", "episodes", "rows", "schemas", "lanes", "ready"),
        *("offering", "single", "frontier", "sharing", "engine", "endings", "typed", "asking"),
        *("pure", "seeing", "tensors", "env"),
    ),
    "modelcheck": (
        *("budget", "programs", "compiled", "relaxation", "wording", "reductions", "problem"),
        *("untold", "exploration", "planning", "ready", "guessing", "verdicts", "telling"),
    ),
    "explorer": (
        *("ways", "imagining", "ready", "knowing", "believing", "planning", "deciding", "slips"),
        *("evidence", "companion"),
    ),
    "players": (
        *("replies", "shown", "reply", "view", "protocol", "options", "spec", "catalogue"),
        *("thoughts", "models", "again", "expert", "explorer", "human", "python", "random"),
    ),
}
"""Rooms within rooms, in order: each imports only what stands before it."""

ROOM_LIMIT = 300
LONGER: dict[str, int] = {
    "worldengine/machine/schema.py": 470,
    "worldengine/syntax/ast.py": 600,
    "worldengine/compiler/resolved.py": 360,
}
"""Modules that may be longer, and how long. Raising one is a commit of its own."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names = [node.module]
            if node.module == "worldengine":
                names = [f"worldengine.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "worldengine" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    here = room(path)
    if here not in MAY_IMPORT:
        return
    allowed = MAY_IMPORT[here] | {here, "__version__"}
    surplus = {name for name in imported_rooms(path) - allowed if (here, name) not in FACADE}
    assert not surplus, f"{here} imports {sorted(surplus)}"


def imported_parts(path: Path, whole: str) -> set[str]:
    """Which rooms within the room `whole` a module imports when it is loaded."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = node.module.split(".")
            if parts[:2] == ["worldengine", whole]:
                names = {alias.name for alias in node.names} & set(WITHIN[whole])
                found |= {parts[2]} if len(parts) > 2 else names
    return found


@pytest.mark.parametrize("whole", WITHIN)
def test_rooms_within_rooms_import_one_way(whole: str) -> None:
    order = WITHIN[whole]
    for path in sorted((PACKAGE / whole).rglob("*.py")):
        here = path.relative_to(PACKAGE / whole).parts[0].removesuffix(".py")
        if here == "__init__":
            continue
        earlier = {*order[: order.index(here)], here}
        surplus = imported_parts(path, whole) - earlier
        assert not surplus, f"{path.relative_to(PACKAGE)} imports {sorted(surplus)}"


def test_every_room_is_a_package() -> None:
    """Without an `__init__.py` a room would be missing from the wheel."""
    for path in modules():
        assert (path.parent / "__init__.py").exists(), path.parent


def test_every_room_is_known() -> None:
    on_top = {"adapters", "bench", "cli", "demo", "tui", "__init__", "__main__"}
    rooms = {room(path) for path in modules()}
    assert rooms <= set(MAY_IMPORT) | on_top


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_are_small_and_say_what_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    assert text.count("\n") <= LONGER.get(name, ROOM_LIMIT)
    assert ast.get_docstring(ast.parse(text)), f"{name} has no docstring"


HEAVY = {"torch", "transformers", "textual", "pydantic", "lark", "numpy", "numba", "rich", "re2"}


@pytest.mark.parametrize("statement", ["import worldengine", "import worldengine.cli"])
def test_import_is_light(statement: str) -> None:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


def test_check_starts_without_what_it_does_not_need() -> None:
    code = "import sys; import worldengine.cli.check; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    unneeded = {"torch", "transformers", "textual", "pydantic", "numpy", "numba", "rich"}
    assert not unneeded & set(done.stdout.split())


def tracked() -> list[Path]:
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name]


def test_no_path_of_a_machine_is_written_down() -> None:
    paths = [f"{ROOT.parent}/", f"{Path.home()}/", "/" + "work/"]
    for path in tracked():
        if not path.is_file() or path.suffix in {".png", ".gif"}:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for name in paths:
            assert name not in text, f"{path.relative_to(ROOT)} names {name}"


def test_no_eval_and_no_pickle() -> None:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, path
            if isinstance(node, ast.Import):
                names = {alias.name.split(".")[0] for alias in node.names}
                assert not names & {"pickle", "marshal", "shelve", "dill"}, path


def subcommands() -> list[str]:
    from worldengine.cli.arguments import parser

    for action in parser()._actions:
        if isinstance(action.choices, dict):
            return sorted(action.choices)
    raise AssertionError("no subcommands")


def test_readme_names_every_subcommand() -> None:
    if not README.exists():
        pytest.skip("README.md is not there yet")
    text = README.read_text(encoding="utf-8")
    missing = [name for name in subcommands() if f"worldengine {name}" not in text]
    assert not missing
    assert "make demo" in text and "make test" in text


def test_readme_runs(tmp_path: Path) -> None:
    """Every fence of the README, in order, in one empty folder. See `tests/readme.py`."""
    if not README.exists():
        pytest.skip("README.md is not there yet")
    run_fences(fences(README.read_text(encoding="utf-8")), tmp_path)


@pytest.mark.slow
def test_the_wheel_works_where_there_is_no_checkout(tmp_path: Path) -> None:
    """Built, looked into, installed without dependencies, started from another folder."""
    source = tmp_path / "source"
    skip = shutil.ignore_patterns(".*", "build", "out", "*.egg-info", "tests", "__pycache__")
    shutil.copytree(ROOT, source, ignore=skip)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(source)],
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    grammars = {f"worldengine/grammars/{path.name}" for path in ROOT.glob("grammars/*.lark")}
    worlds = {
        f"worldengine/{path.relative_to(ROOT).as_posix()}"
        for path in ROOT.glob("worlds/**/*.world")
    }
    styles = {f"worldengine/tui/{path.name}" for path in ROOT.glob("tui/*.tcss")}
    pages = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.glob("authoring/*")
        if path.suffix in {".txt", ".jsonl"}
    }
    sources = {path.relative_to(ROOT).as_posix() for path in modules()}
    assert grammars | worlds | styles | pages | sources | {"worldengine/py.typed"} <= names
    site = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site, str(wheel)],
        check=True,
    )
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r}); import worldengine.resources as r; "
        f"assert r.folder('worlds').is_relative_to({str(site)!r}), r.folder('worlds'); "
        "assert r.read('grammars', 'world.lark'); "
        "from worldengine.cli import main; "
        "sys.exit(main(['check', '--fast', *(str(p) for p in r.shipped_worlds()[:1])])"
        " if r.shipped_worlds() else 0)"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True, cwd=tmp_path)
