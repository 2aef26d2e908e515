"""The one rule for the score if none was named."""

from __future__ import annotations

import pytest

from fewer.core.criteria.default_score import default_score


@pytest.mark.parametrize(
    ("counts", "name", "said"),
    [
        (None, "r2", "numbers"),
        ([80, 20], "accuracy", "no class holds more than 80 %"),
        ([81, 19], "balanced_accuracy", "81 %"),
        ([9996, 4], "balanced_accuracy", "99.9 %"),
        ([8.5, 1.0, 0.5], "balanced_accuracy", "85 %"),
        ([], "accuracy", "no class"),
    ],
)
def test_default_score(counts, name, said) -> None:
    found, words = default_score(counts)
    assert found == name
    assert said in words
