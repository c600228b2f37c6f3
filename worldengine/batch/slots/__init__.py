"""One state at a time, compiled: programs, turns, masks, starts."""
