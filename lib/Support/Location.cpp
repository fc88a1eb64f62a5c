//===- Location.cpp - Interning of source positions -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Location.h"

namespace colonnade {

uint32_t SourceMap::internFile(const std::string &path) {
  auto [it, inserted] = fileIndex_.try_emplace(path, files_.size());
  if (inserted)
    files_.push_back(path);
  return it->second;
}

LocId SourceMap::intern(const SourceLocation &location) {
  auto [it, inserted] = locationIndex_.try_emplace(location, locations_.size());
  if (inserted)
    locations_.push_back(location);
  return LocId(it->second);
}

LocId SourceMap::inlined(LocId inner, LocId call) {
  if (!inner)
    return call;
  SourceLocation location = locations_[inner.index];
  location.inlinedAt = location.inlinedAt ? inlined(location.inlinedAt, call) : call;
  return intern(location);
}

LocId SourceMap::inUserCode(LocId id) const {
  for (LocId at = id; at; at = locations_[at.index].inlinedAt)
    if (!libraries_.count(locations_[at.index].file))
      return at;
  return id;
}

std::string SourceMap::str(LocId id) const {
  if (!id)
    return "<unknown>";
  const SourceLocation &location = locations_[id.index];
  return files_[location.file] + ":" + std::to_string(location.line) + ":" +
         std::to_string(location.column);
}

} // namespace colonnade
