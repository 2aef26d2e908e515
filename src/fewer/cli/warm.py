"""fewer warmup: compile every loop once, so that no later run waits for it."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from fewer import registry
from fewer.cli.console import say, steps
from fewer.core.records.errors import FewerError
from fewer.dispatch import Contract

ROWS, WIDTH = 240, 6
DISCRETIZERS = ("quantile", "uniform", "mdl", "sigma", "mixture", "relief")
# These learn from the target, the first from classes alone.
BY_CLASSES, BY_TARGET = ("mdl",), ("mdl", "relief")


def warmup() -> None:
    """Compile all loops once and say where they are kept."""
    start = time.perf_counter()
    entries, failed = registry.METHODS, []
    with steps("compiling", len(entries)) as advance, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for done, entry in enumerate(entries, 1):
            made = registry.load(entry.name)
            try:
                for parameters, X in trials(made):
                    fit_once(entry.offers, made, parameters, X)
            except Exception as error:
                failed.append(f"{entry.name} ({type(error).__name__}: {error})")
            advance(done)
    if failed:
        raise FewerError(f"{len(failed)} of {len(entries)} methods could not be run: {'; '.join(failed)}")
    seconds = time.perf_counter() - start
    say(f"All {len(entries)} methods are compiled ({seconds:.1f} s); {kept_where()}.")


def trials(made: Any) -> Iterator[tuple[dict[str, Any], Any]]:
    """Give parameters and data that reach the loops of a method: each type of number, sparse, each discretizer."""
    import scipy.sparse

    rng = np.random.default_rng(0)
    tags, known = made.method_tags, made._get_param_names()
    if "texts" in tags.views or "sequences" in tags.views:
        yield {}, _written(rng, "texts" in tags.views, "fields" in known)
        return
    numbers = rng.normal(size=(ROWS, WIDTH))
    levels = rng.integers(0, 4, size=(ROWS, WIDTH))
    if tags.nonnegative:
        numbers = np.abs(numbers)
    inputs: list[Any] = [numbers, numbers.astype(np.float32), levels]
    if tags.handles_sparse:
        inputs.append(scipy.sparse.csc_array(np.where(levels == 3, numbers, 0.0)))
    for X in inputs:
        yield {}, X
    if tags.handles_nan:
        yield {}, np.where(levels == 3, np.nan, numbers)
    if "discretizer" not in known:
        return
    for X in inputs:
        for discretizer in DISCRETIZERS:
            unfit = {"regression": BY_CLASSES, "none": BY_TARGET}.get(tags.task, ())
            # The Relief estimate compares dense rows.
            unfit = (*unfit, "relief") if scipy.sparse.issparse(X) else unfit
            if discretizer not in unfit and _is_allowed(made, discretizer):
                yield {"discretizer": discretizer}, X
    yield {"discretizer": None}, levels
    # More levels than a byte can number are counted by other loops.
    many = rng.normal(size=(1200, WIDTH))
    yield {"bins": 100}, many
    yield {"bins": 1000}, many


def _written(rng: np.random.Generator, words: bool, fields: bool) -> list[Any]:
    """Return documents of a few words, records of them, or sequences of letters."""
    if not words:
        return ["".join(row) for row in rng.choice(list("ACGT"), (ROWS, 2 * WIDTH))]
    texts = [" ".join(row) for row in rng.choice(["ball", "star", "gun", "cod"], (ROWS, WIDTH))]
    return [{"title": text[:8], "body": text} for text in texts] if fields else texts


def _is_allowed(made: Any, discretizer: str) -> bool:
    """Return whether a selector takes a discretizer; one that scores its choice on other rows takes not all."""
    try:
        made(discretizer=discretizer).check()
    except FewerError:
        return False
    return True


def fit_once(contract: Contract, made: Any, parameters: dict[str, Any], X: Any) -> None:
    """Fit a method with and without weights, and ask it all that its contract offers."""
    rng = np.random.default_rng(1)
    tags, n_rows = made.method_tags, X.shape[0] if hasattr(X, "shape") else len(X)
    y = rng.normal(size=n_rows) if tags.task == "regression" else rng.permutation(np.arange(n_rows) % 2)
    # What makes new axes may learn them from labels, which it does not predict.
    target = y if tags.needs_target or contract.name == "projector" else None
    contract.answer(made(**parameters).fit(X, target), X)
    if tags.handles_weights:
        made(**parameters).fit(X, target, sample_weight=rng.uniform(0.5, 2.0, size=n_rows))


def kept_where() -> str:
    """Say where compiled loops are kept."""
    from fewer.core.kernels import contingency
    from fewer.core.kernels._jit import JIT_DISABLED

    if JIT_DISABLED:
        return "NUMBA_DISABLE_JIT is set, so nothing was compiled"
    for loop in vars(contingency).values():
        path = getattr(getattr(loop, "stats", None), "cache_path", None)
        if path:
            return f"they are kept in {path}"
    return "no folder for them is writable, so they last for this process only; set NUMBA_CACHE_DIR to a writable one"
