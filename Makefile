PYTHON ?= python3
BIN := .venv/bin
# On Linux without a GPU: make demo TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test test-kills check bench docs notebooks clean

demo: .venv/run
	$(BIN)/sourcer demo

test: .venv/dev
	$(BIN)/python -m pytest tests/browser
	$(BIN)/python -m pytest -n auto --ignore=tests/browser

test-kills: .venv/dev
	SOURCER_KILLS=200 $(BIN)/python -m pytest tests/test_nightly_killed.py

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_architecture.py

bench: .venv/dev
	for bench in tests/bench/bench_*.py; do $(BIN)/python $$bench || exit 1; done

docs: .venv/dev
	$(BIN)/python -m sphinx -W --keep-going -q docs build/docs
	@echo "Open build/docs/index.html"

notebooks: .venv/dev
	$(PIP) jupyterlab
	$(BIN)/jupyter lab notebooks

clean:
	rm -rf .venv

.venv/run: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sourcer needs Python 3.11 or newer: make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing (about 1.5 GB, a minute or two) ..."
	$(PIP) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	$(PIP) --editable .
	$(BIN)/python -c 'from index.embedder import ready; ready()'
	touch $@

.venv/dev: .venv/run
	$(PIP) --editable '.[dev]'
	touch $@
