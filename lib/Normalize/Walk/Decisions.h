//===- Decisions.h - What a walk finds out too late -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some questions are answered only after the operations that depend on the answer
// have been appended. The answer is a decision: the function is walked again, and
// knows it from the start.
//
// In: decisions, as a walk finds that they are needed. Out: those of the walks
// before, and the last that the present walk added.
// Invariant: what has been decided is decided again by what the next walk finds, or it is
// withdrawn and never made again, so the walks come to an end when one adds nothing; that
// walk's function agrees with all decisions.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_DECISIONS_H
#define COLONNADE_NORMALIZE_WALK_DECISIONS_H

#include "Support/Ids.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace colonnade::canonical {

class Decisions {
public:
  struct Added {
    LocId loc;
    std::string what; // "the recursion of 'f'"
  };

  /// Nothing has been added by this walk.
  void startWalk() { added_.reset(); }
  const std::optional<Added> &added() const { return added_; }

  /// The array `name` of a by-value struct is written, so the function works on a copy.
  void addPrivateCopy(const std::string &name, LocId loc) {
    if (privateCopies_.insert(name).second)
      added_ = {loc, "the function's own copy of '" + name + "'"};
  }
  bool isPrivateCopy(const std::string &name) const { return privateCopies_.count(name) != 0; }
  /// Nothing writes it in a walk that knew of it: no copy, and no store to it from now on.
  void forbidPrivateCopy(const std::string &name, LocId loc) {
    privateCopies_.erase(name);
    forbidden_.insert(name);
    added_ = {loc, "no use of the function's own copy of '" + name + "'"};
  }
  bool isForbidden(const std::string &name) const { return forbidden_.count(name) != 0; }

  /// What the `void *name` points to is accessed as `type`, too, which is narrower. Any access can
  /// be made of narrow cells, so this holds whatever the next walk finds.
  void addNarrowCells(const std::string &name, MemTypeId type, LocId loc) {
    narrowCells_.insert_or_assign(name, type);
    added_ = {loc, "the width of the cells of '" + name + "'"};
  }
  std::optional<MemTypeId> narrowCells(const std::string &name) const {
    auto found = narrowCells_.find(name);
    return found == narrowCells_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The recursion of this function does not end while it is inlined.
  void addEndless(FunctionId id, const std::string &name, LocId loc) {
    if (endless_.insert(id).second)
      added_ = {loc, "the recursion of '" + name + "'"};
  }
  bool isEndless(FunctionId id) const { return endless_.count(id) != 0; }

  /// With this call in its place the function is larger than what can be walked over. No
  /// further walk makes it smaller: it is refused.
  void addTooLarge(std::string why, LocId loc) {
    if (!tooLarge_)
      tooLarge_ = {loc, std::move(why)};
  }
  const std::optional<Added> &tooLarge() const { return tooLarge_; }

private:
  std::set<std::string> privateCopies_, forbidden_;
  std::map<std::string, MemTypeId> narrowCells_;
  std::set<FunctionId> endless_;
  std::optional<Added> added_, tooLarge_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_DECISIONS_H
