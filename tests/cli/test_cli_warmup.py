from __future__ import annotations

import pytest
from cli_examples import call

from fewer import registry
from fewer.cli import warm


def test_warmup_runs_methods_and_says_where(capsys, monkeypatch):
    monkeypatch.setattr(
        registry, "METHODS", tuple(registry.entry(name) for name in ("Chi2", "KendallKNN", "BooleanOrder"))
    )
    answer = call(capsys, "warmup")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("All 3 methods are compiled")
    assert warm.kept_where() in answer.out


def test_warmup_names_what_failed(capsys, monkeypatch):
    def broken(contract, made, parameters, X):
        if made.__name__ == "FTest":
            raise ValueError("no such loop")

    monkeypatch.setattr(registry, "METHODS", tuple(registry.entry(name) for name in ("Chi2", "FTest")))
    monkeypatch.setattr(warm, "fit_once", broken)
    answer = call(capsys, "warmup")
    assert (answer.code, answer.is_one_sentence()) == (1, True)
    assert "1 of 2" in answer.err
    assert "FTest (ValueError: no such loop)" in answer.err


WITHOUT_NUMBERS_OR_TARGET = ("Words", "TextFields", "TwoPassTerms", "Kmers", "FGA", "MDD", "WeightMatrix")


@pytest.mark.parametrize("name", [*WITHOUT_NUMBERS_OR_TARGET, "FeatureDependence"])
def test_warmup_gives_texts_sequences_and_no_target_where_these_are_taken(name):
    made, offers = registry.load(name), registry.entry(name).offers
    for parameters, X in warm.trials(made):
        if parameters.get("discretizer") != "mixture" and parameters.get("bins") is None:
            warm.fit_once(offers, made, parameters, X)


def test_trials_leave_out_what_a_method_refuses():
    found = [parameters for parameters, _ in warm.trials(registry.load("DefaultRecipe"))]
    assert {"discretizer": "quantile"} in found
    assert {"discretizer": "mdl"} not in found


def test_trials_reach_every_discretiser_and_type():
    found = list(warm.trials(registry.load("InformationGain")))
    assert {p.get("discretizer", "quantile") for p, _ in found} == {*warm.DISCRETIZERS, None}
    kinds = {str(X.dtype) for _, X in found}
    assert kinds == {"float64", "float32", "int64"}
    assert any(not hasattr(X, "strides") for _, X in found)
