"""Sixty-four numbers as one value, and sets of them as the bits of one word.

A loop over single numbers that the compiler might or might not turn into vector instructions becomes a line that always
does. Without the compiler the same lines run on plain arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.kernels._jit import JIT_DISABLED

LANES = 64


def aligned(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Return an array whose rows of 64 numbers do not straddle cache lines; it is not set to anything."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.empty(size + LANES, np.uint8)
    skip = -raw.ctypes.data % LANES
    return raw[skip : skip + size].view(dtype).reshape(shape)


if JIT_DISABLED:

    def _word(truth: np.ndarray) -> np.uint64:
        return np.uint64(sum(1 << at for at in np.flatnonzero(truth).tolist()))

    def load(array: Any, i: int) -> Any:
        """Return the i-th row of an array with rows of 64."""
        return array[i].copy()

    def store(array: Any, i: int, lanes: Any) -> None:
        """Write the i-th row of an array with rows of 64."""
        array[i] = lanes

    def lowest(word: Any) -> int:
        """Return the number of the lowest bit of a word that is not zero."""
        return (int(word) & -int(word)).bit_length() - 1

    def zeros(like: Any) -> Any:
        """Return 64 zeros of the type of the array ``like``."""
        return np.zeros(LANES, like.dtype)

    def widen(lanes: Any, like: Any) -> Any:
        """Return the numbers in the type of the array ``like``."""
        return lanes.astype(like.dtype)

    def plus(lanes: Any, number: Any) -> Any:
        """Add one number to all."""
        return (lanes + number).astype(lanes.dtype)

    def less(lanes: Any, others: Any) -> Any:
        """Return the differences, in the type of both."""
        return lanes - others

    def add(lanes: Any, others: Any) -> Any:
        """Return the sums, in the type of both."""
        return lanes + others

    def largest(lanes: Any) -> Any:
        """Return the largest of the numbers."""
        return lanes.max()

    def smallest(lanes: Any) -> Any:
        """Return the smallest of the numbers."""
        return lanes.min()

    def at_least(lanes: Any, number: Any) -> Any:
        """Return where the numbers are at least ``number``."""
        return _word(lanes >= number)

    def add_within(lanes: Any, spots: Any, start: Any, length: Any, number: Any) -> Any:
        """Add a number where start <= spot < start + length."""
        return (lanes + ((spots >= start) & (spots < start + length)) * number).astype(lanes.dtype)

    def reached(lanes: Any, one: Any, two: Any, like: Any) -> Any:
        """Return how many of two limits each number reaches, in the type of the array ``like``."""
        return (lanes >= one).astype(like.dtype) + (lanes >= two)

    def times(lanes: Any, others: Any) -> Any:
        """Return the products, in the type of both."""
        return lanes * others

    def scaled(lanes: Any, number: Any) -> Any:
        """Multiply all by one number."""
        return (lanes * number).astype(lanes.dtype)
else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, models, register_model

    class Lanes(types.Type):
        """The type of 64 integers that are worked on together."""

        def __init__(self, kind: Any) -> None:
            self.kind = kind
            super().__init__(name=f"Lanes({kind})")

    @register_model(Lanes)
    class _LanesModel(models.PrimitiveModel):
        def __init__(self, manager: Any, lanes: Any) -> None:
            super().__init__(manager, lanes, _vector(lanes))

    _WORD = ir.IntType(64)

    def _vector(lanes: Any) -> Any:
        return ir.VectorType(ir.IntType(lanes.kind.bitwidth), LANES)

    def _spot(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        """Return where a row begins; that rows have 64 numbers is taken for granted, and saves a product."""
        box = context.make_array(kind)(context, builder, args[0])
        rows = builder.bitcast(box.data, _vector(Lanes(kind.dtype)).as_pointer())
        return builder.gep(rows, [args[1]])

    def _splat(builder: Any, vector: Any, number: Any) -> Any:
        """Repeat a number; numbers that are wider than the lanes are cut off."""
        if number.type.width > vector.element.width:
            number = builder.trunc(number, vector.element)
        elif number.type.width < vector.element.width:
            number = builder.sext(number, vector.element)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.IntType(32)(0))
        first = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), first)

    def _none(vector: Any) -> Any:
        return ir.Constant(vector, [0] * LANES)

    @intrinsic
    def load(typingctx: Any, array: Any, i: Any) -> Any:
        """Return the i-th row of an array with rows of 64."""
        lanes = Lanes(array.dtype)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            spot = _spot(context, builder, signature.args[0], args)
            return builder.load(spot, align=array.dtype.bitwidth // 8)

        return lanes(array, types.uintp), codegen

    @intrinsic
    def store(typingctx: Any, array: Any, i: Any, lanes: Any) -> Any:
        """Write the i-th row of an array with rows of 64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            spot = _spot(context, builder, signature.args[0], args)
            builder.store(args[2], spot, align=array.dtype.bitwidth // 8)
            return context.get_dummy_value()

        return types.void(array, types.uintp, lanes), codegen

    @intrinsic
    def lowest(typingctx: Any, word: Any) -> Any:
        """Return the number of the lowest bit of a word that is not zero."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.IntType(1)(1))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def zeros(typingctx: Any, like: Any) -> Any:
        """Return 64 zeros of the type of the array ``like``."""
        lanes = Lanes(like.dtype)
        return lanes(like), lambda context, builder, signature, args: _none(_vector(lanes))

    @intrinsic
    def widen(typingctx: Any, lanes: Any, like: Any) -> Any:
        """Return the numbers in the type of the array ``like``."""
        wide = Lanes(like.dtype)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.sext(args[0], _vector(wide)) if wide.kind.bitwidth > lanes.kind.bitwidth else args[0]

        return wide(lanes, like), codegen

    def _with_number(name: str, doc: str) -> Any:
        def with_number(typingctx: Any, lanes: Any, number: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return getattr(builder, name)(args[0], _splat(builder, _vector(lanes), args[1]))

            return lanes(lanes, number), codegen

        with_number.__doc__ = doc
        return intrinsic(with_number)

    plus = _with_number("add", "Add one number to all.")
    scaled = _with_number("mul", "Multiply all by one number.")

    def _of_two(name: str, doc: str) -> Any:
        def of_two(typingctx: Any, lanes: Any, others: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return getattr(builder, name)(args[0], args[1])

            return lanes(lanes, lanes), codegen

        of_two.__doc__ = doc
        return intrinsic(of_two)

    less = _of_two("sub", "Return the differences, in the type of both.")
    add = _of_two("add", "Return the sums, in the type of both.")
    times = _of_two("mul", "Return the products, in the type of both.")

    def _of_all(name: str, doc: str) -> Any:
        def of_all(typingctx: Any, lanes: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                vector = _vector(lanes)
                full = f"llvm.vector.reduce.{name}.v{LANES}i{vector.element.width}"
                kind = ir.FunctionType(vector.element, [vector])
                return builder.call(cgutils.get_or_insert_function(builder.module, kind, full), [args[0]])

            return lanes.kind(lanes), codegen

        of_all.__doc__ = doc
        return intrinsic(of_all)

    largest = _of_all("smax", "Return the largest of the numbers.")
    smallest = _of_all("smin", "Return the smallest of the numbers.")

    @intrinsic
    def at_least(typingctx: Any, lanes: Any, number: Any) -> Any:
        """Return where the numbers are at least ``number``."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            truth = builder.icmp_signed(">=", args[0], _splat(builder, _vector(lanes), args[1]))
            return builder.bitcast(truth, _WORD)

        return types.uint64(lanes, number), codegen

    @intrinsic
    def add_within(typingctx: Any, lanes: Any, spots: Any, start: Any, length: Any, number: Any) -> Any:
        """Add a number where start <= spot < start + length."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vector, places = _vector(lanes), _vector(spots)
            past = builder.sub(args[1], _splat(builder, places, args[2]))
            # Numbers below the start wrap around and become large.
            truth = builder.icmp_unsigned("<", past, _splat(builder, places, args[3]))
            return builder.add(args[0], builder.select(truth, _splat(builder, vector, args[4]), _none(vector)))

        return lanes(lanes, spots, start, length, number), codegen

    @intrinsic
    def reached(typingctx: Any, lanes: Any, one: Any, two: Any, like: Any) -> Any:
        """Return how many of two limits each number reaches, in the type of the array ``like``."""
        out = Lanes(like.dtype)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            first, second = (
                builder.zext(builder.icmp_signed(">=", args[0], _splat(builder, _vector(lanes), limit)), _vector(out))
                for limit in args[1:3]
            )
            return builder.add(first, second)

        return out(lanes, one, two, like), codegen
