"""PC: the whole graph by separators, of which the blanket is read off."""

from __future__ import annotations

from typing import Any

from fewer.core.criteria.independence_contract import Y
from fewer.core.records.result import Selection
from fewer.core.search.questions import Questions
from fewer.core.search.skeleton import Pattern, pc_pattern
from fewer.methods.causal._base import CONSTRAINTS, MAX_K, BlanketSelector, keep
from fewer.methods.causal._result import CAUSE, EFFECT, NEIGHBOUR, SPOUSE, selection_of, stood_for


class PC(BlanketSelector):
    r"""Keep the Markov blanket of the target, read off the causal graph of all features.

    Two features are joined unless some subset of the neighbours of one of them separates them; subsets grow one by one,
    and the neighbours are those at the beginning of each size, so that the order of the features does not matter to who
    is joined (the stable version [2]_). Where two ends of a path over three nodes are not joined and what separates
    them does not hold the middle, both edges lead into the middle (a collider). Further directions follow by three
    rules [3]_. The blanket are the neighbours of y, and what meets y in a collider.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that are found; there may be fewer than asked for.
    alpha : float, default=0.05
        A reliable test with a p-value above this says independent.
    test : {"auto", "g", "chi2", "information", "fisher_z", "mixed"} or IndependenceTest, default="auto"
        How independence is tested. "g" and "chi2" count levels, "information" counts them against shuffles, "fisher_z"
        correlates numbers (y: numbers or two classes), "mixed" compares regressions. "auto" is "g" where y holds
        classes, "fisher_z" where all are numbers, else "mixed".
    max_k : int or None, default=3
        Most features that are given at once; None for no bound.
    h : float, default=5.0
        A test is reliable with at least so many rows per cell of its table, or per coefficient of a regression;
        "information" takes 1 for enough, and "fisher_z" does not use it.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=3
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    HITON : Looks at the surroundings of y only.

    Notes
    -----
    The rules printed in section 4.5.1 of [1]_ lack a condition of the second, without which cycles arise, and a third
    rule. [1]_ makes a collider of a middle that no separating set holds; usually only the first set found is looked at.
    Here the other sets of its size are asked, too, and a test with rows enough must show that the ends depend on each
    other given set and middle; where rows are too few for that, the edges are marked "--?" and no rule rests on the
    three. An edge of which no such test has shown a dependence is marked "?" and admits nothing.
    Where two colliders direct an edge in opposite ways, the first stands, the second does not count, and the edge is
    marked "!"; so are edges that lead in a circle. The table "notes" says which of these there are.
    Common causes that are not observed are not looked for; they show as edges, and often as conflicts.
    A set that determines one of a pair parts it only at last, and only if it is joined to both; of copies of y the
    lowest stays, and the notes say so. Of near copies, each of which others of them separate from a feature, the
    strongest is joined to it again. To find these, as for colliders, the first set is looked at that separated a pair:
    which of near copies comes back, and directions about which tests contradict each other, may therefore depend on the
    order of the features.
    A test with too few rows neither admits nor drops a feature; such a feature is "not reached", as its reason says.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, section 4.5.1.
    .. [2] D. Colombo and M. H. Maathuis, "Order-independent constraint-based causal structure learning", JMLR 15, 2014.
    .. [3] C. Meek, "Causal inference and causal explanation with background knowledge", UAI 1995.

    Examples
    --------
    >>> from fewer.synth import make_lung_cancer
    >>> data = make_lung_cancer(5000, random_state=0)
    >>> found = PC().fit(data.X, data.y).selection_
    >>> sorted(data.names[j] for j in found.indices)
    ['Allergy', 'Biomarker1', 'Biomarker2', 'Coughing', 'GeneticFactor1', 'HormonalFactor', 'Metastasis', 'Smoking']
    """

    _parameter_constraints: dict = {**CONSTRAINTS, "max_k": MAX_K}

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        alpha: float = 0.05,
        test: Any = "auto",
        max_k: int | None = 3,
        h: float = 5.0,
        discretizer: Any = "quantile",
        bins: int = 3,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())

    def _blanket(self, questions: Questions) -> Selection:
        pattern = pc_pattern(questions)
        near, spouses = pattern.neighbours(Y), pattern.spouses(Y)
        roles = {j: _roles(pattern, j, spouses) for j in sorted({*near, *spouses})}
        answers = stood_for(questions, pattern.back[Y], near)
        answers |= {j: questions.ask([j], (*questions.separators[Y, j].given, c), Y)[0] for j, c in spouses.items()}
        questions.remarks.extend([*_remarks(pattern, questions), *_certain(near, questions)])
        return selection_of(questions, list(roles), roles, pattern.edges(), answers)


def _roles(pattern: Pattern, j: int, spouses: dict[int, int]) -> list[str]:
    """Return what a feature is to y, in the order cause, effect, parent or child, spouse."""
    to_y, from_y = pattern.marks[j, Y], pattern.marks[Y, j]
    near = {(True, False): [CAUSE], (False, True): [EFFECT], (True, True): [NEIGHBOUR]}.get((to_y, from_y), [])
    return near + [SPOUSE] * (j in spouses)


def _remarks(pattern: Pattern, questions: Questions) -> list[str]:
    """Return what is to be known about the edges of the graph."""
    drawn = [word for _, _, word in pattern.edges()]
    disputed, loose, unseen = (sum(word.endswith(end) for word in drawn) for end in ("!", "-?", "?"))
    unseen -= loose
    out = []
    for group in pattern.cycles:
        said = ", ".join(_named(j, questions) for j in group)
        out.append(
            f"Directed edges among {said} form a cycle, which no graph of causes has: tests contradict each other."
        )
    if disputed:
        out.append(f'{disputed} edges are marked "!": tests contradict each other about their directions.')
    if loose:
        out.append(f'{loose} edges are marked "--?": rows are too few to tell whether colliders direct them.')
    if unseen:
        out.append(f'{unseen} edges are marked "?": rows are too few to tell whether they exist; they admit nothing.')
    return out


def _certain(near: list[int], questions: Questions) -> list[str]:
    """Return which neighbours y determines, such as copies of it: given y they are independent of everything else."""
    test, view, n = questions.test, questions.view, questions.view.n_features
    told = [
        _named(j, questions)
        for j in near
        if n > 2 and all(test.pvalues(view, [i], (Y,), j).dof[0] <= 0 for i in range(n) if i != j)
    ]
    if not told:
        return []
    return [
        f"Given {questions.called} nothing of {', '.join(told)} can vary, as of copies of the target and of what is "
        "made from it; check that such columns are known before the target is."
    ]


def _named(j: int, questions: Questions) -> str:
    return questions.called if j == Y else questions.view.names[j] if questions.view.names else f"x{j}"
