"""Libraries that print bars and advice of their own are asked not to.

In: nothing. Out: nothing; what they would fetch from elsewhere is switched off, too.
"""

from __future__ import annotations

import os


def quiet_libraries() -> None:
    """Before a model library is used."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
