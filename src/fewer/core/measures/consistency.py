"""How often rows that look alike belong to different classes."""

from __future__ import annotations

from fewer.core.measures._tables import ratio
from fewer.core.summaries.results import JointCounts


def inconsistency_rate(counts: JointCounts) -> float:
    """Return the fraction of rows outside the most frequent class of their group (book ch. 3, section 3.6.1).

    Rows with equal levels of all features of a subset are a group; with n_g rows, m_g of them in its most frequent
    class, the rate is sum_g (n_g - m_g) / n (Liu and Setiono 1996). It never rises when a feature joins the subset.

    Parameters
    ----------
    counts : JointCounts
        Groups by classes.

    Returns
    -------
    float
        In [0, 1); 0 if groups are pure.

    Examples
    --------
    >>> import numpy as np
    >>> inconsistency_rate(JointCounts(np.array([[0], [1]]), np.array([[3, 1], [0, 4]])))
    0.125
    """
    total = counts.table.sum()
    return float(ratio(total - counts.table.max(axis=1).sum(), total))
