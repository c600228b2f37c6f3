"""Any set of Machines as integer arrays, laid end to end."""
