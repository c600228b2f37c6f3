"""Experiments: arms made from one corpus, trained, played, compared, with what they cannot show."""

from __future__ import annotations
