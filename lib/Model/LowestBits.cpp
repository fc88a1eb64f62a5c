//===- LowestBits.cpp - i & -i of counters --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/LowestBits.h"

#include <bit>

namespace colonnade::model {

static int zerosBelow(int64_t number) { return std::countr_zero(static_cast<uint64_t>(number)); }

/// Modulo 2^64, of an odd number: each step doubles the bits that are right.
static uint64_t inverseOf(uint64_t odd) {
  uint64_t inverse = odd; // three bits
  for (int bits = 3; bits < 64; bits *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

/// Without the bits that are 0 in every iteration.
std::vector<StridedPart> lowestBitParts(int64_t base, int64_t coefficient, int64_t iterations) {
  const int common = std::min(zerosBelow(coefficient), base ? zerosBelow(base) : 64);
  const int64_t start = base >> common, each = coefficient >> common;
  std::vector<StridedPart> parts;
  int64_t left = iterations;
  if (each % 2 == 0) // the lowest bit is the base's
    return {{0, 1, iterations}};
  const uint64_t inverse = inverseOf(static_cast<uint64_t>(each));
  for (int bit = 0; bit < 62 && left > 0; ++bit) {
    const uint64_t stride = uint64_t(2) << bit;
    const uint64_t first =
        inverse * ((uint64_t(1) << bit) - static_cast<uint64_t>(start)) & (stride - 1);
    if (first >= static_cast<uint64_t>(iterations))
      continue;
    const auto count =
        static_cast<int64_t>((static_cast<uint64_t>(iterations) - first + stride - 1) / stride);
    parts.push_back({static_cast<int64_t>(first), static_cast<int64_t>(stride), count});
    left -= count;
  }
  if (left > 0) // 0 itself has no bit
    parts.push_back({-start / each, 1, 1});
  return parts;
}

static bool isNegative(const LinearValue &a, const LinearValue &b) {
  if (ir::asInt64(a.scalar) == INT64_MIN || ir::asInt64(a.scalar) != -ir::asInt64(b.scalar))
    return false;
  const auto isOpposite = [](const auto &pair) {
    const auto &[term, other] = pair;
    return term.first == other.first && term.second != INT64_MIN && term.second == -other.second;
  };
  return std::distance(a.terms.begin(), a.terms.end()) ==
             std::distance(b.terms.begin(), b.terms.end()) &&
         llvm::all_of(llvm::zip(a.terms, b.terms), isOpposite);
}

std::optional<LinearValue> lowestBit(ir::ScalarType type, const LinearValue &a,
                                     const LinearValue &b, const LoopCounts &loops,
                                     LoopRequests *requests) {
  if (a.kind != LinearValue::Kind::Linear || b.kind != LinearValue::Kind::Linear ||
      a.terms.empty() || !isNegative(a, b))
    return std::nullopt;
  const int64_t base = ir::asInt64(a.scalar);
  const auto isHigher = [&](const LoopTerms::Term &term) {
    return base != 0 && zerosBelow(base) < zerosBelow(term.second);
  };
  if (llvm::all_of(a.terms, isHigher))
    return LinearValue::of(ir::makeInt(type, base & -base));
  const auto [loop, coefficient] = *a.terms.begin();
  if (requests && std::next(a.terms.begin()) == a.terms.end() && loop >= loops.symbols)
    requests->lowest.push_back({loop, coefficient, base});
  return std::nullopt;
}

} // namespace colonnade::model
