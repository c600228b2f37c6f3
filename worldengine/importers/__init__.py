"""Worlds from elsewhere: PDDL and AgentRefine's scripts become `.world` scripts."""
