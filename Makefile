# Everything here works on a fresh machine with make and Python 3.11 or newer.
# `make help` lists the targets. Arguments go through ARGS: make play ARGS=--terminal

# The interpreter to build .venv with; the first of these that is new enough, unless you name one.
PYTHON ?=
CANDIDATES = $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11 python)

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PINS := pyproject.toml constraints.txt
# npm's: the first checks the types of the page, the second is Python for browsers.
TYPESCRIPT := 7.0.2
PYODIDE := 314.0.7
# Two more than there are cores: many tests wait for a server, a browser or a clock.
JOBS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 2)))
# Tests that share a server or a browser run on one worker; tests/groups.py has the groups.
DIST := --dist loadscope --no-loadscope-reorder
ARGS ?=
SITE ?= build/site

# What Python compiled is kept, whatever the environment says: the tests start it a hundred times.
test slow jax soak coverage: export PYTHONDONTWRITEBYTECODE :=

.PHONY: help play test slow jax soak coverage check types format catalogues reference screenshots package site \
  sbom audit bench clean
.DEFAULT_GOAL := help

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.play ## play in the browser, or with ARGS=--terminal right here
	@$(BIN)/lastspike play $(ARGS) || [ $$? -eq 130 ]  # Ctrl-C is a way to leave

test: $(VENV)/.dev ## run the tests for every change
	$(BIN)/python -m pytest -m "not slow" -n $(JOBS) $(DIST) --durations=10 $(ARGS)

slow: $(VENV)/.dev ## run the tests that take long, which CI runs too
	$(BIN)/python -m pytest -m slow -n $(JOBS) $(DIST) --durations=10 $(ARGS)

# File by file, so that what the tests of a file share is compiled once.
jax: $(VENV)/jax/.made ## run the tests that need JAX, with an installation of their own
	$(VENV)/jax/bin/python -m pytest -n $(JOBS) --dist loadfile tests/batch/test_jax.py tests/lab/train $(ARGS)

soak: $(VENV)/.dev ## run the long tests at their full sizes
	LASTSPIKE_SOAK=1 $(BIN)/python -m pytest -m soak --timeout=0 -n $(JOBS) $(DIST) $(ARGS)

coverage: $(VENV)/.dev ## run the tests and hold the rules to 98 % of their branches
	$(BIN)/python -m pytest -n $(JOBS) $(DIST) --cov --cov-report= $(ARGS)
	$(BIN)/python -m coverage report
	$(BIN)/python -m coverage report --include='src/lastspike/rules/*' --fail-under=98

check: $(VENV)/.dev types ## lint, formatting, types, and which package may import which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo

types: $(VENV)/.typescript-$(TYPESCRIPT) ## the types of the page's modules (a part of check)
	$(BIN)/node $(VENV)/typescript/node_modules/typescript/bin/tsc -p tsconfig.json

format: $(VENV)/.dev ## put the code into the project's format
	$(BIN)/ruff check --fix-only --exit-zero
	$(BIN)/ruff format

catalogues: $(VENV)/.dev ## bring the translations up to date with the messages in the code
	$(BIN)/python -m tests.words.update

reference: $(VENV)/.dev ## write docs/api.md from the docstrings of the rules
	$(BIN)/python -m tests.docs.reference

screenshots: $(VENV)/.dev ## photograph every screen of the page into docs/screenshots
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

package: $(VENV)/.play ## build the wheel of this version into dist
	$(PIP) wheel --no-deps --wheel-dir dist .

site: $(VENV)/.pyodide-$(PYODIDE) ## write the game without a server into build/site, for any web server
	$(BIN)/python -m lastspike.server.site.build $(SITE) \
	  --pyodide $(VENV)/pyodide/node_modules/pyodide --msgspec $(VENV)/pyodide/msgspec-*.whl $(ARGS)

sbom: $(VENV)/.dev ## list what the game needs as CycloneDX JSON, with ARGS=postgres for that extra
	@$(BIN)/python -m tests.packaging.sbom $(ARGS)

audit: $(VENV)/audit/.made ## look up known vulnerabilities of the pinned versions (advisory)
	@$(BIN)/python -m tests.packaging.audit $(VENV)/audit/bin/pip-audit

bench: $(VENV)/.bench ## measure the engine, arrays and environments beside their peers
	$(BIN)/python bench/engine.py $(ARGS)
	$(BIN)/python bench/batch.py
	$(BIN)/python bench/environments.py

clean: ## remove .venv and everything that can be made again
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is newer than the files it was installed from, so a second run installs nothing.
$(VENV)/.made:
	@for python in $(CANDIDATES); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Making $(VENV) with $$("$$python" --version)."; \
	    "$$python" -m venv $(VENV) && touch $@ && exit 0; \
	    echo "Could not make $(VENV); on Debian and Ubuntu, install python3-venv first." >&2; \
	    exit 1; \
	  fi; \
	done; \
	echo "The Last Spike needs Python 3.11 or newer; tried:" $(CANDIDATES) >&2; \
	echo "If you have one elsewhere: make PYTHON=/path/to/python3" >&2; \
	exit 1

$(VENV)/.play: $(PINS) | $(VENV)/.made
	@echo "Installing the game; this happens once."
	@$(PIP) install -e . -c constraints.txt
	@touch $@

$(VENV)/.dev: $(PINS) | $(VENV)/.made
	@echo "Installing the game and the tools to work on it; this happens once."
	@$(PIP) install -e '.[dev]' -c constraints.txt
	@touch $@ $(VENV)/.play

# Beside the other tools JAX would be loaded where programs are forked, and warns of that.
$(VENV)/jax/.made: $(PINS) | $(VENV)/.made
	@echo "Installing the game with JAX; this happens once."
	@$(BIN)/python -m venv $(VENV)/jax
	@$(VENV)/jax/bin/python -m pip --disable-pip-version-check --quiet \
	  install -e '.[train]' pytest pytest-timeout pytest-xdist psutil hypothesis -c constraints.txt
	@touch $@

# It needs none of the game's packages, and its own would be pinned for nothing.
$(VENV)/audit/.made: | $(VENV)/.made
	@echo "Installing pip-audit; this happens once."
	@$(BIN)/python -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip --disable-pip-version-check --quiet install pip-audit
	@touch $@

# Node comes with the development tools; npm writes no lock file, which would name addresses.
$(VENV)/.typescript-$(TYPESCRIPT): | $(VENV)/.dev
	@echo "Installing TypeScript; this happens once."
	@$(BIN)/npm install --prefix $(VENV)/typescript --no-save --no-package-lock --no-audit --no-fund \
	  --no-update-notifier --loglevel=error typescript@$(TYPESCRIPT)
	@touch $@

# msgspec has a build for Pyodide under its usual name and version.
$(VENV)/.pyodide-$(PYODIDE): $(PINS) | $(VENV)/.dev
	@echo "Fetching Pyodide; this happens once."
	@rm -rf $(VENV)/pyodide
	@$(BIN)/npm install --prefix $(VENV)/pyodide --no-save --no-package-lock --no-audit --no-fund \
	  --no-update-notifier --loglevel=error pyodide@$(PYODIDE)
	@$(PIP) download --no-deps --only-binary=:all: --implementation cp --python-version 314 --abi cp314 \
	  --platform pyemscripten_2026_0_wasm32 --dest $(VENV)/pyodide -c constraints.txt msgspec
	@touch $@

$(VENV)/.bench: $(PINS) | $(VENV)/.made
	@echo "Installing the engines to compare with; this happens once."
	@$(PIP) install -e '.[bench,research]' -c constraints.txt
	@touch $@ $(VENV)/.play
