"""Clusterers by centres."""

BY_CENTRES = ["WKMeans", "SubspaceKMeans", "EWKMeans", "SYNCLUS", "OptimalWeights", "ConvexKMeans", "PlainKMeans"]

HOMONYMS = {
    # Of redundancy, or a power of weights.
    "standardize": ["WKMeansSelector"],
    "beta": ["MIFS", "SubspaceKMeans", "WKMeans", "WKMeansSelector"],
}
SHARED = {
    "init": (
        '{"k-means++", "random", "first"} or array-like of shape (n_clusters, n_features)',
        "Centres at the start: rows far apart,",
    ),
    "n_init": ("int", "How many descents are made from drawn starts;"),
    "n_clusters": ("int", "Number of clusters."),
}
OWN_TYPES = {
    "gamma": {"EWKMeans": "weighs an entropy"},
    "init": {"WKMeansSelector": "its runs must differ"},
}
OWN_TEXTS = {"gamma": ["EWKMeans"]}
OWN_DEFAULTS = {
    "gamma": ["EWKMeans"],
    # As section 10.4 has it: weights above an equal share.
    "n_features_to_select": ["WKMeansSelector"],
    # So many for every vector of weights on a grid.
    "n_init": ["ConvexKMeans"],
}
QUICK = {
    **{name: {"n_clusters": 3, "n_init": 2} for name in BY_CENTRES},
    "ConvexKMeans": {"n_clusters": 3, "grid_steps": 1},
    "WKMeansSelector": {"n_clusters": 3, "n_init": 2},
}
SPECIAL = {"WKMeansSelector": {"random_state": 0}}
TABLES = {"WKMeansSelector": {"runs": "rows"}}
