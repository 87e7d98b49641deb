"""The store as its users reach it: one server, or a cluster of which each key has a slot."""
