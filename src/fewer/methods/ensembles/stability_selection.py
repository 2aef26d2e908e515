"""StabilitySelection: features that most halves of the rows select, with a bound on the false ones."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer import registry
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import Interval, StrOptions, number_above, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners.fits import run_fits
from fewer.core.search.checkpoint import fit_journal
from fewer.core.views.column_types import with_copies
from fewer.core.views.view import View
from fewer.methods.ensembles._half_samples import HalfSamples
from fewer.methods.ensembles._importance_fits import equal_columns, first_seed, varying
from fewer.methods.ensembles._stability_bounds import BOUNDS, q_for, threshold_for
from fewer.methods.ensembles._stability_result import Frequencies, artificial_threshold, selection_of


class StabilitySelection(BaseSelector):
    r"""Keep features that most random halves of the rows select, with a bound on the expected number of false ones.

    The rows are halved at random again and again, and q features are selected from each half; a feature is kept if the
    fraction of halves that select it reaches a threshold [1]_. Both halves of a split are used (complementary pairs
    [2]_). The expected number of kept features that are selected no more often than by chance, E[V], is then bounded:
    by :math:`q^2 / ((2 \tau - 1) p)` for any data, by less if the frequencies are unimodal or r-concave.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps what
        reaches the threshold; a number keeps that many by frequency, and no bound holds for them.
    ranker : str, selector or None, default=None
        What ranks the features: the name of a method, or a selector, that is told to select q features of each half.
        None takes the first q features of the L1 path of least squares, for classes on their indicators.
    q : int or None, default=None
        Features that each half selects. None is the most with which the bound for any data can reach ``pfer`` at the
        threshold, or at 0.9 if there is none.
    threshold : float, "artificial" or None, default=None
        Fraction of the halves, above 0.5. None is the smallest for which E[V] is bounded by ``pfer``. "artificial" adds
        a permuted copy of every feature, and takes the threshold with the smallest estimated fraction of false features
        [3]_; there is no bound then.
    pfer : float, default=1.0
        Wanted bound of E[V], errors per family; not used if q and threshold are both given.
    bound : {"unimodal", "r_concave", "markov"}, default="unimodal"
        Which bound: with the assumption that frequencies of noise are unimodal, or r-concave, or none.
    n_pairs : int, default=50
        Splits into halves.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which fits are written, and from which a run that was stopped goes on; needs a whole number as
        ``random_state``.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.Shadow : Looks for all relevant features.

    Notes
    -----
    V counts features that a half selects with a probability of at most q / p, whatever their true role; for noise that
    is exchangeable these are all false ones [1]_. [1]_ draws halves one by one, which has the same bound. Of equal
    columns the first takes part, and the others are redundant to it; constant columns take no part; p counts the rest.
    Where the unimodal bound does not hold (q / p above 0.577, or the threshold near 0.5) that for any data is used. A
    half always has two values of y: pairs without are drawn again.

    References
    ----------
    .. [1] N. Meinshausen and P. Buhlmann, "Stability selection", J. R. Stat. Soc. B 72(4), 2010.
    .. [2] R. D. Shah and R. J. Samworth, "Variable selection with error control: another look at stability selection",
       J. R. Stat. Soc. B 75(1), 2013.
    .. [3] J. Hedou et al., "Discovery of sparse, reliable omic biomarkers with Stabl", Nature Biotechnology 42, 2024.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 20))
    >>> y = X[:, 2] + X[:, 5] + rng.normal(size=200)
    >>> found = StabilitySelection(random_state=0).fit(X, y).selection_
    >>> sorted(found.indices.tolist()), found.meta["q"], found.meta["threshold"]
    ([2, 5], 4, 0.71)
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        deterministic=False,
        invariance=(),
        cost="fits",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "ranker": "no_validation",
        "q": [None, whole_from(1)],
        "threshold": [None, StrOptions({"artificial"}), Interval(Real, 0.5, 1, closed="right")],
        "pfer": [number_above(0)],
        "bound": [StrOptions(set(BOUNDS))],
        "n_pairs": [whole_from(2)],
        "categorical_features": ["array-like", None],
        "checkpoint": "no_validation",
        "random_state": [None, whole_from(0), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        ranker: Any = None,
        q: int | None = None,
        threshold: Any = None,
        pfer: float = 1.0,
        bound: str = "unimodal",
        n_pairs: int = 50,
        categorical_features: Any = None,
        checkpoint: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ranker = ranker
        self.q = q
        self.threshold = threshold
        self.pfer = pfer
        self.bound = bound
        self.n_pairs = n_pairs
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self) -> Parts:
        if isinstance(self.threshold, bool):
            raise ParameterError(
                f"StabilitySelection got threshold={self.threshold}, but takes a fraction above 0.5, 'artificial' or "
                "None; pass for example 0.9."
            )
        self._made_ranker()
        return super()._parts()

    def _made_ranker(self) -> Any:
        """Return the selector of the halves, None for the L1 path."""
        if self.ranker is None:
            return None
        made = registry.load_selector(self.ranker)() if isinstance(self.ranker, str) else self.ranker
        if (
            isinstance(made, type)
            or not hasattr(made, "fit_view")
            or "n_features_to_select" not in made.get_params(deep=False)
        ):
            raise ParameterError(
                f"StabilitySelection got ranker={self.ranker!r}, but takes the name of a method or a selector of this "
                "library with n_features_to_select; pass for example 'JMI' or fewer.ReliefF()."
            )
        return made

    def _tags_in_use(self) -> MethodTags:
        made = None if self.ranker is None else self._made_ranker()
        if made is None:
            return self.method_tags
        tags = made._tags_in_use()
        takes = {name: getattr(tags, name) for name in ("targets", "handles_nan", "handles_nominal", "binary_only")}
        return replace(self.method_tags, **takes)

    def _select(self, data: View, parts: Parts) -> Selection:
        if data.n_rows < 4:
            raise InputError(
                f"StabilitySelection halves the rows, but got {data.n_rows} (n_samples = {data.n_rows}); give at least "
                "four rows."
            )
        columns = varying("StabilitySelection", data)
        equal = equal_columns(data.columns(columns))
        firsts = columns if equal is None else columns[np.unique(equal)]
        view, seed = data.columns(firsts), first_seed(self.random_state)
        p, artificial = view.n_features, self.threshold == "artificial"
        if artificial:
            rng = np.random.default_rng([seed, 0, 1])
            orders = rng.permuted(np.tile(np.arange(view.n_rows)[:, None], (1, p)), axis=0)
            view = with_copies(view, view.reordered(orders))
        q, threshold = self._line(view.n_features)
        places = self._halves(view, data, q, seed)
        found = Frequencies.of(places, p, q, self.n_pairs, self.bound)
        if artificial:
            threshold = artificial_threshold(found)
        copies = {} if equal is None else {int(columns[j]): int(columns[i]) for j, i in enumerate(equal) if i != j}
        return selection_of(found, threshold, parts.size, firsts, copies, data.n_features)

    def _line(self, p: int) -> tuple[int, float]:
        """Return how many features a half selects, and the threshold, NaN if it is found later."""
        given = self.threshold if isinstance(self.threshold, Real) else 0.9
        q = q_for(self.pfer, p, float(given)) if self.q is None else self.q
        if q > p:
            raise ParameterError(
                f"StabilitySelection got q={q}, but {p} features take part; give a q of at most {p}, or None."
            )
        if self.threshold is None:
            return q, threshold_for(float(self.pfer), q, p, self.n_pairs, self.bound, type(self).__name__)
        return q, float(self.threshold) if self.threshold != "artificial" else np.nan

    def _halves(self, view: View, data: View, q: int, seed: int) -> np.ndarray:
        """Return the places of all features in all halves."""
        journal = fit_journal(self, data, ("n_pairs", "pfer", "bound") if self.q is not None else ("n_pairs",))
        work = HalfSamples.of(view, self._made_ranker(), q, seed)
        return np.array(run_fits(data.run, work, range(2 * self.n_pairs), what="halves", journal=journal))
