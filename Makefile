# Two commands on a fresh machine: make demo, make test.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
JOBS   ?= 2
# How many times as many random examples make test-deep tries.
DEEP   ?= 50

.PHONY: demo test test-deep test-device test-interop test-machine test-versions mutants lint bench studies docs stub picture dist clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[all]"
	touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[test]"
	touch $@

$(VENV)/.interop: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[test,interop]"
	touch $@

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[docs]"
	touch $@

$(VENV)/.release: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[release]"
	touch $@

demo: $(VENV)/.demo
	$(BIN)/fewer compare clinic --target recovered --drop-leaks --out comparison.json --report report.html
	@echo "Open report.html in a browser."

test: $(VENV)/.test lint
	$(BIN)/python -m pytest -n $(JOBS) --durations=20
	$(BIN)/python -m pytest -q --doctest-modules src/fewer
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(JOBS) tests/core/kernels tests/methods/rank_order/class_centres

# Hours, before a release: many more random examples, other machines, and whether the tests notice changed code.
test-deep: $(VENV)/.test mutants test-machine
	FEWER_EXAMPLES=$(DEEP) $(BIN)/python -m pytest -n $(JOBS)

# On a machine with an NVIDIA GPU and the extra fewer[cuda]; without one, numba's simulator runs a part of it in make test.
test-device: $(VENV)/.test
	$(BIN)/python -m pytest -q tests/device

# Exports, read by the programs they are for: onnxruntime, skops, jsonschema, arrays of the standard.
test-interop: $(VENV)/.interop
	$(BIN)/python -m pytest -n $(JOBS) tests/ecosystem

test-machine: $(VENV)/.test
	$(BIN)/python tests/machine/run.py -n $(JOBS)

# The whole suite on the oldest and the newest versions, for each Python that is here; a part of it, for example:
# make test-versions WHICH="--python 3.11 --versions lowest -- -q -n 2 tests/core"
test-versions: $(VENV)/.release
	$(BIN)/python tools/versions.py $(WHICH)

mutants: $(VENV)/.test
	$(BIN)/python tests/mutants/run.py --jobs $(JOBS)

lint: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks studies docs tools
	$(BIN)/ruff format --check src tests benchmarks studies docs tools
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	for name in univariate information redundancy rank_order relief genotypes relief_cluster wrappers causal ensembles sparse unsupervised unsupervised_distances unsupervised_kmeans unsupervised_text; do $(BIN)/python benchmarks/$$name.py || exit 1; done

studies: $(VENV)/.test
	for file in studies/*.py; do $(BIN)/python $$file || exit 1; done

docs: $(VENV)/.docs
	$(BIN)/python docs/build_tables.py
	$(BIN)/mkdocs build --strict

# What editors and type checkers read; a test says when it is out of date.
stub: $(VENV)/.demo
	$(BIN)/python tools/stub.py

# The picture of the report in README.md, of the page that make demo leaves; needs chromium.
picture: demo
	$(BIN)/python tools/report_picture.py report.html docs/report.png

dist: $(VENV)/.release
	$(BIN)/python tools/try_dist.py --out dist

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis report.html comparison.json selection.json
