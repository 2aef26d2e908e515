"""Maximum average change against the equations, cell by cell, and the numbers of its source."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.product_mixture import ClassMixtures
from oracles import acquisition as oracle


def table(rng, n=18, levels=(2, 3, 4), n_classes=3, missing=0.6):
    """Return levels with gaps, all levels, classes, and the domains."""
    whole = np.column_stack([rng.integers(0, v, n) for v in levels])
    classes = rng.permutation(np.arange(n) % n_classes)
    codes = np.where(rng.random(whole.shape) < missing, -1, whole)
    return codes, whole, classes, {f: list(range(v)) for f, v in enumerate(levels)}


def started(codes, classes, domains, **params):
    X = np.where(codes < 0, np.nan, codes)
    return fewer.MAC(**{"random_state": 0, **params}).start(X, classes, domains=domains)


def channels(n=100):
    data = fewer.synth.make_binary_channels(n, random_state=0)
    return data, {f: [0, 1] for f in range(3)}


@pytest.mark.parametrize("laplace", [1.0, 0.0, 0.3])
def test_benefits_and_relevances_are_those_of_the_equations(laplace):
    for seed in range(15 * EXAMPLES):
        rng = np.random.default_rng(seed)
        codes, _, classes, domains = table(rng, n_classes=int(rng.integers(2, 5)), missing=rng.choice([0.3, 0.9, 1.0]))
        lab = started(codes, classes, domains, smoothing=laplace)
        facts = (codes.tolist(), classes.tolist(), len(set(classes.tolist())), [2, 3, 4])
        np.testing.assert_allclose(lab.relevances_, oracle.relevances(*facts, laplace), atol=1e-13)
        cells = np.flatnonzero(codes.ravel() < 0)
        slow = [oracle.benefit(*facts, int(c) // 3, int(c) % 3, laplace) for c in cells]
        found = lab._engine.benefits(cells)
        assert (found >= 0).all()
        np.testing.assert_allclose(found, slow, rtol=1e-8, atol=1e-17)
        asked = lab.ask()
        assert slow[cells.tolist().index(asked.row * 3 + asked.column)] >= max(slow) * (1 - 1e-8)
        assert asked.benefit == found[cells.tolist().index(asked.row * 3 + asked.column)]


def test_small_changes_keep_their_digits():
    """With many values known a change is far below the relevance it is a change of."""
    codes = np.vstack([np.repeat([[0], [1]], 50_000, axis=0), np.repeat([[0], [1], [-1]], [30_000, 69_999, 1], axis=0)])
    classes = np.repeat([0, 1], 100_000)
    lab = started(codes, classes, {0: [0, 1]})
    a, b = 30_001 / 100_001, 30_002 / 100_002
    near = []
    for new in (b, 30_001 / 100_002):
        # The derivative of the information with respect to theta, at the middle.
        middle = (a + new) / 2
        slope = 0.5 * (math.log(middle / (1 - middle)) - math.log((0.5 + middle) / (1.5 - middle)))
        near.append(slope * (new - a))
    expected = a * near[0] ** 2 + (1 - a) * near[1] ** 2
    assert lab.ask().benefit == pytest.approx(expected, rel=1e-7)


def test_all_benefits_are_equal_at_first_as_the_source_implies():
    data, domains = channels()
    lab = started(np.full((200, 3), -1), data.y, domains)
    benefits = lab._engine.benefits(np.arange(600))
    assert benefits.min() == pytest.approx(2.06284e-4, rel=1e-5)
    assert benefits.max() == pytest.approx(benefits.min(), rel=1e-12)
    asked = lab.ask()
    lab.tell(asked.row, asked.column, 0)
    assert lab.relevances_[asked.column] == pytest.approx(0.0143626, abs=5e-8)
    assert np.delete(lab.relevances_, asked.column).max() < 1e-15


def test_equal_benefits_are_broken_over_cells_not_over_groups():
    """A class of 3 rows beside one of 27: one of ten cells is in the small class."""
    small = 0
    for seed in range(400):
        lab = started(np.full((30, 1), -1), np.repeat([0, 1], [3, 27]), {0: [0, 1]}, random_state=seed)
        # Equal priors are not given, so that only the tie among cells of one class is asked for.
        small += lab.ask().row < 3
    assert small in (0, 400)
    rows = [
        started(np.full((30, 2), -1), np.repeat([0, 1], 15), {0: [0, 1], 1: [0, 1]}, random_state=seed).ask()
        for seed in range(600)
    ]
    counts = np.bincount([asked.row * 2 + asked.column for asked in rows], minlength=60)
    assert counts.max() < 25
    assert (counts > 0).all()


def test_unequal_groups_of_equal_benefit_are_drawn_by_their_cells():
    """Two features of equal benefit, of which one has a single cell left."""
    hits = 0
    for seed in range(500):
        codes = np.full((40, 2), -1)
        codes[1:20, 0], codes[21:, 0] = [0, 1] * 9 + [0], [0, 1] * 9 + [0]
        codes[:19, 1], codes[20:39, 1] = [0, 1] * 9 + [0], [0, 1] * 9 + [0]
        # Feature 0 lacks rows 0 and 20, feature 1 rows 19 and 39: four cells of equal benefit.
        codes[0, 0] = 1
        codes[39, 1] = 1
        lab = started(codes, np.repeat([0, 1], 20), {0: [0, 1], 1: [0, 1]}, random_state=seed)
        hits += lab.ask().column == 0
    assert 200 < hits < 300


def test_the_conjugate_identity_of_the_criterion():
    """For a Beta the benefit is what is expected to leave the variance (eqs. 5.1 to 5.3)."""
    for a, b in ((1.0, 1.0), (3.0, 2.0), (0.5, 9.0)):
        n, p = a + b, a / (a + b)
        change = p * ((a + 1) / (n + 1) - p) ** 2 + (1 - p) * (a / (n + 1) - p) ** 2
        after = p * ((a + 1) * b / ((n + 1) ** 2 * (n + 2))) + (1 - p) * (a * (b + 1) / ((n + 1) ** 2 * (n + 2)))
        assert change == pytest.approx(p * (1 - p) / (n + 1) ** 2)
        assert a * b / (n**2 * (n + 1)) - after == pytest.approx(change)


def test_whole_runs_are_the_same_as_asking_and_telling():
    for seed, params in enumerate(({}, {"candidate_fraction": 0.2}, {"costs": [1, 2, 5], "by_cost": True}) * 2):
        rng = np.random.default_rng(seed)
        codes, whole, classes, domains = table(rng, n=10, missing=0.8)
        for kind in ("MAC", "RandomAcquisition"):
            own = params if kind == "MAC" else {}
            X = np.where(codes < 0, np.nan, codes)
            lab = fewer.get(kind)(random_state=seed, **own).start(X, classes, domains=domains)
            order, path = lab.disclose(whole)
            lab.run(lambda asked, whole=whole: whole[asked.row, asked.column])
            np.testing.assert_array_equal(order, [one[:2] for one in lab.acquisitions_])
            np.testing.assert_array_equal(path, lab.trajectory_)
            assert len(order) == (codes < 0).sum()
            assert lab.ask() is None
            assert lab.ask(3) == []
            assert lab.stopped_ == "no value is left to ask for"
            full = fewer.get(kind)(random_state=seed).start(whole, classes, domains=domains)
            np.testing.assert_allclose(lab.relevances_, full.relevances_, rtol=1e-12)


def test_one_component_by_expectation_and_maximisation_is_the_closed_form():
    from fewer.methods.active._models import MixtureModel

    for seed in range(5):
        codes, whole, classes, domains = table(np.random.default_rng(seed), n=12)
        lab = started(codes, classes, domains)
        cells = np.flatnonzero(codes.ravel() < 0)
        slow = MixtureModel(lab._state, 1, 1.0, True)
        np.testing.assert_allclose(slow.benefits(cells), lab._engine.benefits(cells), rtol=1e-7)
        np.testing.assert_allclose(slow.relevances(), lab.relevances_, rtol=1e-9, atol=1e-15)
        f = int(cells[0] % 3)
        lab.tell(int(cells[0] // 3), f, int(whole[cells[0] // 3, f]))
        slow.known(int(cells[0] // 3), f)
        np.testing.assert_allclose(slow.benefits(cells[1:]), lab._engine.benefits(cells[1:]), rtol=1e-7)


def test_benefits_of_several_components_are_refits_with_every_level():
    """By hand: chances of eq. 5.12, the class fitted again from where it is, all relevances."""
    from fewer.core.clustering.product_mixture import fit_product_mixture

    rng = np.random.default_rng(3)
    codes, _, classes, domains = table(rng, n=24, levels=(2, 3), n_classes=2, missing=0.4)
    lab = started(codes, classes, domains, n_components=2)
    model, levels = lab._engine, np.array([2, 3])
    cells = np.flatnonzero(codes.ravel() < 0)
    found = model.benefits(cells)
    for cell, value in zip(cells, found):
        i, f = divmod(int(cell), 2)
        c = classes[i]
        inside = np.flatnonzero(classes == c)
        chances = model.mixtures[c].missing_levels(codes[[i]], f)[0]
        assert chances.sum() == pytest.approx(1)
        slow = 0.0
        for x in range(levels[f]):
            more = codes.copy()
            more[i, f] = x
            again = list(model.mixtures)
            again[c] = fit_product_mixture(more[inside], levels, 2, start=model.mixtures[c], tol=1e-10)
            after = ClassMixtures(model.priors, tuple(again)).relevance()
            slow += chances[x] * ((after - lab.relevances_) ** 2).sum()
        assert value == pytest.approx(slow, rel=1e-9)
    # More than its own feature may change.
    lab.run(lambda asked: 0)
    assert len(lab.trajectory_) == len(cells) + 1


def test_components_part_once_there_are_data():
    """All is missing at first, where components are equal; a warm start alone would keep them so for ever."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, 60)
    X = np.column_stack([hidden, hidden, hidden]).astype(float)
    lab = started(np.full((60, 3), -1), np.arange(60) % 2, {f: [0, 1] for f in range(3)}, n_components=2)
    for i in range(16):
        lab.tell_many([(i, f, X[i, f]) for f in range(3)])
    assert np.abs(np.diff(lab._engine.mixtures[0].levels[:, 0, 0])) > 0.5


def test_one_product_per_class_is_naive_bayes_of_scikit_learn(rng):
    from sklearn.naive_bayes import CategoricalNB

    _, whole, classes, domains = table(rng, n=60)
    lab = started(whole, classes, domains)
    other = CategoricalNB(alpha=1.0, min_categories=[2, 3, 4]).fit(whole, classes)
    given = [np.exp(part) for part in other.feature_log_prob_]
    p = (np.bincount(classes) + 1) / (60 + 3)
    expected = [oracle.information(p.tolist(), part.tolist()) for part in given]
    np.testing.assert_allclose(lab.relevances_, expected, rtol=1e-10, atol=1e-14)
