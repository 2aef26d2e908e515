"""Generators of chapter 4: what is computed in the catalogue holds in samples; networks can be read from files."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.graphs.dag import DAG
from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate.shift import linear_shift, network_shift
from fewer.synth import (
    asia_network,
    lung_cancer_network,
    make_asia,
    make_chessboard,
    make_lung_cancer,
    make_network,
    make_simpson,
    make_spouse,
    read_bif,
)
from oracles.independence import partial_correlation


def test_a_spouse_tells_nothing_alone_and_all_beside_the_effect():
    data = make_spouse(20_000, random_state=0)
    y = 2.0 * data.y - 1.0
    assert abs(np.corrcoef(data.X[:, 1], y)[0, 1]) < 0.03
    assert partial_correlation(data.X[:, 1], y, [data.X[:, 0]]) == pytest.approx(-1 / 1.04, abs=0.01)
    assert ((data.X[:, 0] > 0) == data.y).mean() == pytest.approx(0.8366, abs=0.01)
    assert ((data.X[:, 0] - data.X[:, 1] > 0) == data.y).mean() > 0.999


def test_coordinates_of_a_chessboard_tell_nothing_alone():
    data = make_chessboard(20_000, 4, n_irrelevant=1, random_state=0)
    assert max(abs(np.corrcoef(np.floor(column), data.y)[0, 1]) for column in data.X.T) < 0.03
    assert (np.floor(data.X[:, :2]).sum(axis=1) % 2 == data.y).all()
    assert data.edges == ((0, 3), (1, 3))


def test_consequences_of_one_cause_go_together_only_without_it():
    data = make_simpson(20_000, random_state=0)
    assert np.corrcoef(data.X[:, 1], data.y)[0, 1] == pytest.approx(0.8, abs=0.01)
    assert abs(partial_correlation(data.X[:, 1], data.y, [data.X[:, 0]])) < 0.03


def test_relevant_features_of_networks_are_the_blanket_of_their_edges():
    for data in (make_lung_cancer(50, 0), make_asia("tub", 50, 0)):
        graph = DAG.of_edges(data.n_features + 1, data.edges)
        assert graph.blanket(data.n_features) == data.relevant
    assert len(make_lung_cancer(50, 0).relevant) == 8
    assert make_asia("lung", 20, 0).names == ("asia", "smoke", "tub", "bronc", "either", "xray", "dysp")
    turned = make_lung_cancer(50, 0).shuffled(np.random.default_rng(0))
    assert DAG.of_edges(11, turned.edges).blanket(10) == turned.relevant


BIF = """
network unknown { }
variable rain { type discrete [ 2 ] { no, yes }; }
variable wet { type discrete [ 3 ] { dry, damp, wet }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) { (no) 0.7, 0.2, 0.1; (yes) 0.1, 0.2, 0.7; }
"""


def test_a_network_is_read_from_a_file(tmp_path):
    path = tmp_path / "rain.bif"
    path.write_text(BIF)
    network = read_bif(path)
    assert network.probability("wet").tolist() == pytest.approx([0.58, 0.2, 0.22])
    data = make_network(str(path), "rain", 30, random_state=0)
    assert (data.names, data.nominal, data.edges) == (("wet",), (0,), ((1, 0),))
    path.write_text(BIF.replace("(yes) 0.1, 0.2, 0.7;", ""))
    with pytest.raises(InputError, match="no probabilities of 'wet'"):
        read_bif(path)
    with pytest.raises(InputError, match="cannot read"):
        read_bif(tmp_path / "absent.bif")
    with pytest.raises(ParameterError, match="takes a Network, 'asia', 'lung_cancer' or a .bif file"):
        make_network(3)


def test_published_probabilities_of_the_chest_clinic():
    network = asia_network()
    assert network.probability("dysp")[1] == pytest.approx(0.4359706, abs=1e-7)
    assert network.probability("xray")[1] == pytest.approx(0.11029004, abs=1e-7)


CHAIN = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("feature", "shifted", "before", "after"),
    [(0, [4, 1, 4], 1, 1), (2, [4, 1, 4], 2 / 3, 7 / 3), (0, [1, 4, 1], 1, 4), (2, [1, 4, 1], 2 / 3, 1)],
)
def test_causes_withstand_noise_on_features_and_effects_noise_on_the_target(feature, shifted, before, after):
    """Section 4.7, computed in the catalogue; the same in a sample."""
    found = linear_shift(CHAIN, [1, 1, 1], shifted, 1, [feature])
    assert tuple(found) == pytest.approx((before, after))
    rng = np.random.default_rng(0)

    def draw(variances):
        x = rng.normal(size=60_000) * np.sqrt(variances[0])
        y = x + rng.normal(size=60_000) * np.sqrt(variances[1])
        return np.column_stack([x, y, y + rng.normal(size=60_000) * np.sqrt(variances[2])])

    train, test = draw([1, 1, 1]), draw(shifted)
    slope = train[:, feature] @ train[:, 1] / (train[:, feature] @ train[:, feature])
    assert np.mean((test[:, 1] - slope * test[:, feature]) ** 2) == pytest.approx(after, rel=0.03)


def test_a_model_of_causes_withstands_manipulated_effects():
    effects = ["Coughing", "Metastasis", "Biomarker1"]
    found = network_shift(lung_cancer_network(), "LungCancer", effects, n_samples=4000)
    assert found["blanket"][0] > found["causes"][0] + 0.05
    assert abs(found["causes"][1] - found["causes"][0]) < 0.03
    assert found["causes"][1] > found["blanket"][1] + 0.05
    with pytest.raises(InputError, match="as target and as manipulated"):
        network_shift(asia_network(), "lung", ["lung"])
    with pytest.raises(InputError, match="causes before effects"):
        linear_shift([[0, 0], [1, 0]], [1, 1], [1, 1], 0, [1])
