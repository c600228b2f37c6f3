"""Reports: one HTML file that holds everything and loads nothing.

In: runs, training runs, evaluations, experiments, by folder. Out: a page. Whatever a world, a
model or a file says is escaped; there is no script in the page and no address outside it.
"""

from __future__ import annotations
