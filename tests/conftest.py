"""Options and fixtures for all tests. Slow tests run with `--slow`."""

from __future__ import annotations

import signal

import pytest

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Begun in the background of a script, where what is ignored stays ignored in all that is begun
    # from here; tests of Ctrl-C want it heard.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow; runs with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
