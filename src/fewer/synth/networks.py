"""Samples of Bayesian networks, of which the causal graph is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fewer.core.graphs.network import Network
from fewer.core.records.errors import ParameterError
from fewer.synth.bif import read_bif
from fewer.synth.checks import counts, generator
from fewer.synth.synthetic import Synthetic


def lung_cancer_network() -> Network:
    """Return the network of figure 4.2 of the book, with probabilities of our own: the figure prints none."""
    return Network.of(
        {
            "Anxiety": ((), [0.6, 0.4]),
            "Smoking": (("Anxiety",), [[0.75, 0.25], [0.25, 0.75]]),
            "GeneticFactor1": ((), [0.75, 0.25]),
            "OtherCancers": (("GeneticFactor1",), [[0.9, 0.1], [0.4, 0.6]]),
            "Allergy": ((), [0.6, 0.4]),
            "HormonalFactor": ((), [0.65, 0.35]),
            "Biomarker2": ((), [0.5, 0.5]),
            "LungCancer": (
                ("Smoking", "GeneticFactor1"),
                [[[0.95, 0.05], [0.6, 0.4]], [[0.6, 0.4], [0.15, 0.85]]],
            ),
            "Coughing": (("LungCancer", "Allergy"), [[[0.9, 0.1], [0.4, 0.6]], [[0.3, 0.7], [0.05, 0.95]]]),
            "Metastasis": (("LungCancer", "HormonalFactor"), [[[0.98, 0.02], [0.95, 0.05]], [[0.7, 0.3], [0.2, 0.8]]]),
            "Biomarker1": (("LungCancer", "Biomarker2"), [[[0.95, 0.05], [0.6, 0.4]], [[0.5, 0.5], [0.05, 0.95]]]),
        }
    )


def asia_network() -> Network:
    """Return the network of a chest clinic of Lauritzen and Spiegelhalter (1988); level 1 is yes."""
    return Network.of(
        {
            "asia": ((), [0.99, 0.01]),
            "smoke": ((), [0.5, 0.5]),
            "tub": (("asia",), [[0.99, 0.01], [0.95, 0.05]]),
            "lung": (("smoke",), [[0.99, 0.01], [0.9, 0.1]]),
            "bronc": (("smoke",), [[0.7, 0.3], [0.4, 0.6]]),
            "either": (("tub", "lung"), [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]),
            "xray": (("either",), [[0.95, 0.05], [0.02, 0.98]]),
            "dysp": (("bronc", "either"), [[[0.9, 0.1], [0.3, 0.7]], [[0.2, 0.8], [0.1, 0.9]]]),
        }
    )


KNOWN = {"asia": asia_network, "lung_cancer": lung_cancer_network}


def make_network(
    network: Any = "asia", target: str | None = None, n_samples: int = 1000, random_state: Any = None
) -> Synthetic:
    """Draw rows of a Bayesian network, of which one node is the target.

    The relevant features are the Markov blanket of the target: its parents, its children and their other parents.
    ``edges`` holds the whole graph.

    Parameters
    ----------
    network : Network, str or path, default="asia"
        The network, "asia" or "lung_cancer", or a .bif file.
    target : str, optional
        The node to predict; the last one if None.
    n_samples : int, default=1000
        Number of rows.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    Examples
    --------
    >>> from fewer.synth import asia_network, make_network
    >>> data = make_network(asia_network(), "lung", 100, random_state=0)
    >>> [data.names[j] for j in data.relevant]
    ['smoke', 'tub', 'either']
    """
    if isinstance(network, str) and network in KNOWN:
        network = KNOWN[network]()
    if isinstance(network, (str, Path)):
        network = read_bif(network)
    if not isinstance(network, Network):
        raise ParameterError(
            f"make_network got network={network!r}, but takes a Network, {', '.join(map(repr, KNOWN))} or a .bif file; "
            "pass one of them."
        )
    return _drawn("make_network", network, target, n_samples, random_state)


def _drawn(where: str, network: Network, target: str | None, n_samples: int, random_state: Any) -> Synthetic:
    """Draw rows, and name the blanket of the target."""
    counts(where, 1, n_samples=n_samples)
    y = network.number(network.n_nodes - 1 if target is None else target)
    rows = network.sample(n_samples, generator(where, random_state))
    others = [node for node in range(network.n_nodes) if node != y]
    # The target is the node behind the last feature.
    place = {node: j for j, node in enumerate([*others, y])}
    edges = [(place[p], place[node]) for node, parents in enumerate(network.graph.parents) for p in parents]
    nominal = tuple(j for j, node in enumerate(others) if network.n_levels[node] > 2)
    return Synthetic(
        rows[:, others],
        rows[:, y],
        tuple(network.names[node] for node in others),
        tuple(sorted(place[node] for node in network.graph.blanket(y))),
        description=f"A Bayesian network of {network.n_nodes} nodes; the target is {network.names[y]}.",
        nominal=nominal,
        edges=tuple(sorted(edges)),
    )


def make_lung_cancer(n_samples: int = 1000, random_state: Any = None) -> Synthetic:
    """Make causes and effects of lung cancer: a blanket of eight features, a grandparent and a sibling outside it.

    Smoking and GeneticFactor1 are causes, Coughing, Metastasis and Biomarker1 effects, Allergy, HormonalFactor and
    Biomarker2 spouses, the other causes of these effects. Anxiety causes Smoking, OtherCancers come from
    GeneticFactor1.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 4.2.
    """
    return _drawn("make_lung_cancer", lung_cancer_network(), "LungCancer", n_samples, random_state)


def make_asia(target: str = "lung", n_samples: int = 1000, random_state: Any = None) -> Synthetic:
    """Make the patients of a chest clinic: eight yes-or-no nodes, one of them an exact function of two others.

    Parameters
    ----------
    target : str, default="lung"
        The node to predict: asia, smoke, tub, lung, bronc, either, xray or dysp.
    n_samples : int, default=1000
        Number of rows.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] S. L. Lauritzen and D. J. Spiegelhalter, "Local computations with probabilities on graphical structures and
       their application to expert systems", Journal of the Royal Statistical Society B 50, 1988.
    """
    return _drawn("make_asia", asia_network(), target, n_samples, random_state)
