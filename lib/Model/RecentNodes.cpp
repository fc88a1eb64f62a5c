//===- RecentNodes.cpp - Caches that evict what was not used lately -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/RecentNodes.h"

namespace colonnade::model {

uint64_t RecentNodes::translate(uint64_t page) {
  translationPath(tree_, page, path_);
  uint64_t insertions = 0;
  for (size_t layer = path_.size(); layer-- > 0;) {
    if (auto known = places_.find(path_[layer]); known != places_.end()) {
      unlink(known->second);
      append(known->second);
      continue;
    }
    insert(path_[layer]);
    ++insertions;
  }
  ++visit_;
  return insertions;
}

void RecentNodes::insert(NodeId node) {
  uint32_t entry = static_cast<uint32_t>(entries_.size());
  if (entries_.size() < cache_) {
    entries_.push_back({node, None, None});
  } else {
    entry = victim();
    observe(entries_[entry].node, false);
    places_.erase(entries_[entry].node);
    unlink(entry);
    entries_[entry].node = node;
  }
  places_[node] = entry;
  append(entry);
  observe(node, true);
}

uint32_t RecentNodes::victim() const {
  uint32_t entry = oldest_;
  if (policy_ == Replacement::Lru)
    return entry;
  auto isParentOfNewer = [&](const Entry &one) {
    return one.newer != None && parentOf(entries_[one.newer].node, tree_.fanout) == one.node;
  };
  while (isParentOfNewer(entries_[entry]))
    entry = entries_[entry].newer;
  return entry;
}

void RecentNodes::append(uint32_t entry) {
  entries_[entry].older = newest_;
  entries_[entry].newer = None;
  (newest_ == None ? oldest_ : entries_[newest_].newer) = entry;
  newest_ = entry;
}

void RecentNodes::unlink(uint32_t entry) {
  const auto [node, older, newer] = entries_[entry];
  (older == None ? oldest_ : entries_[older].newer) = newer;
  (newer == None ? newest_ : entries_[newer].older) = older;
}

void RecentNodes::observe(NodeId node, bool isInsertion) const {
  if (observer_)
    observer_({visit_, treeNode(node), isInsertion});
}

std::vector<NodeId> RecentNodes::state() const {
  std::vector<NodeId> nodes;
  for (uint32_t entry = oldest_; entry != None; entry = entries_[entry].newer)
    nodes.push_back(entries_[entry].node);
  return nodes;
}

void RecentNodes::restore(llvm::ArrayRef<NodeId> state) {
  entries_.clear();
  places_.clear();
  oldest_ = newest_ = None;
  for (NodeId node : state) {
    const auto entry = static_cast<uint32_t>(entries_.size());
    entries_.push_back({node, None, None});
    places_[node] = entry;
    append(entry);
  }
}

} // namespace colonnade::model
