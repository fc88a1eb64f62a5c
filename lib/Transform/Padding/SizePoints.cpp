//===- SizePoints.cpp - Each value of ranges with each other --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Padding/SizePoints.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;

SizePoints::SizePoints(const SizeRanges &ranges) : ranges_(ranges), points_{{}} {
  for (const auto &[name, range] : ranges) {
    if (range.values() > Most / points_.size()) {
      points_.clear();
      return;
    }
    std::vector<SizePoint> longer;
    for (const SizePoint &point : points_)
      for (int64_t value = range.least; value <= range.most; ++value) {
        longer.push_back(point);
        longer.back()[name] = value;
      }
    points_ = std::move(longer);
  }
}

bool SizePoints::dependsOnRange(const SizeExpr &size) const {
  return llvm::any_of(size.names(), [&](const std::string &name) { return hasRange(name); });
}

bool SizePoints::dependsOnRange(const Polynomial &polynomial, const Affine &affine) const {
  return llvm::any_of(polynomial.names(), [&](const std::string &name) {
    const SizeExpr *atom = affine.findAtom(name);
    return atom ? dependsOnRange(*atom) : hasRange(name);
  });
}

std::optional<SizeRange> SizePoints::extremes(const SizeExpr &size) const {
  std::optional<SizeRange> result;
  for (const SizePoint &point : points_) {
    const std::optional<int64_t> value = size.evaluate(point);
    if (!value)
      return std::nullopt;
    if (!result)
      result = {*value, *value};
    result->least = std::min(result->least, *value);
    result->most = std::max(result->most, *value);
  }
  return result;
}
