"""Rules on progress and probes, joined rules, and what is refused before work starts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.records.trace import Step, Trace
from fewer.core.stop import (
    All,
    AnyOf,
    BenjaminiHochberg,
    Bonferroni,
    Budget,
    Count,
    Fraction,
    Gain,
    Patience,
    Probes,
    PValue,
    Threshold,
    TopGap,
)

finite = st.floats(-1e6, 1e6, allow_nan=False)
score_lists = st.lists(st.one_of(finite, st.sampled_from([0.0, 1.0, 2.0])), min_size=1, max_size=30)


def ranking_of(*scores, pvalues=None):
    return Ranking(np.array(scores, dtype=float), None if pvalues is None else np.array(pvalues))


def trace_of(*values, evaluations=1, seconds=1.0):
    steps = [Step((i,), (), value, evaluations, seconds) for i, value in enumerate(values)]
    return Trace(steps)


def kept_of(cut):
    return np.flatnonzero(cut.kept).tolist()


# progress


def test_gain_watches_the_last_step():
    assert not Gain().done(trace_of(0.1), 9)
    assert not Gain().done(trace_of(0.1, 0.2), 9)
    assert Gain().done(trace_of(0.1, 0.2, 0.2), 9)
    assert Gain(0.5).done(trace_of(1.0, 1.5), 9)
    assert not Gain(-0.1).done(trace_of(0.9, 0.85), 9)
    assert not Gain().done(trace_of(float("nan"), 0.3), 9)
    assert Gain().steps_kept(trace_of(0.1, 0.2, 0.2)) == 2
    assert Gain().steps_kept(trace_of(0.1, 0.2)) == 2


def naive_patience(values, steps, tol):
    """Replay the search and count the steps since the reference value was last beaten."""
    reference, at = values[0], 0
    for i, value in enumerate(values):
        if value > reference + tol:
            reference, at = value, i
    return len(values) - 1 - at >= steps


@given(st.lists(finite, min_size=1, max_size=20), st.integers(1, 6), st.sampled_from([0.0, 0.5, 100.0]))
def test_patience_against_a_replay(values, steps, tol):
    rule = Patience(steps, tol)
    assert rule.done(trace_of(*values), 5) == naive_patience(values, steps, tol)


def test_rounding_is_no_gain():
    assert Gain().done(trace_of(0.3, 0.1 + 0.2), 9)
    assert Gain(0.1).done(trace_of(0.7, 0.8), 9)
    assert not Gain().done(trace_of(0.3, 0.3001), 9)
    assert Patience(2).done(trace_of(0.3, 0.1 + 0.2, 0.3), 9)
    assert Patience(2).steps_kept(trace_of(0.3, 0.1 + 0.2, 0.3)) == 1


def test_patience_reads_every_step_once():
    """The rule is asked after every step; a long search must not read its whole past each time."""
    reads = 0

    class Counted(Trace):
        def __getitem__(self, index):
            nonlocal reads
            reads += 1
            return super().__getitem__(index)

        def __iter__(self):
            return (self[i] for i in range(len(self)))

    trace, rule, other = Counted(), Patience(3), Patience(2, tol=0.5)
    values = np.random.default_rng(0).integers(0, 1000, 300).tolist()
    for i, value in enumerate(values):
        trace.append(Step((i,), (), float(value)))
        assert rule.done(trace, 5) == naive_patience(values[: i + 1], 3, 0.0)
        assert other.done(trace, 5) == naive_patience(values[: i + 1], 2, 0.5)
    assert reads == 2 * len(values)


def test_patience_goes_back_to_the_best_step():
    trace = trace_of(0.5, 0.8, 0.7, 0.8, 0.6)
    assert Patience(3).done(trace, 4)
    assert Patience(3).steps_kept(trace) == 2
    assert Patience(4).steps_kept(trace) == 5


def test_patience_sees_slow_gains_and_skips_missing_values():
    assert not Patience(2, tol=0.15).done(trace_of(0.0, 0.1, 0.2), 4)
    assert Patience(2, tol=0.25).done(trace_of(0.0, 0.1, 0.2), 4)
    nan = float("nan")
    assert not Patience(2).done(trace_of(nan, nan, nan), 4)
    assert not Patience(2).done(trace_of(0.5, nan, nan), 4)
    assert Patience(2).done(trace_of(0.5, 0.4, nan, 0.3), 4)
    assert Patience(1).done(trace_of(-np.inf, -np.inf), 4)


def test_budget_counts_all_steps():
    trace = trace_of(0, 0, 0, evaluations=10, seconds=2.0)
    assert Budget(seconds=6).done(trace, 3)
    assert not Budget(seconds=6.1).done(trace, 3)
    assert Budget(evaluations=30).done(trace, 3)
    assert not Budget(evaluations=31).done(trace, 3)
    assert Budget(seconds=100, evaluations=30).done(trace, 3)
    assert Budget(seconds=100, evaluations=30).steps_kept(trace) == 3


# probes


@given(score_lists, st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 7.0]), max_size=60), st.floats(0.01, 0.9))
def test_probes_keep_by_the_permutation_rule(scores, probes, risk):
    cut = Probes(risk=risk).cut_with_probes(ranking_of(*scores), np.array(probes))
    n = len(probes)
    places = [(sum(p >= s for p in probes) + 1) / (n + 1) for s in scores]
    assert cut.kept.tolist() == [place <= risk + 1e-9 / (n + 1) for place in places]
    assert cut.relevance


def test_probes_quantile_is_strict_and_conservative():
    nineteen = np.arange(19.0)
    cut = Probes(risk=0.05).cut_with_probes(ranking_of(18, 18.1, 17), nineteen)
    assert kept_of(cut) == [1]
    assert cut.threshold == 18
    few = Probes(risk=0.05).cut_with_probes(ranking_of(1e9), np.arange(18.0))
    assert kept_of(few) == []
    assert "at least 19" in few.rule
    many = np.random.default_rng(0).normal(size=999)
    upper = np.sort(many)[1000 - 50 - 1 : 1000 - 50]
    assert Probes(risk=0.05).cut_with_probes(ranking_of(0), many).threshold == upper[0]
    assert upper[0] >= np.quantile(many, 0.95, method="higher")


def test_every_feature_is_compared_with_its_own_probes():
    own = np.column_stack([np.arange(19.0), np.arange(19.0) + 100])
    cut = Probes(risk=0.05).cut_with_probes(ranking_of(18.5, 50), own)
    assert kept_of(cut) == [0]
    assert cut.threshold.tolist() == [18.0, 118.0]


def test_probes_hold_their_risk_on_noise():
    rng = np.random.default_rng(3)
    kept = [
        Probes(risk=0.1).cut_with_probes(ranking_of(*rng.normal(size=50)), rng.normal(size=49)).kept.mean()
        for _ in range(400)
    ]
    assert abs(np.mean(kept) - 0.1) < 0.02


def test_probes_know_how_many_they_want():
    assert Probes().probes_wanted(100) == 19
    assert Probes(risk=0.01).probes_wanted(3) == 99
    assert Probes(n_probes=40).probes_wanted(3) == 40
    assert Count(3).probes_wanted(10) == 0
    assert (Count(3) | Probes(n_probes=40)).probes_wanted(3) == 40
    with pytest.raises(ParameterError, match="at least 19"):
        Probes(n_probes=18)
    with pytest.raises(RequirementError, match="cut_with_probes"):
        Probes().cut(ranking_of(1))


# joined rules


def test_joined_rules_keep_what_all_keep_and_remember_who_dropped():
    ranking = ranking_of(9, 8, 7, 6, 1, pvalues=[0.001, 0.001, 0.001, 0.9, 0.9])
    cut = (Count(2) | Bonferroni(0.05)).cut(ranking)
    assert kept_of(cut) == [0, 1]
    assert cut.relevance
    assert cut.irrelevant.tolist() == [False, False, False, True, True]
    assert "asked for" in cut.rule
    assert "Bonferroni" in cut.rule


def test_joined_rules_use_the_larger_threshold_and_the_probes():
    ranking = ranking_of(9, 8, 7, 6, 1)
    assert (Threshold(7) | Threshold(2) | Count(4)).cut(ranking).threshold == 7
    assert kept_of((Count(4) | Probes(risk=0.5)).cut_with_probes(ranking, np.array([6.5]))) == [0, 1, 2]


def test_joined_rules_end_when_any_ends():
    rule = Count(3) | Gain() | Budget(evaluations=100)
    assert not rule.done(trace_of(0.1, 0.2), 5)
    assert rule.done(trace_of(0.1, 0.2, 0.3), 5)
    assert rule.done(trace_of(0.1, 0.1), 5)
    assert rule.steps_kept(trace_of(0.1, 0.1)) == 1
    assert rule.steps_kept(trace_of(0.1, 0.2, 0.3)) == 3


def test_joining_is_flat():
    joined = (Count(1) | Gain()) | (Patience(2) | Budget(seconds=1))
    assert joined.rules == (Count(1), Gain(), Patience(2), Budget(seconds=1))
    assert joined.abilities == ("done", "subsets")
    assert (Count(1) | Probes() | PValue()).needs == ("p-values", "probes")


def test_rules_of_different_kinds_do_not_join():
    with pytest.raises(ParameterError, match="cannot be joined"):
        Gain() | BenjaminiHochberg()
    with pytest.raises(TypeError):
        Gain() | 3
    with pytest.raises(ParameterError, match="no rule"):
        AnyOf(())
    with pytest.raises(ParameterError, match="AnyOf got 3"):
        AnyOf((Count(2), 3))


# checks before work starts


def test_check_names_rule_part_and_what_is_missing():
    with pytest.raises(RequirementError, match=r"The rule 'fdr:0.05' needs p-values, but Pearson"):
        BenjaminiHochberg().check("Pearson", ("cut",))
    with pytest.raises(RequirementError, match="needs a search that goes step by step or .* sizes, but Pearson"):
        Gain().check("Pearson", ("cut", "p-values"))
    with pytest.raises(RequirementError, match="probes"):
        (Count(3) | Probes()).check("Pearson", ("cut", "p-values"))
    with pytest.raises(RequirementError, match="a ranking of the features"):
        TopGap().check("Greedy", ("done",))
    with pytest.raises(RequirementError, match="nothing of the kind"):
        All().check("Tree", ())
    BenjaminiHochberg().check("Pearson", ("cut", "p-values"))
    Gain().check("Greedy", ("done",))
    Count(3).check("Greedy", ("done",))


def test_rules_refuse_what_they_cannot_do():
    with pytest.raises(RequirementError, match="cannot cut"):
        Gain().cut(ranking_of(1))
    with pytest.raises(RequirementError, match="cannot end"):
        TopGap().done(Trace(), 3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Count(0),
        lambda: Count(True),
        lambda: Count(2.0),
        lambda: Fraction(0.0),
        lambda: Fraction(1.0),
        lambda: Fraction("a"),
        lambda: Threshold(float("nan")),
        lambda: Threshold(None),
        lambda: TopGap(0),
        lambda: TopGap(3, 2),
        lambda: Gain(float("inf")),
        lambda: Patience(0),
        lambda: Patience(2, -1.0),
        lambda: Budget(),
        lambda: Budget(seconds=0),
        lambda: Budget(evaluations=1.5),
        lambda: PValue(0),
        lambda: Bonferroni(1.2),
        lambda: Probes(risk=1),
    ],
)
def test_bad_numbers_are_answered_in_one_sentence(make):
    with pytest.raises(ParameterError) as caught:
        make()
    message = str(caught.value)
    assert message.endswith(".")
    assert "pass" in message
    assert "\n" not in message
