"""Training data: conversations with a mask, tokens with labels, and the loop that learns them."""
