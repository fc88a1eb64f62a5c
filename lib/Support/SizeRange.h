//===- SizeRange.h - Sizes from one to another ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--size n=1..32`: the values that a scalar may have, both ends included.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_SIZERANGE_H
#define COLONNADE_SUPPORT_SIZERANGE_H

#include <cstdint>
#include <map>
#include <string>

namespace colonnade {

struct SizeRange {
  int64_t least = 0, most = 0;

  bool isOne() const { return least == most; }
  /// More than one value: there is none below the least.
  uint64_t values() const { return static_cast<uint64_t>(most) - static_cast<uint64_t>(least) + 1; }
  friend bool operator==(const SizeRange &, const SizeRange &) = default;
};

/// "1..32", or "32" of one value.
inline std::string str(const SizeRange &range) {
  const std::string least = std::to_string(range.least);
  return range.isOne() ? least : least + ".." + std::to_string(range.most);
}

/// By the scalar's name.
using SizeRanges = std::map<std::string, SizeRange>;

} // namespace colonnade

#endif // COLONNADE_SUPPORT_SIZERANGE_H
