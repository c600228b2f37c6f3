"""Can this world be won, how, how far from here, where no more; and if not, why."""
