"""What can be worked out of a world before anybody plays it."""
