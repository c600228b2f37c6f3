"""`python -m worldengine` is the command line."""

from __future__ import annotations

import sys

from worldengine.cli import main

if __name__ == "__main__":
    sys.exit(main())
