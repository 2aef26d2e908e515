"""FGA: make features of sequences and select them on the way."""

from __future__ import annotations

import time
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import Interval, StrOptions, number_above, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.elimination import eliminate
from fewer.core.search.turf import of_blocks
from fewer.core.stop import All, Count
from fewer.core.views.letters import Letters
from fewer.methods.sequences._base import SequenceGenerator, columns_of, positions_of, read_letters, site_of
from fewer.methods.sequences._elimination import WeightBlocks
from fewer.methods.sequences._fga_result import described, without_copies
from fewer.methods.sequences._levels import Level, LevelTask, conjunction_levels, word_levels
from fewer.methods.sequences._signal import class_numbers_of
from fewer.methods.sequences._words import WordKind

# Fewest letters, score, number per level and mode of every type, as in section 18.4.
TYPES: dict[str, tuple[int, str, int | float, bool]] = {
    "general": (2, "mi_abs", 0.5, False),
    "up": (2, "mi_abs", 0.5, False),
    "down": (2, "mi_abs", 0.5, False),
    "position": (1, "chi2", 1000, False),
    "conjunction": (2, "ig", 1000, True),
    "floating": (2, "ig", 1000, False),
}
SCORES = {"auto", "ig", "chi2", "kl", "mi_max", "mi_abs"}
POSITIONAL = ("up", "down", "position", "conjunction")


class FGA(SequenceGenerator):
    """Make features of sequences level by level, keep the best of each level, and eliminate by a linear machine.

    The feature generation algorithm of [1]_: for every type of feature those of k letters are scored by the classes and
    the best are kept; those of k + 1 letters are made of all of them (uncoupled), or of the kept ones only (coupled).
    What is kept of all types and levels is collected; then C-modified least squares weighs the collection, the features
    with the smallest weights leave in blocks, and so on until the wanted number is left. No more features than are kept
    are ever held as columns.

    Parameters
    ----------
    types : str or sequence of str, default=("general", "up", "down", "position", "conjunction")
        Types of features: k-mers anywhere ("general"), before and behind the site ("up", "down") and at positions
        ("position"), letters at several positions ("conjunction"), and letters at distances ("floating").
    n_features_to_select : int, float or None, default=None
        How many of the collected features to keep: a number or a fraction; None keeps all.
    max_letters : int, default=6
        Most letters of a feature.
    min_letters : int or None, default=None
        Fewest letters of a feature that is collected; None is 2, and 1 at positions. Levels begin here with all there
        are; those of conjunctions with single letters.
    n_per_level : int, float, mapping or None, default="auto"
        How many features of every level are kept: a number, or a fraction (not for conjunctions), None for all;
        a mapping says it by type. "auto" is half of the k-mers, and 1,000 of the other types.
    score : {"auto", "ig", "chi2", "kl", "mi_max", "mi_abs"} or mapping, default="auto"
        By what levels are cut, for all types or by type. "auto": "mi_abs" for k-mers anywhere or in a region, "chi2"
        at positions, "ig" for others.
    coupled : bool, mapping or "auto", default="auto"
        Whether only kept features are extended, for all types or by type; "auto" couples conjunctions.
    site : int or None, default=None
        How many letters stand before the site, which divides "up" and "down"; None is the middle.
    basic_positions : str, array-like of int or None, default=None
        Positions of which conjunctions are made, from 1: "up", "down", an interval such as "5-12", or a list; None is
        all.
    window : int, default=5
        How many positions the letters may span.
    event : {"presence", "occurrence"}, default="presence"
        What is counted of k-mers: sequences that have one, or places where it stands; the latter for "kl" and the
        scores by mutual information only.
    min_count : int, default=1
        In how many sequences of `fit` a word must be.
    threshold : float or None, default=None
        What the score of a feature must reach at its level.
    step : int, default=1000
        How many features are removed at once, but never more than half of what is left.
    l2 : float, default=0.001
        The penalty of the squared weights.
    alphabet : str, default="dna"
        "dna", "rna", "protein", or the letters themselves.

    Attributes
    ----------
    selection_ : Selection
        The collected features: which are kept, by which weight (``scores``, squared), in which round the others left,
        their information gain and the score at their level; ``tables`` with the levels and with the number of
        sequences of every class that have a kept feature.
    feature_names_ : ndarray of str
        Names of the kept features, such as ``ACG``, ``up:ACG``, ``ACG@12``, ``A@3 & G@7`` or ``A**C``.
    classes_ : ndarray
        The classes.

    Notes
    -----
    The chapter selects k-mers by an average of mutual information that is largest, 0, for useless features as it is
    printed; here it is the mean of the absolute values, "mi_abs", with half a sequence added to every cell. Features
    that never occur are not counted as candidates of a level. A conjunction of letters side by side that is collected
    as a k-mer at a position, too, is left out, as are letters at distances that are a k-mer. The chapter removes 1,000
    features at once; here at most half, or a few would be chosen out of many by a single machine. Columns are divided
    by their largest value before they are weighed. A longer feature can be found in coupled mode only if a shorter
    part of it was kept.

    See Also
    --------
    Kmers, Conjunctions, FloatingConjunctions : The features without selection.
    CMLS : The machine.

    References
    ----------
    .. [1] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> from fewer.synth import make_planted_sequences
    >>> data = make_planted_sequences(400, 12, random_state=0)
    >>> made = FGA("conjunction", 1, max_letters=3, n_per_level=50).fit(data.sequences, data.y)
    >>> data.motifs, made.get_feature_names_out().tolist()
    (('A@3 & C@6 & G@9',), ['A@3 & C@6 & G@9'])
    """

    method_tags = MethodTags(targets=("classes",), views=("sequences",), handles_nominal=True, cost="n*d*k")
    _parameter_constraints: dict = {
        "types": [str, "array-like"],
        "n_features_to_select": [whole_from(1), Interval(Real, 0, 1, closed="neither"), None],
        "max_letters": [whole_from(1)],
        "min_letters": [whole_from(1), None],
        "n_per_level": [whole_from(1), Interval(Real, 0, 1, closed="right"), StrOptions({"auto"}), Mapping, None],
        "score": [StrOptions(SCORES), Mapping],
        "coupled": ["boolean", StrOptions({"auto"}), Mapping],
        "site": [whole_from(1), None],
        "basic_positions": [str, "array-like", None],
        "window": [whole_from(2)],
        "event": [StrOptions({"presence", "occurrence"})],
        "min_count": [whole_from(1)],
        "threshold": [Real, None],
        "step": [whole_from(1)],
        "l2": [number_above(0)],
        "alphabet": [str],
    }

    def __init__(
        self,
        types: Any = ("general", "up", "down", "position", "conjunction"),
        n_features_to_select: int | float | None = None,
        *,
        max_letters: int = 6,
        min_letters: int | None = None,
        n_per_level: Any = "auto",
        score: Any = "auto",
        coupled: Any = "auto",
        site: int | None = None,
        basic_positions: Any = None,
        window: int = 5,
        event: str = "presence",
        min_count: int = 1,
        threshold: float | None = None,
        step: int = 1000,
        l2: float = 0.001,
        alphabet: str = "dna",
    ) -> None:
        self.types = types
        self.n_features_to_select = n_features_to_select
        self.max_letters = max_letters
        self.min_letters = min_letters
        self.n_per_level = n_per_level
        self.score = score
        self.coupled = coupled
        self.site = site
        self.basic_positions = basic_positions
        self.window = window
        self.event = event
        self.min_count = min_count
        self.threshold = threshold
        self.step = step
        self.l2 = l2
        self.alphabet = alphabet

    def fit(self, X: Any, y: Any = None) -> FGA:
        """Make and select features.

        Parameters
        ----------
        X : list, array or series of str, or frame
            One sequence per row: texts, one column of texts, or one column of single letters per position.
        y : array-like of shape (n_samples,)
            The classes.

        Returns
        -------
        self : object
            The fitted generator.
        """
        self._validate_params()
        tasks, begin, name = self._tasks(), time.perf_counter(), type(self).__name__
        letters = read_letters(self, X)
        y, self.classes_ = class_numbers_of(name, y, self.method_tags, letters.n_rows)
        levels = without_copies([one for task in tasks for one in self._levels(letters, y, task)], letters.alphabet)
        sets = [level.features for level in levels]
        n_made = sum(map(len, sets))
        if not n_made:
            raise InputError(
                f"{name} kept no feature of any level with min_count={self.min_count} and threshold={self.threshold}, "
                "but needs one; lower them, or give longer sequences."
            )
        columns = columns_of(sets, letters)
        selection = self._eliminated(columns, y, n_made)
        self.selection_ = described(self, selection, levels, columns, y, letters, time.perf_counter() - begin)
        ends = np.cumsum([0, *map(len, sets)])
        self._keep(letters, [one.take(selection.support[a:b]) for one, a, b in zip(sets, ends, ends[1:])])
        return self

    def _eliminated(self, columns: Any, y: np.ndarray, n_made: int) -> Selection:
        """Eliminate features by the weights of a machine until the wanted number is left."""
        size, asked = n_made, self.n_features_to_select
        if asked is not None:
            size = min(int(asked), n_made) if isinstance(asked, Integral) else max(1, round(asked * n_made))
        blocks = WeightBlocks(columns, y, len(self.classes_), self.l2)
        found = eliminate(n_made, blocks, Count(size), lambda n_left: min(self.step, (n_left + 1) // 2))
        return of_blocks(found, blocks.scores, All() if asked is None else Count(size))

    def _levels(self, letters: Letters, y: np.ndarray, task: LevelTask) -> list[Level]:
        """Return what is kept of every level of one type."""
        name, n_classes = type(self).__name__, len(self.classes_)
        length = letters.common_length(name) if task.type in POSITIONAL else 0
        site = site_of(name, self.site, length) if length > 1 else 1
        if task.type == "conjunction":
            positions = positions_of(name, self.basic_positions, length, site)
            return conjunction_levels(letters, y, n_classes, positions, shortened(task, len(positions)))
        kinds = {
            "general": WordKind(),
            "up": WordKind((("up", 1, site),)),
            "down": WordKind((("down", site + 1, length),)),
            "position": WordKind(length=length),
            "floating": WordKind(window=self.window),
        }
        return word_levels(letters, y, n_classes, kinds[task.type], task)

    def _fixed_length(self) -> bool:
        return any(task.type in POSITIONAL for task in self._tasks())

    def _tasks(self) -> list[LevelTask]:
        from fewer.methods.sequences._fga_options import tasks_of

        return tasks_of(self, TYPES)


def shortened(task: LevelTask, most: int) -> LevelTask:
    """Return the same with no more letters than positions."""
    from dataclasses import replace

    if task.levels[0] > most:
        raise ParameterError(
            f"FGA makes conjunctions of {task.levels[0]} letters or more, but has {most} position(s); give more in "
            "basic_positions, or other types."
        )
    return replace(task, levels=range(task.levels[0], min(task.levels[-1], most) + 1))
