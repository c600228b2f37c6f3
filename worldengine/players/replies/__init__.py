"""What a model really writes, taken apart."""
