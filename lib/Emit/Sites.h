//===- Sites.h - Numbered places in the source for run-time messages -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: locations with a text. Out: small numbers that kernels report, and the
// table that turns them back into "f.cpp:7:12" and the text.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_SITES_H
#define COLONNADE_EMIT_SITES_H

#include "Emit/CxxText.h"

namespace colonnade {

class Sites {
public:
  explicit Sites(const SourceMap &sources) : sources_(sources) {}

  uint32_t add(LocId loc, llvm::StringRef what);
  /// "const runtime::detail::access_site sites[] = {…};"
  void print(CxxWriter &out) const;

private:
  const SourceMap &sources_;
  std::map<std::pair<std::string, std::string>, uint32_t> index_;
  std::vector<std::pair<std::string, std::string>> list_;
};

/// A C++ string literal.
std::string quoteCxx(llvm::StringRef text);

} // namespace colonnade

#endif // COLONNADE_EMIT_SITES_H
