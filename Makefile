# From a bare machine: `make demo` or `make test`. Both make .venv, install and run; the
# second time they only run.
PYTHON ?= python3
VENV ?= .venv
OUT ?= out/demo
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check
# Python takes any folder called worldengine for a package without contents, this checkout, too,
# where it is started beside it; one that stands on the path with its contents goes before that.
FOUND = import pathlib, sysconfig as s; \
	pathlib.Path(s.get_path('purelib'), 'checkout.pth').write_text(str(pathlib.Path.cwd()))

.PHONY: demo test slow differences torch extras learn lint format bench grammar clean

demo: $(VENV)/.light
	$(BIN)/python -m worldengine.demo --out $(OUT)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --benchmark-disable

slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --benchmark-disable --slow

# Every step of the engine beside the reference, a hundred million; hours. Goes on where it was.
differences: $(VENV)/.dev
	mkdir -p out
	$(BIN)/python -m tests.batch.long_run --steps 100000000 --out out/differences.jsonl

torch: $(VENV)/.dev
	$(PIP) install -q -c constraints.txt torch

# What training, model players, tables and plots need; large. Tests that need a part of it are
# skipped without it.
extras: $(VENV)/.extras

# A small transformer learns a family of worlds from nothing, on a CPU; some minutes.
learn: $(VENV)/.extras
	OMP_NUM_THREADS=1 $(BIN)/worldengine experiment configs/small.toml

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	$(BIN)/python -m pytest benchmarks -p no:xdist --benchmark-only

grammar: $(VENV)/.light
	$(BIN)/python -c "from worldengine.syntax.tables import main; main()"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.light: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install -q -c constraints.txt -e .
	$(BIN)/python -c "$(FOUND)"
	touch $@

$(VENV)/.dev: $(VENV)/.light
	$(PIP) install -q -c constraints.txt -e ".[dev]"
	touch $@

$(VENV)/.extras: $(VENV)/.dev
	$(PIP) install -q -c constraints.txt -e ".[dev,torch,llm,train,serve,tables,report,peers]"
	touch $@

clean:
	rm -rf build dist out *.egg-info
