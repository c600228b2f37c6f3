"""Curation: which trajectories of which runs are worth learning from, and what they are like."""
