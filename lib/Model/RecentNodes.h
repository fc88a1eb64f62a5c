//===- RecentNodes.h - Caches that evict what was not used lately -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: pages, one translation after the other. Out: insertions, by LRU or ISLRU.
//
// Invariant: nodes are linked in the order of their last use. ISLRU's content is a tree from the
// root down: what was used after the least recently used node, in the same translation, is the one
// path below it, so the lowest descendant is the last of the links that go from parent to child.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_RECENTNODES_H
#define COLONNADE_MODEL_RECENTNODES_H

#include "Model/Translation.h"

#include "llvm/ADT/DenseMap.h"

namespace colonnade::model {

class RecentNodes {
public:
  RecentNodes(const TranslationTree &tree, uint64_t cache, Replacement policy,
              CacheObserver observer = {})
      : tree_(tree), cache_(cache), policy_(policy), observer_(std::move(observer)) {}

  /// Returns the insertions.
  uint64_t translate(uint64_t page);

  /// The least recently used node first: all that the future depends on.
  std::vector<NodeId> state() const;
  void restore(llvm::ArrayRef<NodeId> state);

private:
  struct Entry {
    NodeId node;
    uint32_t older, newer;
  };
  static constexpr uint32_t None = UINT32_MAX;

  void append(uint32_t entry);
  void unlink(uint32_t entry);
  void insert(NodeId node);
  uint32_t victim() const;
  void observe(NodeId node, bool isInsertion) const;

  TranslationTree tree_;
  uint64_t cache_;
  Replacement policy_;
  CacheObserver observer_;
  std::vector<Entry> entries_;
  llvm::DenseMap<NodeId, uint32_t> places_;
  uint32_t oldest_ = None, newest_ = None;
  std::vector<NodeId> path_;
  uint64_t visit_ = 0;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_RECENTNODES_H
