"""Hints: the proof at once, then what the checker proves, from a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.tui.parlour import parlour
from tests.tui.test_session import WIN
from tui import hints
from tui.counsel import Counsel, CounselError, Question, counsel
from tui.fitting import wins
from tui.hints import BY_CHECKER, BY_PROOF, Advice, advise, doom
from tui.session import Session
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.machine import Machine
from worldengine.resources import shipped_world


def played(*commands: str) -> Session:
    session = Session(parlour())
    for command in commands:
        session.play(command)
    return session


def advices(session: Session) -> list[Advice]:
    return list(advise(session.machine, session.variant, session.at))


def test_a_hint_wins_from_where_one_is() -> None:
    session = played("look", "take iron key", "drop iron key", *WIN[:2], "ring bell 1 times")
    first, *_, last = advices(session)
    assert first.source == BY_PROOF and first.searching == "a proof"
    assert first.plan is not None and wins(parlour(), session.at.state, first.plan)
    assert last.source == BY_CHECKER and last.shortest and not last.searching
    assert last.plan is not None and wins(parlour(), session.at.state, last.plan)
    assert len(last.plan) <= len(first.plan)
    assert not last.too_late and not last.strayed


def test_hints_tell_when_the_turns_do_not_suffice() -> None:
    first, *_, last = advices(played(*["look"] * 9))
    assert first.too_late and not first.doomed
    assert last.doomed == "The shortest win takes 8 turns, and 3 are left."
    assert doom(parlour(), 0, played(*["look"] * 9).at) == last.doomed


def test_no_plan_is_invented_after_the_end() -> None:
    session = Session(parlour())
    session.type("e; down")
    assert session.at.status == "lost"
    assert [advice.plan for advice in advices(session)] == [None]
    assert doom(parlour(), 0, session.at) == ""


def test_what_fails_is_told_and_the_plan_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Counsel.ask

    def ask(
        self: Counsel, machine: Machine, question: Question, stop: Callable[[], bool]
    ) -> object:
        if question.asked == "proven":
            raise CounselError("the checker failed: for this test")
        return whole(self, machine, question, stop)

    monkeypatch.setattr(Counsel, "ask", ask)
    session = played("look")
    last = advices(session)[-1]
    assert last.plan is not None and last.source == BY_PROOF and not last.searching
    text = "\n".join(row.text for row in hints.rows(session, last, 1))
    assert "for this test" in text and "at most 8 turns" in text


def test_an_error_of_the_checker_is_a_sentence() -> None:
    with pytest.raises(CounselError, match="the checker failed: IndexError"):
        counsel().ask(parlour(), Question("proven", 0, (0,), 9, 1.0))
    assert doom(parlour(), 0, Session(parlour()).at) == ""


def test_a_process_that_was_ended_is_told_and_started_again() -> None:
    own = Counsel()
    question = Question("known", 0, parlour().start(0), 12, 1.0)
    try:
        assert own.ask(parlour(), question) is not None
        process = own._process
        assert process is not None
        process.kill()
        process.wait()
        process.poll = lambda: None  # type: ignore[method-assign]  # as if it had just died
        with pytest.raises(CounselError, match="process ended"):
            own.ask(parlour(), question)
        assert own.ask(parlour(), question) is not None
    finally:
        own.close()


@pytest.mark.slow
def test_a_long_search_that_nobody_waits_for_stands_in_nobodys_way() -> None:
    path = shipped_world("locksmith")
    assert path is not None
    machine = compile_source(read(path).source).machine
    assert machine is not None
    own = Counsel()
    end = time.monotonic() + 1.0
    try:
        long = Question("proven", 0, machine.start(0), machine.turns, 3_600.0)
        assert own.ask(machine, long, lambda: time.monotonic() > end) is None
        assert own.ask(machine, Question("known", 0, machine.start(0), 200, 1.0)) is not None
    finally:
        own.close()
