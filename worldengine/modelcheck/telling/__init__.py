"""What an author is told: lints, complaints, what was left out, the report of `check`."""
