# Targets for a fresh clone; see `make help`. They need Python 3.11 to 3.13 and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
GAMES ?= 20
SEED ?= 1
OUT ?= runs/bench-$(shell date +%Y%m%d-%H%M%S)

.DEFAULT_GOAL := help
.PHONY: help bench play test lint types golden models speed notebooks clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

$(VENV)/.run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

bench: $(VENV)/.run ## play the 26-city benchmark at a small size (GAMES=20 SEED=1 OUT=runs/...)
	$(BIN)/brushpass bench --games $(GAMES) --seed $(SEED) --out $(OUT)

play: $(VENV)/.run ## play a game with the bot
	$(BIN)/brushpass play

test: $(VENV)/.dev ## run the whole test suite
	$(BIN)/python -m pytest

lint: $(VENV)/.dev ## ruff and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev ## mypy --strict
	$(BIN)/mypy

golden: $(VENV)/.dev ## rewrite the golden transcripts and what docs/api.md and docs/cli.md show: read the diff before you commit it
	GOLDEN=1 $(BIN)/python -m pytest tests/test_golden.py tests/test_perft.py tests/test_docs_api.py tests/test_docs_cli.py

models: $(VENV)/.run ## rebuild the shipped models (needs SOURCE=folder of npm's packages; see docs/models.md)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[build]'
	for name in glove minilm glove-norm use default glove-use; do $(BIN)/brushpass models build $$name --source $(SOURCE) --out models || exit 1; done
	$(BIN)/brushpass models build value --out models

notebooks: $(VENV)/.run ## run the notebooks
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[notebook]'
	$(BIN)/jupyter execute notebooks/*.ipynb

speed: $(VENV)/.run ## measure the search and whole games: four minutes, tables and runs/speed.json
	$(BIN)/python benchmarks/speed.py

clean: ## remove what the targets made
	rm -rf $(VENV) dist build runs .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
