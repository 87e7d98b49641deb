"""Finished matches for good: one small interface, a file or a database behind it."""
