//===- Sizes.h - Declared sizes as values, and back -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names in a declared size (float t[2 * n], the bound of a loop) are parameters
// of the function it is written in, which may have been called with anything; the
// extents of a canonical array are over the parameters of the entry.
//
// In: sizes as written, and in which call they stand; which values are the entry's
// own scalars. Out: S64 values, or sizes over the entry's parameters.
// Invariant: what is not known stays unknown, never a guess.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_SIZES_H
#define COLONNADE_NORMALIZE_WALK_SIZES_H

#include "Normalize/Walk/Place.h"

#include <map>

namespace colonnade::canonical {

/// A call of a raw function: where the names of a size are looked up.
struct Scope {
  const ir::Function *function = nullptr;
  std::vector<AbstractValue> values; // by raw value
};

class Sizes {
public:
  explicit Sizes(Folder &fold) : fold_(fold) {}

  /// `v` is the scalar parameter `name` of the entry.
  void addName(ValueId v, const std::string &name) { names_[v.index] = SizeExpr::name(name); }
  /// Some parameter is a size, and no constant.
  bool hasNames() const { return !names_.empty(); }
  /// From here on sizes are written in `scope`.
  void setScope(const Scope *scope) { scope_ = scope; }

  /// An S64; invalid: not known.
  ValueId value(const SizeExpr &size);
  /// Over the entry's parameters; Unknown: not known.
  SizeExpr sizeOf(ValueId v) const;
  SizeExpr inEntryTerms(const SizeExpr &size);

private:
  Folder &fold_;
  const Scope *scope_ = nullptr;
  std::map<uint32_t, SizeExpr> names_; // by value
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_SIZES_H
