"""Worlds without a model: from a seed and a few dials to a proven `.world` text.

In: a seed, `Settings`. Out: a `Generated`: canonical text that compiles without a warning and
is won, from every start, by a proof it carries. Equal seeds and settings, equal bytes. Raises
`SettingsError` where the dials cannot all be had.
"""

from __future__ import annotations

from worldengine.generator.families import FAMILIES
from worldengine.generator.proving import Unproven, generate
from worldengine.generator.settings import Generated, Settings, SettingsError

__all__ = ["FAMILIES", "Generated", "Settings", "SettingsError", "Unproven", "generate"]
