"""The page: one file, complete in itself.

In: what was found. Out: HTML text. A strict policy stands in its head: no script runs and
nothing is loaded, whatever a world or a model may have written.
"""

from __future__ import annotations

import worldengine
from worldengine.report.learning import experiment_section, training_section
from worldengine.report.markup import Markup, joined, tag, text
from worldengine.report.sections import evaluation_section, run_section
from worldengine.report.sources import Found

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff;max-width:64rem;
margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:2px solid #1b6ca8;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0;font-size:.85rem}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{border-bottom:1px solid #ddd;padding:.25rem .5rem;text-align:left;vertical-align:top}
td.n,th.n{text-align:right}td.n{font-variant-numeric:tabular-nums}td.r{white-space:nowrap}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f6f4;padding:.6rem;margin:.3rem 0}
code{overflow-wrap:anywhere}figure{margin:1.2rem 0}figcaption{font-weight:600}
svg{width:100%;height:auto;max-width:48rem}svg text{font:12px system-ui,sans-serif}
details{margin:.6rem 0}summary{cursor:pointer}
.turns>li{margin:.8rem 0;padding-left:.6rem;border-left:4px solid #2f7d32}
.turns>li.masked{border-left:4px dashed #c4501b;background:#fdf3ee}
.thought{font-style:italic;margin:.2rem 0}.mark,.good{font-size:.8rem;padding:.1rem .4rem}
.mark{background:#c4501b;color:#fff}.good{background:#2f7d32;color:#fff}
.master{border-left:3px solid #7b3fa0}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#262624}
.turns>li.masked{background:#33241d}th,td{border-color:#444}svg{background:#f4f4f2;color:#222;
border-radius:4px}}
"""


def page(found: Found, title: str = "worldengine report") -> str:
    """The whole page."""
    sections: list[Markup] = []
    sections += [experiment_section(name, each) for name, each in found.experiments]
    sections += [evaluation_section(name, each) for name, each in found.evaluations]
    if found.trainings:
        sections.append(training_section(found.trainings))
    sections += [run_section(name, each) for name, each in found.runs]
    head = tag(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{text(POLICY)}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    note = f"Made by worldengine {worldengine.__version__}. Intervals are 95%."
    body = tag("body", tag("h1", title), tag("p", note), joined(sections))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"
