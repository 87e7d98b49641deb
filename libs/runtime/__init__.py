"""How a process lives: start, drain, settings, logs, metrics, peers, refusals. No chess."""

import os

# Bots start their search processes with uvloop, which forks before it executes. gRPC's fork handlers, run by
# that fork while other threads are inside gRPC, may crash the process; a child that executes needs none.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
