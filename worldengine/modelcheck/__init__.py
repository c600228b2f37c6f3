"""The model checker: whether a world can be won, how, and if not, why.

In: a Machine and a budget. Out: frozen values (proof outcomes, plans, verdicts, lints).
Nothing here knows of rewards or players.
"""
