"""Random scripts: they compile or are told why, keep every law, and play as their tree says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compiler.random_world import RandomWorld
from tests.compiler.test_constructs import check_state, formatted
from tests.compiler.test_oracle import check_play
from worldengine.compiler import compile_source
from worldengine.machine.storage import from_json, to_json
from worldengine.machine.validate import validate
from worldengine.runtime import Runtime
from worldengine.source import Source

MAY_BE_TOLD = {
    "attribute-unknown",  # of the kind `thing`, where no thing has it
    "containment-circle",
    "derive-negates-itself",
    "lose-at-start",
    "too-complex",
    "win-at-start",
}


def check(seed: int) -> bool:
    """Whether the script of a seed was played."""
    text = RandomWorld(Random(seed)).text()
    result = compile_source(Source("random.world", text))
    machine = result.machine
    if machine is None:
        told = {item.id for item in result.diagnostics if item.severity == "error"}
        assert told and told <= MAY_BE_TOLD, (told, text)
        return False
    validate(machine)
    assert from_json(to_json(machine)) == machine
    again = compile_source(Source("random.world", formatted(text))).machine
    assert again is not None and again.hash == machine.hash, text
    try:
        check_play(text, seed, turns=12)
        runtime = Runtime(machine)
        check_state(runtime, machine.start(0))
    except AssertionError as problem:
        raise AssertionError(f"seed {seed}:\n{text}\n{problem}") from problem
    return True


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_worlds(seed: int) -> None:
    check(seed)


def test_most_random_worlds_compile() -> None:
    assert sum(check(seed) for seed in range(25)) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_many_random_worlds(block: int) -> None:
    for seed in range(1000 + block * 50, 1050 + block * 50):
        check(seed)
