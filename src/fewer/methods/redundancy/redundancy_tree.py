"""Redundancy of binary features: who covers whom, and what may go."""

from __future__ import annotations

from numbers import Real

from fewer.core.estimators.covered_terms import COVERS, ON_PRESENCE, CoverSelector
from fewer.core.records.params import Interval
from fewer.core.stop import Stop


class RedundancyTree(CoverSelector):
    r"""Drop binary features that another feature covers and that cover none themselves.

    A feature is present in a row if its value is above a threshold. For two features that occur together,
    :math:`R(i, j) = \Phi(i, j)\, n_{ij} / n_i` (eq. 16.16 of [1]_) says how well j stands for i:
    :math:`n_{ij} / n_i` is the fraction of the rows with i that have j as well, and :math:`\Phi` compares what the pair
    and what both alone tell about the class (eq. 16.13). Each feature hangs below the one with the largest :math:`R`;
    the leaves of these trees are redundant. What is left is ranked by information gain, the score.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that are not redundant.
    rule : {"tree", "matrix"}, default="tree"
        Which features are redundant: leaves of the trees, or features that are nobody's best cover, which keeps both
        of two duplicates.
    top_fraction : float, default=None
        Fraction of the features, those of highest information gain, among which redundancy is looked for; others are
        not reached. None takes all features.
    tau : float, default=0.5
        Two features belong to one set if one of them covers this fraction of the other; covers are looked for in the
        set.
    clip : bool, default=False
        Whether to cut :math:`\Phi` at 1, which features that tell little exceed.
    threshold : float, default=0.0
        A feature is present where its value is larger.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    tree_ : RedundancyForest
        The trees of all features; ``print(tree_)`` and ``tree_.plot()`` show them.

    See Also
    --------
    InformationGain : Ranks without regard to redundancy.

    Notes
    -----
    The text leaves open how sets of correlated features follow from the inclusion of one in another; see `tau`. It
    says that :math:`\Phi` is at most one, which does not hold. It looks for redundancy among the tenth of the
    features of highest information gain; features that tell nearly nothing have large :math:`\Phi`, so use
    `top_fraction` where there are many. Features that half of the rows have cover half of each other by chance: use
    a larger `tau` for such data. Features that no row or every row has are irrelevant. Nominal columns are refused:
    encode each level as a feature of its own. The matrices of m dense features need about 8 m^2 bytes per class;
    those of sparse features hold only pairs that occur together.

    References
    ----------
    .. [1] M. Makrehchi and M. S. Kamel, "Aggressive feature selection by feature ranking", ch. 16 of H. Liu and
       H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> X = [[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]
    >>> selector = RedundancyTree().fit(X, [0, 0, 0, 1, 1, 1])
    >>> selector.selection_.indices.tolist()
    [0, 2]
    >>> print(selector.tree_)
    x0
      x1 (0.8165)
    1 feature alone
    """

    method_tags = ON_PRESENCE
    _parameter_constraints: dict = {
        **COVERS,
        "top_fraction": [None, Interval(Real, 0, 1, closed="right")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        rule: str = "tree",
        top_fraction: float | None = None,
        tau: float = 0.5,
        clip: bool = False,
        threshold: float = 0.0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.rule = rule
        self.top_fraction = top_fraction
        self.tau = tau
        self.clip = clip
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.verbose = verbose
