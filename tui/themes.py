"""Two looks: lantern light on dark, ink on paper."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

THEMES: Final = (
    Theme(
        name="lantern",
        primary="#d9a441",
        secondary="#7fa7b5",
        accent="#e8b95a",
        foreground="#e6dfd1",
        background="#15171c",
        surface="#1b1e25",
        panel="#252a33",
        success="#8fbf7f",
        warning="#e0a458",
        error="#e57368",
        dark=True,
        variables={
            "quiet": "#918b80",
            "input-selection-background": "#d9a441 35%",
        },
    ),
    Theme(
        name="paper",
        primary="#8a5a12",
        secondary="#2f6273",
        accent="#96610f",
        foreground="#2b2620",
        background="#fbf8f1",
        surface="#f3eee2",
        panel="#e7dfcd",
        success="#3c7a33",
        warning="#9a6200",
        error="#b2342b",
        dark=False,
        variables={
            "quiet": "#827a6d",
        },
    ),
)

DEFAULTS: Final = {"quiet": "#8f8f8f"}
"""What the style sheet needs of every theme, also of those that come with Textual."""
