"""From a draft to the text of its world, with its proofs.

In: a finished draft. Out: a `Script`: canonical text, the proofs it carries, what it is made of.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.generator.draft import SECTIONS, CannotFit, Draft
from worldengine.generator.walker import Walker
from worldengine.generator.words import capital, quoted, titled

SPARE = 2
"""A world's turns, as a multiple of its longest plan."""


@dataclass(frozen=True)
class Script:
    """`text` is not yet formatted; one proof a variant."""

    text: str
    theme: str
    proofs: tuple[tuple[str, ...], ...]
    mechanics: tuple[str, ...]
    places: int
    mistakes: int
    distractors: int


def script_of(draft: Draft) -> Script:
    for finish in draft.finish:
        finish()
    walks = [Walker(draft, variant) for variant in range(draft.variants)]
    proofs = tuple(tuple(walk.commands) for walk in walks)
    if not min(map(len, proofs)):
        raise CannotFit("there is nothing to do")
    text = "\n".join([_header(draft, proofs), *_parts(draft, walks), *_proofs(proofs)])
    for name, value in draft.late.items():
        text = text.replace(name, str(max(value(walk) for walk in walks)))
    return Script(
        text,
        draft.theme.name,
        proofs,
        tuple(sorted(draft.mechanics)),
        len(draft.places),
        draft.made_mistakes,
        draft.made_distractors,
    )


def _header(draft: Draft, proofs: tuple[tuple[str, ...], ...]) -> str:
    random, theme = draft.random, draft.theme
    title = theme.one("titles", random).format(place=titled(draft.places[-1].name))
    turns = SPARE * max(map(len, proofs)) + 10
    goal = capital(" Then ".join(_joined(draft.goal_texts)))
    return f"""world {draft.names.ident(title)[:40]} {quoted(title)} {{
      persona {quoted(theme.one("personas", random))}
      intro {quoted(theme.one("intros", random))}
      goal {quoted(goal)}
      turns {turns}
      timeout {quoted(theme.one("timeouts", random))}
    }}
    use {", ".join(sorted(draft.uses))}"""


def _joined(texts: list[str]) -> list[str]:
    return [" ".join(texts)]


def _parts(draft: Draft, walks: list[Walker]) -> list[str]:
    most = max(walk.most_held for walk in walks)
    carries = max(3, most + draft.random.randint(0, 2))
    start = draft.places[0].id
    draft.sections["places"] = [place.script() for place in draft.places]
    draft.sections["player"] = [
        f"player in {start} {{ carries = {carries} {' '.join(draft.player)} }}"
    ]
    if not any(line.startswith("win ") for line in draft.sections["endings"]):
        ending = draft.theme.one("endings", draft.random)
        draft.add("endings", f"win when {' and '.join(draft.wins)} say {quoted(ending)}")
    return [line for name in SECTIONS for line in draft.sections[name]]


def _proofs(proofs: tuple[tuple[str, ...], ...]) -> list[str]:
    unique = dict.fromkeys(proofs)
    return [f"proof {', '.join(quoted(command) for command in proof)}" for proof in unique]
