"""Every process' sign of life to game, with the few numbers that the operator's page shows."""
