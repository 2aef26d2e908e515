"""From what a user passes, arrays, frames, files or Dask collections, to a view."""
