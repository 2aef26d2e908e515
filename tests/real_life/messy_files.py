"""Files as they come: currency and percent signs, decimal commas, genes in rows, a table of phenotypes beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fewer.io
from real_life.case import NOISE, TARGET, Answer, Case, Data, Rng, halves, names_of, noise, score

GENES = names_of("gene_", 40)


def currency_and_percent(rng: Rng) -> Data:
    """Prices are written as $1,234.50 and discounts as 12.5 %: numbers all the same, and the result says so."""
    n = 400
    price, discount = np.exp(rng.normal(7, 0.6, n)).round(2), rng.uniform(0, 60, n).round(1)
    fee = rng.uniform(900, 4_000, n).round(2)
    frame = pd.DataFrame({"price": price, "discount": discount, "fee": fee, **noise(rng, n)})
    frame[TARGET] = halves(score(rng, np.log(price), discount))

    def write(folder: Path) -> Path:
        written = frame.assign(
            price=[f"${value:,.2f}" for value in price],
            discount=[f"{value:.1f}%" for value in discount],
            fee=[f"€{value:,.2f}" for value in fee],
        )
        written.to_csv(folder / "shop.csv", index=False)
        return folder / "shop.csv"

    return Data(frame, write=write)


def decimal_commas(rng: Rng) -> Data:
    """A file of a German spreadsheet: 3,14 is a number, 1.234,5 too, and a semicolon ends the cell."""
    n = 400
    a, b = rng.normal(size=(2, n)).round(3)
    turnover = np.exp(rng.normal(8, 0.5, n)).round(1)
    frame = pd.DataFrame({"usage": a, "complaints": b, "turnover": turnover, **noise(rng, n)})
    frame[TARGET] = halves(score(rng, a, b, np.log(turnover)))

    def write(folder: Path) -> Any:
        written = frame.assign(turnover=[f"{v:,.1f}".translate(str.maketrans(",.", ".,")) for v in turnover])
        written.to_csv(folder / "sheet.csv", sep=";", decimal=",", index=False)
        return fewer.io.open_table(folder / "sheet.csv", target=TARGET, sep=";", decimal=",")

    return Data(frame, write=write)


def expression(rng: Rng) -> pd.DataFrame:
    """Return 100 samples of 40 genes, two of which make the status together."""
    X = rng.normal(8, 1, (100, len(GENES))).round(4)
    frame = pd.DataFrame(X, columns=list(GENES), index=[f"GSM{number}" for number in 1_000 + rng.permutation(100)])
    return frame.assign(**{TARGET: halves(score(rng, *X[:, :2].T), ("healthy", "ill"))})


def genes_in_rows(rng: Rng) -> Data:
    """One line per gene and one column per sample; one more line holds the status of the samples."""
    frame = expression(rng)

    def write(folder: Path) -> Any:
        frame.T.to_csv(folder / "genes.csv", index_label="gene")
        return fewer.io.open_table(folder / "genes.csv", target=TARGET, transpose=True)

    return Data(frame.reset_index(drop=True), write=write)


def phenotypes_beside(rng: Rng) -> Data:
    """Genes in rows, and the status in a table of its own with the samples in another order, beside age and sex."""
    frame = expression(rng)
    about = pd.DataFrame({"age": rng.integers(30, 80, 100), "sex": rng.choice(["f", "m"], 100)}, index=frame.index)

    def write(folder: Path) -> Any:
        frame[list(GENES)].T.to_csv(folder / "genes.csv", index_label="gene")
        beside = about.assign(**{TARGET: frame[TARGET]}).sort_index()
        beside.to_csv(folder / "phenotypes.csv", index_label="sample")
        return fewer.io.open_table(
            folder / "genes.csv", target=TARGET, transpose=True, join=folder / "phenotypes.csv", on="sample"
        )

    return Data(about.join(frame).reset_index(drop=True), write=write)


CASES = (
    Case(
        currency_and_percent,
        Answer(
            keep=("price", "discount"),
            noise=("fee", *NOISE),
            words=(r"price[^.;]{0,80}(currency|\$)|(currency|\$)[^.;]{0,80}price", r"percent|%"),
        ),
    ),
    Case(decimal_commas, Answer(keep=("usage", "complaints", "turnover"), noise=NOISE)),
    Case(genes_in_rows, Answer(keep=GENES[:2], noise=GENES[2:])),
    Case(phenotypes_beside, Answer(keep=GENES[:2], noise=("age", "sex", *GENES[2:]))),
)
