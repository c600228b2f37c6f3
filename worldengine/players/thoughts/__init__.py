"""What an explorer says it thinks: remembered things, a stock of wordings, one thought."""
