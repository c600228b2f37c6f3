"""The page: everything escaped, nothing loaded, well formed, the same for the same input."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.dungeonmaster.test_audit import agreeing
from tests.dungeonmaster.test_dm import chair
from tests.evaluation.transcripts import GOING_ROUND, WON
from tests.worlds import lamp
from worldengine.evaluation.evaluate import Played, report
from worldengine.evaluation.metrics import figures
from worldengine.evaluation.playing import PLAIN, Playing, World
from worldengine.players.catalogue import make
from worldengine.report.charts import curves, heatmap, intervals, shares
from worldengine.report.learning import experiment_section
from worldengine.report.markup import Markup, table, tag, text
from worldengine.report.page import page
from worldengine.report.sections import evaluation_section
from worldengine.report.sources import ReportError, find
from worldengine.report.tables import shared_facts
from worldengine.report.trajectories import readable
from worldengine.rollout.runner import rollout

EVIL = "</pre><script>alert(1)</script><img src=http://x.test/a onerror='x'>&\x1b[31m"
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Outline(HTMLParser):
    """Checks nesting and collects elements and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


def harmless(page: str) -> Outline:
    outline = Outline(page)
    forbidden = {"script", "img", "link", "iframe", "object", "embed", "form", "base", "a"}
    assert not forbidden & set(outline.elements)
    names = {name for name, _ in outline.attributes}
    assert not {name for name in names if name.startswith("on")}
    assert not {"src", "href", "srcset", "action", "xlink:href"} & names
    assert "url(" not in page and "@import" not in page
    return outline


def test_text_is_escaped_and_markup_is_not() -> None:
    assert text(EVIL) == (
        "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=http://x.test/a "
        "onerror=&#x27;x&#x27;&gt;&amp;\ufffd[31m"
    )
    assert tag("p", tag("b", "<"), class_='"') == '<p class="&quot;"><b>&lt;</b></p>'
    assert isinstance(tag("p"), Markup) and text(Markup("<p>")) == "<p>"
    assert text("\ud800") == "\ufffd"


def test_every_part_escapes_what_it_is_given() -> None:
    harmless(
        tag(
            "body",
            curves(EVIL, {EVIL: [(0, 1), (1, 2)]}, EVIL, EVIL),
            intervals(EVIL, [(EVIL, 0.5, (0.1, 0.9)), (EVIL, None, None)]),
            shares(EVIL, [(EVIL, {EVIL: 3})]),
            heatmap(EVIL, [EVIL], [(EVIL, [0.5]), (EVIL, [None])]),
            table([EVIL], [[EVIL], [3]], EVIL),
        )
    )


def test_small_chances_are_numbers_and_are_written_in_full() -> None:
    cells = table(["p"], [["7.6e-06"], ["<1e-300"], ["one-e-two"]])
    assert cells.count('<td class="n">') == 2 and '<td class="n">7.6e-06</td>' in cells
    against = {"first": "a", "second": "b", "pairs": 18, "success_difference": -1.0}
    part = evaluation_section("e", {"comparisons": [against | {"p_success": 7.62939453125e-06}]})
    assert ">7.6e-06<" in part and ">0.000<" not in part


def test_a_trajectory_shows_its_masked_turns() -> None:
    evil = WON.model_copy(update={"prompt": EVIL, "opening": EVIL, "world": EVIL})
    shown = readable(evil)
    harmless(shown)
    assert shown.count('class="masked"') == 2
    assert "refused: logic, not trained" in shown and "sets turn 1 right" in shown


def evaluation(player: str) -> dict[str, object]:
    world = World(lamp(), EVIL)
    won = [
        figures(each.model_copy(update={"machine_hash": world.machine.hash}))
        for each in (WON, GOING_ROUND)
    ]
    played = [Played(player, {PLAIN: won}), Played("other", {PLAIN: won[:1]})]
    return report([world], played, Playing(Path("out")))


def test_a_whole_page_is_harmless_and_repeatable(tmp_path: Path) -> None:
    rollout([lamp()], "explorer", episodes=4, seed=1, out=tmp_path / "run")
    (tmp_path / "evaluation").mkdir()
    (tmp_path / "evaluation" / "report.json").write_text(json.dumps(evaluation(EVIL)))
    (tmp_path / "training").mkdir()
    record = {"request": {"config": {EVIL: EVIL}, "updates": 2}, "chosen": 2, "chosen_by": EVIL}
    (tmp_path / "training" / "run.json").write_text(json.dumps(record))
    (tmp_path / "training" / "log.csv").write_text(
        "update,trained_tokens,tokens,loss,rate,gradient,validation_loss,validation_success\n"
        f"1,10,20,2.5,1,1,,\n2,20,40,nan,1,1,2.25,0.5\n3,30,60,{EVIL},1,1,,\n"
    )
    folders = [tmp_path / name for name in ("run", "evaluation", "training")]
    made = page(find(folders), EVIL)
    outline = harmless(made)
    assert outline.elements.count("svg") >= 5
    assert "Content-Security-Policy" in made and "default-src &#x27;none&#x27;" in made
    assert made == page(find(folders), EVIL)
    assert "You have" in made  # the prompt is in it, word for word


def test_an_experiment_has_intervals_signs_worlds_and_a_curve_over_sizes() -> None:
    def row(arm: str, success: float, against: bool) -> dict[str, object]:
        told = {"episodes": 8, "success": success, "progress": success, "grounding": None}
        ci = {"success": None, "success_wilson": [0.1, 0.9]}
        found: dict[str, object] = {"split": "unseen starts", "match": "updates", "arm": arm}
        found |= {"seeds": 2, "trained_tokens": 1234.0}
        found["outcome"] = told | {"loops": 0.0, "ci": ci}
        if against:
            found["against"] = {"success": -0.25, "success_ci": [-0.5, 0.0], "p": 0.125}
        return found

    arms = [{"name": "full", "rows": "full"}, {"name": "half", "rows": "full"}]
    results = {
        "rows": [row("full", 0.5, False), row("half", 0.25, True)],
        "config": {"arms": arms},
        "arms": {"full": 100, "half": 50},
        "worlds": {"unseen starts": {"worlds": 30, "shapes": 1}},
    }
    part = experiment_section("x", results)
    harmless(part)
    assert "full (updates), Wilson" in part and ">-0.500 to +0.000<" in part
    assert ">-0.250<" in part and ">1,234<" in part
    assert "Success by the size of the corpus" in part and "of so many shapes" in part


def test_seeds_of_an_arm_share_colour_and_name() -> None:
    lines = {f"full/seed-{n}": [(0.0, 1.0), (9.0, 0.5)] for n in range(3)} | {"other": [(0.0, 2.0)]}
    chart = curves("t", lines, "x", "y", {name: name.partition("/")[0] for name in lines})
    assert chart.count("<polyline") == 4 and chart.count(">full<") == 1
    styles = [(at["stroke"], at.get("stroke-dasharray")) for at in strokes(chart)]
    assert len(set(styles)) == 2 and len(set(styles[:3])) == 1
    many = curves("t", {str(n): [(0.0, 1.0)] for n in range(36)}, "x", "y")
    assert len({(at["stroke"], at.get("stroke-dasharray")) for at in strokes(many)}) == 36


def strokes(chart: str) -> list[dict[str, str | None]]:
    found: list[dict[str, str | None]] = []

    class Lines(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "polyline":
                found.append(dict(attrs))

    Lines().feed(chart)
    return found


def test_what_was_run_is_said_once_and_then_what_differs() -> None:
    told = shared_facts({"a": {"rate": 1, "seed": 0}, "b": {"rate": 1, "seed": 1}})
    assert told.count("rate") == 1 and told.count("seed") == 2
    assert "Only a" in told and "Only b" in told


def test_a_run_before_a_model_shows_both_answers(tmp_path: Path) -> None:
    fake = chair(agreeing, make("explorer"))[0]
    rollout([lamp()], fake, out=tmp_path / "run", scripts={lamp().hash: "the script"})
    made = page(find([tmp_path / "run"]))
    harmless(made)
    assert "dm:fake as Dungeon Master, against the Machine" in made
    assert "The player was told by the model: " in made and "You do." in made


def test_a_run_by_preferences_has_curves_of_its_own(tmp_path: Path) -> None:
    record = {"request": {"config": {"method": "dpo"}, "updates": 2}, "chosen": 2}
    (tmp_path / "run.json").write_text(json.dumps(record))
    (tmp_path / "log.csv").write_text("update,loss,preferred\n1,0.69,0.5\n2,0.4,1\n")
    made = page(find([tmp_path]))
    harmless(made)
    assert "Loss of a pair" in made and "Pairs preferred rightly" in made
    assert "ends at 0.4" in made and "Loss of a trained token" not in made


def test_folders_that_hold_nothing(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="holds nothing to report on"):
        find([tmp_path])
    with pytest.raises(ReportError, match="is no folder"):
        find([tmp_path / "nowhere"])
    (tmp_path / "run.json").write_text("[]")
    with pytest.raises(ReportError, match="is not what"):
        find([tmp_path])
