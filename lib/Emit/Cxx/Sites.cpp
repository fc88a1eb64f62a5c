//===- Sites.cpp - Numbered places in the source for run-time messages -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/Sites.h"

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

uint32_t Sites::add(std::string position, llvm::StringRef what) {
  auto [place, isNew] = index_.try_emplace({std::move(position), what.str()}, 0);
  if (isNew && list_.size() < limit_)
    list_.push_back(place->first);
  if (isNew)
    place->second = first_ + uint32_t(list_.size() - 1);
  return place->second;
}
