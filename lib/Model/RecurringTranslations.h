//===- RecurringTranslations.h - Lists of pages, known states skipped -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   state, list of pages ─▶ insertions, next state        simulated once, then looked up
//
// In: lists of pages, each translated many times. Out: insertions, by LRU or ISLRU.
//
// Invariant: the insertions that RecentNodes makes. A translation's future depends on nothing but
// the order of the nodes in the cache, so a list that meets a state again ends as it did before.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_RECURRINGTRANSLATIONS_H
#define COLONNADE_MODEL_RECURRINGTRANSLATIONS_H

#include "Model/RecentNodes.h"

#include <map>

namespace colonnade::model {

class RecurringTranslations {
public:
  using ListId = uint32_t;

  explicit RecurringTranslations(RecentNodes cache);

  /// A list of the same pages has the same id.
  ListId add(const std::vector<uint64_t> &pages);
  /// Returns the insertions.
  uint64_t translate(ListId list);
  /// Translations that were simulated rather than looked up.
  uint64_t simulated() const { return simulated_; }
  /// Nodes and pages that are kept.
  uint64_t kept() const { return kept_; }
  /// Lists and states are forgotten; the cache is as it was.
  void forget();

private:
  using StateId = uint32_t;
  struct Transition {
    uint64_t insertions;
    StateId next;
  };
  using Ids = std::map<std::vector<uint64_t>, uint32_t>;
  using Known = std::vector<const std::vector<uint64_t> *>; // by id

  StateId stateOfCache();
  uint32_t idOf(Ids &ids, Known &all, const std::vector<uint64_t> &what);

  RecentNodes cache_;
  Ids lists_, states_;
  Known pages_, nodes_;
  std::map<std::pair<StateId, ListId>, Transition> transitions_;
  StateId state_ = 0;
  bool isCacheBehind_ = false; // it is not in `state_` yet
  uint64_t simulated_ = 0, kept_ = 0;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_RECURRINGTRANSLATIONS_H
