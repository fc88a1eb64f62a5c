//===- ForesightNodes.cpp - Caches that know the future -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ForesightNodes.h"

#include "llvm/ADT/DenseMap.h"

#include <set>

namespace colonnade::model {
namespace {

class ForesightNodes {
public:
  ForesightNodes(const TranslationTree &tree, uint64_t cache, Replacement policy,
                 llvm::ArrayRef<uint64_t> pages, const CacheObserver &observer)
      : tree_(tree), cache_(cache), keepsTree_(policy == Replacement::IsMin), pages_(pages),
        observer_(observer) {}

  uint64_t run();

private:
  static constexpr uint32_t Never = UINT32_MAX;
  struct Cached {
    uint32_t next = Never;
    unsigned children = 0; // cached, too
  };
  /// In the order of their next uses, the farthest last.
  struct Candidate {
    uint32_t next;
    NodeId node;
    bool operator<(const Candidate &other) const {
      if (next != other.next)
        return next < other.next;
      // The lower the later.
      return layerOf(node) != layerOf(other.node) ? layerOf(node) > layerOf(other.node)
                                                  : node < other.node;
    }
  };

  void lookAhead();
  void use(unsigned layer, uint32_t next);
  void evict();
  bool isCandidate(const Cached &cached) const { return !keepsTree_ || cached.children == 0; }
  void countChild(NodeId node, int change);
  void observe(NodeId node, bool isInsertion) const;

  const TranslationTree &tree_;
  uint64_t cache_;
  bool keepsTree_;
  llvm::ArrayRef<uint64_t> pages_;
  const CacheObserver &observer_;
  std::vector<uint32_t> nexts_; // by visit and layer: the node's next visit
  llvm::DenseMap<NodeId, Cached> cached_;
  std::set<Candidate> candidates_;
  std::vector<NodeId> path_;
  uint64_t visit_ = 0, insertions_ = 0;
};

} // namespace

void ForesightNodes::lookAhead() {
  const size_t layers = tree_.depth + 1;
  nexts_.resize(pages_.size() * layers);
  llvm::DenseMap<NodeId, uint32_t> seen;
  for (size_t visit = pages_.size(); visit-- > 0;) {
    translationPath(tree_, pages_[visit], path_);
    for (size_t layer = 0; layer < layers; ++layer) {
      auto [known, isNew] = seen.try_emplace(path_[layer], Never);
      nexts_[visit * layers + layer] = known->second;
      known->second = static_cast<uint32_t>(visit);
    }
  }
}

uint64_t ForesightNodes::run() {
  lookAhead();
  const size_t layers = tree_.depth + 1;
  for (visit_ = 0; visit_ < pages_.size(); ++visit_) {
    translationPath(tree_, pages_[visit_], path_);
    for (size_t layer = layers; layer-- > 0;)
      use(static_cast<unsigned>(layer), nexts_[visit_ * layers + layer]);
  }
  return insertions_;
}

void ForesightNodes::use(unsigned layer, uint32_t next) {
  const NodeId node = path_[layer];
  auto known = cached_.find(node);
  if (known == cached_.end()) {
    if (cached_.size() == cache_)
      evict();
    known = cached_.try_emplace(node).first;
    countChild(node, 1);
    ++insertions_;
    observe(node, true);
    known = cached_.find(node);
  } else if (isCandidate(known->second)) {
    candidates_.erase({known->second.next, node});
  }
  known->second.next = next;
  if (isCandidate(known->second))
    candidates_.insert({next, node});
}

void ForesightNodes::evict() {
  auto last = std::prev(candidates_.end());
  // Without descendants there is at most one node on the path.
  if (keepsTree_ && path_[layerOf(last->node)] == last->node)
    --last;
  const NodeId node = last->node;
  candidates_.erase(last);
  cached_.erase(node);
  countChild(node, -1);
  observe(node, false);
}

/// A parent is a candidate of ISMIN while none of its children is cached.
void ForesightNodes::countChild(NodeId node, int change) {
  if (!keepsTree_ || layerOf(node) == tree_.depth)
    return;
  const NodeId parent = parentOf(node, tree_.fanout);
  Cached &cached = cached_.find(parent)->second;
  candidates_.erase({cached.next, parent});
  cached.children += static_cast<unsigned>(change);
  if (cached.children == 0)
    candidates_.insert({cached.next, parent});
}

void ForesightNodes::observe(NodeId node, bool isInsertion) const {
  if (observer_)
    observer_({visit_, treeNode(node), isInsertion});
}

llvm::Error tooManyToForesee(Replacement policy, uint64_t visits) {
  return llvm::createStringError(
      std::string(name(policy)) + " knows the future: " + std::to_string(visits) +
      " page visits are more than the " + std::to_string(MaxForeseenVisits) +
      " that are simulated; give fewer instances, or --policy lru,islru");
}

llvm::Expected<uint64_t> foresightInsertions(const TranslationTree &tree, uint64_t cache,
                                             Replacement policy, llvm::ArrayRef<uint64_t> pages,
                                             const CacheObserver &observer) {
  if (pages.size() > MaxForeseenVisits)
    return tooManyToForesee(policy, pages.size());
  return ForesightNodes(tree, cache, policy, pages, observer).run();
}

} // namespace colonnade::model
