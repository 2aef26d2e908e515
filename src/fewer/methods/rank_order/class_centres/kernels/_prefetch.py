"""A hint to the processor: this memory will be read soon."""

from __future__ import annotations

from typing import Any

from fewer.core.kernels._jit import JIT_DISABLED

if JIT_DISABLED:

    def prefetch(array: Any, i: int, j: int) -> None:
        """Do nothing: a hint changes no result."""
else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(typingctx: Any, array: Any, i: Any, j: Any) -> Any:
        """Fetch the cache line of ``array[i, j]``, an array of two dimensions, before it is needed."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = signature.args[0]
            box = context.make_array(kind)(context, builder, args[0])
            spot = cgutils.get_item_pointer(context, builder, kind, box, [args[1], args[2]], wraparound=False)
            byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
            hint = builder.module.declare_intrinsic(
                "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            )
            # For reading, to be kept in all caches, as data.
            builder.call(hint, [builder.bitcast(spot, byte), word(0), word(3), word(1)])
            return context.get_dummy_value()

        return types.void(array, types.intp, types.intp), codegen
