"""Columns that should not be trusted: identifiers, indexes, leaks, copies, dates, drift and the like."""

from __future__ import annotations

import numpy as np
import pandas as pd

from real_life.case import NOISE, TARGET, Answer, Case, Data, Rng, halves, noise, score


def identifiers(rng: Rng) -> Data:
    """Numbers and texts that are different in every row name the customers; they say nothing about new customers.

    The rows are in no order, so that only names and differences tell.
    """
    n = 400
    a, b = rng.normal(size=(2, n))
    uuid = ["-".join(f"{x:08x}" for x in rng.integers(0, 2**32, 4)) for _ in range(n)]
    frame = {
        "customer_id": rng.choice(np.arange(10_000, 99_999), n, replace=False),
        "uuid": uuid,
        "sample": [f"S{number:04d}" for number in rng.permutation(n)],
        "usage": a,
        "complaints": b,
        **noise(rng, n),
    }
    return Data(pd.DataFrame(frame | {TARGET: halves(score(rng, a, b))}))


def index_column(rng: Rng) -> Data:
    """The index of a frame that was sorted by the target and saved: perfect on these rows, and worth nothing.

    It is an identifier (it counts the rows); that it predicts follows from the order of the rows.
    """
    n = 400
    a, b = rng.normal(size=(2, n))
    frame = pd.DataFrame({"usage": a, "complaints": b, **noise(rng, n), TARGET: halves(score(rng, a, b))})
    frame = frame.sort_values(TARGET, kind="stable", ignore_index=True)
    frame.insert(0, "Unnamed: 0", np.arange(n))
    return Data(frame)


def leaks(rng: Rng) -> Data:
    """What was recovered and how the loan ended is known only after the default that is to be predicted.

    Both are flagged and stay in unless the user says drop="leaks"; what is left then are income and debt.
    """
    n = 400
    a, b = rng.normal(size=(2, n))
    y = halves(score(rng, a, -b))
    late = y == "yes"
    status = np.where(late, "written off", "closed").astype(object)
    status[np.flatnonzero(late)[0]] = "closed"
    frame = {
        "income": a,
        "debt": b,
        "recovered": np.where(late, np.exp(rng.normal(6, 1, n)).round(2), 0.0),
        "status": status,
        **noise(rng, n),
        TARGET: y,
    }
    return Data(pd.DataFrame(frame))


def leak_of_numbers(rng: Rng) -> Data:
    """The price in another currency is the target itself; area and age are what a price can be predicted from."""
    n = 400
    area, age = rng.normal(120, 30, n), rng.uniform(0, 60, n)
    price = 200_000 + 50_000 * score(rng, area, -age, error=0.6)
    frame = {"area": area, "age": age, "price_eur": (0.92 * price).round(2), **noise(rng, n), TARGET: price}
    return Data(pd.DataFrame(frame))


def missing_tells(rng: Rng) -> Data:
    """The score of the follow-up is missing exactly where the patient died: its absence gives the target away."""
    n = 400
    a, b = rng.normal(size=(2, n))
    risk = score(rng, a, b)
    y = np.where(risk > np.quantile(risk, 0.6), "dead", "alive")
    follow_up = np.where(y == "dead", np.nan, rng.normal(50, 10, n))
    return Data(pd.DataFrame({"pressure": a, "stage": b, "follow_up": follow_up, **noise(rng, n), TARGET: y}))


def copies(rng: Rng) -> Data:
    """A copy of a useful column is redundant to it, a copy of noise is a copy, and one value says nothing.

    The near twin of a useful column may be kept or not, but is no exact copy.
    """
    n = 400
    a, b = rng.normal(size=(2, n))
    more = noise(rng, n)
    frame = {
        "income": a,
        "spending": b,
        "country": np.full(n, "DE"),
        "income_again": a,
        "version": np.full(n, 3),
        "spending_twin": b + 0.1 * rng.normal(size=n),
        **more,
        "n0_again": more["n0"],
        "income_final": a,
    }
    return Data(pd.DataFrame(frame | {TARGET: halves(score(rng, a, b))}))


def empty_columns(rng: Rng) -> Data:
    """Columns with a value in one row of 20, or with another value in one or two rows of 500, deserve a note."""
    n = 500
    a, b = rng.normal(size=(2, n))
    few = rng.permutation(n)
    fax, nickname = rng.normal(size=n), rng.choice(["Al", "Bo", "Cy"], n).astype(object)
    fax[few[20:]] = np.nan
    nickname[few[:475]] = None
    test_account, currency = np.zeros(n, dtype=int), np.full(n, "EUR", dtype=object)
    test_account[few[7]] = 1
    currency[few[:2]] = "USD"
    frame = {"usage": a, "complaints": b, "fax": fax, "nickname": nickname, "test_account": test_account}
    frame |= {"currency": currency, **noise(rng, n), TARGET: halves(score(rng, a, b))}
    return Data(pd.DataFrame(frame))


def drift(rng: Rng) -> Data:
    """A sensor was replaced half way and reads five standard deviations higher since; the target did not change."""
    n = 400
    a, b = rng.normal(size=(2, n))
    sensor = 20 + rng.normal(size=n) + 5 * (np.arange(n) >= n // 2)
    frame = {"pressure": a, "speed": b, "sensor": sensor, **noise(rng, n), TARGET: halves(score(rng, a, b))}
    return Data(pd.DataFrame(frame))


def dates(rng: Rng) -> Data:
    """Dates, as such or as text, are left out with a note; expanded, the month of the order tells much."""
    n = 500
    a, b = rng.normal(size=(2, n))
    day = pd.Timestamp("2021-01-01")
    ordered = day + pd.to_timedelta(rng.integers(0, 3 * 365, n), unit="D")
    visited = day + pd.to_timedelta(rng.integers(0, 3 * 365 * 24, n), unit="h")
    late = np.where(np.asarray(ordered.month) >= 7, 1.0, -1.0)
    frame = {
        "usage": a,
        "complaints": b,
        "ordered": ordered,
        "visited": visited.strftime("%Y-%m-%d %H:%M:%S"),
        **noise(rng, n),
        TARGET: halves(score(rng, a, b) + 0.8 * late),
    }
    return Data(pd.DataFrame(frame))


def text_columns(rng: Rng) -> Data:
    """Five columns of text: city and channel matter, jobs, products and surnames do not, orders have names."""
    n = 600
    city, channel = rng.integers(0, 8, n), rng.integers(0, 3, n)
    amount = rng.gamma(2.0, 50.0, n)
    frame = {
        "city": np.array(["Aachen", "Bonn", "Celle", "Dresden", "Essen", "Fulda", "Gera", "Halle"])[city],
        "channel": np.array(["shop", "phone", "web"])[channel],
        "job": [f"job {number}" for number in rng.integers(0, 150, n)],
        "product": [f"product {number}" for number in rng.integers(0, 40, n)],
        "surname": [f"name {number}" for number in rng.integers(0, 300, n)],
        "order_no": [f"A-{number}" for number in rng.choice(90_000, n, replace=False) + 10_000],
        "amount": amount,
        **noise(rng, n, 4),
    }
    good = np.where(np.isin(city, [0, 3, 4, 6]), 1.0, -1.0)
    return Data(pd.DataFrame(frame | {TARGET: halves(score(rng, good, channel, amount))}))


USAGE = {"keep": ("usage", "complaints"), "noise": NOISE}
EVERYWHERE = ("memory", "stream", "dask")
CASES = (
    Case(
        identifiers,
        Answer(**USAGE, findings=dict.fromkeys(("customer_id", "uuid", "sample"), "identifier")),
        runners=EVERYWHERE,
    ),
    Case(index_column, Answer(**USAGE, findings={"Unnamed: 0": "identifier"}), runners=EVERYWHERE),
    Case(
        leaks,
        Answer(
            some=1, of=("recovered", "status"), findings={"recovered": "leak", "status": "leak"}, words=("without",)
        ),
        honest=Answer(keep=("income", "debt"), leave=("recovered", "status"), noise=NOISE),
        runners=EVERYWHERE,
    ),
    Case(
        leak_of_numbers,
        Answer(keep=("price_eur",), findings={"price_eur": "leak"}, words=("without",)),
        honest=Answer(keep=("area", "age"), leave=("price_eur",), noise=NOISE),
        runners=("memory", "stream"),
    ),
    Case(
        missing_tells,
        Answer(findings={"follow_up": "leak"}, words=("without",)),
        honest=Answer(keep=("pressure", "stage"), leave=("follow_up",), noise=NOISE),
        runners=("memory", "stream"),
    ),
    Case(
        copies,
        Answer(
            keep=("income",),
            some=1,
            of=("spending", "spending_twin"),
            noise=NOISE,
            findings={
                "income_again": "duplicate",
                "income_final": "duplicate",
                "n0_again": "duplicate",
                "country": "constant",
                "version": "constant",
            },
            twins={"income_again": "income", "income_final": "income"},
        ),
        runners=EVERYWHERE,
    ),
    Case(
        empty_columns,
        Answer(
            **USAGE,
            leave=("fax", "nickname", "test_account", "currency"),
            findings={
                "fax": "mostly missing",
                "nickname": "mostly missing",
                "test_account": "near-constant",
                "currency": "near-constant",
            },
        ),
        runners=("memory", "stream"),
    ),
    Case(
        drift,
        Answer(keep=("pressure", "speed"), leave=("sensor",), noise=NOISE, findings={"sensor": "drift"}),
        runners=("memory", "stream"),
    ),
    Case(dates, Answer(**USAGE, findings={"ordered": "date", "visited": "date"}), runners=("memory", "stream")),
    Case(
        text_columns,
        Answer(
            keep=("city", "channel", "amount"),
            noise=("job", "product", "surname", *NOISE[:4]),
            findings={"order_no": "identifier"},
        ),
        runners=("memory", "stream"),
    ),
)
