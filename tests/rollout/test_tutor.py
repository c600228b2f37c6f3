"""The tutor and the explorer: natural mistakes on things that were shown, set right later."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.worlds import TINY, lamp
from worldengine.compiler import compile as compile_world
from worldengine.explorer.slips import slips
from worldengine.machine import Machine
from worldengine.players import phrases
from worldengine.players.correcting import correction, meant
from worldengine.players.view import Itinerary, Leg
from worldengine.players.wording import balanced, doing
from worldengine.proof import winning_plan
from worldengine.resources import shipped_worlds
from worldengine.rollout.episode import Episode
from worldengine.rollout.phrasing import phrase
from worldengine.rollout.plan import planned
from worldengine.rollout.seeds import generator
from worldengine.rollout.showing import at_first, choice
from worldengine.rollout.storage import Manifest, WorldRecord
from worldengine.rollout.trajectory import PlayerRecord, Trajectory
from worldengine.rollout.tutor import itinerary
from worldengine.rollout.workers import play
from worldengine.runtime import runtime_of

WORLDS = [path.stem for path in shipped_worlds()]
EPISODES = 6


@cache
def machine_of(name: str) -> Machine:
    if name == "lamp":
        return lamp()
    if name == "tiny":
        return compile_world(TINY)
    (path,) = [path for path in shipped_worlds() if path.stem == name]
    return compile_world(path.read_text(encoding="utf-8"))


def played(machine: Machine, episode: int, player: str = "explorer") -> Trajectory:
    guidance = "proof" if player == "explorer" else ""
    manifest = Manifest(
        program="test",
        player=PlayerRecord(name=player, guidance=guidance),
        command_set="known",
        seed=11,
        episodes=100,
        variant=None,
        worlds=(WorldRecord(name=machine.name, machine_hash=machine.hash),),
    )
    return play(machine, planned(machine, manifest, episode))


def legs_of(machine: Machine, variant: int, episode: int) -> Itinerary:
    return itinerary(machine, variant, generator(11, machine.hash, episode))


@pytest.mark.parametrize("name", ["lamp", "tiny", *WORLDS])
def test_most_episodes_are_won_with_two_pairs(name: str) -> None:
    machine = machine_of(name)
    trajectories = [played(machine, episode) for episode in range(EPISODES)]
    guided = [each for each in trajectories if each.player.guidance == "proof"]
    if not guided:
        pytest.skip("no proof wins these starts")
    assert all(each.status == "won" for each in guided)
    assert all(len(each.turns) <= machine.turns for each in trajectories)
    assert sum(each.wanted for each in guided) >= 0.8 * len(guided)


@pytest.mark.parametrize("name", ["tiny", *WORLDS])
def test_mistakes_are_on_things_that_were_shown(name: str) -> None:
    """A step tried too soon names only what had been shown by then."""
    machine = machine_of(name)
    runtime = runtime_of(machine)
    for episode in range(3):
        variant = episode % len(machine.variants)
        legs = legs_of(machine, variant, episode)
        state = machine.start(variant)
        known = at_first(machine).after(runtime.opening(state))
        later = {}
        for leg in legs:
            if leg.mends >= 0:
                later[leg.mends] = leg.command
        operators = {}
        probe = state
        for leg in legs:
            done = runtime.step(probe, leg.command)
            if done.accepted:
                operators[leg.command] = done.operator
            probe = done.state
        for leg in legs:
            transition = runtime.step(state, leg.command)
            if leg.purpose == "early":
                ground = machine.operators[operators[leg.command]]
                kinds = machine.schemas[ground.schema].parameters
                for parameter, value in zip(kinds, ground.arguments, strict=True):
                    if parameter.type == "object" and machine.objects[value].role != "concept":
                        assert known.name(value) is not None, leg
            assert transition.accepted == (leg.purpose in ("plan", "look"))
            state = transition.state
            known = known.turned(transition)


def test_episodes_differ() -> None:
    machine = machine_of("tiny")
    seen = {tuple(leg.command for leg in legs_of(machine, 0, e)) for e in range(40)}
    assert len(seen) >= 35
    outcomes = {turn.outcome for e in range(20) for turn in played(machine, e).turns}
    assert outcomes == {"ok", "parameter", "place", "logic"}


@pytest.mark.parametrize("name", ["tiny", *WORLDS])
def test_thoughts_quote_only_what_was_shown(name: str) -> None:
    """Whole and balanced; a quotation is something shown, or a word of a command."""
    machine = machine_of(name)
    for episode in range(EPISODES):
        trajectory = played(machine, episode)
        shown = trajectory.prompt + trajectory.opening
        for turn in trajectory.turns:
            assert balanced(turn.thought), turn.thought
            assert turn.thought and "{" not in turn.thought
            for piece in turn.thought.split('"')[1::2]:
                assert piece in shown, turn.thought
            shown += f"\n{turn.observation}\n{turn.command} {trajectory.turns}"


@pytest.mark.parametrize("name", ["tiny", *WORLDS])
def test_thoughts_speak_in_the_first_person(name: str) -> None:
    machine = machine_of(name)
    for episode in range(EPISODES):
        for turn in played(machine, episode).turns:
            own = re.sub('"[^"]*"', "", turn.thought).replace("thank-you", "")
            assert not re.search(r"\b[Yy]ou(r|rs|rself)?\b", own), turn.thought


CAUSES = re.compile(
    r"order was wrong|comes before it|One step back|I see to that|has to come first"
    r"|have to .* first|I was too quick\. I .* first|do something about that|should settle that"
    r"|is what .* is for|what I need is right there"
)
DEED = re.compile(r"Since (.+) things are different|After (.+) I can try again|With (.+) done, I")


@pytest.mark.parametrize("name", ["tiny", *WORLDS])
def test_a_cause_is_named_only_where_it_is_one(name: str) -> None:
    """What a thought says a refusal had waited for is what made true what was asked for."""
    machine = machine_of(name)
    runtime = runtime_of(machine)
    for episode in range(EPISODES):
        trajectory = played(machine, episode)
        states = [machine.start(trajectory.variant)]
        refusals = []
        for turn in trajectory.turns:
            done = runtime.step(states[-1], turn.command)
            states.append(done.state)
            refusals.append(done.refusal)
        for at, turn in enumerate(trajectory.turns):
            if at and CAUSES.search(turn.thought):
                refused = refusals[at - 1]
                assert refused is not None and not runtime.holds(states[at], refused)
                assert runtime.holds(states[at + 1], refused), turn.thought
            found = DEED.search(turn.thought)
            if found is not None:
                deed = next(group for group in found.groups() if group)
                helped = [
                    n for n in range(at)
                    if doing(phrase(machine, trajectory.turns[n].command).do) == deed
                ]  # fmt: skip
                met = [
                    each
                    for each in range(at)
                    if (refused := refusals[each]) is not None
                    and any(
                        n > each
                        and not runtime.holds(states[n], refused)
                        and runtime.holds(states[n + 1], refused)
                        for n in helped
                    )
                ]
                assert met, turn.thought


def test_the_step_that_helps_is_told_with_the_mistake() -> None:
    machine = machine_of("tide_clock")
    helped = told = 0
    for episode in range(30):
        for leg in legs_of(machine, 0, episode):
            helped += leg.mends >= 0 and leg.helped > leg.mends
        told += sum(bool(CAUSES.search(turn.thought)) for turn in played(machine, episode).turns)
    assert helped > 10 and told > 3


JUST = re.compile(
    r"I have just been shown ([^.\"]+)\."
    r"|(?:^|(?<=[.!?\"] ))([^.\"]+) (?:is|are) (?:right here|among what I see|in front of me)\."
    r"|I can see ([^.\"]+) from where I stand"
)
NEWS = re.compile(r'(?:just learnt|new to me): (?:"([^"]+)"|(".+))')


@pytest.mark.parametrize("name", ["tiny", *WORLDS])
def test_what_is_said_of_the_last_answer_is_true(name: str) -> None:
    """What is "just shown" stands in the last answer; what is new was in no earlier one."""
    machine = machine_of(name)
    for episode in range(EPISODES):
        trajectory = played(machine, episode)
        shown = [trajectory.opening]
        for turn in trajectory.turns:
            for found in JUST.finditer(turn.thought):
                thing = next(group for group in found.groups() if group)
                bare = re.sub(r"^(the|my) ", "", thing.lower())
                assert bare in shown[-1].lower(), turn.thought
            for found in NEWS.finditer(turn.thought):
                if found[1]:
                    assert not any(found[1] in text for text in shown[:-1]), turn.thought
            shown.append(turn.observation)


@pytest.mark.parametrize("name", ["bakery", "unix_intern", "tide_clock"])
def test_nobody_claims_luck_for_a_repeat(name: str) -> None:
    machine = machine_of(name)
    for episode in range(40):
        for turn in played(machine, episode).turns:
            assert not re.search(r"unlucky|should have worked|[Oo]dd\b", turn.thought)


def test_wrong_numbers_are_near_misses() -> None:
    """A neighbour, swapped digits, or a number that was seen: no digits put at the end."""
    names = ("rune stone 1", "rune stone 4", "oak chest")
    wrong = {
        each
        for seed in range(40)
        for each in slips("take rune stone 1", names, generator(seed, "x", 0))
        if each.startswith("take rune stone ")
    }
    assert wrong == {f"take rune stone {number}" for number in (2, 4, 5)}
    modes = {
        each.split()[1]
        for seed in range(40)
        for each in slips("chmod 755 backup.sh", (), generator(seed, "x", 0))
        if re.fullmatch(r"chmod \d+ backup.sh", each)
    }
    assert modes == {"754", "756", "575"}


@pytest.mark.parametrize(
    ("wrong", "right", "pool"),
    [
        ("chmod 754 a.sh", "chmod 755 a.sh", phrases.WRONG_NUMBER),
        ("talk for ines", "talk to ines", phrases.WRONG_JOINT),
        ("grab lamp", "take lamp", phrases.WRONG_WORD),
        ("take", "take lamp", phrases.LEFT_OUT),
        ("take oak key", "take brass key", phrases.WRONG_NAME),
    ],
)
def test_a_correction_names_what_was_wrong(wrong: str, right: str, pool: tuple[str, ...]) -> None:
    assert correction(wrong, right)[0] is pool


def test_a_slip_of_the_name_leaves_the_wish_right() -> None:
    legs = (Leg("take oak key", "slip"), Leg("take oak key", "repeat"), Leg("take key", "plan", 0))
    assert [meant(leg, legs, at) for at, leg in enumerate(legs)] == ["take key"] * 3
    other = (Leg("grab key", "slip"), Leg("take key", "plan", 0))
    assert meant(other[0], other, 0) == "grab key"


def test_what_follows_a_refusal_is_another_kind_of_thought() -> None:
    machine = machine_of("tiny")
    thoughts = set()
    for episode in range(20):
        for before, after in pairwise(played(machine, episode).turns):
            if before.outcome != "ok":
                thoughts.add(after.thought)
    assert len(thoughts) > 25


BEANS = """world beans "Beans" { goal "Roast the beans." turns 30 }
use travel, take, open
place kitchen "kitchen" { }
surface tray "tray" in kitchen
container oven "oven" in kitchen { open = false  portable = false }
thing beans "beans" plural in kitchen { roasted : bool = false }
thing mitt "mitt" in kitchen
player in kitchen
action roast {
  form "roast beans"
  require beans.in == oven else logic "The beans are not in the oven."
  set beans.roasted = true
}
win when beans.roasted and beans.in == tray
proof "take beans", "put beans on tray", "take beans", "open oven", "put beans in oven",
  "roast beans", "take beans", "put beans on tray"
"""


def test_nothing_is_tried_too_soon_that_was_done_before() -> None:
    """The plan takes the beans three times: taking them is no step that waits for another."""
    machine = compile_world(BEANS)
    early = set()
    for episode in range(60):
        legs = legs_of(machine, 0, episode)
        for at, leg in enumerate(legs):
            if leg.purpose == "early":
                early.add(leg.command)
                assert leg.command not in {each.command for each in legs[:at]}
                mending = [each for each in legs if each.mends == at]
                assert [each.command for each in mending] == [leg.command]
    assert "take beans" not in early and {"put beans in oven", "roast beans"} <= early


@pytest.mark.parametrize("name", ["tiny", *WORLDS])
def test_no_refusal_that_is_mended_says_it_is_done(name: str) -> None:
    machine = machine_of(name)
    for episode in range(EPISODES):
        trajectory = played(machine, episode)
        for turn in trajectory.turns:
            if turn.outcome in ("place", "logic"):
                assert "already" not in turn.observation


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("take letter", "take the letter"),
        ("east", "go east"),
        ("e", "go east"),
        ("put white letter in post box", "put the white letter in the post box"),
        ("look", "look around"),
        ("take the umbrella", "take the umbrella"),
    ],
)
def test_commands_as_prose(command: str, said: str) -> None:
    assert phrase(machine_of("tiny"), command).do == said


def test_an_exit_of_any_name_is_a_way_to_go() -> None:
    machine = machine_of("ferry")
    assert phrase(machine, "aboard").do == "go aboard"
    assert phrase(machine, "seat fru berg").do == "seat Fru Berg"
    assert phrase(machine, "go aboard").travel


def test_without_a_proof_the_explorer_says_so_and_goes_on() -> None:
    text = TINY[: TINY.index("proof ")]
    machine = compile_world(text)
    assert winning_plan(machine, 0) is None
    trajectory = played(machine, 0)
    assert trajectory.player.guidance == ""
    assert trajectory.status in ("won", "lost", "truncated")
    assert trajectory.counts.accepted > 5


def test_a_numbered_choice_is_filled() -> None:
    gap = choice("dial 1..9")
    assert gap.numbered and (gap.low, gap.high) == (1, 9) and gap.fill(7) == "dial 7"
    below = choice("set heat to -5..20 degrees")
    assert below.fill(-3) == "set heat to -3 degrees" and below.low == -5
    plain = choice("take jar 2")
    assert not plain.numbered and plain.text == "take jar 2"


def test_slips_are_never_the_command_itself() -> None:
    names = ("brass key", "oak door", "white letter")
    for seed in range(50):
        random = generator(seed, "x", 0)
        wrong = list(slips("unlock oak door with brass key", names, random))
        assert wrong and "unlock oak door with brass key" not in wrong


def test_what_was_typed_in_vain_teaches_nothing(tmp_path: Path) -> None:
    """Typing a guess must not put it into the known set: that would say whether it exists."""
    machine = machine_of("tiny")
    manifest = Manifest(
        program="test",
        player=PlayerRecord(name="human"),
        command_set="known",
        seed=0,
        episodes=1,
        variant=0,
        worlds=(),
    )
    episode = Episode(machine, planned(machine, manifest, 0))
    before = episode.view().choices()
    from worldengine.players.reply import write

    assert episode.take(write("", "take latch key")).outcome == "place"
    assert episode.take(write("", "take silver key")).outcome == "parameter"
    assert episode.view().choices() == before
    assert not any("latch key" in item.text for item in before)
