"""The world with its deletes left out: what can occur at all, and how far it is."""
