"""Saving and loading is the identity; hashes leave out what they say they leave out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.build_machine import lamp_world
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import Location
from worldengine.machine.show import show
from worldengine.machine.storage import from_json, load, save, to_json

ROOT = Path(__file__).resolve().parents[2]


def test_saving_and_loading_is_the_identity(tmp_path: Path) -> None:
    machine = lamp_world()
    save(machine, tmp_path / "lamp.json")
    loaded = load(tmp_path / "lamp.json")
    assert loaded == machine
    assert loaded.hash == machine.hash
    assert to_json(loaded) == to_json(machine)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\x80\x04pickle", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "names no format"),
        (b'{"format": 99}', "format 99"),
        (b'{"format": 1}', "not a saved Machine"),
    ],
)
def test_what_is_no_machine_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(MachineError, match=sentence):
        from_json(data)


def test_loading_validates() -> None:
    document = json.loads(to_json(lamp_world()))
    document["status"] = 99
    with pytest.raises(MachineError, match="status"):
        from_json(json.dumps(document).encode())


def test_loading_is_strict_about_types() -> None:
    document = json.loads(to_json(lamp_world()))
    document["turns"] = "50"
    with pytest.raises(MachineError, match="turns"):
        from_json(json.dumps(document).encode())


def test_the_hash_leaves_out_where_things_were_written() -> None:
    machine = lamp_world()
    moved = replace(
        machine,
        spans=(Location("lamp.world", 1, 1, 2, 1),),
        objects=tuple(replace(item, span=0) for item in machine.objects),
    )
    assert moved.hash == machine.hash
    assert replace(machine, goal="Another goal.").hash != machine.hash


def test_the_shape_is_equal_up_to_renaming() -> None:
    machine = lamp_world()
    renamed = replace(
        machine,
        name="other",
        goal="Another goal.",
        objects=tuple(replace(item, id=item.id + "_", name="x") for item in machine.objects),
        variables=tuple(replace(item, name="v") for item in machine.variables),
    )
    assert renamed.shape == machine.shape
    assert renamed.hash != machine.hash
    other = replace(machine.variables[8], initial=2)
    variables = (*machine.variables[:8], other, *machine.variables[9:])
    assert replace(machine, variables=variables).shape != machine.shape


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_hash_and_print_are_equal_in_every_process(seed: str) -> None:
    code = (
        "from tests.build_machine import lamp_world as w\n"
        "from worldengine.machine.show import show\n"
        "import hashlib\n"
        "m = w(); print(m.hash, m.shape, hashlib.sha256(show(m).encode()).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    import hashlib

    machine = lamp_world()
    printed = hashlib.sha256(show(machine).encode()).hexdigest()
    assert done.stdout.decode().split() == [machine.hash, machine.shape, printed]


def test_the_print_reads_well() -> None:
    lines = show(lamp_world()).splitlines()
    assert "  dial : 1..9 = 1   (attribute)" in lines
    assert '      0: lamp.in := player; say "You take {the lamp}."' in lines
    assert "      0: if number != dial: go on -> 2" in lines
    assert '    0: if turn >= 3 and prior turn == 2: say "Somewhere a clock strikes."' in lines
