"""The redundancy-based filter: features whose pair with a better one tells no more about the class."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.criteria.uncertainties import Uncertainties
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import WeightedFit
from fewer.core.records.errors import ParameterError, closest
from fewer.core.records.result import Selection
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.redundancy._on_codes import SAME, SILENT, CodesSelector, tells_something
from fewer.methods.redundancy._predominance import keep_predominant


class RBF(WeightedFit, CodesSelector):
    r"""Keep features that no better feature is an approximate Markov blanket of.

    Features are put in order of :math:`ISU_i = SU(F_i, C) = 2 I(F_i; C) / (H(F_i) + H(C))`, best first. From the top,
    each feature that is still there is kept and takes away every later one with :math:`ISU_i \ge CSU_{i,j}`, where
    :math:`CSU_{i,j}` is the symmetrical uncertainty of the pair :math:`(F_i, F_j)` with the class. This is the
    redundancy-based filter of [1]_; nothing here is about radial basis functions.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that nothing takes away; there may be fewer than asked for.
    seeds : array-like of int or str, default=None
        Features, by number or name, that are known to matter: they come first, in the given order, are not taken away
        and take away others by the same test.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. The source takes "sigma".
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FCBF : Asks what features tell about each other.

    Notes
    -----
    There is no threshold of relevance: irrelevant features leave by the same test, and the first of the list is
    always kept; only constant features are never on it, unless they are seeds. A feature leaves just if
    :math:`I(F_j; C | F_i) \le \frac12 ISU_i H(F_j | F_i)`, so every function of a kept feature leaves, and a noisy
    copy may stay. Values that differ by less than 1e-12 count as equal (the text compares exactly). The amount of a
    redundant feature is :math:`CSU_{i,j}`, to be compared with the score of the feature that took it away.

    References
    ----------
    .. [1] L. Yu, "Feature selection for genomic data analysis", section 17.2, in Computational Methods of Feature
       Selection, 2008.

    Examples
    --------
    >>> from itertools import product
    >>> import numpy as np
    >>> f = np.array(list(product([0, 1], repeat=3)))
    >>> X = np.column_stack([f[:, 0], f[:, 1], 1 - f[:, 1], f[:, 2], 1 - f[:, 2]])
    >>> y = X[:, 0] & X[:, 1]
    >>> RBF(discretizer=None).fit(X, y).selection_.indices.tolist()
    [0, 1]
    """

    _parameter_constraints: dict = {**CodesSelector._parameter_constraints, "seeds": ["array-like", None]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        seeds: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.seeds = seeds

    def _select(self, data: View, parts: Parts) -> Selection:
        seeds = _numbers_of([] if self.seeds is None else self.seeds, data)
        known, stop = Uncertainties.of(self._view(data, parts)), parts.size
        relevance = known.with_classes
        rest = np.argsort(-relevance, kind="stable")
        order = np.concatenate([seeds, rest[~np.isin(rest, seeds) & ~known.constant[rest]]])
        silent = np.zeros(data.n_features, bool)

        def covers(best: int, later: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            pairs, more = known.of_pairs(later, best)
            gone = relevance[best] >= pairs - SAME
            silent[later] = gone & (relevance[later] <= SAME) & (more <= SAME)
            return gone, pairs

        walk = keep_predominant(order, len(seeds), covers, relevance, stop)
        left_out = known.constant & ~np.isin(np.arange(data.n_features), seeds)
        silent = (silent & np.isin(walk.remover, walk.kept)) | left_out
        note = {int(j): SILENT for j in np.flatnonzero(silent)}
        return walk.selection(relevance, silent, stop, needs=(tells_something(relevance),), note=note)


def _numbers_of(seeds: Any, data: View) -> np.ndarray:
    """Return the numbers of features given by number or name."""
    found: list[int] = []
    for seed in seeds:
        names = data.names or ()
        if isinstance(seed, str) and seed in names:
            found.append(names.index(seed))
        elif isinstance(seed, Integral) and not isinstance(seed, bool) and 0 <= int(seed) < data.n_features:
            found.append(int(seed))
        else:
            hint = closest(seed, names) if isinstance(seed, str) else ""
            raise ParameterError(
                f"RBF got the seed {seed!r}, but seeds are names of features or numbers from 0 to "
                f"{data.n_features - 1}; give one of these.{hint}"
            )
    if len(set(found)) < len(found):
        raise ParameterError(f"RBF got seeds={list(seeds)!r}, in which a feature comes twice; name each one once.")
    return np.array(found, np.int64)
