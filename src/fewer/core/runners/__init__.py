"""Where summaries are computed: threads, streamed files, a Dask cluster."""
