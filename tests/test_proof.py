"""What is said of proofs that show nothing: where they end, or that there is none."""

from __future__ import annotations

from tests.worlds import TINY
from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic
from worldengine.proof import complaint
from worldengine.proof.starts import named, unproven
from worldengine.source import Source


def complaints(text: str) -> list[Diagnostic]:
    source = Source("tiny.world", text)
    machine = compile_source(source).machine
    assert machine is not None
    return complaint(machine, source)


def test_a_proof_that_wins_gives_nothing_to_say() -> None:
    assert complaints(TINY) == []


def test_no_proof_is_a_warning() -> None:
    (found,) = complaints(TINY[: TINY.index("proof ")])
    assert (found.id, found.severity) == ("proof-none", "warning")


def test_a_proof_that_loses_says_where() -> None:
    text = TINY.replace('proof "take letter"', 'proof "take umbrella"')
    (found,) = complaints(text.replace("put letter in", "put umbrella in"))
    assert found.id == "proof-loses"
    assert "ended at command 10 of 10: 'put umbrella in post box'" in found.message
    assert "--proof 1" in (found.hint or "")


def test_a_proof_that_is_refused_says_by_what() -> None:
    (found,) = complaints(TINY.replace('"go north", ', ""))
    assert found.id == "proof-does-not-win"
    assert "command 3 of 9 is refused" in found.message


def test_starts_that_no_proof_wins_are_known() -> None:
    """What is refused in a start is left out there; nothing is repaired."""
    whole = compile_source(Source("tiny.world", TINY)).machine
    short = compile_source(
        Source("tiny.world", TINY.replace('"go east", "take letter"', '"go east"'))
    )
    assert whole is not None and short.machine is not None
    assert unproven(whole) == ()
    assert unproven(short.machine) == (1,)
    assert unproven(short.machine, (0,)) == ()
    assert (named((1,)), named(range(9))) == ("start 1", "starts 0, 1, 2, 3, 4, 5, 6, 7, …")
