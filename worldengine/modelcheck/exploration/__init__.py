"""All that can be reached from a start: packed states, layer by layer, and the ways back."""
