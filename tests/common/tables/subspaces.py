"""Clusterers of subspaces."""

# Bins of a grid, not of scores.
OWN_TEXTS = {"bins": ["CLIQUE", "ENCLUS"], "n_neighbors": ["COSA"]}
OWN_TYPES = {"n_neighbors": {"COSA": "None is the square root of the number of rows"}}
OWN_DEFAULTS = {"n_neighbors": ["COSA"], "max_iter": ["COSA"]}
HOMONYMS = {"tol": ["COSA"]}
# The grid of the defaults is made for hundreds of rows. Three blobs of 50 rows need coarse bins, and units that already
# three rows make dense; the two columns of blobs depend on each other by less than chance explains in ten bins.
QUICK = {
    "CLIQUE": {"bins": 6, "density": 0.03},
    "ENCLUS": {"bins": 6, "density": 0.03, "min_interest": 0.1, "max_entropy": 4.0},
}
