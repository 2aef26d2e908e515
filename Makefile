# Two commands on a fresh machine: make demo, make test.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
JOBS   ?= 2
# How many times as many random examples make test-deep tries.
DEEP   ?= 25

.PHONY: demo test test-deep test-device test-machine mutants lint bench studies docs clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[all]"
	touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[test]"
	touch $@

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[docs]"
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

test-machine: $(VENV)/.test
	$(BIN)/python tests/machine/run.py -n $(JOBS)

mutants: $(VENV)/.test
	$(BIN)/python tests/mutants/run.py --jobs $(JOBS)

lint: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks studies docs
	$(BIN)/ruff format --check src tests benchmarks studies docs
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	for name in univariate information redundancy rank_order relief genotypes wrappers causal ensembles sparse unsupervised unsupervised_distances unsupervised_kmeans unsupervised_text; do $(BIN)/python benchmarks/$$name.py || exit 1; done

studies: $(VENV)/.test
	for file in studies/*.py; do $(BIN)/python $$file || exit 1; done

docs: $(VENV)/.docs
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis report.html comparison.json selection.json
