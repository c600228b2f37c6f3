"""Steps that win from every start that still fits, as far as anybody can tell."""
