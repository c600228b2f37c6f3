"""The parts worlds are made of: ways to get a thing, ways to bar a way, things to achieve.

Each part adds objects, rules and words to a draft, and gives back what the plan must do.
"""
