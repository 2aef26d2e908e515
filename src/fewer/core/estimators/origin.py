"""What made a selection: method, parameters, data, versions and time."""

from __future__ import annotations

import platform
import time
from functools import cache
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator

from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

# An array with more entries is told by its ends.
MOST_SHOWN = 100


def with_facts(made: BaseEstimator, tags: MethodTags, selection: Selection, data: View, begin: float) -> Selection:
    """Return a selection with names, and with what made it: method, parameters, data, versions and time."""
    facts = {"n_rows": data.n_rows, "n_features": data.n_features, "n_nominal": int(data.nominal.sum())}
    notes = [*data.facts.get("notes", ()), *selection.meta.get("notes", ())]
    return selection.with_names(data.names).with_meta(
        method=type(made).__name__,
        parameters={k: _shown(v) for k, v in made.get_params(deep=False).items()},
        summary=(type(made).__doc__ or "").strip().split("\n")[0],
        task=tags.task,
        data={**facts, **data.facts, **({"notes": notes} if notes else {})},
        seed=getattr(made, "random_state", None),
        versions=dict(versions()),
        seconds=time.perf_counter() - begin,
        runner=data.run.name,
    )


@cache
def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    import scipy

    from fewer._version import __version__

    return {
        "fewer": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def _shown(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        # Writing many numbers can take as long as the fit.
        with np.printoptions(threshold=MOST_SHOWN):
            return repr(value)
    return value if isinstance(value, (int, float, str, bool, type(None))) else repr(value)
