"""IPE and ACE: what the chapter says of them, their decisions from recorded numbers, and their results."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import stats

import fewer
from fewer.core.forest.binned import Binned
from fewer.core.forest.trees import TreeRules
from fewer.methods.ensembles._contrasts import ContrastSeries, above_zero, corrected, margins
from fewer.methods.ensembles._masking import FIRST, MaskingSeries, masked_by
from fewer.methods.ensembles._rounds import pseudo_residuals
from fewer.synth import make_linear_hard_for_trees


def test_margins_take_the_larger_of_percentile_and_own_contrast(rng):
    values = rng.random((6, 8))
    for i, row in enumerate(values):
        line = np.percentile(row[4:], 75)
        wanted = [row[k] - max(line, row[4 + k]) for k in range(4)]
        np.testing.assert_allclose(margins(values, 75)[i], wanted)


def test_p_values_are_those_of_a_one_sided_paired_test(rng):
    first, second = rng.random((10, 5)), rng.random((10, 5))
    theirs = stats.ttest_rel(first, second, alternative="greater").pvalue
    np.testing.assert_allclose(above_zero(first - second), theirs)
    # Without spread the sign decides; a feature that no tree has used has p = 1.
    assert above_zero(np.tile([0.5, 0.0, -0.5], (4, 1))).tolist() == [0.0, 1.0, 1.0]
    np.testing.assert_allclose(corrected(np.array([0.01, 0.04, 0.5]), "bh"), [0.03, 0.06, 0.5])


def test_first_pseudo_residuals_are_the_class_less_its_share(rng):
    y = rng.integers(0, 3, 30)
    left = pseudo_residuals(y, 3, np.zeros((30, 3)))
    np.testing.assert_allclose(left, (y[:, None] == np.arange(3)) - 1 / 3)
    np.testing.assert_allclose(pseudo_residuals(y, 3, rng.normal(size=(30, 3))).sum(axis=1), 0.0, atol=1e-12)
    # Two classes: the column of the second is that of joint log-odds G and -G.
    score, two = rng.normal(size=(30, 1)), y % 2
    odds = np.exp(np.hstack([-score, score]))
    wanted = (two == 1) - (odds / odds.sum(axis=1, keepdims=True))[:, 1]
    np.testing.assert_allclose(pseudo_residuals(two, 2, score)[:, 0], wanted)


def test_masked_features_go_and_mask_nothing_themselves():
    mean = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.8], [0.0, 0.8, 1.0]])
    pvalue = np.where(mean > 0.5, 0.01, 0.9)
    assert masked_by(mean, pvalue, 0.05, 0) == {1: 0}
    assert masked_by(mean, pvalue, 0.05, 2) == {2: 1}
    assert masked_by(np.zeros((3, 3)), np.zeros((3, 3)), 0.05, 0) == {}


def test_ipe_finds_what_trees_find_hard():
    hits, alarms = np.zeros(20), 0
    for seed in range(5):
        data = make_linear_hard_for_trees(random_state=seed)
        kept = fewer.IPE(n_series=10, max_rounds=6, residual_trees=50, random_state=seed).fit(data.X, data.y).support_
        hits += kept
        alarms += kept[5:].sum()
    assert hits[:4].tolist() == [5.0] * 4
    assert alarms <= 0.15 * 5 * 15


@pytest.mark.parametrize("importance", ["own", "reference", "in-bag"])
def test_ipe_tells_classes_apart_and_says_why(importance):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 8))
    y = np.digitize(X[:, 2] + 0.8 * X[:, 6], [-0.7, 0.7])
    found = fewer.IPE(n_series=6, max_rounds=2, importance=importance, random_state=0).fit(X, y).selection_
    assert {2, 6} <= set(found.indices.tolist())
    assert np.all(found.columns["pvalue"][found.indices] <= 0.05)
    assert np.all(found.columns["round"][found.indices] >= 1)
    dropped = [j for j in range(8) if j not in found.indices]
    assert np.all(found.columns["pvalue"][dropped] > 0.05)
    assert {found.reason(j).kind for j in dropped} == {"irrelevant"}
    assert "p <= 0.05 needed in some round" in str(found.reason(dropped[0]))
    assert set(found.tables["rounds"].columns["feature"]) == set(found.indices.tolist())


def test_noise_passes_at_most_at_its_level():
    passed = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(100, 15)), rng.normal(size=100)
        passed += fewer.IPE(n_series=8, n_trees=10, max_rounds=1, random_state=seed).fit(X, y).support_.sum()
    # 120 features at 5 %: more than 12 has a probability below 1 %.
    assert passed <= 12


def test_many_classes_give_noise_no_more_chances():
    passed = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(150, 12)), rng.permutation(np.arange(150) % 10)
        passed += fewer.IPE(n_series=8, n_trees=10, max_rounds=1, random_state=seed).fit(X, y).support_.sum()
    # 96 features at 5 %: more than 10 has a probability of about 1 %; without a correction 16 pass.
    assert passed <= 10
    X[:, 3] += 2.0 * (y == 4)
    assert fewer.IPE(max_rounds=1, random_state=0).fit(X, y).support_[3]


@pytest.mark.filterwarnings("ignore:ACE reads the target as numbers")
def test_size_and_offset_of_target_and_weights_change_nothing():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(100, 5))
    y, weight = X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=100), rng.random(100) + 0.5
    made = fewer.ACE(n_series=4, n_trees=5, max_rounds=2, residual_trees=10, random_state=0)
    plain = made.fit(X, y, sample_weight=weight).selection_
    whole = plain.tables["explained"].columns["fraction"]
    assert 0.5 < whole[0] < 1.0
    for size, offset, heavy in ((1e80, 0, 1), (1e-81, 0, 1), (1e200, 0, 1e80), (1, 1000, 1e-200), (-1, 0, 1)):
        found = made.fit(X, y * size + offset, sample_weight=weight * heavy).selection_
        assert found.indices.tolist() == plain.indices.tolist()
        # Other digits of the same numbers may break a tie of two splits otherwise.
        np.testing.assert_allclose(found.scores, plain.scores, atol=2e-3)
        np.testing.assert_allclose(found.tables["explained"].columns["fraction"], whole, atol=2e-3)
        np.testing.assert_allclose(
            found.tables["masking"].columns["M"], plain.tables["masking"].columns["M"], atol=2e-3
        )
    # Rows of no weight explain nothing, however far off.
    far, none = np.append(y, 1e6), np.append(weight, 0.0)
    assert (
        made.fit(np.vstack([X, X[:1]]), far, sample_weight=none).selection_.tables["explained"].columns["fraction"][0]
        > 0.5
    )


@pytest.mark.parametrize("kind", ["numbers", "two", "three"])
def test_of_copies_exactly_one_survives_ace(kind):
    for seed in range(2):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 6))
        X[:, 4], X[:, 5] = X[:, 0], -X[:, 1]
        y = X[:, 0] + X[:, 1]
        y = y if kind == "numbers" else np.digitize(y, [0.0] if kind == "two" else [-0.8, 0.8])
        found = fewer.ACE(n_series=6, max_rounds=3, residual_trees=30, random_state=seed).fit(X, y).selection_
        kept = set(found.indices.tolist())
        assert len(kept & {0, 4}) == 1 == len(kept & {1, 5})
        lost = ({0, 4} - kept).pop()
        reason = found.reason(lost)
        assert reason.kind == "redundant"
        assert reason.related == tuple(f"x{j}" for j in kept & {0, 4})
        assert "masked, M = " in str(reason)
        assert found.reasons.amount[lost] == pytest.approx(1.0)


def test_a_relevant_feature_is_found_beside_one_it_goes_with():
    """Correlated 0.6 with a kept one: it enters if it tells something of its own, and only then."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(400, 6))
        X[:, 1] = 0.6 * X[:, 0] + 0.8 * X[:, 1]
        noise = 0.3 * rng.normal(size=400)
        made = fewer.ACE(n_series=8, max_rounds=4, residual_trees=50, random_state=seed)
        assert {0, 1} <= set(made.fit(X, X[:, 0] + X[:, 1] + noise).selection_.indices.tolist())
        assert 1 not in made.fit(X, X[:, 0] + noise).selection_.indices


def test_ipe_keeps_copies():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4))
    X[:, 3] = X[:, 0]
    kept = fewer.IPE(n_series=8, max_rounds=1, random_state=0).fit(X, X[:, 0]).selection_.indices
    assert {0, 3} <= set(kept.tolist())


def test_a_stopped_fit_goes_on_and_threads_change_nothing(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 5))
    every = {"n_series": 4, "n_trees": 5, "max_rounds": 2, "residual_trees": 10, "random_state": 1}
    plain = fewer.ACE(**every).fit(X, X[:, 1]).selection_
    path = tmp_path / "series"
    fewer.ACE(checkpoint=path, **every).fit(X, X[:, 1])
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))
    again = fewer.ACE(checkpoint=path, n_jobs=2, **every).fit(X, X[:, 1]).selection_
    np.testing.assert_array_equal(again.scores, plain.scores)
    np.testing.assert_array_equal(again.columns["pvalue"], plain.columns["pvalue"])
    with pytest.raises(ValueError, match="random_state=None"):
        fewer.ACE(checkpoint=tmp_path / "other").fit(X, X[:, 1])


def test_weights_missing_values_and_levels_are_taken():
    import pandas as pd

    rng = np.random.default_rng(5)
    level = rng.integers(0, 4, 160)
    number = rng.normal(size=160)
    frame = pd.DataFrame(rng.normal(size=(160, 4)), columns=list("abcd"))
    frame["level"] = pd.Categorical(np.array(list("wxyz"))[level])
    frame["number"] = np.where(rng.random(160) < 0.2, np.nan, number)
    y = np.array([1.0, -1.0, 2.0, 0.0])[level] + number
    found = fewer.IPE(n_series=6, max_rounds=1, random_state=0).fit(frame, y, sample_weight=rng.random(160) + 0.5)
    assert {"level", "number"} <= set(found.selection_.kept_names)


def test_series_depend_on_nothing_but_what_can_be_sent_to_workers(rng):
    data = Binned.of(rng.integers(0, 9, (40, 3)))
    for work, number in (
        (ContrastSeries(data, rng.normal(size=40), None, TreeRules(2, 3, 5.0, "own"), 4, 7), 3),
        (MaskingSeries(data, rng.normal(size=40), None, TreeRules(6, 3, 5.0), 4, 0.1, 7), FIRST + 3),
    ):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(work))(number), work(number))
        assert not np.array_equal(work(number), work(number + 1))
