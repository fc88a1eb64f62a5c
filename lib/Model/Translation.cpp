//===- Translation.cpp - The tree that translates addresses ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Translation.h"

namespace colonnade::model {

llvm::ArrayRef<Replacement> allReplacements() {
  static constexpr Replacement All[] = {Replacement::Lru, Replacement::IsLru, Replacement::IsMin,
                                        Replacement::Min};
  return All;
}

const char *name(Replacement policy) {
  switch (policy) {
  case Replacement::Lru:
    return "LRU";
  case Replacement::IsLru:
    return "ISLRU";
  case Replacement::IsMin:
    return "ISMIN";
  case Replacement::Min:
    return "MIN";
  }
  return "";
}

std::optional<Replacement> findReplacement(llvm::StringRef text) {
  for (Replacement policy : allReplacements())
    if (text.equals_insensitive(name(policy)))
      return policy;
  return std::nullopt;
}

unsigned depthFor(uint64_t numPages, uint64_t fanout) {
  unsigned depth = 0;
  for (uint64_t left = numPages; left > 1; left = (left - 1) / fanout + 1)
    ++depth;
  return depth;
}

void translationPath(const TranslationTree &tree, uint64_t page, std::vector<NodeId> &path) {
  path.resize(tree.depth + 1);
  for (unsigned layer = 0; layer <= tree.depth; ++layer, page /= tree.fanout)
    path[layer] = nodeId(layer, page);
}

uint64_t sequentialInsertions(const TranslationTree &tree, uint64_t cellsOfPage, uint64_t b,
                              uint64_t n) {
  if (n == 0)
    return 0;
  uint64_t insertions = 0, first = b / cellsOfPage, last = (b + n - 1) / cellsOfPage;
  for (unsigned layer = 0; layer <= tree.depth; ++layer) {
    insertions += last - first + 1;
    first /= tree.fanout;
    last /= tree.fanout;
  }
  return insertions;
}

std::vector<std::string> brokenOrderRelations(const TranslationTree &tree, uint64_t cache,
                                              double tau, uint64_t cellsOfPage, uint64_t memory) {
  std::vector<std::string> broken;
  const double walk = tau * tree.depth, page = static_cast<double>(cellsOfPage);
  if (walk < 1 || walk > page)
    broken.emplace_back("1 <= tau d <= P");
  if (tree.fanout < 2)
    broken.emplace_back("K >= 2");
  const double pages = static_cast<double>(memory) / page;
  double leaves = 1;
  for (unsigned layer = 0; layer < tree.depth; ++layer)
    leaves *= static_cast<double>(tree.fanout);
  if (leaves < pages || leaves > 2 * pages)
    broken.emplace_back("m/P <= K^d <= 2m/P");
  if (cache < tree.depth || cache >= memory)
    broken.emplace_back("d <= W < m");
  return broken;
}

} // namespace colonnade::model
