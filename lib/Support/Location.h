//===- Location.h - Source positions with their call path -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where something stands in the source: file, line and column and, after inlining, the
// location of the call it was inlined at.
//
// In: locations, as the front end and the inliner meet them. Out: a LocId for each,
// interned per module.
// Invariant: equal locations have equal ids. The chain of `inlinedAt` is the call path,
// which is part of an access's name.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_LOCATION_H
#define COLONNADE_SUPPORT_LOCATION_H

#include "Support/Ids.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace colonnade {

struct SourceLocation {
  uint32_t file = 0; // index into SourceMap::files
  uint32_t line = 0; // 1-based; 0 means unknown
  uint32_t column = 0;
  LocId inlinedAt; // the call's location, if this position was inlined

  friend auto operator<=>(const SourceLocation &, const SourceLocation &) = default;
};

/// Interning table for files and locations. Lookups are O(log n).
class SourceMap {
public:
  uint32_t internFile(const std::string &path);
  LocId intern(const SourceLocation &location);
  /// The same position with `call` appended at the outer end of its call path.
  LocId inlined(LocId inner, LocId call);

  const SourceLocation &operator[](LocId id) const { return locations_[id.index]; }
  const std::string &fileName(uint32_t file) const { return files_[file]; }
  /// "file:line:column" of the innermost position; "<unknown>" for no location.
  std::string str(LocId id) const;

  /// The file is a library's: nobody edits it, so messages name the line that calls it.
  void setLibrary(uint32_t file) { libraries_.insert(file); }
  /// The innermost position on the call path that is in no library; `id` if all are.
  LocId inUserCode(LocId id) const;

private:
  std::vector<std::string> files_;
  std::map<std::string, uint32_t> fileIndex_;
  std::vector<SourceLocation> locations_;
  std::map<SourceLocation, uint32_t> locationIndex_;
  std::set<uint32_t> libraries_;
};

} // namespace colonnade

#endif // COLONNADE_SUPPORT_LOCATION_H
