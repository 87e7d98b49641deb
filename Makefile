# `make` lists the targets. Only Python 3.11 or newer and make are needed; the rest is installed here.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:

# The first Python on PATH that is new enough.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
RUN := .venv/bin/python
PYTEST := $(RUN) -m pytest
PACKAGES := libs services scripts tests
# `make test ARGS="-k fog"` hands more to pytest.
ARGS ?=
TABLES ?= 500
SECONDS ?= 300

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: play
play: env-run rules page ## Play: build and start everything on this machine, print one URL
	@exec $(RUN) -m services.allinone

.PHONY: bots
bots: env-run ## Add bot workers to a running `make play`: make bots N=4
	@exec $(RUN) scripts/more_bots.py $(N)

.PHONY: test
test: env gen rules page lint ## Check and test everything, a real browser included
	@chromium=$$($(RUN) scripts/ensure_chromium.py) && prometheus=$$($(RUN) scripts/ensure_prometheus.py) && \
	TANDEMFOG_CHROMIUM="$$chromium" TANDEMFOG_PROMETHEUS="$$prometheus" $(RUN) scripts/run_tests.py $(ARGS)

.PHONY: test-fast
test-fast: env gen ## Run the unit tests (under 30 s)
	@$(PYTEST) -q -n auto -m "not slow" tests/unit $(ARGS)

.PHONY: test-integration
test-integration: env gen ## Run the tests against real servers, without a browser
	@$(PYTEST) tests/integration $(ARGS)

.PHONY: test-e2e
test-e2e: env gen rules page ## Run the tests of the whole, with a real browser
	@chromium=$$($(RUN) scripts/ensure_chromium.py) && TANDEMFOG_CHROMIUM="$$chromium" $(PYTEST) tests/e2e $(ARGS)

.PHONY: secrecy
secrecy: env gen rules ## Run the law of secrecy over 10,000 pairs of games (nightly)
	@TANDEMFOG_SECRECY_PAIRS=10000 $(PYTEST) -q tests/secrecy/test_law.py $(ARGS)

.PHONY: fuzz
fuzz: env gen ## Send 100,000 odd frames and odd bytes to every service (nightly)
	@FUZZ_FRAMES=100000 $(PYTEST) -s tests/abuse $(ARGS)

.PHONY: audit
audit: env ## Check all pinned packages for known vulnerabilities; fails when it cannot
	@$(RUN) -m scripts.audit

.PHONY: chaos
chaos: env gen rules ## Kill and stop parts of a live stack under 100 tables; one JSON line of counts (seven minutes)
	@$(RUN) -m tests.chaos $(ARGS)

.PHONY: load
load: env gen rules ## Load a stack with scripted players: make load TABLES=500 SECONDS=300; one JSON line of costs
	@$(RUN) -m tests.load --tables $(TABLES) --seconds $(SECONDS) $(ARGS)

.PHONY: backup
backup: env-run ## Copy what a running `make play` keeps: make backup TO=folder (go on from it: TANDEMFOG_VAR=folder make play)
	@$(RUN) scripts/backup.py $(TO)

.PHONY: soak
soak: env gen rules ## Half an hour at half load: nothing may grow; one JSON line (nightly)
	@$(RUN) -m tests.load.soak $(ARGS)

.PHONY: nightly
nightly: secrecy fuzz chaos upgrade soak ## What takes too long for each change, one after the other (two hours)

.PHONY: upgrade
upgrade: env gen rules ## Roll 50 running matches from an earlier commit's code to this one's (minutes)
	@$(PYTEST) -q tests/upgrade $(ARGS)

.PHONY: image
image: ## Build the container image of all services, tandemfog:local (needs Docker with Compose)
	@TANDEMFOG_COMMIT=$$(git rev-parse HEAD) docker compose build game

.PHONY: smoke
smoke: env gen ## Start docker-compose.yml for real, play at it, kill, scale, take it away (needs Docker; minutes)
	@$(PYTEST) -s tests/deploy/test_smoke.py $(ARGS)

.PHONY: test-redis
test-redis: env gen ## Run the integration tests on Redis 7 in a container (needs Docker)
	@TANDEMFOG_TEST_REDIS=container $(PYTEST) tests/integration $(ARGS)

.PHONY: kubernetes-monitoring
kubernetes-monitoring: env ## Carry changed alerts and dashboards into deploy/kubernetes
	@$(RUN) scripts/kubernetes_monitoring.py

.PHONY: monitoring
monitoring: env gen rules page ## Ask a real Prometheus every query of dashboards and alerts, on a live stack (about two minutes)
	@prometheus=$$($(RUN) scripts/ensure_prometheus.py) && TANDEMFOG_PROMETHEUS="$$prometheus" \
	$(PYTEST) tests/monitoring tests/integration/test_alert_rules.py $(ARGS)

.PHONY: dashboards
dashboards: env-run ## Write Grafana's dashboards anew from their description
	@$(RUN) scripts/dashboards.py

.PHONY: lint
lint: env gen page-check ## Check style, types, imports and protos, and the page's too
	$(RUN) -m ruff check $(PACKAGES)
	$(RUN) -m ruff format --check $(PACKAGES)
	$(RUN) -m mypy
	.venv/bin/lint-imports
	.venv/bin/buf lint proto
	$(RUN) scripts/proto_breaking.py

.PHONY: format
format: env ## Bring all Python into one form
	@$(RUN) -m ruff format $(PACKAGES)
	@$(RUN) -m ruff check --fix $(PACKAGES)

.PHONY: bench
bench: env gen rules ## Measure: ratios against other implementations in one run
	@$(PYTEST) -q -s tests/bench $(ARGS)

.PHONY: arena
arena: env gen rules ## Play levels of bots against each other: make arena ARGS="tandem 3 2 40"
	@$(RUN) -m tests.bench.arena $(ARGS)

.PHONY: seats
seats: env gen rules ## Bot seats that a core serves, and how fast they reply: make seats ARGS="--tables 40 --level 3"
	@$(RUN) -m tests.load.seats $(ARGS)

.PHONY: tactics
tactics: env gen rules ## Percent of the tactics suite that each level of bots solves; one JSON line a level
	@$(RUN) -m tests.bench.tactics $(ARGS)

.PHONY: web
web: page ## Build the page into web/dist

.PHONY: gen
gen: env-run ## Make the gRPC stubs under gen/
	@$(RUN) scripts/gen_proto.py

.PHONY: env
env: python ## Make the environment .venv with everything pinned
	@$(PYTHON) scripts/make_env.py run build dev

.PHONY: lock
lock: python ## Resolve requirements/*.in anew into lock files with hashes
	@$(PYTHON) scripts/lock.py

.PHONY: clean
clean: ## Remove what was made, except the matches and secrets in var/
	rm -rf .venv gen build web/dist web/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(PACKAGES) -name __pycache__ -type d -prune -exec rm -rf {} +

# What follows are steps of the targets above.
.PHONY: python env-run rules page page-check
python:
	@test -n "$(PYTHON)" || { echo "tandemfog needs Python 3.11 or newer; no python3 on PATH is." >&2; exit 1; }

env-run: python
	@$(PYTHON) scripts/make_env.py run build

rules: env-run
	@$(RUN) scripts/build_rules.py >&2

page: env-run
	@$(RUN) scripts/page.py build

page-check: env-run
	@$(RUN) scripts/page.py check
