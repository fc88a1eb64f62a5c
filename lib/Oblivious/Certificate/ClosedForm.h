//===- ClosedForm.h - A number of accesses as a formula ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   accesses of a body ─▶ parts, each under guards ─▶ sum over the loop ─▶ … ─▶ formula
//
// In: how many accesses one iteration of the innermost loop makes, then the loops from the
// innermost out. Out: a SizeExpr over parameters.
//
// A loop that counts from a to b runs max(b - a, 0) iterations, which is no polynomial. So a
// count is a sum of parts, each a polynomial that counts only where its guards are >= 0. Summed
// over the loop around, a guard such as i - 1 >= 0 becomes the start 1 of the sum. A guard without
// counters becomes max(…, 0) in place of the number of iterations: a sum over none is zero.
//
// Invariant: exact wherever no size is negative (Count.h), or nullopt.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_CLOSEDFORM_H
#define COLONNADE_OBLIVIOUS_CLOSEDFORM_H

#include "Oblivious/Ranges/Affine.h"

#include <set>

namespace colonnade {

/// `accesses` where all guards are >= 0, else none.
struct CountedPart {
  std::vector<Polynomial> guards;
  Polynomial accesses;
  friend bool operator==(const CountedPart &, const CountedPart &) = default;
};

/// No two parts have the same guards, and none counts nothing.
using CountedParts = std::vector<CountedPart>;

/// nullopt: there are too many parts, or too large ones.
std::optional<CountedParts> joined(const CountedParts &a, const CountedParts &b);

class ClosedForm {
public:
  /// The ranges of the loops around a place, outermost first; nullopt where the counter is not
  /// affine.
  using Loops = llvm::ArrayRef<std::optional<CounterRange>>;

  ClosedForm(const ir::Function &certificate, Affine &affine);

  /// Over the iterations of a loop whose bounds are `range`, for one whose body runs before the
  /// test with `postTest`.
  std::optional<CountedParts> overLoop(const CountedParts &body, const CounterRange &range,
                                       bool postTest, Loops around);
  /// Counts hold where no `p` is below zero, whatever the counters of the loops around. False: they
  /// may hold nowhere.
  bool assume(const std::vector<Polynomial> &numbers, Loops around);
  /// What assume() could not show.
  std::vector<SizeExpr> where() const;
  /// Of the whole function: no counter is left. Unknown if it is no integer.
  SizeExpr formula(const CountedParts &parts) const;

private:
  std::optional<CountedPart> overPart(const CountedPart &part, const CounterRange &range,
                                      bool postTest, Loops around);
  bool isNeverNegative(const Polynomial &p, Loops around) const;
  bool hasNoNegativeValue(const Polynomial &p, Loops around) const;
  bool isAssumed(const Polynomial &p, Loops around) const;
  bool isSize(const std::string &name) const;
  std::optional<Polynomial> extreme(SizeExpr::Kind kind, const std::vector<Polynomial> &values,
                                    Loops around);
  std::optional<Polynomial> clamped(const Polynomial &p);
  Polynomial inClampAlone(const Polynomial &sum, const Polynomial &clamp,
                          const Polynomial &p) const;
  Polynomial withoutClamps(Polynomial total) const;

  Affine &affine_;
  std::set<std::string> sizes_;
  std::vector<Polynomial> where_;            // taken for >= 0
  std::map<std::string, Polynomial> clamps_; // by the name of max(p, 0): p
};

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_CLOSEDFORM_H
