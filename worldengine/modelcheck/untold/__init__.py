"""The proof that nothing tells some starts apart before it is too late."""
