"""Whether a player who does not know the variant can win by what the world tells."""
