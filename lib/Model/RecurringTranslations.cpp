//===- RecurringTranslations.cpp - Lists of pages, known states skipped ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/RecurringTranslations.h"

namespace colonnade::model {

RecurringTranslations::RecurringTranslations(RecentNodes cache) : cache_(std::move(cache)) {
  state_ = stateOfCache();
}

/// The id of what is perhaps new.
uint32_t RecurringTranslations::idOf(Ids &ids, Known &all, const std::vector<uint64_t> &what) {
  auto [known, isNew] = ids.try_emplace(what, static_cast<uint32_t>(all.size()));
  if (isNew) {
    all.push_back(&known->first);
    kept_ += what.size();
  }
  return known->second;
}

RecurringTranslations::ListId RecurringTranslations::add(const std::vector<uint64_t> &pages) {
  return idOf(lists_, pages_, pages);
}

RecurringTranslations::StateId RecurringTranslations::stateOfCache() {
  return idOf(states_, nodes_, cache_.state());
}

uint64_t RecurringTranslations::translate(ListId list) {
  if (auto known = transitions_.find({state_, list}); known != transitions_.end()) {
    isCacheBehind_ |= known->second.next != state_;
    state_ = known->second.next;
    return known->second.insertions;
  }
  if (isCacheBehind_)
    cache_.restore(*nodes_[state_]);
  isCacheBehind_ = false;
  uint64_t insertions = 0;
  for (uint64_t page : *pages_[list])
    insertions += cache_.translate(page);
  simulated_ += pages_[list]->size();
  const StateId next = stateOfCache();
  transitions_[{state_, list}] = {insertions, next};
  state_ = next;
  return insertions;
}

void RecurringTranslations::forget() {
  if (isCacheBehind_)
    cache_.restore(*nodes_[state_]);
  isCacheBehind_ = false;
  lists_.clear();
  pages_.clear();
  states_.clear();
  nodes_.clear();
  transitions_.clear();
  kept_ = 0;
  state_ = stateOfCache();
}

} // namespace colonnade::model
