"""What deciding a world needs at once, compiled before the search (see `compiling.together`).

Out: jobs, the dear ones at both ends, where two processes begin. Large worlds, planners and
merged states need more, which is compiled when it is first asked for.
"""

from __future__ import annotations

import numpy as np

from worldengine.batch.compiling.together import Job, make_ready
from worldengine.batch.lanes.sweep import sweep
from worldengine.batch.ready import job
from worldengine.batch.slots.kernel import run
from worldengine.modelcheck.compiled.jit import NOTICE
from worldengine.modelcheck.compiled.kernel import Space, expand
from worldengine.modelcheck.compiled.tables import Tables
from worldengine.modelcheck.exploration.acting import Bunch
from worldengine.modelcheck.exploration.frontier import Graph, Side, enter, note_all, root_of
from worldengine.modelcheck.exploration.layers import grow
from worldengine.modelcheck.exploration.numbered import mixed
from worldengine.modelcheck.exploration.packing import Packing, pack
from worldengine.modelcheck.exploration.recall import Recall
from worldengine.modelcheck.exploration.retrace import note_spans, origin_of
from worldengine.modelcheck.exploration.settling import Order, settle
from worldengine.modelcheck.planning.ends import best_end
from worldengine.modelcheck.relaxation.relaxed import Clauses, relaxed_plan, spread_costs


def checker_ready() -> None:
    """Make ready what nearly every world needs."""
    make_ready(NOTICE, "worldengine.modelcheck.ready")


def jobs() -> list[Job]:
    """For worlds whose tables are of 16 bits, as nearly all are."""
    code, _, work, raw, *_ = sweep.samples(np.int16)  # type: ignore[attr-defined]
    wide, narrow = np.zeros(0, np.int64), np.zeros(0, np.int32)
    key, roots, marks = np.zeros(0, np.uint32), np.zeros(0, np.uint64), np.zeros(0, np.uint8)
    keys, rows = np.zeros((0, 0), np.uint32), np.zeros((0, 0), np.int32)
    packing = Packing(wide, wide, wide, wide, wide, 0, 0, 0, 0, wide, wide, wide, wide)
    side, order = Side(keys, narrow, 0), Order(np.zeros((0, 0), np.int64), wide)
    graph = Graph(
        roots, narrow, side, side, wide, narrow, narrow, narrow, 0, wide, key, narrow
    )  # fmt: skip
    recall = Recall(keys, keys, marks, wide, wide, keys)
    bunch = Bunch(raw, raw, keys, keys, narrow, narrow, narrow, roots, roots, recall)
    tables = Tables(wide, np.zeros(0, np.int16), narrow, wide, wide)
    space = Space(narrow, wide, narrow, narrow, narrow, narrow, wide)
    clauses = Clauses(*[narrow] * len(Clauses._fields))
    return [
        job(
            grow, 4.9, code, packing, graph, work, work, bunch, narrow, narrow, 0, True, True,
            order,
        ),
        job(
            origin_of, 1.6, tables, packing, order, graph, space, narrow, narrow, keys, 0, 0,
            narrow, keys, wide,
        ),
        job(settle, 0.4, packing, order, key),
        job(root_of, 0.4, packing, graph, key),
        job(pack, 0.2, packing, narrow, key),
        job(mixed, 0.1, np.uint64(0)),
        job(enter, 0.2, graph, np.uint64(0), np.uint64(0), 0),
        job(note_spans, 0.9, tables, packing, order, narrow, marks, keys),
        job(note_all, 0.2, graph),
        job(
            spread_costs, 0.6, clauses, narrow, narrow, narrow, narrow, narrow, rows, rows, marks
        ),
        job(relaxed_plan, 0.3, clauses, narrow, marks, narrow, narrow),
        job(best_end, 0.5, tables, space, narrow, narrow, narrow, 0, rows),
        job(expand, 0.4, tables, narrow, narrow, narrow, rows, narrow, space),
        Job(run.entry, run.types(np.int16), 2.0),  # type: ignore[attr-defined]
        Job(sweep.entry, sweep.types(np.int16), 4.5),  # type: ignore[attr-defined]
    ]  # fmt: skip
