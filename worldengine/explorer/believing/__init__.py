"""What nothing that was read has ruled out."""
