# Every target sets up what it needs: a fresh clone needs Python 3.11+ and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test slow check mutants bench engines format lock clean

run: $(READY)  ## learn Leduc poker from nothing in three minutes, live
	$(BIN)/sog train leduc --minutes 3 --workers 2 --out runs/leduc-$$(date +%Y%m%d-%H%M%S)

test: $(READY)  ## the test suite, but for what takes minutes
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow"

slow: $(READY)  ## the tests that take minutes, clusters of Ray among them
	$(BIN)/python -m pytest -m slow

check: $(READY)  ## lint, format, types, layers, spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

mutants: $(READY)  ## small wrong changes, each in a copy, that the tests must notice
	$(BIN)/python scripts/mutants.py

bench: $(READY)  ## ratios against named peers, in one run
	$(BIN)/python -m benchmarks

engines:  ## Debian's stockfish and gnugo, opponents in tests, which are skipped without them
	@sh scripts/install-engines.sh

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The lock holds every package, so pip need not resolve; bytecode is compiled on first import instead.
$(READY): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

lock: $(READY)  ## write requirements.lock anew from what is installed
	(head -1 requirements.lock; $(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu//') > requirements.new
	mv requirements.new requirements.lock

clean:
	rm -rf $(VENV)
