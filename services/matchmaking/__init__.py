"""Tables before and after play: seats, invitations, starts, rematches, and who plays the bots' seats."""
