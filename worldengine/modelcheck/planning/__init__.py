"""A win found without the script's own proof, by several queues."""
