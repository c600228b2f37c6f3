"""What is said of proofs that show nothing: where they end, or that there is none."""

from __future__ import annotations

from tests.worlds import TINY
from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic
from worldengine.modelcheck.telling.complaints import complaints as found_by_verdict
from worldengine.modelcheck.verdicts.verdict import UNKNOWN, WINNABLE, Decided, Verdict
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


def test_where_a_start_stays_open_it_is_said_which_the_proof_wins() -> None:
    source = Source("tiny.world", TINY.replace('"go east", "take letter"', '"go east"'))
    machine = compile_source(source).machine
    assert machine is not None
    decided = (Decided(0, WINNABLE, machine.proofs[0]), Decided(1, UNKNOWN, stopped_by="seconds"))
    found = {each.id: each for each in found_by_verdict(machine, Verdict(machine, decided), source)}
    undecided, bare = found["world-undecided"], found["proof-not-all-starts"]
    assert undecided.message == (
        "whether this world can be won from variant 1 (letter.in = study) is not known: out of"
        " seconds; its proof wins only variant 0"
    )
    assert bare.message == (
        "no proof wins start 1 (letter.in = study): its proof wins start 0 only"
    )
    assert bare.severity == "warning" and source.text[bare.span.start :].startswith("vary letter")
    assert "--variant 1" in (bare.hint or "")
