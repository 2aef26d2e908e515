"""Makes the built-in data set `clinic`: 360 patients as they come, with what a careful analyst should notice.

    python studies/clinic.py

Age, blood pressure, smoking and two markers decide about recovery. Pressure is there twice, in other units and measured
again; weight is there twice. The number of a patient, the day of admission and the one country tell nothing. A ward is
written down after the outcome is known, so that it gives it away. The others are noise.
"""

from __future__ import annotations

import csv
from datetime import date, timedelta
from pathlib import Path

import numpy as np

PLACE = Path(__file__).parents[1] / "src/fewer/core/reading/io/examples/clinic.csv"
N_ROWS = 360


def made(seed: int = 5) -> dict[str, list]:
    """Return the columns."""
    rng = np.random.default_rng(seed)
    age = np.round(rng.normal(58, 14, N_ROWS).clip(19, 95))
    pressure = np.round(rng.normal(128 + 0.35 * (age - 58), 15))
    smoker = rng.random(N_ROWS) < 0.35
    first, second = rng.gamma(4.0, 1.2, N_ROWS), rng.normal(10.0, 2.0, N_ROWS)
    weight = np.round(rng.normal(76, 13, N_ROWS), 1)
    of_body = 0.05 * (age - 58) + 0.045 * (pressure - 128) + 1.3 * smoker
    sick = of_body + 0.45 * (first - 4.8) + 0.4 * (second - 10) - 0.4
    recovered = rng.random(N_ROWS) < 1.0 / (1.0 + np.exp(1.3 * sick))
    wards = np.where(recovered, "home", rng.choice(["intensive", "rehabilitation"], N_ROWS))
    first_day, days = date(2024, 1, 2), np.sort(rng.integers(0, 500, N_ROWS)).tolist()
    notes = [f"note {i % 7}" if rng.random() < 0.05 else "" for i in range(N_ROWS)]
    return {
        "patient": [f"P{10_000 + number}" for number in rng.permutation(N_ROWS)],
        "admitted": [(first_day + timedelta(days=day)).isoformat() for day in days],
        "country": ["NL"] * N_ROWS,
        "clinic": rng.choice(["north", "south", "east", "west"], N_ROWS).tolist(),
        "age": age.astype(int).tolist(),
        "blood_pressure": pressure.astype(int).tolist(),
        "pressure_kpa": np.round(pressure * 0.133322 + rng.normal(0, 0.08, N_ROWS), 1).tolist(),
        "smoker": np.where(smoker, "yes", "no").tolist(),
        "marker_a": np.round(first, 2).tolist(),
        "marker_b": np.round(second, 2).tolist(),
        "weight": weight.tolist(),
        "weight_again": weight.tolist(),
        "heart_rate": np.round(rng.normal(72, 9, N_ROWS)).astype(int).tolist(),
        "room": rng.integers(1, 41, N_ROWS).tolist(),
        "meals": rng.integers(1, 6, N_ROWS).tolist(),
        "sleep_hours": np.round(rng.normal(7, 1, N_ROWS), 1).tolist(),
        "remark": notes,
        "ward_after": wards.tolist(),
        "recovered": np.where(recovered, "yes", "no").tolist(),
    }


if __name__ == "__main__":
    columns = made()
    with PLACE.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(zip(*columns.values()))
    print(f"{N_ROWS} rows of {len(columns)} columns in {PLACE.name}")
