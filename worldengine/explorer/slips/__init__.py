"""The wrong command in place of the one that is meant."""
