"""Selections made by hand, without any method: what the report must be able to show."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import mutual_info_classif

from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace

META = {
    "method": "InformationGain",
    "family": "univariate",
    "summary": "Keep the features that tell most about the target, each on its own.",
    "parameters": {"n_features_to_select": 10, "discretizer": "quantile", "bins": 10, "n_jobs": None},
    "task": "classification",
    "data": {
        "n_rows": 569,
        "n_features": 30,
        "n_nominal": 0,
        "n_missing": 0,
        "classes": {"benign": 357, "malignant": 212},
        "target": "diagnosis",
        "source": "breast_cancer.csv",
    },
    "seed": 0,
    "versions": {"fewer": "0.1.0", "python": "3.12.4", "numpy": "2.3.0", "scikit-learn": "1.9.0"},
    "seconds": 0.0213,
    "command": "fewer select breast_cancer.csv --target diagnosis --method InformationGain --out kept.json",
    "runner": "threads (2)",
}


def cancer() -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return features, mutual information with the target, and names."""
    data = load_breast_cancer()
    scores = mutual_info_classif(data.data, data.target, random_state=0)
    return data.data, scores, tuple(str(name) for name in data.feature_names)


def ranked(n_kept: int = 10) -> Selection:
    """Return the best features by mutual information."""
    _, scores, names = cancer()
    ranking = Ranking(scores)
    indices = ranking.order[:n_kept]
    reasons = Reasons.of_kept(30, indices, IRRELEVANT, rule=f"the {n_kept} best scores are kept")
    pvalues = np.exp(-569 * scores)
    return Selection(indices, ranking.order, reasons, scores, columns={"pvalue": pvalues}, names=names, meta=META)


def with_redundancy(limit: float = 0.85, needed: float = 0.05) -> Selection:
    """Return the features that no better kept feature resembles."""
    X, scores, names = cancer()
    resemblance = np.abs(np.corrcoef(X.T))
    kind = np.full(30, IRRELEVANT, dtype=np.uint8)
    kept: list[int] = []
    related, amount = {}, {}
    for j in Ranking(scores).order:
        if scores[j] < needed:
            continue
        to = [i for i in kept if resemblance[i, j] > limit]
        kind[j] = REDUNDANT if to else KEPT
        if to:
            related[int(j)] = tuple(to)
            amount[int(j)] = float(max(resemblance[i, j] for i in to))
        else:
            kept.append(int(j))
    rest = [int(j) for j in Ranking(scores).order if j not in kept]
    reasons = Reasons(kind, needed, "score above the threshold and no better relative", related, amount)
    meta = {**META, "method": "FCBF", "family": "redundancy", "parameters": {"threshold": needed, "bins": 10}}
    return Selection(np.array(kept), np.array(kept + rest), reasons, scores, names=names, meta=meta)


def stepwise(n_kept: int = 6, n_steps: int = 9) -> Selection:
    """Return a forward search with one step back."""
    _, scores, names = cancer()
    order = Ranking(scores).order[:n_steps]
    worth = np.log1p(np.cumsum(scores[order]))
    worth[n_kept:] -= 0.03 * np.arange(1, n_steps - n_kept + 1)
    steps = [
        Step((int(j),), (), float(value), 30 - i, 0.01 * (30 - i)) for i, (j, value) in enumerate(zip(order, worth))
    ]
    steps.append(Step((), (int(order[-1]),), float(worth[-2]), n_steps, 0.05))
    kind = np.full(30, NOT_REACHED, dtype=np.uint8)
    kind[order[n_kept:]] = IRRELEVANT
    kind[order[:n_kept]] = KEPT
    reasons = Reasons(kind, rule="the best subset on the way is kept", note={int(order[-1]): "added, then removed"})
    meta = {**META, "method": "SequentialSelector", "family": "wrappers", "seed": None}
    return Selection(order[:n_kept], order, reasons, trace=Trace(steps), names=names, meta=meta)


def wide(n_features: int = 20_000, n_kept: int = 50) -> Selection:
    """Return a selection from many features."""
    scores = np.random.default_rng(1).gamma(0.5, 0.02, n_features)
    ranking = Ranking(scores)
    indices = ranking.order[:n_kept]
    reasons = Reasons.of_kept(n_features, indices, IRRELEVANT, threshold=float(scores[indices[-1]]))
    names = tuple(f"gene_{j:05d}" for j in range(n_features))
    return Selection(indices, ranking.order, reasons, scores, names=names, meta={"method": "Chi2"})


def small(scores: list[float] | None, kept: list[int], n_features: int | None = None, **more: object) -> Selection:
    """Return a selection without meta, for the corners."""
    n = len(scores) if scores is not None else n_features
    values = None if scores is None else np.asarray(scores, dtype=float)
    order = np.asarray(kept, dtype=np.int64) if values is None else np.argsort(-values, kind="stable")
    reasons = more.pop("reasons", None) or Reasons.of_kept(n, kept, IRRELEVANT)
    return Selection.build(kept, order, reasons, values, **more)
