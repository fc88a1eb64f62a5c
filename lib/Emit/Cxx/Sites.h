//===- Sites.h - Numbered places in the source for run-time messages --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: locations with a text. Out: small numbers that kernels report, and the list that
// turns them back into a position and the text.
// Invariant: one number for one position and text; beyond the limit all share the last.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_SITES_H
#define COLONNADE_EMIT_CXX_SITES_H

#include "Emit/Cxx/CxxText.h"

namespace colonnade {

class Sites {
public:
  struct Site {
    std::string position; // "f.cpp:7:12"
    std::string what;     // "an address lies outside b"
    auto operator<=>(const Site &) const = default;
  };

  /// Numbers begin with `first`; sites beyond the limit have that of the last.
  explicit Sites(size_t limit = UINT32_MAX, uint32_t first = 0) : limit_(limit), first_(first) {}

  uint32_t add(std::string position, llvm::StringRef what);
  const std::vector<Site> &list() const { return list_; }

private:
  size_t limit_;
  uint32_t first_;
  std::map<Site, uint32_t> index_;
  std::vector<Site> list_;
};

/// A C++ string literal.
std::string quoteCxx(llvm::StringRef text);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_SITES_H
