"""Slow truths about times until an event: loops over events and pairs of rows, from the page on survival."""

from __future__ import annotations

import numpy as np


def cox_z(x, time, event, ties="efron"):
    """Slope of the partial likelihood at no effect over the root of its information."""
    slope = information = 0.0
    for t in sorted(set(time[event])):
        risk, here = time >= t, event & (time == t)
        d, n = int(here.sum()), int(risk.sum())
        slope += x[here].sum()
        for k in range(d):
            weight = risk - (k / d) * here if ties == "efron" else risk.astype(float)
            mean = (weight * x).sum() / weight.sum()
            spread = (weight * (x - mean) ** 2).sum() / weight.sum()
            slope -= mean
            information += spread * ((n - d) / (n - 1) if ties == "hypergeometric" and n > 1 else 1.0)
            if ties == "hypergeometric" and n == 1:
                information -= spread
    return slope / np.sqrt(information) if information > 1e-12 else 0.0


def harrell(x, time, event):
    """Fraction of pairs whose order in time is known that the values put into this order, equal values half."""
    right = pairs = 0.0
    for i in np.flatnonzero(event):
        for j in range(len(x)):
            if time[i] < time[j] or (time[i] == time[j] and not event[j]):
                pairs += 1
                right += 1.0 if x[i] > x[j] else 0.5 if x[i] == x[j] else 0.0
    return right / pairs if pairs else 0.5
