"""Winnow against a loop over rows and weights, its bound of mistakes, and its ways to be shown rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse

import fewer
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from oracles import winnow as oracle


def rows(seed, n=60, p=7):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, p)) < 0.4, 0.0, rng.normal(size=(n, p)))
    return X, np.where(X @ rng.normal(size=p) + 0.3 * rng.normal(size=n) > 0, 1, -1)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("margin", [0.0, 0.2])
@pytest.mark.parametrize("variant", ["plain", "balanced", "glm"])
def test_weights_are_those_of_the_plain_loop(variant, margin, normalize):
    for seed in range(4):
        # Long enough for the sum of weights to be taken again.
        X, signs = rows(seed, n=60 if seed else 900)
        made = fewer.Winnow(
            3, variant=variant, eta=0.3, margin=margin, normalize=normalize, threshold=0.7, scaling="none", n_passes=1
        ).fit(X, signs)
        more = (0.7,) if variant == "plain" else ()
        want, mistakes = getattr(oracle, variant)(X, signs, 0.3, *more, margin=margin, normalize=normalize)
        intercept = -0.7 if variant == "plain" else want[-1]
        assert made.n_mistakes_ == mistakes
        np.testing.assert_allclose(made.coef_, want[:7], rtol=1e-8, atol=1e-12)
        assert made.intercept_ == pytest.approx(intercept, rel=1e-8)
        size = np.abs(want[:7])
        np.testing.assert_allclose(made.scores_, size / size.sum(), rtol=1e-8)


def test_columns_are_divided_by_their_largest_value_and_coefficients_told_in_their_units():
    X, signs = rows(1)
    unit = np.abs(X).max(axis=0)
    raw, scaled = fewer.Winnow(3).fit(X, signs), fewer.Winnow(3, scaling="none").fit(X / unit, signs)
    np.testing.assert_allclose(raw.coef_, scaled.coef_ / unit, rtol=1e-9)
    np.testing.assert_array_equal(raw.predict(X), scaled.predict(X / unit))


@pytest.mark.parametrize(("eta", "factor"), [(np.log(2), 1.0), (np.log(1.5), 1.0), (1.0, 0.25)])
def test_mistakes_on_disjunctions_are_bounded(eta, factor):
    """Also on rows that are chosen to make it err, among very many irrelevant features."""
    for k, p, density in [(1, 8, 0.5), (3, 200, 0.02), (5, 1000, 0.01), (5, 64, 0.3)]:
        rng = np.random.default_rng(k * p)
        X = (rng.random((1500, p)) < density).astype(float)
        y = X[:, :k].any(axis=1).astype(int)
        y[0], X[0, :k], y[1], X[1, 0] = 0, 0.0, 1, 1.0
        threshold = factor * p
        made = fewer.Winnow(k, variant="plain", eta=eta, threshold=threshold, scaling="none", n_passes=50).fit(X, y)
        assert made.n_mistakes_ <= fewer.Winnow.disjunction_bound(k, p, eta, threshold)
        assert k < made.n_mistakes_
        if made.selection_.tables["passes"].columns["mistakes"][-1] == 0:
            assert made.score(X, y) == 1


def test_an_adversary_cannot_make_it_err_more_often_than_the_bound():
    k, p, eta = 3, 40, np.log(2)
    rng = np.random.default_rng(0)
    made = fewer.Winnow(k, variant="plain", eta=eta, threshold=p, scaling="none")
    made.partial_fit(np.zeros((1, p)), [0], classes=[0, 1])
    for _ in range(400):
        X = (rng.random((200, p)) < rng.random((200, 1))).astype(float)
        X[::2, :k] = 0
        y = X[:, :k].any(axis=1).astype(int)
        wrong = np.flatnonzero(made.predict(X) != y)
        if not len(wrong):
            break
        made.partial_fit(X[wrong[:1]], y[wrong[:1]])
    assert 20 < made.n_mistakes_ <= fewer.Winnow.disjunction_bound(k, p, eta, p)


def test_mistakes_grow_with_the_logarithm_of_the_irrelevant_features():
    found = []
    for p in (50, 5000):
        rng = np.random.default_rng(p)
        X = scipy.sparse.random_array(
            (3000, p), density=4 / p, random_state=rng, format="csr", data_sampler=lambda size: np.ones(size)
        )
        X = scipy.sparse.hstack([(rng.random((3000, 3)) < 0.2).astype(float), X]).tocsr()
        y = (X[:, :3].sum(axis=1) > 0).astype(int)
        found.append(fewer.Winnow(3, variant="plain", eta=0.7, n_passes=1).fit(X, y).n_mistakes_)
    assert found[1] < 4 * found[0]


@pytest.mark.parametrize("more", [{"variant": "plain", "threshold": 10.0}, {}, {"normalize": True, "margin": 0.02}])
def test_threshold_functions_are_learned(more):
    data = fewer.synth.make_m_of_n(2, 4, 40, n_samples=1500, random_state=0)
    made = fewer.Winnow(4, n_passes=60, **more).fit(data.X, data.y)
    assert sorted(made.selection_.indices.tolist()) == [0, 1, 2, 3]
    assert made.score(data.X, data.y) > 0.95


def test_inside_a_model_features_that_speak_against_a_class_are_found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 30))
    y = (2 * X[:, 4] - 3 * X[:, 9] + rng.logistic(size=800) > 0).astype(int)
    made = fewer.Winnow(2, variant="glm", n_passes=5).fit(X, y)
    assert set(made.selection_.indices) == {4, 9}
    assert made.coef_[4] > 0 > made.coef_[9]


@pytest.mark.parametrize("variant", ["plain", "balanced", "glm"])
def test_pieces_batches_and_sparse_rows_teach_the_same(variant, tmp_path):
    X, signs = rows(3, n=120)
    y = np.where(np.arange(120) % 5 == 0, "c", np.where(signs > 0, "b", "a"))
    options = {"variant": variant, "threshold": 0.5, "scaling": "none"}
    whole = fewer.Winnow(3, n_passes=1, **options).fit(X, y)
    pieces = fewer.Winnow(3, **options)
    for start in range(0, 120, 7):
        some = slice(start, start + 7)
        one = X[some] if start % 2 else scipy.sparse.csr_matrix(X[some])
        pieces.partial_fit(one, y[some], classes=["a", "b", "c"])
    np.testing.assert_allclose(pieces.coef_, whole.coef_, rtol=1e-12)
    assert pieces.n_mistakes_ == whole.n_mistakes_
    twice = fewer.Winnow(3, n_passes=2, **options).fit(X, y)
    path = tmp_path / "rows.csv"
    path.write_text(
        "\n".join([",".join([*"pqrstuv", "y"]), *(",".join(map(repr, map(float, x))) + f",{c}" for x, c in zip(X, y))])
    )
    table = fewer.open_table(path, target="y", batch_rows=13)
    streamed = fewer.Winnow(3, n_passes=2, **options).fit(table)
    assert streamed.selection_.meta["runner"] == "stream"
    np.testing.assert_allclose(streamed.coef_, twice.coef_, rtol=1e-12)
    sparse = fewer.Winnow(3, n_passes=2, **options).fit(scipy.sparse.coo_array(X), y)
    np.testing.assert_array_equal(sparse.coef_, twice.coef_)
    np.testing.assert_array_equal(sparse.predict(scipy.sparse.csr_array(X)), twice.predict(X))


def test_a_new_fit_forgets_and_shuffling_helps_sorted_rows():
    X, signs = rows(5, n=200)
    order = np.argsort(signs, kind="stable")
    made = fewer.Winnow(3).fit(X, signs)
    before = made.coef_.copy()
    np.testing.assert_array_equal(made.fit(X, signs).coef_, before)
    mixed = fewer.Winnow(3, shuffle=True, random_state=0, n_passes=1).fit(X[order], signs[order])
    sorted_ = fewer.Winnow(3, n_passes=1).fit(X[order], signs[order])
    assert mixed.score(X, signs) > sorted_.score(X, signs)
    again = fewer.Winnow(3, shuffle=True, random_state=0, n_passes=1).fit(X[order], signs[order])
    np.testing.assert_array_equal(again.coef_, mixed.coef_)


def test_weights_stay_finite():
    X, signs = rows(6)
    made = fewer.Winnow(3, eta=50.0, n_passes=200).fit(X, np.random.default_rng(0).permutation(signs))
    assert np.isfinite(made.coef_).all()
    assert np.isfinite(made.scores_).all()


def test_what_cannot_be_learned_from_is_said():
    X, signs = rows(0)
    with pytest.raises(InputError, match="one class"):
        fewer.Winnow(2).partial_fit(X[:3], [1, 1, 1])
    made = fewer.Winnow(2).partial_fit(X, signs)
    with pytest.raises(InputError, match="got the class 7, but knows"):
        made.partial_fit(X[:1], [7])
    with pytest.raises(InputError, match=r"got classes=\[-1, 1, 2\], but knows \[-1, 1\]"):
        made.partial_fit(X[:1], [1], classes=[-1, 1, 2])
    made.partial_fit(X[:1], [1], classes=[1, -1])
    with pytest.raises(InputError, match="2 rows and 1 classes"):
        made.partial_fit(X[:2], [1])
    with pytest.raises(ValueError, match="features"):
        made.partial_fit(X[:, :3], signs)
    with pytest.raises(RequirementError, match="memory"):
        fewer.Winnow(2, shuffle=True).fit(
            fewer.core.reading.table.ArrayTable(X, (signs > 0) * 1, classes=np.arange(2), batch_rows=9)
        )
    X[:, 2] = 4.0
    found = fewer.Winnow("threshold:0.01").fit(X, signs).selection_
    assert "one level" in str(found.reason(2))


@pytest.mark.parametrize("variant", ["plain", "balanced", "glm"])
def test_what_the_weights_were_made_for_cannot_change_between_calls(variant):
    X, signs = rows(2)
    for change in ("plain", "balanced", "glm"):
        made = fewer.Winnow(2, variant=variant).partial_fit(X, signs)
        made.set_params(variant=change)
        if change == variant:
            made.partial_fit(X, signs)
            continue
        with pytest.raises(ParameterError, match=f"variant='{variant}'.*but got 7, 2, '{change}'"):
            made.partial_fit(X, signs)
    made = fewer.Winnow(2, variant=variant).fit(X, signs).set_params(scaling="none", eta=0.3)
    with pytest.raises(ParameterError, match="scaling='max'"):
        made.partial_fit(X, signs)
    # A fit that fails leaves no weights behind that rows of another width would be written into.
    wide = np.hstack([X] * 50)
    with pytest.raises(InputError):
        made.fit(wide, np.ones(len(X)))
    assert made.partial_fit(wide, signs).coef_.shape == (350,)


def test_the_sum_of_weights_keeps_its_digits_when_a_large_weight_falls():
    X = np.array([[60.0, 0.0], [-60.0, 0.1], [-60.0, 0.1], [0.1, 1.0], [-60.0, 0.1], [0.1, 1.0]] * 3)
    signs = np.array([1, -1, 1, -1, -1, 1] * 3)
    for variant, more in (("plain", (0.5,)), ("balanced", ())):
        made = fewer.Winnow(
            2, variant=variant, eta=1.0, normalize=True, margin=0.3, threshold=0.5, scaling="none", n_passes=1
        ).fit(X, signs)
        want, mistakes = getattr(oracle, variant)(X, signs, 1.0, *more, margin=0.3, normalize=True)
        assert made.n_mistakes_ == mistakes
        np.testing.assert_allclose(made.coef_, want[:2], rtol=1e-8, atol=1e-12)


def test_values_that_are_rounding_are_ties():
    """Weights as powers of counted steps, which rise and fall exactly."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, signs, eta = (rng.random((200, 6)) < 0.3).astype(float), rng.choice([-1, 1], 200), rng.uniform(0.01, 0.5)
        ones, steps, mistakes = np.column_stack([X, np.ones(200)]), np.zeros(7), 0
        for x, sign in zip(ones, signs):
            wrong = (math.fsum(np.sinh(eta * steps[x > 0])) > 0) != (sign > 0)
            mistakes += wrong
            steps += wrong * sign * x
        made = fewer.Winnow(3, eta=eta, n_passes=1, scaling="none").fit(X, signs)
        assert made.n_mistakes_ == mistakes
        size = np.abs(np.sinh(eta * steps[:6]))
        np.testing.assert_allclose(made.scores_, size / size.sum(), rtol=1e-8, atol=1e-12)


def test_a_huge_rate_gives_numbers():
    X, signs = rows(1)
    for variant in ("plain", "balanced", "glm"):
        made = fewer.Winnow(3, variant=variant, eta=1e300).fit(X, signs)
        assert np.isfinite(made.scores_).all()
        assert np.isfinite(made.coef_).all()


@pytest.mark.parametrize("wrong", [(3, 64, 0.0, 64), (3, 64, 0.5, 0.5), (65, 64, 0.5, 64), (3, 64, np.nan, 64)])
def test_the_bound_refuses_what_it_does_not_hold_for(wrong):
    with pytest.raises(ParameterError, match="disjunction_bound got"):
        fewer.Winnow.disjunction_bound(*wrong)
