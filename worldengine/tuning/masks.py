"""Which replies are learnt: masks by kind of error.

In: the turns of a trajectory and the kinds that are masked. Out: what kind of error each
turn is and whether it is trained. The kinds:

- `parameter`, `place`, `logic`: refused; `refused` names the three together.
- `harmful`: accepted, and leading away from winning (see `harm`). Whoever marks it looks at
  the world's full state, which no player sees: a turn that explores may be marked too. So it
  is looked for and masked only when that is asked for.
- `deliberate`: accepted, though its player meant it as a mistake and thought accordingly.
- `repaired`: accepted, though not in the form that was asked for.

The default masks what was refused, as AgentRefine does: thought and action both. Never trained,
whatever the mask: a reply that is empty, and a `guess`, which says a name or a number that nothing
its player had read told it.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.rollout.trajectory import TurnRecord

REFUSED = ("parameter", "place", "logic")
HARMFUL = "harmful"
DELIBERATE = "deliberate"
REPAIRED = "repaired"
GUESS = "guess"
KINDS = (*REFUSED, HARMFUL, DELIBERATE, REPAIRED)


class MaskError(ValueError):
    """There is no such kind of error; the message is for people."""


@dataclass(frozen=True, slots=True)
class Mask:
    """The kinds whose turns stay in context and are not trained, in the order of KINDS."""

    kinds: tuple[str, ...] = REFUSED

    def trains(self, turn: TurnRecord, harmful: bool = False) -> bool:
        """Whether the reply of a turn is learnt."""
        if turn.mistake == GUESS or not turn.reply.strip():
            return False
        return kind_of(turn, harmful) not in self.kinds

    def __str__(self) -> str:
        return ",".join(self.kinds) or "none"


def mask(text: str) -> Mask:
    """A mask from words: `refused`, `refused,harmful`, `logic`, `none`."""
    named: set[str] = set()
    words = [part.strip() for part in text.split(",")]
    if "" in words:
        raise MaskError(f"the mask {text!r} leaves a kind of error out; write none for no mask")
    if "none" in words and len(words) > 1:
        raise MaskError(f"the mask {text!r}: none stands alone")
    for word in words:
        if word == "refused":
            named.update(REFUSED)
        elif word in KINDS:
            named.add(word)
        elif word != "none":
            known = ", ".join(("refused", *KINDS, "none"))
            raise MaskError(f"there is no kind of error {word!r}; there are: {known}")
    return Mask(tuple(kind for kind in KINDS if kind in named))


def kind_of(turn: TurnRecord, harmful: bool = False) -> str:
    """The kind of error a turn is, `guess` for one, "" if it is neither; `harmful` is what
    `harm` says of it."""
    if turn.outcome != "ok":
        return turn.outcome
    if harmful:
        return HARMFUL
    if turn.mistake:
        return GUESS if turn.mistake == GUESS else DELIBERATE
    return REPAIRED if turn.notes is not None and turn.notes.repairs else ""
