"""Every selector of the registry selects the same on one thread, two threads, a stream, Dask and the device."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from common.cases import BY_CONTRACT, case, is_classification, tags_of
from fewer.core.kernels.device.cuda_compiling import SIMULATED
from fewer.core.reading.table import ArrayTable
from fewer.core.runners.context import use

# The simulator is slow: one method that counts, one on moments, one on products.
NAMES = ["MRMR", "FTest", "Pearson"] if SIMULATED else BY_CONTRACT["selector"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_selections_are_the_same_on_all_runners(name):
    c = case(name, n_rows=40 if SIMULATED else 150)
    if tags_of(name).views == ("texts",) or not isinstance(c.X, np.ndarray) or c.X.dtype.kind not in "fi":
        pytest.skip("texts and sequences are no rows of numbers")
    serial = fitted(c, c.X, c.y)
    found = {"two threads": fitted(c, c.X, c.y, n_jobs=2)}
    with use("cuda"):
        found["device"] = fitted(c, c.X, c.y)
    if tags_of(name).streams:
        classes = np.unique(c.y) if is_classification(name) else None

        def table():
            return ArrayTable(c.X, c.y, classes=classes, batch_rows=37)

        found["stream"] = fitted(c, table())
        with use("cuda"):
            found["device, streamed"] = fitted(c, table())
        found["Dask"] = on_dask(c)
    for runner, selection in found.items():
        if selection is not None:
            assert selection.indices.tolist() == serial.indices.tolist(), runner
    runners = {selection.meta["runner"] for selection in found.values() if selection is not None}
    print(name, *sorted(runners), sep=", ")


def fitted(c, *data, n_jobs=1):
    selector = c.make()
    if "n_jobs" in selector.get_params():
        selector.set_params(n_jobs=n_jobs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return selector.fit(*data).selection_


def on_dask(c):
    try:
        import dask.array as da
    except ImportError:
        return None
    if c.y is None or c.X.dtype.kind != "f":
        return None
    return fitted(c, da.from_array(c.X, chunks=(50, -1)), da.from_array(np.asarray(c.y), chunks=50))
