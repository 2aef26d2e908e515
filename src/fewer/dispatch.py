"""What each contract offers: the one table that the CLI, comparisons, warm-up, docs and common checks ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contract:
    """What users may expect of a method.

    Attributes
    ----------
    name : str
        As the registry names it.
    words : str
        What such a method does, after its name.
    answers : tuple of str
        What a fitted one says of rows, as methods that take X.
    learns : tuple of str
        What a fitted one holds.
    commands : tuple of str
        What takes such a method by name: commands of the CLI, of which "select" and "compare" are functions, too.
    base : str
        Name of the base class of all of them, where there is one; its `contract` is the name of this one.
    """

    name: str
    words: str
    answers: tuple[str, ...]
    learns: tuple[str, ...]
    commands: tuple[str, ...] = ()
    base: str = ""

    @property
    def selects(self) -> bool:
        """Whether such a method is taken wherever features are selected."""
        return "select" in self.commands

    def answer(self, fitted: Any, X: Any) -> dict[str, Any]:
        """Return all that a fitted method says of rows."""
        return {name: getattr(fitted, name)(X) for name in self.answers}


CONTRACTS = {
    contract.name: contract
    for contract in (
        Contract(
            "selector",
            "selects features",
            ("transform",),
            ("selection_", "support_", "ranking_"),
            ("rank", "select", "compare"),
            "BaseSelector",
        ),
        Contract(
            "classifier",
            "is a classifier",
            ("predict",),
            ("classes_",),
            ("classify",),
            "BaseClassifier",
        ),
        Contract("regressor", "is a regressor", ("predict",), (), base="BaseRegressor"),
        Contract("clusterer", "finds groups of rows", (), ("labels_", "clusters_"), ("cluster",), "BaseClusterer"),
        Contract(
            "projector",
            "makes new axes",
            ("transform",),
            ("components_", "selection_"),
            ("project",),
            "BaseProjector",
        ),
        Contract("generator", "makes new features", ("transform",), (), base="BaseGenerator"),
        Contract(
            "acquirer",
            "asks for values to measure",
            (),
            ("selection_", "relevances_", "acquisitions_", "trajectory_"),
            ("acquire",),
            "BaseAcquirer",
        ),
    )
}


def contract_of(made: Any) -> Contract | None:
    """Return the contract that a method of this library, as class or instance, keeps; None for anything else."""
    name = getattr(made, "contract", None)
    return CONTRACTS.get(name) if isinstance(name, str) else None
