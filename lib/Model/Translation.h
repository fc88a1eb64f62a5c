//===- Translation.h - The tree that translates addresses -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   page ─▶ path of d + 1 nodes ─▶ replacement policy ─▶ insertions into the translation cache
//
// The VAT model of chapter 2 of "Virtual Address Translation and GPU Convex Hull": a tree of K
// children a node and d layers above the leaves, one leaf a page; a cache of W nodes, empty at
// first. To translate an address is to access all nodes of its page's path, from the root down,
// each of which has to be in the cache; what it costs is tau times the insertions.
//
// In: a machine, a policy, pages in the order of the accesses. Out: insertions.
// Invariant: W > d, so a path fits the cache (proposition 2.3).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_TRANSLATION_H
#define COLONNADE_MODEL_TRANSLATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace colonnade::model {

enum class Replacement : uint8_t {
  Lru,   // evicts the least recently used node
  IsLru, // evicts the lowest descendant of that (definition 2.9)
  IsMin, // evicts what is used last, of nodes off the path without descendants (definition 2.12)
  Min,   // evicts what is used last; of what is not used again, descendants first
};

llvm::ArrayRef<Replacement> allReplacements();
const char *name(Replacement policy); // "ISLRU"
std::optional<Replacement> findReplacement(llvm::StringRef name);

struct TranslationTree {
  uint64_t fanout = 512; // K
  unsigned depth = 1;    // d: layers above the leaves
};

struct VatMachine {
  int64_t pageBytes = 2 << 20;   // P
  uint64_t fanout = 512;         // K
  uint64_t cache = 64;           // W
  double tau = 1;                // cost of an insertion
  int64_t resident = 0;          // instances of a wave; 0: all
  std::optional<unsigned> depth; // d; else by definition 2.3
};

/// Definition 2.3: the least d with K^d >= the number of pages.
unsigned depthFor(uint64_t numPages, uint64_t fanout);

/// A node; the root is on layer d, leaves are on layer 0.
struct TreeNode {
  unsigned layer = 0;
  uint64_t number = 0;

  friend bool operator==(const TreeNode &, const TreeNode &) = default;
};

/// Of the translation of the page that is visited at `visit`.
struct CacheEvent {
  uint64_t visit;
  TreeNode node;
  bool isInsertion; // else an eviction
};
using CacheObserver = std::function<void(const CacheEvent &)>;

/// A node's layer and number in one word.
using NodeId = uint64_t;
constexpr unsigned BitsOfNumber = 56;
inline NodeId nodeId(unsigned layer, uint64_t number) {
  return NodeId(layer) << BitsOfNumber | number;
}
inline unsigned layerOf(NodeId node) { return static_cast<unsigned>(node >> BitsOfNumber); }
inline TreeNode treeNode(NodeId node) {
  return {layerOf(node), node & ((NodeId(1) << BitsOfNumber) - 1)};
}
inline NodeId parentOf(NodeId node, uint64_t fanout) {
  const TreeNode place = treeNode(node);
  return nodeId(place.layer + 1, place.number / fanout);
}

/// From the leaf up: `path[l]` is on layer l.
void translationPath(const TranslationTree &tree, uint64_t page, std::vector<NodeId> &path);

/// Insertions that any policy makes for consecutive addresses b, b + 1, …, b + n - 1: every node of
/// their paths once.
uint64_t sequentialInsertions(const TranslationTree &tree, uint64_t cellsOfPage, uint64_t b,
                              uint64_t n);

/// Which of the order relations between parameters (section 2.4) do not hold, each in words;
/// `memory` is m, in the unit of `cellsOfPage`.
std::vector<std::string> brokenOrderRelations(const TranslationTree &tree, uint64_t cache,
                                              double tau, uint64_t cellsOfPage, uint64_t memory);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_TRANSLATION_H
