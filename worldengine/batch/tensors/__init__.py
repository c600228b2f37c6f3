"""The same on a device, in torch: no transfer inside a step."""
