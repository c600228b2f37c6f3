"""What to do where one stands, worked out once for all who stand there."""
