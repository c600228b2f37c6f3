"""Language models as players: a conversation, its tokens, whoever continues them."""
