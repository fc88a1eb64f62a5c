//===- TranslationSequences.h - Pages, and what they cost ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a seed's generator. Out: sequences of pages; and their insertions under any policy.
// Invariant: the same sequences on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_MODEL_TRANSLATIONSEQUENCES_H
#define COLONNADE_UNITTESTS_MODEL_TRANSLATIONSEQUENCES_H

#include "Model/ForesightNodes.h"
#include "Model/RecentNodes.h"
#include "Model/RecurringTranslations.h"

#include "gtest/gtest.h"

#include <random>

namespace colonnade::model {

inline uint64_t insertions(const TranslationTree &tree, uint64_t cache, Replacement policy,
                           const std::vector<uint64_t> &pages, const CacheObserver &observer = {}) {
  if (policy == Replacement::Min || policy == Replacement::IsMin) {
    auto result = foresightInsertions(tree, cache, policy, pages, observer);
    if (result)
      return *result;
    ADD_FAILURE() << llvm::toString(result.takeError());
    return 0;
  }
  RecentNodes nodes(tree, cache, policy, observer);
  uint64_t sum = 0;
  for (uint64_t page : pages)
    sum += nodes.translate(page);
  return sum;
}

/// Anywhere, near the last one, or one of a few, in stretches.
inline std::vector<uint64_t> randomPages(std::mt19937 &random, uint64_t leaves, size_t length) {
  std::vector<uint64_t> pages;
  uint64_t page = random() % leaves;
  while (pages.size() < length) {
    const auto kind = random() % 3;
    for (unsigned stretch = 1 + random() % 20; stretch > 0 && pages.size() < length; --stretch) {
      if (kind == 0)
        page = random() % leaves;
      else if (kind == 1)
        page = (page + random() % 3 + leaves - 1) % leaves;
      else
        page = random() % 4 * 7 % leaves;
      pages.push_back(page);
    }
  }
  return pages;
}

} // namespace colonnade::model

#endif // COLONNADE_UNITTESTS_MODEL_TRANSLATIONSEQUENCES_H
