"""SURF and its relatives: every row within a distance that the data set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from fewer.core.neighbours.relief_weights import class_shares
from fewer.core.neighbours.row_space import as_ramp, range_space
from fewer.core.neighbours.spaces import Space
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._radius import distance_sum
from fewer.methods.relief._radius_masks import sums_within
from fewer.methods.relief._relief import RELIEF_CONSTRAINTS, TAGS
from fewer.methods.relief._summed import Part, SummedRelief, Sums

# All rows within a radius are neighbours, so that ties need no order.
RADIUS_TAGS = replace(TAGS, invariance=("row_order", "scale"))


class _RadiusRanker(SummedRelief):
    """Compares every row with all rows near it."""

    # Every row its own radius, or one for all.
    many_radii: ClassVar[bool]
    far: ClassVar[bool]
    _parameter_constraints: dict = RELIEF_CONSTRAINTS

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def _two_rounds(self) -> bool:  # type: ignore[override]
        return not self.many_radii

    def _space(self, view: View) -> Space:
        return range_space(view, as_ramp(type(self).__name__, self.ramp))

    def _sums_before(self, view: View, space: Space, start: int, stop: int) -> float:
        return distance_sum(view, space, start, stop)

    def _asked(self, n_rows: int, space: Space | None, total: float) -> float | None:
        """Return the radius of all rows, if they have one."""
        return None if self.many_radii else total / (n_rows * (n_rows - 1))

    def _sums(self, view: View, space: Space, asked: float | None, part: Part) -> Sums:
        return sums_within(view, space, class_shares(view.whole().y, view.n_classes), asked, self.far, part)

    def _from_sums(self, sums: Sums, n_rows: int) -> np.ndarray:
        # What far rows have in common counts, 1 - diff: the ones cancel wherever hits and misses are far.
        return (sums[0] + sums[1] if self.many_radii else sums[0]) / n_rows


class SURF(_RadiusRanker):
    r"""Rank features by how they differ between rows nearer than the mean distance.

    Like ReliefF, but the neighbours of a row are all rows nearer than the mean distance T of all pairs [1]_:
    :math:`W_i = \frac{1}{n} \sum_k [ m_i(x_k) - h_i(x_k) ]`, where :math:`m_i` and :math:`h_i` are the mean
    differences of the row from its near misses and from its near hits in feature i.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    ReliefF : A fixed number of neighbours.
    SURFStar : Uses the far rows, too.
    MultiSURF : A radius for every row.

    Notes
    -----
    A row without near hits (or near misses) leaves that term out. With more than two classes the mean differences from
    the near misses of each class count by its fraction among the classes that have near misses. scikit-rebate takes
    the mean over all n x n entries of the distance matrix, with the zeros of its diagonal, and so has a radius smaller
    by the factor (n - 1) / n; with that radius the scores agree under the conditions named in `MultiSURF`.

    References
    ----------
    .. [1] C. S. Greene, N. M. Penrod, J. Kiralis and J. H. Moore, "Spatially Uniform ReliefF (SURF) for
       computationally-efficient filtering of gene-gene interactions", BioData Mining 2:5, 2009.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]
    >>> SURF(1).fit(X, y).scores_.tolist()
    [1.0, -1.0]
    """

    method_tags = RADIUS_TAGS
    many_radii, far = False, False


class SURFStar(_RadiusRanker):
    r"""Rank features by near rows as SURF does, less what far rows say.

    Rows farther than the mean distance of all pairs count with the opposite sign [1]_: a feature gains where it is
    alike in far rows of other classes, and loses where it is alike in far rows of the same class.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    SURF : Without far rows.
    MultiSURFStar : A radius for every row, and a gap between near and far.

    Notes
    -----
    Made for interactions of two features; features that act alone may rank low, as far rows speak against them.

    References
    ----------
    .. [1] C. S. Greene, D. S. Himmelstein, J. Kiralis and J. H. Moore, "The informative extremes: using both nearest
       and farthest individuals can improve Relief algorithms in the domain of human genetics", EvoBIO 2010.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> SURFStar(1).fit(X, y).scores_.tolist()
    [1.5, 1.5]
    """

    method_tags = RADIUS_TAGS
    many_radii, far = False, True


class MultiSURF(_RadiusRanker):
    r"""Rank features by how they differ between rows that are near for the row they are compared with.

    Like SURF, but each row has its own radius: the mean of its distances to all other rows less half their standard
    deviation [1]_. It needs no parameter and is a good first choice.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    SURF : One radius for all rows.
    MultiSURFStar : Uses the far rows, too.

    Notes
    -----
    The standard deviation is that of the distances themselves, divided by their number. A row without near hits (or
    near misses) leaves that term out. With more than two classes the mean differences from the near misses of each
    class count by its fraction among the classes that have near misses. With two classes, no missing values and more
    than ten different values in every column the scores are those of scikit-rebate, which takes other columns as
    nominal and has a ramp beside them. With many features distances are summed in single precision, and with them the
    mean: a row that lies within about 1e-7 of the limit (as a fraction of it) may fall on either side, which changes a
    score by about 1e-6.

    References
    ----------
    .. [1] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker and J. H. Moore, "Benchmarking Relief-based feature
       selection methods for bioinformatics data mining", Journal of Biomedical Informatics 85, 2018.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]
    >>> MultiSURF(1).fit(X, y).scores_.tolist()
    [1.0, -1.0]
    """

    method_tags = RADIUS_TAGS
    many_radii, far = True, False


class MultiSURFStar(_RadiusRanker):
    r"""Rank features by rows near a row as MultiSURF does, and by what rows far from it have in common.

    Rows farther than the mean of a row's distances plus half their standard deviation are far. A feature gains by
    :math:`1 - \mathrm{diff}` of far misses and loses by that of far hits [1]_; rows in between say nothing.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    MultiSURF : Without far rows.
    SURFStar : One radius for all rows.

    Notes
    -----
    Made for interactions of two features; features that act alone may rank low, as far rows speak against them.

    References
    ----------
    .. [1] D. Granizo-Mackenzie and J. H. Moore, "Multiple threshold spatially uniform ReliefF for the genetic analysis
       of complex human diseases", EvoBIO 2013.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> MultiSURFStar(1).fit(X, y).scores_.tolist()
    [0.5, 0.5]
    """

    method_tags = RADIUS_TAGS
    many_radii, far = True, True
