"""Many states side by side, compiled: one step of a program for a block of them."""
