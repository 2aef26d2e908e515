"""Sound measurements that look odd: whole numbers, years, codes, ranks, orders. Nothing may be flagged."""

from __future__ import annotations

import numpy as np
import pandas as pd

from real_life.case import NOISE, TARGET, Answer, Case, Data, Rng, halves, names_of, noise, score

RANKS = names_of("rank_", 12)


def gene_counts(rng: Rng) -> Data:
    """Expression in whole numbers, (nearly) one value per row in most columns: measurements, never identifiers."""
    y = rng.permutation(np.repeat([0, 1], (47, 25)))
    log = rng.normal(8, 0.7, (72, 300)) + rng.normal(0, 1, 300)
    log[:, :10] += 1.6 * y[:, None]
    X = np.exp(log).round().astype(int)
    return Data(pd.DataFrame(X, columns=list(names_of("gene_", 300))).assign(**{TARGET: np.array(["ALL", "AML"])[y]}))


def counts_and_prices(rng: Rng) -> Data:
    """Counts, and prices in whole cents of which hardly two are equal: no identifiers."""
    n = 500
    visits, items = rng.poisson(6, n), rng.poisson(4, n)
    cents = np.exp(rng.normal(8.5, 0.6, n)).round().astype(int)
    frame = {
        "visits": visits,
        "items": items,
        "price_cents": cents,
        "fee_cents": np.exp(rng.normal(9, 0.6, n)).round().astype(int),
        "shipping": rng.integers(2, 20, n) + 0.99,
        **noise(rng, n, 6),
        TARGET: 100 + 20 * score(rng, visits, items, np.log(cents)),
    }
    return Data(pd.DataFrame(frame))


def years(rng: Rng) -> Data:
    """Years are numbers with a meaning, neither dates to leave out nor identifiers."""
    n = 400
    built = rng.integers(1900, 2021, n)
    area = rng.normal(120, 30, n).round()
    frame = {
        "year_built": built,
        "area": area,
        "year_sold": rng.integers(2005, 2021, n),
        "renovated": built + (rng.random(n) * (2021 - built)).astype(int),
        **noise(rng, n),
        TARGET: 200 + 40 * score(rng, built, area),
    }
    return Data(pd.DataFrame(frame))


def postcodes(rng: Rng) -> Data:
    """Codes of 60 areas in five digits; the east, with high numbers, buys more. A code is no identifier of rows."""
    n = 600
    codes = np.sort(rng.choice(np.arange(10_000, 99_999), 60, replace=False))
    postcode, income = rng.choice(codes, n), rng.normal(size=n)
    frame = {"postcode": postcode, "income": income, **noise(rng, n), TARGET: halves(score(rng, postcode, income))}
    return Data(pd.DataFrame(frame))


def zero_inflated(rng: Rng) -> Data:
    """Claims are zero in most rows: such columns hold little, but a third of the rows is far from nearly constant."""
    n = 500
    X = np.where(rng.random((n, 8)) < 0.35, rng.poisson(3, (n, 8)) + 1, 0)
    frame = pd.DataFrame(X, columns=[f"claims_{kind}" for kind in "abcdefgh"])
    return Data(frame.assign(**{TARGET: halves(score(rng, X[:, 0] > 0, X[:, 1] > 0))}))


def ages(rng: Rng) -> Data:
    """Ages in whole years, of persons and things."""
    n = 400
    age, car = rng.integers(18, 91, n), rng.integers(0, 25, n)
    frame = {
        "age": age,
        "age_of_car": car,
        "age_of_house": rng.integers(0, 120, n),
        "years_employed": rng.integers(0, 40, n),
        **noise(rng, n),
        TARGET: halves(score(rng, age, car)),
    }
    return Data(pd.DataFrame(frame))


def rising_sensors(rng: Rng) -> Data:
    """Readings that rise by half a standard deviation over the whole file: neither row counts nor a break."""
    n = 400
    rise = np.linspace(-0.25, 0.25, n)
    warm, press = rng.normal(size=(2, n))
    frame = {
        "temperature": (20 + 2 * (warm + rise)).round(2),
        "pressure": (101_325 + 3_000 * (press + rise)).round().astype(int),
        "flow": (50_000 + 8_000 * (rng.normal(size=n) + rise)).round().astype(int),
        **noise(rng, n),
        TARGET: halves(score(rng, warm, press)),
    }
    return Data(pd.DataFrame(frame))


def ranks(rng: Rng) -> Data:
    """Ranks fill a range without gaps, as row numbers do; twelve columns of the kind are measurements."""
    n = 300
    X = rng.normal(size=(n, 12)).argsort(axis=0).argsort(axis=0) + 1
    frame = pd.DataFrame(X, columns=list(RANKS))
    percent = rng.integers(0, 101, (n, 2))
    frame = frame.assign(percentile_a=percent[:, 0], percentile_b=percent[:, 1])
    return Data(frame.assign(**{TARGET: halves(score(rng, X[:, 0], X[:, 1], percent[:, 0]))}))


def sorted_by_target(rng: Rng) -> Data:
    """Rows sorted by class, as many files are: what predicts differs from top to bottom, which is no drift."""
    y = np.repeat([0, 1, 2], 100)
    x = np.array([[0, 0], [2.5, 0], [0, 2.5]])[y] + rng.normal(size=(300, 2))
    frame = {"length": x[:, 0], "width": x[:, 1], **noise(rng, 300), TARGET: np.array(["one", "three", "two"])[y]}
    return Data(pd.DataFrame(frame))


def log_normal(rng: Rng) -> Data:
    """Concentrations over many powers of ten, all different; large values are no mistakes."""
    n = 400
    log = rng.normal(size=(n, 10))
    X = np.exp(log + np.linspace(-12, 12, 10))
    frame = pd.DataFrame(X, columns=list(names_of("metabolite_", 10)))
    return Data(frame.assign(**{TARGET: halves(score(rng, log[:, 2], log[:, 7]))}))


def names_like_identifiers(rng: Rng) -> Data:
    """Nitrogen dioxide (no2), idle time and the index finger only begin as the names of identifiers do."""
    n = 400
    no2, idle = rng.gamma(4, 10, n), rng.gamma(3, 20_000, n)
    finger = rng.normal(72, 5, n)
    frame = {
        "no2": no2.round().astype(int),
        "idle_time": idle.round().astype(int),
        "index_finger": finger.round(1),
        "paid_amount": np.exp(rng.normal(9, 0.7, n)).round().astype(int),
        "humidity": rng.integers(20, 100, n),
        "sample_rate": rng.choice([8_000, 22_050, 44_100, 48_000], n),
        "valid_votes": rng.integers(1_000, 90_000, n),
        **noise(rng, n, 6),
        TARGET: 10 + 2 * score(rng, no2, idle, finger),
    }
    return Data(pd.DataFrame(frame))


STREAMED = ("memory", "stream")
CASES = (
    Case(
        gene_counts,
        Answer(some=3, of=names_of("gene_", 10), noise=names_of("gene_", 290, 10)),
        runners=("memory", "stream", "dask", "sparse"),
    ),
    Case(
        counts_and_prices,
        Answer(keep=("visits", "items", "price_cents"), noise=("fee_cents", "shipping", *NOISE[:6])),
        runners=STREAMED,
    ),
    Case(years, Answer(keep=("year_built", "area"), noise=("year_sold", *NOISE)), runners=STREAMED),
    Case(postcodes, Answer(keep=("postcode", "income"), noise=NOISE)),
    Case(
        zero_inflated,
        Answer(keep=tuple(f"claims_{k}" for k in "ab"), noise=tuple(f"claims_{k}" for k in "cdefgh")),
        runners=("memory", "sparse"),
    ),
    Case(ages, Answer(keep=("age", "age_of_car"), noise=("age_of_house", "years_employed", *NOISE))),
    Case(rising_sensors, Answer(keep=("temperature", "pressure"), noise=("flow", *NOISE)), runners=STREAMED),
    Case(
        ranks,
        Answer(keep=("rank_0", "rank_1", "percentile_a"), noise=(*RANKS[2:], "percentile_b")),
        runners=STREAMED,
    ),
    Case(sorted_by_target, Answer(keep=("length", "width"), noise=NOISE), runners=("memory", "stream", "dask")),
    Case(
        log_normal,
        Answer(
            keep=("metabolite_2", "metabolite_7"),
            noise=tuple(f"metabolite_{j}" for j in range(10) if j not in (2, 7)),
        ),
    ),
    Case(
        names_like_identifiers,
        Answer(
            keep=("no2", "idle_time", "index_finger"),
            noise=("paid_amount", "humidity", "sample_rate", "valid_votes", *NOISE[:6]),
        ),
        runners=STREAMED,
    ),
)
