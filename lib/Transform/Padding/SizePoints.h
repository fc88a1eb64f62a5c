//===- SizePoints.h - Each value of ranges with each other ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: ranges of sizes. Out: the sizes of every call that they allow, and the least and the largest
// value of an expression among them. Invariant: all are looked at, whatever the expression.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PADDING_SIZEPOINTS_H
#define COLONNADE_TRANSFORM_PADDING_SIZEPOINTS_H

#include "Oblivious/Ranges/Affine.h"
#include "Support/SizeRange.h"

namespace colonnade {

using SizePoint = std::map<std::string, int64_t>;

class SizePoints {
public:
  static constexpr uint64_t Most = 4096;
  /// Empty: there are more than Most.
  explicit SizePoints(const SizeRanges &ranges);

  const std::vector<SizePoint> &all() const { return points_; }
  bool hasRange(const std::string &name) const { return ranges_.count(name) != 0; }
  bool dependsOnRange(const SizeExpr &size) const;
  /// Also by the atoms of it.
  bool dependsOnRange(const Polynomial &polynomial, const Affine &affine) const;

  /// nullopt: it cannot be computed everywhere.
  std::optional<SizeRange> extremes(const SizeExpr &size) const;

private:
  SizeRanges ranges_;
  std::vector<SizePoint> points_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PADDING_SIZEPOINTS_H
