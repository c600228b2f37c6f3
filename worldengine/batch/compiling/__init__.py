"""How functions become machine code: once, kept on disk, announced, timed."""
