//===- BulkTranslations.h - A bulk execution on the VAT machine -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   accesses of one instance ─┐
//   arrays, layout, instances ┼▶ pages, wave by wave ─▶ insertions into the translation cache
//   machine                  ─┘
//
// Instances run in waves of as many as are resident; in a wave step by step; in a step one instance
// after the other.
//
// In: the cells that an instance accesses, in their order; arrays; a layout; a machine. Out: the
// insertions under a policy.
//
// Invariant: arrays lie one after the other, each from the start of a page on. An address outside
// its array is of a masked lane, and makes no access.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_BULKTRANSLATIONS_H
#define COLONNADE_MODEL_BULKTRANSLATIONS_H

#include "Model/Arrangement.h"
#include "Model/BulkCost.h"
#include "Model/Translation.h"

namespace colonnade::model {

struct VatInput {
  llvm::ArrayRef<CellAccess> accesses;
  llvm::ArrayRef<ModelArray> arrays;      // by ArrayId
  int64_t count;                          // p
  int64_t tile;                           // instances of a tile
  uint64_t maxTranslations = 200'000'000; // those that recur not counted
};

/// Of all arrays of all instances.
struct VatMemory {
  uint64_t bytes = 0;
  TranslationTree tree;
};

struct VatCost {
  uint64_t visits = 0; // accesses of all instances
  uint64_t insertions = 0;
};

/// Error: W <= d, or the given depth does not translate all addresses.
llvm::Expected<VatMemory> vatMemory(const VatMachine &machine, Layout layout,
                                    const VatInput &input);

/// In a memory of that many bytes.
std::vector<std::string> brokenOrderRelations(const VatMachine &machine, const VatMemory &memory);

/// Error: as above; or too many page visits to simulate.
llvm::Expected<VatCost> vatCost(const VatMachine &machine, Layout layout, Replacement policy,
                                const VatInput &input);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_BULKTRANSLATIONS_H
