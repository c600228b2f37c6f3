"""One persona's way from a plan to a world that stands.

In: a persona, settings, and the answers to what `request` asks. Out: attempts, each kept
whole, and at the end the script that stands or the reason why there is none. A draft knows
nothing of models, files or other drafts: so drafts run side by side and in any order.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Final

from worldengine import resources
from worldengine.authoring import asking
from worldengine.authoring.asking import Wanted
from worldengine.authoring.closing import closed
from worldengine.authoring.examining import REASONS as VERDICTS
from worldengine.authoring.examining import Examined
from worldengine.authoring.extraction import REASONS, Extracted, extract
from worldengine.models.protocol import Answer, Message, Request

PLAN_TOKENS: Final = 900
_PLAN_LENGTH: Final = 6000
"""Characters of a plan that are handed on."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`rounds`: how often a script may be mended. `grammar`: whether scripts are decoded
    under the compiler's grammar, where the model can. `seconds` bounds each search;
    `discovery`: whether it is asked, too, if a world needs a guess."""

    wanted: Wanted = field(default_factory=Wanted)
    rounds: int = 2
    seed: int = 0
    temperature: float = 0.7
    max_tokens: int = 6000
    grammar: bool = False
    seconds: float = 20.0
    discovery: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer and what came of it. `asked` is plan, script, again or repair; `round`
    counts repairs, 0 for the first script, -1 for the plan."""

    round: int
    asked: str
    answer: Answer
    extracted: Extracted
    examined: Examined | None = None

    @property
    def reason(self) -> str:
        """ "" where it stands (or is a plan that was taken)."""
        if self.extracted.reason or self.examined is None:
            return self.extracted.reason
        return self.examined.reason

    @property
    def compiled(self) -> bool:
        return self.examined is not None and self.examined.compiled

    @property
    def winnable(self) -> bool:
        return self.examined is not None and self.examined.winnable

    def told(self) -> dict[str, Any]:
        """For the record; texts go into files of their own."""
        told: dict[str, Any] = {
            "round": self.round,
            "asked": self.asked,
            "ended": self.answer.ended,
            "constrained": self.answer.constrained,
            "prompt_tokens": self.answer.prompt_tokens,
            "completion_tokens": self.answer.completion_tokens,
            "seconds": round(self.answer.seconds, 3),
            "reason": self.reason,
            "why": why(self.reason, self.answer.failure),
            "notes": list(self.extracted.notes),
        }
        if self.examined is not None:
            told |= {
                "compiled": self.examined.compiled,
                "winnable": self.examined.winnable,
                "discovery": self.examined.discovery,
                "diagnostics": list(self.examined.ids),
                "measured": self.examined.measured,
            }
        return told


def why(reason: str, failure: str = "") -> str:
    """The sentence of a reason."""
    said = REASONS.get(reason) or VERDICTS.get(reason, "")
    return f"{said}: {failure}" if failure else said


class Draft:
    """See the module. Ask `request` until `done`; after each answer call `take`, and
    `examined` where `take` gave a script."""

    def __init__(
        self, name: str, persona: str, settings: Settings, skeleton: tuple[str, str] | None = None
    ) -> None:
        """`skeleton`: a script with holes and what the compiler says of it; then there is no
        plan, and the first question is to fill them."""
        self.id, self.persona, self.settings = name, persona, settings
        self.skeleton = skeleton
        self.attempts: list[Attempt] = []
        self._planned = ""
        self._waiting: tuple[Answer, Extracted] | None = None

    @property
    def scripts(self) -> list[Attempt]:
        return [each for each in self.attempts if each.asked != "plan"]

    @property
    def done(self) -> bool:
        scripts = self.scripts
        return bool(scripts) and (not scripts[-1].reason or len(scripts) > self.settings.rounds)

    @property
    def standing(self) -> str | None:
        """The script that stands, once there is one."""
        scripts = self.scripts
        return scripts[-1].extracted.script if scripts and not scripts[-1].reason else None

    # -- asking ------------------------------------------------------------------------

    @property
    def asks(self) -> str:
        if self.skeleton is None and not self.attempts:
            return "plan"
        if not self.scripts:
            return "script"
        return "again" if self._last_script() is None else "repair"

    def request(self) -> Request:
        """The next question."""
        asks = self.asks
        settings = self.settings
        grammar = settings.grammar and asks != "plan"
        return Request(
            self._messages(asks),
            max_tokens=PLAN_TOKENS if asks == "plan" else settings.max_tokens,
            temperature=settings.temperature,
            seed=_seed(settings.seed, self.id, len(self.attempts)),
            grammar=resources.read("grammars", "world.lark") if grammar else None,
        )

    def _messages(self, asks: str) -> tuple[Message, ...]:
        wanted = self.settings.wanted
        if asks == "plan":
            return asking.plan(self.persona, wanted)
        first = (
            asking.complete(*self.skeleton)
            if self.skeleton is not None
            else asking.script(self.persona, wanted, self._planned)
        )
        if asks == "script":
            return first
        about = first[:1] if self.skeleton is not None else first[:-1]
        if asks == "again":
            if self.skeleton is not None:
                return first
            name = self.scripts[-1].reason
            return asking.again(about, why(name), name)
        script, told = self._last_script() or ("", "")
        return asking.repair(about, script, told)

    def _last_script(self) -> tuple[str, str] | None:
        """The last script there is, and what is to be said about it."""
        for attempt in reversed(self.scripts):
            if attempt.examined is not None and attempt.extracted.script is not None:
                said = attempt.examined.told or f"But {why(attempt.reason)}."
                last = self.scripts[-1]
                if last is not attempt:
                    said += f"\n\nYour last answer could not be used: {why(last.reason)}."
                return attempt.extracted.script, said
        return None

    # -- taking ------------------------------------------------------------------------

    def take(self, answer: Answer) -> str | None:
        """The script in an answer, to be examined; None where there is none."""
        if self.asks == "plan":
            self._take_plan(answer)
            return None
        extracted = _extracted(answer)
        if extracted.script is None:
            self._record(answer, extracted, None)
            return None
        self._waiting = answer, extracted
        return extracted.script

    def examined(self, found: Examined) -> None:
        """What came of the script that `take` gave."""
        assert self._waiting is not None, "there is no script to examine"
        answer, extracted = self._waiting
        self._waiting = None
        self._record(answer, extracted, found)

    def _take_plan(self, answer: Answer) -> None:
        """A plan is handed on as it is, cut short; a useless one is left out and named."""
        name = "failed" if answer.ended == "failed" else extract(answer.text).reason
        useless = name in {"failed", "empty", "repetition", "too_long"}
        self._planned = "(no plan)" if useless else answer.text.strip()[:_PLAN_LENGTH]
        self.attempts.append(Attempt(-1, "plan", answer, Extracted(None, name if useless else "")))

    def _record(self, answer: Answer, extracted: Extracted, found: Examined | None) -> None:
        self.attempts.append(Attempt(len(self.scripts), self.asks, answer, extracted, found))


def _extracted(answer: Answer) -> Extracted:
    if answer.ended == "failed":
        return Extracted(None, "failed")
    if answer.constrained and answer.ended == "length":
        whole = closed(answer.text)
        if whole is not None:
            return Extracted(whole, "", ("closed",))
    return extract(answer.text, cut=answer.ended == "length")


def _seed(seed: int, name: str, step: int) -> int:
    """A seed of a request's own, equal wherever it is asked."""
    return int.from_bytes(hashlib.sha256(f"{seed}\0{name}\0{step}".encode()).digest()[:4], "big")
