//===- LoopEnd.h - Whether a counted loop ends by its counter ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a counted loop ends by its counter. A loop that data may leave runs its full
// uniform trip count in the predicated programme, also where the sequential one never
// would: i <= n does not end if n is the largest value of its type.
//
// In: a For with uniform counter, bound and step. Out: whether it ends, and where the
// types do not show it a condition on uniform values, which the certificate checks
// at the concrete ones.
// Invariant: under `Always`, or where the condition holds, the loop ends without
// wrapping past its bound. The condition may fail for sizes at the end of a
// type's range at which the loop would end nevertheless.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_LOOPEND_H
#define COLONNADE_OBLIVIOUS_LOOPEND_H

#include "IR/Builder.h"

namespace colonnade {

enum class LoopEnd {
  Always,  // for (int i = 0; i < n; i++)
  Checked, // for (int i = 0; i <= n; i++): where n < INT_MAX
  Never,   // for (unsigned i = n; i >= 0; i--)
};

/// How often a For runs at most, whatever its start and bound; nullopt: not shown.
std::optional<uint64_t> mostCounted(const ir::Function &function, const ir::Op &loop);

LoopEnd loopEnd(const ir::Function &function, const ir::Op &loop);

/// For a loop that is `Checked`: appends the condition; `low`, `high` and `step`
/// are its operands where the builder stands.
ValueId endCondition(ir::Builder &builder, const ir::Function &function, const ir::Op &loop,
                     ValueId low, ValueId high, ValueId step);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_LOOPEND_H
