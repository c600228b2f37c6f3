"""The Machine and what can be done with it as a value: validate, hash, save, load, print."""

from worldengine.machine.schema import Machine, State

__all__ = ["Machine", "State"]
