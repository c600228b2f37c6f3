"""What a search can leave out without changing the verdict; each with its argument."""
