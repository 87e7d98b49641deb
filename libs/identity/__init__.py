"""Who and what is meant: table ids with their shard, seat tokens, guest ids. Pure."""
