# `make` lists the targets. Only Python 3.11 or newer and make are needed; the rest is installed here.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:

# The first Python on PATH that is new enough.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
BIN := .venv/bin
RUN := $(BIN)/python
TESTS ?=

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: python
python:
	@test -n "$(PYTHON)" || { echo "tandemfog needs Python 3.11 or newer: no python3 on PATH is new enough." >&2; exit 1; }

.PHONY: env-run
env-run: python
	@$(PYTHON) scripts/make_env.py run

.PHONY: env
env: python ## Make the virtual environment .venv with everything pinned
	@$(PYTHON) scripts/make_env.py run build dev

.PHONY: gen
gen: env-run ## Make the gRPC stubs under gen/
	@$(RUN) scripts/gen_proto.py
