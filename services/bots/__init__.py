"""Computers as players: a bot leases a seat, watches what that seat may see, and plays."""
