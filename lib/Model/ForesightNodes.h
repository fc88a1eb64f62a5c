//===- ForesightNodes.h - Caches that know the future -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: all pages, in the order of their visits. Out: insertions, by MIN or ISMIN.
//
// MIN is Belady's: optimal. ISMIN is optimal among policies that keep with each node its ancestors
// (theorem 2.13).
//
// Invariant: a node's key is the visit of its next use; those never used again are last, the lower
// before the higher. Of two nodes with one next visit, the lower is used later.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_FORESIGHTNODES_H
#define COLONNADE_MODEL_FORESIGHTNODES_H

#include "Model/Translation.h"

#include "llvm/Support/Error.h"

namespace colonnade::model {

/// More are too many to keep.
constexpr uint64_t MaxForeseenVisits = 10'000'000;

/// Error: more visits than that.
llvm::Expected<uint64_t> foresightInsertions(const TranslationTree &tree, uint64_t cache,
                                             Replacement policy, llvm::ArrayRef<uint64_t> pages,
                                             const CacheObserver &observer = {});

llvm::Error tooManyToForesee(Replacement policy, uint64_t visits);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_FORESIGHTNODES_H
