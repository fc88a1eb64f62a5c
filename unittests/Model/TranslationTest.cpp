//===- TranslationTest.cpp - Policies of the translation cache ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The properties that chapter 2 of "Virtual Address Translation and GPU Convex Hull" proves, on
// random sequences of pages.
//
//===----------------------------------------------------------------------===//

#include "TranslationSequences.h"

#include <algorithm>
#include <map>
#include <set>

using namespace colonnade::model;

namespace {

using Path = std::vector<NodeId>;

/// What is in the cache, followed by its events.
class Follower {
public:
  explicit Follower(const TranslationTree &tree) : tree_(tree) {}

  CacheObserver observer() {
    return [this](const CacheEvent &event) {
      if (event.visit >= content_.size())
        content_.resize(event.visit + 1, content_.empty() ? std::set<NodeId>() : content_.back());
      const NodeId node = nodeId(event.node.layer, event.node.number);
      if (event.isInsertion)
        EXPECT_TRUE(content_[event.visit].insert(node).second);
      else
        EXPECT_EQ(content_[event.visit].erase(node), 1u);
      events_.emplace_back(event.visit, node, event.isInsertion);
      check(content_[event.visit]);
    };
  }
  std::function<void(const std::set<NodeId> &)> check = [](const std::set<NodeId> &) {};
  const std::vector<std::tuple<uint64_t, NodeId, bool>> &events() const { return events_; }

private:
  TranslationTree tree_;
  std::vector<std::set<NodeId>> content_;
  std::vector<std::tuple<uint64_t, NodeId, bool>> events_;
};

struct Case {
  unsigned seed;
  TranslationTree tree;
  uint64_t cache;
  std::vector<uint64_t> pages;

  std::string str() const {
    return "seed " + std::to_string(seed) + ", K = " + std::to_string(tree.fanout) +
           ", d = " + std::to_string(tree.depth) + ", W = " + std::to_string(cache);
  }
};

/// Random trees, caches from d + 1 nodes on, and sequences of several kinds.
std::vector<Case> randomCases() {
  std::vector<Case> cases;
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](uint64_t values) { return random() % values; };
    Case one;
    one.seed = seed;
    one.tree = {2 + draw(3), static_cast<unsigned>(draw(5))};
    one.cache = one.tree.depth + 1 + draw(12);
    uint64_t leaves = 1;
    for (unsigned layer = 0; layer < one.tree.depth; ++layer)
      leaves *= one.tree.fanout;
    one.pages = randomPages(random, leaves, 200);
    cases.push_back(std::move(one));
  }
  return cases;
}

TEST(Translation, DepthIsOfDefinition2_3) {
  EXPECT_EQ(depthFor(0, 512), 0u);
  EXPECT_EQ(depthFor(1, 512), 0u);
  EXPECT_EQ(depthFor(2, 512), 1u);
  EXPECT_EQ(depthFor(512, 512), 1u);
  EXPECT_EQ(depthFor(513, 512), 2u);
  EXPECT_EQ(depthFor(8, 2), 3u);
  EXPECT_EQ(depthFor(9, 2), 4u);
}

TEST(Translation, PathIsFromTheRootDown) {
  Path path;
  translationPath({3, 2}, 7, path); // 7 = 21 to the base of 3
  EXPECT_EQ(path, (Path{nodeId(0, 7), nodeId(1, 2), nodeId(2, 0)}));
}

/// By hand. With K = 2, d = 1, W = 2 each leaf replaces the other one.
TEST(Translation, ByHand) {
  const TranslationTree tree{2, 1};
  for (Replacement policy : allReplacements())
    EXPECT_EQ(insertions(tree, 2, policy, {0, 1, 0, 1}), 5u) << name(policy);
  // d = 2, W = 3: LRU inserts 0's path; for page 2 it evicts the nodes above it top-down and keeps
  // the root; back to 0 the same.
  EXPECT_EQ(insertions({2, 2}, 3, Replacement::Lru, {0, 2, 0}), 7u);
  // MIN keeps leaf 0 and inserts node and leaf of page 2 in one cell; then node 0 alone is missing.
  EXPECT_EQ(insertions({2, 2}, 3, Replacement::Min, {0, 2, 0}), 6u);
}

/// MIN(W) <= ISMIN(W) <= ISLRU(W) <= LRU(W) <= 2 MIN(W/2), the last for even W.
TEST(Translation, Theorem2_14) {
  for (const Case &one : randomCases()) {
    const auto of = [&](Replacement policy, uint64_t cache) {
      return insertions(one.tree, cache, policy, one.pages);
    };
    const uint64_t min = of(Replacement::Min, one.cache), isMin = of(Replacement::IsMin, one.cache),
                   isLru = of(Replacement::IsLru, one.cache), lru = of(Replacement::Lru, one.cache);
    EXPECT_LE(min, isMin) << one.str();
    EXPECT_LE(isMin, isLru) << one.str();
    EXPECT_LE(isLru, lru) << one.str();
    EXPECT_LE(of(Replacement::Lru, 2 * one.cache), 2 * min) << one.str();
  }
}

TEST(Translation, Lemma2_15AndTheorem2_16) {
  unsigned strict = 0;
  for (const Case &one : randomCases()) {
    const uint64_t more = one.cache + one.tree.depth;
    const uint64_t isLru = insertions(one.tree, one.cache, Replacement::IsLru, one.pages);
    const uint64_t lru = insertions(one.tree, more, Replacement::Lru, one.pages);
    EXPECT_LE(lru, isLru) << one.str();
    EXPECT_LE(insertions(one.tree, more, Replacement::IsMin, one.pages),
              insertions(one.tree, one.cache, Replacement::Min, one.pages))
        << one.str();
    strict += lru < isLru;
  }
  EXPECT_GT(strict, 100u);
}

/// LRU's misses in a translation: the layer of the highest missing node, and the leaf's is 0.
TEST(Translation, Lemma2_8) {
  for (const Case &one : randomCases()) {
    RecentNodes cache(one.tree, one.cache, Replacement::Lru);
    Path path;
    for (uint64_t page : one.pages) {
      const std::vector<NodeId> state = cache.state();
      translationPath(one.tree, page, path);
      uint64_t expected = 0;
      for (uint64_t layer = 0; layer < path.size(); ++layer)
        if (!llvm::is_contained(state, path[layer]))
          expected = layer + 1;
      ASSERT_EQ(cache.translate(page), expected) << one.str();
    }
  }
}

/// ISLRU and ISMIN keep an initial segment of the tree at all times; LRU and MIN do not.
TEST(Translation, InitialSegments) {
  std::map<Replacement, unsigned> broken;
  for (const Case &one : randomCases())
    for (Replacement policy : allReplacements()) {
      Follower follower(one.tree);
      follower.check = [&](const std::set<NodeId> &content) {
        EXPECT_LE(content.size(), one.cache);
        for (NodeId node : content)
          if (layerOf(node) < one.tree.depth && !content.count(parentOf(node, one.tree.fanout)))
            ++broken[policy];
      };
      insertions(one.tree, one.cache, policy, one.pages, follower.observer());
    }
  EXPECT_EQ(broken[Replacement::IsLru], 0u);
  EXPECT_EQ(broken[Replacement::IsMin], 0u);
  EXPECT_GT(broken[Replacement::Lru], 0u);
  EXPECT_GT(broken[Replacement::Min], 0u);
}

/// MIN inserts the root first, and never evicts it.
TEST(Translation, Corollary2_20) {
  for (const Case &one : randomCases()) {
    Follower follower(one.tree);
    insertions(one.tree, one.cache, Replacement::Min, one.pages, follower.observer());
    const NodeId root = nodeId(one.tree.depth, 0);
    for (size_t e = 0; e < follower.events().size(); ++e)
      EXPECT_EQ(std::get<1>(follower.events()[e]) == root, e == 0) << one.str();
  }
}

/// In a translation, MIN evicts nodes off the path at first; once it evicts the node that it just
/// used, it does so for all that is left of the path.
TEST(Translation, Corollary2_23) {
  unsigned rounds = 0;
  for (const Case &one : randomCases()) {
    Follower follower(one.tree);
    insertions(one.tree, one.cache, Replacement::Min, one.pages, follower.observer());
    uint64_t visit = UINT64_MAX;
    bool isRoundRobin = false;
    Path path;
    for (auto [at, node, isInsertion] : follower.events()) {
      isRoundRobin &= at == visit;
      visit = at;
      if (isInsertion)
        continue;
      translationPath(one.tree, one.pages[at], path);
      const bool isOnPath = path[layerOf(node)] == node;
      EXPECT_TRUE(isOnPath || !isRoundRobin) << one.str();
      isRoundRobin |= isOnPath;
      rounds += isOnPath;
    }
  }
  EXPECT_GT(rounds, 100u);
}

/// Each page of a range causes a miss of each of its nodes that is not on the paths of the first
/// and the last page; in falling order no more than those where both paths and one more fit.
TEST(Translation, Proposition2_30) {
  for (const Case &one : randomCases()) {
    const auto [low, high] = std::minmax_element(one.pages.begin(), one.pages.end());
    std::set<NodeId> inner, outer;
    Path path;
    for (uint64_t end : {*low, *high}) {
      translationPath(one.tree, end, path);
      outer.insert(path.begin(), path.end());
    }
    std::vector<uint64_t> falling;
    for (uint64_t page = *high + 1; page-- > *low; falling.push_back(page)) {
      translationPath(one.tree, page, path);
      for (NodeId node : path)
        if (!outer.count(node))
          inner.insert(node);
    }
    std::vector<uint64_t> every = one.pages;
    every.insert(every.end(), falling.begin(), falling.end());
    for (Replacement policy : allReplacements())
      EXPECT_GE(insertions(one.tree, one.cache, policy, every), inner.size()) << one.str();
    const uint64_t cache = outer.size() + one.tree.depth;
    EXPECT_EQ(insertions(one.tree, cache, Replacement::Min, falling), inner.size() + outer.size())
        << one.str();
  }
}

/// x of n consecutive addresses have at most x*l + 2n / (P K^l) nodes that are not extremal.
TEST(Translation, Proposition2_31) {
  for (const Case &one : randomCases()) {
    const uint64_t n = *std::max_element(one.pages.begin(), one.pages.end()) + 1; // P = 1
    std::set<uint64_t> chosen(one.pages.begin(), one.pages.begin() + one.seed % 50 + 1);
    std::set<NodeId> nodes;
    Path path;
    for (uint64_t page : chosen) {
      translationPath(one.tree, page, path);
      nodes.insert(path.begin(), path.end());
    }
    for (uint64_t end : {uint64_t(0), n - 1}) {
      translationPath(one.tree, end, path);
      for (NodeId node : path)
        nodes.erase(node);
    }
    uint64_t power = 1;
    for (uint64_t layers = 0; layers <= one.tree.depth; ++layers, power *= one.tree.fanout)
      EXPECT_LE(nodes.size() * power, chosen.size() * layers * power + 2 * n) << one.str();
  }
}

/// The insertions of the best policy are at most the sum over layers of the block transfers of an
/// optimal cache of a blocks, with a = (W - 1) / d, and one for the root.
uint64_t bound2_32(const Case &one, uint64_t blocks) {
  uint64_t sum = 1, power = 1;
  for (unsigned layer = 0; layer < one.tree.depth; ++layer, power *= one.tree.fanout) {
    std::vector<uint64_t> block;
    for (uint64_t page : one.pages)
      block.push_back(page / power);
    sum += insertions({2, 0}, blocks, Replacement::Min, block);
  }
  return sum;
}

TEST(Translation, Theorem2_32) {
  unsigned failed = 0;
  for (const Case &one : randomCases()) {
    if (one.tree.depth == 0)
      continue;
    const uint64_t min = insertions(one.tree, one.cache, Replacement::Min, one.pages);
    EXPECT_LE(min, bound2_32(one, (one.cache - 1) / one.tree.depth)) << one.str();
    failed += min > bound2_32(one, one.cache / one.tree.depth);
  }
  EXPECT_GT(failed, 0u) << "as printed, a = W / d, it does not hold";
}

TEST(Translation, OrderRelations) {
  EXPECT_TRUE(brokenOrderRelations({512, 2}, 64, 1, 4096, 4096 * 512 * 512).empty());
  const auto broken = [](const TranslationTree &tree, uint64_t cache, double tau, uint64_t page,
                         uint64_t memory) {
    const auto all = brokenOrderRelations(tree, cache, tau, page, memory);
    return all.size() == 1 ? all[0] : std::to_string(all.size());
  };
  EXPECT_EQ(broken({2, 3}, 4, 100, 64, 512), "1 <= tau d <= P");
  EXPECT_EQ(broken({2, 4}, 5, 1, 64, 512 - 64), "m/P <= K^d <= 2m/P");
  EXPECT_EQ(broken({2, 3}, 2, 1, 64, 512), "d <= W < m");
  EXPECT_EQ(broken({2, 3}, 512, 1, 64, 512), "d <= W < m");
}

TEST(Translation, MoreVisitsThanCanBeForeseenAreAnError) {
  const std::vector<uint64_t> pages(MaxForeseenVisits + 1, 0);
  for (Replacement policy : {Replacement::Min, Replacement::IsMin}) {
    auto result = foresightInsertions({2, 1}, 4, policy, pages);
    ASSERT_FALSE(bool(result));
    EXPECT_EQ(llvm::toString(result.takeError()),
              std::string(name(policy)) +
                  " knows the future: 10000001 page visits are more than the 10000000 that are "
                  "simulated; give fewer instances, or --policy lru,islru");
  }
}

/// Lists that come again in a random order: as if each were simulated.
TEST(RecurringTranslations, AreWhatTheSimulatorFinds) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const TranslationTree tree{2, 4};
    for (Replacement policy : {Replacement::Lru, Replacement::IsLru}) {
      RecentNodes plain(tree, 5 + seed % 9, policy);
      RecurringTranslations recurring(plain);
      std::vector<std::vector<uint64_t>> lists;
      for (unsigned l = 0; l < 1 + seed % 3; ++l)
        lists.push_back(randomPages(random, 16, 1 + random() % 20));
      uint64_t visits = 0;
      for (unsigned step = 0; step < 200; ++step) {
        const auto &list = lists[random() % lists.size()];
        uint64_t expected = 0;
        for (uint64_t page : list)
          expected += plain.translate(page);
        visits += list.size();
        ASSERT_EQ(recurring.translate(recurring.add(list)), expected) << seed << " " << step;
        if (step % 64 == 63)
          recurring.forget();
      }
      EXPECT_LT(recurring.simulated(), visits) << seed;
    }
  }
}

} // namespace
