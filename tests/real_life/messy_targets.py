"""Targets and rows that are not as a textbook has them: rare, many, missing, weighted, in groups, in time, or noise."""

from __future__ import annotations

import numpy as np
import pandas as pd

from real_life.case import NOISE, TARGET, Answer, Case, Data, Rng, halves, names_of, noise, score


def two_percent(rng: Rng) -> Data:
    """Twelve frauds in 600 rows: guessing "no" is right in 98 %, so accuracy says nothing; two columns do."""
    n = 600
    fraud = np.zeros(n, dtype=bool)
    fraud[rng.choice(n, 12, replace=False)] = True
    frame = {"amount": rng.normal(size=n) + 3.5 * fraud, "distance": rng.normal(size=n) + 3.5 * fraud}
    return Data(pd.DataFrame(frame | noise(rng, n) | {TARGET: np.where(fraud, "fraud", "fine")}))


def rare_classes(rng: Rng) -> Data:
    """Four frequent tumours and two of which there are three and two rows: these must not spoil the splits."""
    sizes = (100, 80, 60, 40, 3, 2)
    y = rng.permutation(np.repeat(np.arange(6), sizes))
    centre = 1.6 * np.array([[-1, -1], [-1, 1], [1, -1], [1, 1], [0, 3], [3, 0]])
    x = centre[y] + rng.normal(size=(len(y), 2))
    frame = {"marker_a": x[:, 0], "marker_b": x[:, 1], **noise(rng, len(y)), TARGET: np.array(list("ABCDEF"))[y]}
    return Data(pd.DataFrame(frame), cv=None)


def ratings(rng: Rng) -> Data:
    """Stars from one to five, in questions and target; some questions were left open. Three of ten matter."""
    n = 500
    stars = rng.integers(1, 6, (n, 10)).astype(float)
    total = score(rng, *stars[:, :3].T)
    y = 1 + np.searchsorted(np.quantile(total, [0.2, 0.4, 0.6, 0.8]), total)
    stars[rng.random(stars.shape) < 0.03] = np.nan
    return Data(pd.DataFrame(stars, columns=list(names_of("question_", 10, 1))).assign(**{TARGET: y}))


def booleans(rng: Rng) -> Data:
    """True and False, yes and no, Y and N, some unknown: three of them decide, by majority."""
    n = 400
    three = rng.random((3, n)) < 0.5
    member = np.where(three[2], "Y", "N").astype(object)
    member[rng.choice(n, 12, replace=False)] = None
    frame = {"smoker": three[0], "insured": np.where(three[1], "yes", "no"), "member": member}
    frame |= {f"flag_{j}": rng.random(n) < 0.4 for j in range(5)}
    frame |= {f"answer_{j}": np.where(rng.random(n) < 0.3, "yes", "no") for j in range(3)}
    return Data(pd.DataFrame(frame | {TARGET: score(rng, *three) > 0}))


def time_order(rng: Rng) -> Data:
    """Hourly rows in their order: the hour is a date, the step a count of the rows; temperature and load predict."""
    n = 480
    hour = np.arange(n)
    temperature = 10 + 5 * np.sin(2 * np.pi * hour / 24) + 2 * rng.normal(size=n)
    load = rng.normal(size=n)
    frame = {
        "when": pd.Timestamp("2024-03-01") + pd.to_timedelta(hour, unit="h"),
        "step": hour + 1,
        "temperature": temperature,
        "load_before": load,
        **noise(rng, n),
        TARGET: score(rng, temperature, load),
    }
    return Data(pd.DataFrame(frame), cv="time:5")


def groups(rng: Rng) -> Data:
    """Seventy patients with five visits each, one diagnosis per patient: visits of one patient stay together."""
    patient = np.repeat(np.arange(70), 5)
    n, level = len(patient), rng.normal(size=(2, 70))
    y = halves(score(rng, *level, error=0.1))[patient]
    a, b = level[:, patient] + 0.2 * rng.normal(size=(2, n))
    shuffled = rng.permutation(n)
    frame = pd.DataFrame({"pressure": a, "stage": b, **noise(rng, n), TARGET: y}).iloc[shuffled]
    return Data(frame.reset_index(drop=True), rows={"groups": patient[shuffled]})


def weights(rng: Rng) -> Data:
    """Half of the rows have weight zero, and only in these does the column "void" tell the target."""
    n = 600
    a, b, void = rng.normal(size=(3, n))
    weight = rng.permutation(np.repeat([0.0, 1.0], n // 2))
    y = halves(np.where(weight > 0, score(rng, a, b), 2 * void))
    frame = {"usage": a, "complaints": b, "void": void, **noise(rng, n), TARGET: y}
    return Data(pd.DataFrame(frame), rows={"sample_weight": weight})


def twenty_classes(rng: Rng) -> Data:
    """Twenty classes of twenty rows, on a grid of two measurements: one alone tells five, or four, of them apart."""
    y = rng.permutation(np.repeat(np.arange(20), 20))
    n = len(y)
    length, width = y // 4 + 0.3 * rng.normal(size=n), y % 4 + 0.3 * rng.normal(size=n)
    frame = {"length": length, "width": width, **noise(rng, n), TARGET: [f"kind {number:02d}" for number in y]}
    return Data(pd.DataFrame(frame))


def wide(rng: Rng) -> Data:
    """Sixty rows and 1,500 columns, eight of which differ between the classes by two standard deviations."""
    n, p = 60, 1_500
    y = rng.permutation(np.repeat([0, 1], n // 2))
    X = rng.normal(size=(n, p))
    X[:, :8] += 2.0 * y[:, None]
    frame = pd.DataFrame(X, columns=list(names_of("gene_", p)))
    return Data(frame.assign(**{TARGET: np.array(["healthy", "ill"])[y]}))


def all_noise(rng: Rng) -> Data:
    """Nothing here has to do with the target; the answer is that nothing is better than a guess, and none is kept."""
    n = 200
    frame = pd.DataFrame(noise(rng, n, 24))
    for j in range(4):
        frame[f"level_{j}"] = rng.choice(list("abcd"), n)
    return Data(frame.assign(**{TARGET: rng.permutation(np.repeat(["no", "yes"], n // 2))}))


def target_missing(rng: Rng) -> Data:
    """Of 37 of 400 rows the target is unknown; these are left out, and it is said how many."""
    n = 400
    a, b = rng.normal(size=(2, n))
    y = halves(score(rng, a, b), ("well", "ill")).astype(object)
    y[rng.choice(n, 37, replace=False)] = None
    return Data(pd.DataFrame({"pressure": a, "stage": b, **noise(rng, n), TARGET: y}))


STREAMED = ("memory", "stream")
CASES = (
    Case(
        two_percent,
        Answer(some=1, of=("amount", "distance"), noise=NOISE, words=("balanced",)),
        runners=("memory", "stream", "dask"),
    ),
    Case(rare_classes, Answer(keep=("marker_a", "marker_b"), noise=NOISE), runners=STREAMED),
    Case(
        ratings,
        Answer(keep=names_of("question_", 3, 1), noise=names_of("question_", 7, 4)),
        runners=STREAMED,
    ),
    Case(
        booleans,
        Answer(keep=("smoker", "insured", "member"), noise=(*names_of("flag_", 5), *names_of("answer_", 3))),
        runners=STREAMED,
    ),
    Case(
        time_order,
        Answer(keep=("temperature", "load_before"), noise=NOISE, findings={"when": "date", "step": "identifier"}),
    ),
    Case(groups, Answer(keep=("pressure", "stage"))),
    Case(weights, Answer(keep=("usage", "complaints"), leave=("void",), noise=NOISE), runners=STREAMED),
    Case(twenty_classes, Answer(keep=("length", "width"), noise=NOISE), runners=STREAMED),
    Case(
        wide, Answer(some=3, of=names_of("gene_", 8), noise=names_of("gene_", 1_492, 8)), runners=("memory", "stream")
    ),
    Case(
        all_noise,
        Answer(nothing=True, noise=(*names_of("n", 24), *names_of("level_", 4)), words=("guess",)),
        runners=STREAMED,
    ),
    Case(
        target_missing,
        Answer(keep=("pressure", "stage"), noise=NOISE, words=(r"\b37\b[^.;]{0,40}\b(rows?|missing|target)\b",)),
        runners=STREAMED,
    ),
)
