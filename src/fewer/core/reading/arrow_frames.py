"""Arrow tables as data frames, which share their memory where they can."""

from __future__ import annotations

from typing import Any

from fewer.core.records.errors import InputError, MissingExtraError, said


def frame_of_arrow(X: Any, where: str) -> Any:
    """Return an Arrow table or batch as a frame of polars, or of pandas where that is not installed."""
    try:
        import polars
    except ImportError:
        try:
            return X.to_pandas()
        except ImportError as error:
            raise MissingExtraError(
                f"{where} got an Arrow table, which needs polars or pandas, but neither is installed; run pip install "
                "polars, or pass an array."
            ) from error
    try:
        return polars.from_arrow(_without_wide_decimals(X))
    except polars_errors() as error:
        # Whatever polars does not know yet: unions, runs, types of other programs.
        raise InputError(
            f"{where} got an Arrow table with a column of a type that cannot be read ({said(error)}), but takes "
            "numbers, booleans and text; cast or drop that column."
        ) from error


def polars_errors() -> tuple[type[BaseException], ...]:
    """Return what polars raises, also where it gives up: that is no exception of the usual kind."""
    from polars.exceptions import PanicException

    return (Exception, PanicException)


def _without_wide_decimals(X: Any) -> Any:
    """Return an Arrow table with decimals of 256 bits as floats, on which polars does not fail but break down."""
    import pyarrow as pa

    for j, field in enumerate(X.schema):
        if pa.types.is_decimal256(field.type):
            X = X.set_column(j, field.name, X.column(j).cast(pa.float64()))
    return X
