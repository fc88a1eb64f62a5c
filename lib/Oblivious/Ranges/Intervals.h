//===- Intervals.h - Values between two constants ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function. Out: for an integer value, two constants that it lies between whenever it is
// computed; none where arithmetic could leave its type. Counters of loops with constant ends,
// what is ANDed (`i & 7`) or reduced (`i % 7`), and sums and products of these have some.
// Invariant: the constants hold in every run at every size.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_INTERVALS_H
#define COLONNADE_OBLIVIOUS_INTERVALS_H

#include "IR/Function.h"

#include <map>
#include <optional>

namespace colonnade {

/// The integers from `low` to `high`; neither is beyond 64 signed bits.
struct Interval {
  int64_t low;
  int64_t high;
};

class Intervals {
public:
  explicit Intervals(const ir::Function &function) : function_(function) {}

  std::optional<Interval> of(ValueId id);
  /// How often the body of a For runs, if that is a constant.
  std::optional<uint64_t> iterations(const ir::Op &loop);

private:
  static constexpr unsigned MaxDepth = 32; // of an expression

  std::optional<Interval> compute(ValueId id);
  std::optional<Interval> ofArithmetic(const ir::Op &op);
  std::optional<Interval> ofAnd(const ir::Op &op);
  std::optional<Interval> ofRemainder(const ir::Op &op);
  std::optional<Interval> ofArgument(const ir::Value &value);
  const ir::Value &counter(const ir::Op &loop) const;

  const ir::Function &function_;
  std::map<ValueId, std::optional<Interval>> known_;
  unsigned depth_ = 0;
};

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_INTERVALS_H
