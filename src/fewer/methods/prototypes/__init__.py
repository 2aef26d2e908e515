"""Few rows and few features for the nearest-neighbour rule."""
