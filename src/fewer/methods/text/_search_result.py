"""What `TextSearch` takes and tells: scores, sizes and generators by name, and the selection with its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.measures.term_scores import term_scores
from fewer.core.records.errors import ParameterError
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.summaries.counted_terms import count_terms
from fewer.methods.text._fold_views import BY_OCCURRENCES, known_score, ranked
from fewer.methods.text._joint_search import ALL, JointSearch, Setting
from fewer.methods.text._search_input import Searched


def named_scores(scores: Any) -> list[str]:
    """Return the names of scores of terms; raise on others, or on none."""
    given = [scores] if isinstance(scores, str) else list(scores) if isinstance(scores, Sequence) else []
    if not given:
        raise ParameterError(
            f"TextSearch got scores={scores!r}, but takes one name of a score or several; pass for example 'bns'."
        )
    return [known_score("TextSearch", name) for name in given]


def as_sizes(sizes: Any) -> list[int | str] | None:
    """Return numbers of features as they were given, each once; raise on what is none."""
    if sizes is None:
        return None
    given = list(sizes) if isinstance(sizes, (Sequence, np.ndarray)) and not isinstance(sizes, str) else [sizes]
    for size in given:
        whole = isinstance(size, Integral) and not isinstance(size, bool) and int(size) >= 1
        if not whole and not (isinstance(size, str) and size == ALL):
            raise ParameterError(
                f"TextSearch got the size {size!r}, but sizes are whole numbers from 1 and 'all'; pass such."
            )
    if not given:
        raise ParameterError("TextSearch got no sizes, but needs one at least; pass for example [100, 'all'].")
    return list(dict.fromkeys(size if isinstance(size, str) else int(size) for size in given))


def labelled(generators: Any) -> dict[str, Any]:
    """Return the generators by their labels; None stands for counts that are given."""
    if generators is None:
        return {"counts": None}
    if isinstance(generators, Mapping):
        made = {str(label): one for label, one in generators.items()}
    elif isinstance(generators, (list, tuple)):
        names = [type(one).__name__ for one in generators]
        numbered = [
            f"{name} {names[: i + 1].count(name)}" if names.count(name) > 1 else name for i, name in enumerate(names)
        ]
        made = dict(zip(numbered, generators))
    else:
        made = {type(generators).__name__: generators}
    wrong = [one for one in made.values() if not all(hasattr(one, m) for m in ("fit", "transform", "get_params"))]
    if wrong or not made:
        shown = type(wrong[0]).__name__ if wrong else "none"
        raise ParameterError(
            f"TextSearch got {shown} among its generators, but takes estimators that make features of texts; pass for "
            "example Words() or a list of such."
        )
    return made


def found_selection(search: JointSearch, labels: list[str], data: Searched) -> Selection:
    """Return the features of the best setting, ranked by all rows, with what was tried."""
    best, X, seen = search.best, data.counts, data.fold_terms
    assert best is not None
    y, n_classes = data.view.whole().y, len(data.view.classes)
    counts = count_terms(X, y, occurrences=best.score in BY_OCCURRENCES, n_classes=n_classes)
    order = ranked(counts, best.score, search.min_df, None if seen is None else seen[-1])
    kept = order[: None if best.size == ALL else int(best.size)]
    n_settings = len(search.tried)
    of = (
        "all terms were" if best.size == ALL else "the best one was" if best.size == 1 else f"the {best.size} best were"
    )
    rule = f"of {n_settings} settings {of} the best, by {best.score}, among terms in {search.min_df} rows or more"
    reasons = Reasons.of_kept(X.shape[1], kept, NOT_REACHED, rule=rule)
    note = (
        f"the score of the winner, {best.value:.4g}, is the best of {n_settings} by cross-validation and therefore too "
        "high; other rows must tell how good it is"
    )
    tables = {"settings": _settings(search, labels), "curve": _curve(search, best)}
    meta = {"notes": [note], "cv": search.splits.words, "saved fold evaluations": search.n_saved}
    scores = np.nan_to_num(term_scores(counts, best.score), nan=0.0)
    return Selection.build(kept, order, reasons, scores, tables=tables, meta=meta)


def _settings(search: JointSearch, labels: list[str]) -> ResultTable:
    tried = search.tried
    columns = {
        "generator": [labels[one.generator] for one in tried],
        "ranked by": [one.score for one in tried],
        "features": [str(one.size) for one in tried],
        "parameters": [", ".join(f"{k}={v}" for k, v in one.params.items()) for one in tried],
        "folds": [one.n_folds for one in tried],
        search.scoring: [one.value for one in tried],
        "at most": [one.at_most for one in tried],
    }
    return ResultTable.numbered("All settings in their order; those without score were given up", "setting", columns)


def _curve(search: JointSearch, best: Setting) -> ResultTable:
    """Return the best score of every size with the generator and the score of terms that won."""
    same = [one for one in search.tried if (one.generator, one.score) == (best.generator, best.score)]
    finished = [one for one in same if one.n_folds == len(search.splits)]
    by_size: dict[int | str, float] = {}
    for one in finished:
        by_size[one.size] = max(by_size.get(one.size, -np.inf), one.value)
    n_all = int(search.n_candidates[best.generator])
    points = sorted((n_all if size == ALL else min(int(size), n_all), value) for size, value in by_size.items())
    left_out = "" if len(finished) == len(same) else "; sizes that were given up are left out"
    return ResultTable(
        f"Cross-validated {search.scoring} over the number of features, ranked by {best.score}{left_out}",
        {"features": [size for size, _ in points], search.scoring: [value for _, value in points]},
        "curve",
    )
