"""Does a world do what it says? Expectations, plays, lints, blind play, mutants; one report.

In: a world, what readers expect of it, plays with their endings. Out: alarms, each with its
place or its command, for an author or a model to act on.
"""
