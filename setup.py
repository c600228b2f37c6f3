"""Which packages ship: every room of `worldengine`, and the folders that stand beside it.

Everything else about the project stands in pyproject.toml.
"""

from setuptools import find_packages, setup

BESIDE = ("grammars", "worlds", "worlds.library", "tui")

setup(
    packages=[
        *find_packages(include=["worldengine", "worldengine.*"]),
        *(f"worldengine.{name}" for name in BESIDE),
    ],
)
