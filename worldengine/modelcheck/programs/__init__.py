"""What a Machine does, read and compared apart from the words it says."""
