# screen-table: two commands set everything up on a fresh machine.
#
#   make demo     the main job, with simulated tables      (TABLES=8 SPEED=30 RECORDS="a.pbn b.lin" BOARDS=2 change it)
#   make test     everything that runs in under ten minutes
#
# All the others are listed by `make help`.

SHELL := /bin/bash
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
    command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

TABLES ?= 4
SPEED ?= 10
RECORDS ?=
BOARDS ?=
SEED ?= 1
SAMPLE ?= 200
DEPTH ?= 5
SECONDS_OF_CHAOS := $(if $(filter command line,$(origin SECONDS)),$(SECONDS),30)

.PHONY: help setup demo test test-long check docs bench bench-console chaos explore fuzz mutate tools wheel clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "screen-table needs Python 3.11 or newer; install python3.11 (Debian: apt install python3 python3-venv)."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing; on Debian: apt install python3-venv"; exit 1; }
	@touch $@

$(VENV)/.demo: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing screen-table into $(VENV) (once) ..."
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.test: $(VENV)/.demo
	@echo "Installing what the tests need (once) ..."
	@$(PIP) install -c constraints.txt -e '.[test,check]'
	@touch $@

setup: $(VENV)/.test  ## install everything, run nothing

demo: $(VENV)/.demo  ## watch simulated tables on the director's console
	@exec $(BIN)/hw-sim demo --tables $(TABLES) --speed $(SPEED) --seed $(SEED) \
	  $(if $(BOARDS),--boards $(BOARDS)) $(foreach r,$(RECORDS),--records $(r)) $(DEMO_OPTIONS)

bench: $(VENV)/.demo  ## one whole table on a page, to play, break and look into   (BENCH_OPTIONS="--table guard")
	@exec $(BIN)/hw-sim bench $(BENCH_OPTIONS)

tools: $(VENV)/.test
	@$(BIN)/python -m tests.tools

test: tools  ## the tests, under ten minutes
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "not long" $(PYTEST_OPTIONS)

test-long: tools  ## what takes longer
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "long" --timeout 3600 $(PYTEST_OPTIONS)

check: $(VENV)/.test  ## ruff, mypy --strict, import rules, stale generated docs
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check -q . || { echo "ruff format: run '$(BIN)/ruff format .'"; exit 1; }
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/architecture

bench-console: tools  ## the director's console with 200 tables at 200 updates a second
	@$(BIN)/python -m tests.director_console.bench $(if $(filter command line,$(origin TABLES)),--tables $(TABLES))

docs: $(VENV)/.test  ## write the generated pages anew
	@$(BIN)/python -m tests.generate --write

chaos: tools  ## tables, broker and console killed at random, judged by a ledger   (SECONDS=120 SEED=7 change it)
	@$(BIN)/python -m tests.chaos --seconds $(SECONDS_OF_CHAOS) --seed $(SEED)

fuzz: $(VENV)/.test  ## ten million frames into the host, a million into its link and the firmware   (SEED=7 changes it)
	@$(BIN)/python -m tests.firmware_bridge.fuzz --seed $(SEED)

explore: tools  ## every state of the table to depth 5, seed by seed, gone on with where it was left   (DEPTH=4 changes it)
	@$(BIN)/python -m tests.screen.campaign --depth $(DEPTH)

$(VENV)/.mutate: $(VENV)/.test
	@echo "Installing what mutation testing needs (once) ..."
	@$(PIP) install -c constraints.txt -e '.[mutate]'
	@touch $@

mutate: $(VENV)/.mutate  ## mutants of the Laws and the core against the fast tests   (SAMPLE=300 SEED=7 change it)
	@nice $(BIN)/python -m tests.mutation --sample $(SAMPLE) --seed $(SEED)

wheel: $(VENV)/.test
	@$(BIN)/python -m build -q --wheel

clean:  ## remove what make made
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
