"""LarsEN: the path against scikit-learn and the conditions of the minimum, tuning, groups, reasons."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge, lars_path
from sklearn.model_selection import KFold

import fewer
from common.examples import EXAMPLES
from fewer.methods.embedded._active_columns import ActiveColumns
from fewer.methods.embedded._columns import UnitColumns
from fewer.methods.embedded._elastic_net_path import grouping_bound
from fewer.methods.embedded._lars_en import lars_en
from fewer.synth import make_elastic_net_groups
from oracles.sparse_paths import augmented, scikit_learn_elastic_net, stationarity, unit_columns

CASES = [(40, 10, 0.5), (40, 10, 0.0), (12, 25, 0.1), (12, 25, 100.0), (60, 30, 1e-3), (8, 60, 0.01), (12, 25, 0.0)]


def data(n_rows, n_features, seed, kind="mixed"):
    """Correlated columns; rounded ones, which tie; or some copies and a constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)) @ rng.normal(size=(n_features, n_features))
    y = X[:, 0] - X[:, 1] + rng.normal(size=n_rows)
    if kind == "rounded":
        X = np.round(X / 3)
    if kind == "copies":
        X[:, 5], X[:, 6], X[:, 7] = X[:, 0], -2 * X[:, 1], 4.0
    return X, y


@pytest.mark.parametrize(("n_rows", "n_features", "l2"), CASES)
@pytest.mark.parametrize("kind", ["mixed", "rounded", "copies"])
def test_every_knot_is_the_minimum(n_rows, n_features, l2, kind):
    for seed in range(4):
        X, y = data(n_rows, n_features, seed, kind)
        unit = UnitColumns.of(X, y)
        columns, target = unit_columns(X, y)
        np.testing.assert_allclose(unit.rows.T, columns, atol=1e-12)
        path = lars_en(unit.rows, unit.target, l2)
        assert path.l1[-1] == 0.0
        assert (np.diff(path.l1) < 0).all()
        for k in range(len(path)):
            assert stationarity(columns, target, path.at(k) / (1 + l2), path.l1[k], l2) < 1e-9 * path.l1[0]


@pytest.mark.parametrize(("n_rows", "n_features", "l2"), CASES[:4])
def test_knots_equal_coordinate_descent_after_the_mapping(n_rows, n_features, l2):
    X, y = data(n_rows, n_features, 1)
    columns, target = unit_columns(X, y)
    path = lars_en(np.ascontiguousarray(columns.T), target, l2)
    for k in range(1, len(path)):
        if path.l1[k] < 1e-3 * path.l1[0]:
            continue
        theirs = scikit_learn_elastic_net(columns, target, path.l1[k], l2)
        np.testing.assert_allclose(path.at(k) / (1 + l2), theirs, atol=1e-6 * np.abs(theirs).max())


def test_without_second_penalty_it_is_the_lasso_of_lars():
    for n_rows, n_features in [(40, 10), (12, 25)]:
        X, y = data(n_rows, n_features, 2)
        columns, target = unit_columns(X, y)
        alphas, _, coefficients = lars_path(columns, target, method="lasso")
        path = lars_en(np.ascontiguousarray(columns.T), target, 0.0)
        np.testing.assert_allclose(path.l1 / (2 * n_rows), alphas, atol=1e-9 * alphas[0])
        np.testing.assert_allclose(np.array([path.at(k) for k in range(len(path))]).T, coefficients, atol=1e-8)
        assert path.sizes.max() <= min(n_features, n_rows - 1)


def test_more_features_than_rows_are_kept_with_a_second_penalty():
    X, y = data(12, 25, 0)
    assert len(fewer.LarsEN(None, l2=0.1).fit(X, y).selection_) == 25
    assert len(fewer.LarsEN(None, l2=0.0).fit(X, y).selection_) == 11


@pytest.mark.parametrize("l2", [0.01, 1.0])
def test_the_long_and_the_short_equations_agree(l2):
    """Equations by rows take over where features are many; both are the same."""
    X, y = data(8, 200, 3)
    unit = UnitColumns.of(X, y)
    path = lars_en(unit.rows, unit.target, l2)
    assert path.sizes.max() == 200
    k = len(path) // 2
    assert stationarity(unit.rows.T, unit.target, path.at(k) / (1 + l2), path.l1[k], l2) < 1e-9 * path.l1[0]
    active = ActiveColumns(unit.rows, l2)
    for j in range(40):
        active.add(j, (-1.0) ** j)
    assert active.between is not None
    active.remove(3)
    agrees_with_direct_equations(active, unit.rows, l2)


def agrees_with_direct_equations(active, rows, l2):
    """Check slopes, and how fast correlations fall, against equations that are written out."""
    kept = rows[active.features]
    direct = np.linalg.solve(kept @ kept.T + l2 * np.eye(active.n), active.signs)
    some = np.array([1, 7, 2])
    for part in (slice(None), some):
        slopes, falls = active.slopes(part)
        np.testing.assert_allclose(slopes, (1 + l2) * direct, rtol=1e-8)
        np.testing.assert_allclose(falls, rows[part] @ (direct @ kept), atol=1e-8)


def test_the_factor_follows_columns_that_join_and_leave():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 50))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    active = ActiveColumns(rows, 0.3)
    for j in range(30):
        assert active.add(j, rng.choice([-1.0, 1.0]))
        if j % 4 == 3:
            active.remove(int(rng.integers(active.n)))
    assert active.between is None
    agrees_with_direct_equations(active, rows, 0.3)
    lasso = ActiveColumns(np.array([rows[0], -rows[0]]), 0.0)
    assert lasso.add(0, 1.0)
    assert not lasso.add(1, -1.0)


def degenerate(rng):
    """Few-valued columns, copies, mirrored copies, unit vectors: several features join or leave at once."""
    n, p, kind = int(rng.integers(2, 16)), int(rng.integers(1, 14)), int(rng.integers(4))
    X = rng.normal(size=(n, p)) if kind == 0 else rng.integers(0, 2 + kind, size=(n, p)).astype(float)
    for j in np.flatnonzero(rng.random(p) < 0.4):
        X[:, j] = X[:, rng.integers(p)] * rng.choice([-1, 1])
    if kind == 3:
        X = np.eye(n, p)
    return X, rng.normal(size=n) if rng.random() < 0.5 else rng.integers(-2, 3, size=n).astype(float)


# Where the path was once left, and many more.
LEFT_ONCE = [110, 165, 211, 215, 229, 240, 1053, 1480]


def test_the_path_is_kept_where_features_tie():
    for seed in [*LEFT_ONCE, *range(100_000, 100_000 + 200 * EXAMPLES)]:
        rng = np.random.default_rng(seed)
        X, y = degenerate(rng)
        l2 = float(rng.choice([0, 1e-3, 0.1, 1, 1000]))
        unit = UnitColumns.of(X, y)
        path = lars_en(unit.rows, unit.target, l2)
        size = np.linalg.norm(unit.target)
        knots = np.array([path.at(k) for k in range(len(path))])
        assert len(path) == 1 or path.l1[-1] < 1e-10 * size
        # Half-way between knots the line must be the path, too.
        for beta, l1 in [*zip(knots, path.l1), *zip((knots[1:] + knots[:-1]) / 2, (path.l1[1:] + path.l1[:-1]) / 2)]:
            assert stationarity(unit.rows.T, unit.target, beta / (1 + l2), l1, l2) <= 1e-8 * size, seed
        # What has no coefficient has exactly 0.
        assert np.abs(knots[knots != 0]).min(initial=np.inf) > 1e-12 * size


def test_known_forms():
    rng = np.random.default_rng(5)
    X, y = data(30, 6, 5)
    columns, target = unit_columns(X, y)
    rows = np.ascontiguousarray(columns.T)
    products = columns.T @ target
    for l2 in (0.0, 0.5, 20.0):
        path = lars_en(rows, target, l2)
        assert path.l1[0] == pytest.approx(2 * np.abs(products).max())
        ridge = Ridge(alpha=l2, fit_intercept=False, solver="cholesky" if l2 else "svd").fit(columns, target).coef_
        np.testing.assert_allclose(path.at(len(path)) / (1 + l2), ridge, rtol=1e-7)
    # Augmented data: the lasso of Lemma 1.
    path = lars_en(rows, target, 0.5)
    longer, target_longer, gamma = augmented(columns, target, path.l1[3], 0.5)
    theirs = scikit_learn_elastic_net(longer, target_longer, gamma, 0.0)
    np.testing.assert_allclose(path.at(3), np.sqrt(1.5) * theirs, atol=1e-8 * np.abs(theirs).max())
    # Nearly all shrinking: soft thresholds of the products.
    far = lars_en(rows, target, 1e6, last_l1=0.3 * 2 * np.abs(products).max())
    soft = np.sign(products) * np.maximum(np.abs(products) - far.l1[-1] / 2, 0)
    np.testing.assert_allclose(far.at(len(far)), soft, atol=1e-4 * np.abs(products).max())
    # Orthonormal columns: the elastic net is the lasso.
    square, _ = np.linalg.qr(rng.normal(size=(20, 5)))
    goal = rng.normal(size=20)
    ends = [lars_en(np.ascontiguousarray(square.T), goal, l2, last_l1=0.5) for l2 in (0.0, 3.0)]
    np.testing.assert_allclose(ends[0].at(99), ends[1].at(99), atol=1e-12)


def test_pairs_keep_the_bound_of_the_grouping_effect():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = data(15, 12, seed)
        l2 = float(rng.choice([0.05, 0.5, 5.0]))
        unit = UnitColumns.of(X, y)
        path = lars_en(unit.rows, unit.target, l2)
        r, length = unit.rows @ unit.rows.T, np.linalg.norm(unit.target)
        for k in range(len(path)):
            b = path.at(k)
            assert (np.abs(b[:, None] - b) <= grouping_bound(r, l2, length) + 1e-9).all()
            assert (np.abs(b[:, None] + b) <= grouping_bound(-r, l2, length) + 1e-9).all()
    assert grouping_bound(0.0, 1.0, 1.0, naive=True) == pytest.approx(np.sqrt(2))


def test_groups_of_the_stylised_example_share_their_weight():
    for seed in range(5):
        made = make_elastic_net_groups(random_state=seed)
        unit = UnitColumns.of(made.X, made.y)
        l1 = 0.05 * 2 * np.abs(unit.rows @ unit.target).max()
        path = lars_en(unit.rows, unit.target, 0.5, last_l1=l1)
        beta = path.at(len(path)) * np.array([1, -1, 1, 1, -1, 1])
        assert np.ptp(beta[:3]) < 0.03 * beta[:3].max()
        assert beta[:3].mean() > 9 * np.abs(beta[3:]).mean()


def test_copies_have_equal_coefficients_and_lower_numbers_win():
    X, y = data(40, 10, 4, "copies")
    fitted = fewer.LarsEN(None, l2=0.5).fit(X, y)
    assert fitted.coef_[0] == pytest.approx(fitted.coef_[5])
    assert fitted.coef_[1] == pytest.approx(-2 * fitted.coef_[6])
    assert fitted.coef_[7] == 0
    assert "constant" in str(fitted.selection_.reason(7))
    one = fewer.LarsEN(1, l2=0.5).fit(np.column_stack([X[:, 0], X[:, 0], X[:, 2]]), X[:, 0] + 0.1 * y)
    assert one.selection_.indices.tolist() == [0]
    assert (one.coef_[1:] == 0).all()
    assert "lower number" in str(one.selection_.reason(0))


def test_coefficients_are_those_of_the_columns_as_given():
    X, y = data(40, 6, 6)
    X = X * [1, 10, 1e-3, 1, 1e5, 1] + 1e4
    fitted = fewer.LarsEN(None, l2=0.0).fit(X, y)
    design = np.column_stack([np.ones(40), X])
    exact = np.linalg.lstsq(design - [0, *X.mean(axis=0)], y, rcond=None)[0]
    np.testing.assert_allclose(fitted.coef_, exact[1:], rtol=1e-6)
    np.testing.assert_allclose(fitted.predict(X), X @ fitted.coef_ + fitted.intercept_)
    assert fitted.score(X, y) == pytest.approx(1 - np.var(y - fitted.predict(X)) / np.var(y))
    naive = fewer.LarsEN(3, l2=2.0, rescale=False).fit(X, y)
    np.testing.assert_allclose(3 * naive.coef_, fewer.LarsEN(3, l2=2.0).fit(X, y).coef_)


@pytest.mark.parametrize("along", ["step", "fraction"])
def test_tuning_holds_rows_out_and_scales_inside_folds(along):
    X, y = data(60, 8, 7)
    y = y + 4 * np.random.default_rng(0).normal(size=60)
    cv = KFold(5)
    fitted = fewer.LarsEN("best", l2=[0.0, 1.0], along=along, cv=cv).fit(X, y)
    table = fitted.selection_.tables["path"]
    assert table.kind == "path"
    wanted = np.inf
    for l2 in (0.0, 1.0):
        whole = UnitColumns.of(X, y)
        n = len(lars_en(whole.rows, whole.target, l2))
        places = range(1, n) if along == "step" else np.linspace(0, 1, 101)[1:]
        total = np.zeros(len(places))
        for train, test in cv.split(X):
            unit = UnitColumns.of(X[train], y[train])
            path = lars_en(unit.rows, unit.target, l2)
            for i, place in enumerate(places):
                beta = path.at(place) if along == "step" else path.at_fraction(place)
                coefficients, intercept = unit.given(beta)
                total[i] += ((y[test] - X[test] @ coefficients - intercept) ** 2).sum()
        wanted = min(wanted, total.min() / 60)
    assert fitted.selection_.meta["error"] == pytest.approx(wanted, rel=1e-9)
    assert min(table.columns["error"][1:]) >= wanted * (1 - 1e-9) or along == "fraction"
    short = fewer.LarsEN("parsimonious", l2=1.0, along=along, cv=cv).fit(X, y)
    assert len(short.selection_) <= len(fewer.LarsEN("best", l2=1.0, along=along, cv=cv).fit(X, y).selection_)
    few = fewer.LarsEN("2-3", l2=[0.0, 1.0], along=along, cv=cv).fit(X, y)
    assert 2 <= len(few.selection_) <= 3


def test_of_copies_the_lasso_keeps_the_lower_number():
    for seed in range(10):
        X, y = data(30, 6, seed)
        doubled = np.column_stack([X, -X])
        path, single = (lars_en(u.rows, u.target, 0.0) for u in (UnitColumns.of(doubled, y), UnitColumns.of(X, y)))
        assert max(int(active.max(initial=0)) for active in path.active) < 6
        np.testing.assert_allclose(path.at(len(path))[:6], single.at(len(single)), atol=1e-9)


def test_moves_are_what_changes_from_knot_to_knot():
    left = 0
    for seed in range(30):
        X, y = data(12, 25, seed, "copies" if seed % 2 else "mixed")
        unit = UnitColumns.of(X, y)
        path = lars_en(unit.rows, unit.target, 0.0 if seed % 3 else 0.1)
        sets = [set(active.tolist()) for active in path.active]
        for knot in range(1, len(path)):
            moved = [(j, joined) for at, j, joined in path.moves if at == knot]
            assert {j for j, joined in moved if joined} == sets[knot] - sets[knot - 1]
            assert {j for j, joined in moved if not joined} == sets[knot - 1] - sets[knot]
            left += len(sets[knot - 1] - sets[knot])
    assert left > 20


def test_copies_are_not_apart_in_the_table_of_groups():
    for seed in range(20):
        X, y = data(40, 10, seed, "copies")
        groups = fewer.LarsEN(None, l2=0.5).fit(X, y).selection_.tables["groups"].columns
        assert (np.asarray(groups["apart"]) <= np.asarray(groups["at most"])).all()


@pytest.mark.parametrize("size", [1, 3])
def test_a_number_of_features_has_the_error_of_its_fraction_of_the_whole_path(size):
    X, y = data(60, 8, 7)
    y = y + 4 * np.random.default_rng(0).normal(size=60)
    cv = KFold(5)
    fitted = fewer.LarsEN(size, l2=[0.5, 0.5], along="fraction", cv=cv).fit(X, y)
    whole = UnitColumns.of(X, y)
    path = lars_en(whole.rows, whole.target, 0.5)
    knot = int(np.flatnonzero(path.sizes >= size)[0])
    fraction = np.round(path.norms[knot] / path.norms[-1], 2)
    total = 0.0
    for train, test in cv.split(X):
        unit = UnitColumns.of(X[train], y[train])
        coefficients, intercept = unit.given(lars_en(unit.rows, unit.target, 0.5).at_fraction(fraction))
        total += ((y[test] - X[test] @ coefficients - intercept) ** 2).sum()
    assert fitted.selection_.meta["error"] == pytest.approx(total / 60, rel=1e-9)
    assert len(fitted.selection_) == size


def test_reasons_tell_when_features_entered_left_and_with_whom_they_share():
    made = make_elastic_net_groups(random_state=0)
    found = fewer.LarsEN(3, l2=0.5).fit(made.to_frame(None), made.y).selection_
    assert "entered at step 1; shares its weight with x2, r = -0.99" in str(found.reason("x1")) or (
        "entered at step" in str(found.reason("x1")) and "shares its weight with x" in str(found.reason("x1"))
    )
    groups = found.tables["groups"]
    assert (np.array(groups.columns["apart"]) <= np.array(groups.columns["at most"])).all()
    X, y = data(60, 30, 1)
    path = fewer.LarsEN(None, l2=1e-3).fit(X, y).selection_
    assert any("left at step" in str(path.reason(j)) for j in range(30))
    assert list(path.tables["path"].columns)[:3] == ["step", "l1", "features"]
    chosen = fewer.LarsEN(None, l2=1.0, l1=8.0).fit(X, y).selection_
    dropped = [chosen.reason(j) for j in range(30) if chosen.reason(j).kind == "irrelevant"]
    assert dropped
    assert all(reason.measured <= reason.needed == 8.0 for reason in dropped)


def test_early_stopping_limits_the_steps():
    X, y = data(30, 40, 0)
    fitted = fewer.LarsEN(None, l2=1.0, max_steps=7).fit(X, y)
    assert fitted.n_steps_ == 7
    assert len(fitted.selection_.tables["path"]) == 8


def test_a_target_that_nothing_goes_with_keeps_nothing():
    X = np.array([[1.0, 0], [-1, 0], [1, 1], [-1, 1]])
    fitted = fewer.LarsEN(1).fit(X, [1.0, 1, 0, 0])
    assert fitted.selection_.indices.tolist() == [1]
    none = fewer.LarsEN(2).fit(X[:, [0]], [1.0, 1, 0, 0])
    assert len(none.selection_) == 0
    np.testing.assert_allclose(none.predict(X[:, [0]]), 0.5)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"l2": -1.0}, "l2=-1.0, but takes finite numbers of at least 0"),
        ({"l2": [0.1, np.inf]}, "at least 0"),
        ({"l2": []}, "at least 0"),
        ({"l2": "much"}, "l2"),
        ({"l1": -0.1}, "l1"),
        ({"n_features_to_select": "gain:0.1"}, "follows its path to the end"),
        ({"n_features_to_select": "fdr:0.05"}, "fdr:0.05"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(parameters, words):
    X, y = data(20, 8, 0)
    with pytest.raises(ValueError, match=words) as error:
        fewer.LarsEN(**parameters).fit(X, y)
    assert "\n" not in str(error.value)


def test_folds_that_cannot_learn_are_refused():
    X, y = data(20, 8, 0)
    with pytest.raises(ValueError, match="one row to learn from"):
        fewer.LarsEN("best", cv=[([0], list(range(1, 20)))]).fit(X, y)


def test_prostate_cancer_keeps_the_features_of_the_text(shared_data):
    """At the penalties of the 2005 paper; the elastic net errs by about 24 % less than the lasso (ours: 21 %)."""
    found = shared_data("prostate_stamey")
    train = found["train"].astype(bool)
    unit = UnitColumns.of(found["X"][train], found["y"][train])
    errors = []
    for l2, s, names in (
        (0.0, 0.39, ["lcavol", "lweight", "lbph", "svi", "pgg45"]),
        (1000.0, 0.26, ["lcavol", "lweight", "svi", "lcp", "pgg45"]),
    ):
        coefficients, intercept = unit.given(lars_en(unit.rows, unit.target, l2).at_fraction(s))
        assert found["feature_names"][coefficients != 0].tolist() == names
        errors.append(np.mean((found["y"][~train] - found["X"][~train] @ coefficients - intercept) ** 2))
    np.testing.assert_allclose(errors, [0.472, 0.375], atol=1e-3)
