//===- Sites.cpp - Numbered places in the source for run-time messages -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Emit/Sites.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace colonnade;

std::string colonnade::quoteCxx(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text)
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else
      result += c;
  return result + "\"";
}

uint32_t Sites::add(LocId loc, llvm::StringRef what) {
  auto key = std::pair(loc.valid() ? sources_.str(loc) : std::string("<unknown>"), what.str());
  auto [place, isNew] = index_.try_emplace(key, uint32_t(list_.size()));
  if (isNew)
    list_.push_back(key);
  return place->second;
}

void Sites::print(CxxWriter &out) const {
  out.open("const runtime::detail::access_site sites[] =");
  for (const auto &[position, what] : list_)
    out.line("{" + quoteCxx(position) + ", " + quoteCxx(what) + "},");
  if (list_.empty())
    out.line("{\"\", \"\"},");
  out.close(";");
}
