"""FSSEM against a plain walk with cross-projection, and the facts of its chapter."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from scipy.stats import multivariate_normal
from scipy.stats import t as student
from sklearn.datasets import load_iris

import fewer
from fewer.core.clustering.standard_columns import rounding_variances
from fewer.core.measures.partitions import scatter_separability
from fewer.core.records.errors import InputError, RequirementError
from fewer.methods.unsupervised._cluster_score import ClusterScore
from fewer.search import Sequential
from oracles import mixtures as oracle


def clusters(n, seed, n_noise=3):
    """Three clusters, two of which coincide in the first column (fig. 2.6), and noise."""
    rng = np.random.default_rng(seed)
    centres = np.array([(0, 0), (0, 6), (6, 3)])[rng.integers(0, 3, n)]
    return np.hstack([centres + rng.normal(size=(n, 2)), rng.normal(size=(n, n_noise))])


def criterion_on(selector, X):
    """Return the criterion of a selector and a view of rows."""
    kept = {}

    class Spy(type(selector)):
        def _select(self, data, parts):
            kept["view"], kept["criterion"] = data, parts.criterion
            return super()._select(data, parts)

    Spy(**selector.get_params()).fit(X)
    return kept["criterion"], kept["view"]


def blur(Z):
    """Return the default ridge and what values that are h apart at least need beside it."""
    return 1e-6 + np.array([np.diff(np.unique(z)).min() for z in Z.T]) ** 2 / (2 * np.pi)


def value_of(X, columns, parts, objective):
    Z = X[:, columns]
    if objective == "separability":
        return oracle.separability(Z, parts, ridge=blur(Z))
    sizes = parts.sum(axis=0)
    means = [(parts[:, j] @ Z) / sizes[j] for j in range(len(sizes))]
    spreads = [((Z - m).T * parts[:, j]) @ (Z - m) / sizes[j] + np.diag(blur(Z)) for j, m in enumerate(means)]
    return oracle.gaussian_steps(Z, sizes / len(Z), means, spreads, False, 0.0, 0)[-1][0]


def chance_of(Z, here, there, old, new, objective):
    """Return the p-value of a gain from how much both values change when a row counts a little more."""
    n, step = len(Z), 1e-6
    apart = np.zeros(n)
    for i in range(n):
        for sign, parts in ((1, new), (-1, old)):
            if objective == "separability":
                changed = []
                for way in (step, -step):
                    weights = np.ones(n) + way * n * (np.arange(n) == i)
                    weights /= weights.mean()
                    changed.append(
                        np.prod([oracle.separability(Z[:, c], parts, weights, blur(Z[:, c])) for c in (here, there)])
                    )
                apart[i] += sign * (changed[0] - changed[1]) / (2 * step)
            else:
                for c in (here, there):
                    apart[i] += sign * n * row_density(Z[:, c], parts, i)
    error = apart.std() / np.sqrt(n)
    a, b = (worth_of(Z, here, there, parts, objective) for parts in (new, old))
    return a, b, student.sf((a - b) / error, n - 1)


def row_density(Z, parts, i):
    sizes = parts.sum(axis=0)
    out = 0.0
    for j, size in enumerate(sizes):
        mean = parts[:, j] @ Z / size
        spread = ((Z - mean).T * parts[:, j]) @ (Z - mean) / size + np.diag(blur(Z))
        out += size / len(Z) * multivariate_normal(mean, spread).pdf(Z[i])
    return np.log(out)


def worth_of(Z, here, there, parts, objective):
    values = [value_of(Z, columns, parts, objective) for columns in (here, there)]
    return values[0] * values[1] if objective == "separability" else sum(values)


@pytest.mark.parametrize("objective", ["separability", "likelihood"])
@pytest.mark.parametrize(("seed", "alpha"), [(1, 1.0), (0, 0.05)])
def test_it_walks_as_a_plain_search_with_cross_projection_does(objective, seed, alpha):
    X = clusters(60, seed, 2)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    selector = fewer.FSSEM(objective=objective, alpha=alpha, max_clusters=5, n_starts=3, random_state=seed)
    criterion, view = criterion_on(selector, X)

    def divided(subset):
        return criterion.division(view, np.array(sorted(subset)))

    here, levels = [], []
    while len(here) < 4:
        rest = [j for j in range(4) if j not in here]
        values = [value_of(Z, sorted([*here, j]), divided([*here, j]), objective) for j in rest]
        there = [*here, rest[int(np.argmax(values))]]
        if here:
            a, b, p = chance_of(Z, sorted(here), sorted(there), divided(here), divided(there), objective)
            levels.append(p)
            if not (a > b and p <= 1 - (1 - alpha) ** (1 / len(rest))):
                break
        here = there
    found = selector.fit(X).selection_
    assert found.indices.tolist() == here
    assert found.tables["comparisons"].columns["p-value"] == pytest.approx(levels, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("objective", ["separability", "likelihood"])
def test_noise_does_not_join_where_clusters_stay_the_same(objective):
    """Fig. 2.6 and noise; if every gain is taken, noise joins in most of these."""
    kept = {alpha: [] for alpha in (0.05, 1.0)}
    for seed in range(6):
        X = clusters(200, seed)
        for alpha, found in kept.items():
            how = {"objective": objective, "max_clusters": 5, "n_starts": 3, "random_state": 0}
            found.append(sorted(fewer.FSSEM(alpha=alpha, **how).fit(X).selection_.indices.tolist()))
    assert kept[0.05].count([0, 1]) >= 5
    assert kept[1.0].count([0, 1]) <= 3
    refused = fewer.FSSEM(objective=objective, random_state=0).fit(clusters(200, 0)).selection_
    steps = refused.tables["comparisons"].columns
    if steps["value with it"][-1] > steps["value without"][-1]:
        assert "may be chance (p = " in str(refused.reason(steps["feature"][-1]))


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_best_of_many_is_corrected_for_them_and_what_leaves_is_one(direction, monkeypatch):
    asked, plain = [], ClusterScore.prefers

    def prefers(self, view, larger, smaller, n_tried=1):
        asked.append((len(larger), n_tried))
        return plain(self, view, larger, smaller, n_tried)

    monkeypatch.setattr(ClusterScore, "prefers", prefers)
    how = {"alpha": 0.3, "max_clusters": 4, "n_starts": 2, "random_state": 0}
    found = fewer.FSSEM(search=Sequential(direction), **how).fit(clusters(100, 0))
    assert len(asked) > 1
    assert all(tried == (6 - size if direction == "forward" else 1) for size, tried in asked)
    steps = found.selection_.tables["comparisons"].columns
    heads = ("value with it", "value without", "p-value", "better with it")
    for (_, tried), (a, b, p, better) in zip(asked, zip(*(steps[head] for head in heads))):
        assert better == (a > b and p <= 1 - 0.7 ** (1 / tried))


def test_rounding_makes_no_clusters(rng):
    X = np.round(clusters(150, 3))
    for j, n_clusters in enumerate((2, 2, 1, 1, 1)):
        assert fewer.FSSEM(1, random_state=0).fit(X[:, [j]]).n_clusters_ == n_clusters
    # The width of petals is rounded to tenths, five clusters without regard to that.
    for seed in range(3):
        assert fewer.FSSEM(1, random_state=seed).fit(load_iris().data[:, 3:]).n_clusters_ == 2
    assert rounding_variances(rng.normal(size=(50, 2))).max() < 1e-4


def test_the_feature_with_clusters_comes_first_and_noise_is_left(rng):
    """Fig. 2.2: two clusters in one feature, all others have one mode."""
    for seed in range(4):
        draw = np.random.default_rng(seed)
        X = draw.normal(size=(150, 4))
        X[:, 2] += 7 * draw.integers(0, 2, 150)
        found = fewer.FSSEM(random_state=0).fit(X)
        assert found.selection_.indices[0] == 2
        assert found.n_clusters_ == 2
        truth = X[:, 2] > 3.5
        agree = (found.labels_ == truth).mean()
        assert max(agree, 1 - agree) > 0.98


def test_the_number_of_clusters_depends_on_the_subset():
    X = clusters(300, 0)
    criterion, view = criterion_on(fewer.FSSEM(random_state=0), X)
    assert criterion.division(view, [0]).shape[1] == 2
    assert criterion.division(view, [0, 1]).shape[1] == 3
    assert criterion.division(view, [2]).shape[1] == 1
    fixed, same = criterion_on(fewer.FSSEM(random_state=0, n_clusters=4), X)
    assert fixed.division(same, [2]).shape[1] == 4


def test_of_equal_divisions_the_smaller_subset_wins(rng):
    X = clusters(80, 1)
    for objective in ("separability", "likelihood"):
        criterion, view = criterion_on(fewer.FSSEM(objective=objective, random_state=0), X)
        division = criterion.division(view, [0, 1])
        criterion.division = lambda view, subset, kept=division: kept
        a, b = criterion.normalized(view, [0, 1, 2], [0, 1])
        assert a == b
        assert not criterion.prefers(view, [0, 1, 2], [0, 1])


def test_values_swap_with_the_subsets_and_a_column_that_repeats_adds_nothing(rng):
    X = clusters(80, 1)
    criterion, view = criterion_on(fewer.FSSEM(random_state=0), X)
    assert criterion.normalized(view, [0], [0, 1]) == criterion.normalized(view, [0, 1], [0])[::-1]
    copies = np.column_stack([X[:, 0], X[:, 0]])
    assert fewer.FSSEM(random_state=0).fit(copies).selection_.indices.tolist() == [0]


def test_separability_is_that_of_its_definition_and_its_facts_hold(rng):
    X, parts = rng.normal(size=(30, 4)), rng.dirichlet(np.ones(3), 30)
    assert scatter_separability(X, parts) == pytest.approx(oracle.separability(X, parts), rel=1e-9)
    values = [scatter_separability(X[:, :k], parts) for k in range(1, 5)]
    assert (np.diff(values) >= -1e-12).all()
    mixed = X @ rng.normal(size=(4, 4))
    assert scatter_separability(mixed, parts) == pytest.approx(values[-1], rel=1e-8)
    assert scatter_separability(X, np.ones((30, 1))) == pytest.approx(0.0, abs=1e-12)
    two = np.array([-5.0, -1.0, 1.0, 5.0])[:, None]
    assert scatter_separability(two, np.repeat(np.eye(2), 2, axis=0)) == pytest.approx(9 / 4)
    assert scatter_separability(np.hstack([X, X]), parts) == pytest.approx(values[-1], rel=1e-8)
    for units in ([1e-8, 1e8, 1, 1e-3], [1e200, 1e-200, 1, 1e307]):
        assert scatter_separability(X * units, parts) == pytest.approx(values[-1], rel=1e-8)


@pytest.mark.parametrize(
    ("memberships", "words"),
    [
        (np.arange(6) % 2, "one line of"),
        (np.eye(2)[[0, 1, 0]], "one line of"),
        (np.full((6, 2), np.nan), "NaN"),
        (np.ones((6, 2)), "sum to 1"),
    ],
)
def test_what_is_no_division_is_refused(rng, memberships, words):
    with pytest.raises(InputError, match=f"scatter_separability got .*{words}"):
        scatter_separability(rng.normal(size=(6, 2)), memberships)


def test_an_independent_column_takes_off_half_the_log_of_two_pi_e(rng):
    X = np.column_stack([clusters(4000, 0, 0), rng.normal(size=4000)])
    criterion, view = criterion_on(fewer.FSSEM(1, objective="likelihood", n_starts=2, random_state=0), X)
    one = np.ones((4000, 1))
    change = criterion.projected(view, [0, 2], one) - criterion.projected(view, [0], one)
    assert change / 4000 == pytest.approx(-0.5 * np.log(2 * np.pi * np.e), abs=0.001)


def test_other_searches_need_a_normalization_that_orders_all_subsets():
    X = clusters(120, 0)
    with pytest.raises(RequirementError, match="normalization='all'"):
        fewer.FSSEM(search="floating").fit(X)
    found = fewer.FSSEM(search="exhaustive", normalization="all", n_starts=2, random_state=0).fit(X)
    criterion, view = criterion_on(fewer.FSSEM(normalization="all", n_starts=2, random_state=0), X)
    subsets = [[j for j in range(5) if 2**j & mask] for mask in range(1, 32)]
    values = [criterion.value(view, subset) for subset in subsets]
    assert found.selection_.meta["value"] == max(values)
    back = fewer.FSSEM(search=Sequential("backward"), n_starts=2, random_state=0).fit(X)
    assert {0, 1} <= set(back.selection_.indices.tolist())


def test_tables_tell_clusters_and_comparisons():
    X = clusters(150, 2)
    found = fewer.FSSEM(random_state=0).fit(X)
    tables = found.selection_.tables
    assert sum(tables["clusters"].columns["rows"]) == 150
    assert tables["clusters"].columns["cluster"] == list(range(1, found.n_clusters_ + 1))
    steps = tables["comparisons"].columns
    assert steps["better with it"] == [1] * (len(steps["features"]) - 1) + [0]
    refused = steps["feature"][-1]
    assert "both projections" in str(found.selection_.reason(refused))
    assert f"{found.n_clusters_} clusters" in found.selection_.reasons.rule


def test_degenerate_data_are_answered(rng):
    with pytest.raises(ValueError, match="1 sample"):
        fewer.FSSEM().fit(np.ones((1, 2)))
    X = clusters(40, 0, 1)
    constant = np.column_stack([X, np.ones(40)])
    found = fewer.FSSEM(None, n_starts=2, random_state=0).fit(constant)
    assert sorted(found.selection_.indices.tolist()) == [0, 1, 2]
    assert "constant" in str(found.selection_.reason(3))
    for rows in (np.ones((5, 3)), np.ones((2, 2))):
        nothing = fewer.FSSEM(random_state=0).fit(rows)
        assert len(nothing.selection_) == 0
        assert nothing.n_clusters_ == 1
    for rows in (X[:3], np.repeat(X[:2], 5, axis=0)):
        assert len(fewer.FSSEM(random_state=0).fit(rows).selection_) >= 1
    same = fewer.FSSEM(n_starts=3, random_state=0).fit(X).selection_.indices.tolist()
    for rows in (1e9 + (X * 2**10).round(), X * 1e-150, X * 1e150):
        again = fewer.FSSEM(n_starts=3, random_state=0).fit(rows)
        assert set(again.selection_.indices.tolist()) & set(same)
    with pytest.raises(TypeError, match="[Ss]parse"):
        fewer.FSSEM().fit(scipy.sparse.csr_array(X))
