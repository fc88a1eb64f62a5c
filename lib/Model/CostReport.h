//===- CostReport.h - What `colonnade cost` says ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function's costs under the models that were asked for. Out: text or JSON.
// Invariant: both say the same; what is not exact is an interval.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_COSTREPORT_H
#define COLONNADE_MODEL_COSTREPORT_H

#include "Model/BulkTranslations.h"
#include "Model/Sectors.h"

#include "llvm/Support/JSON.h"

namespace colonnade::model {

/// How many accesses one instance makes.
struct AccessCounts {
  uint64_t loads = 0, stores = 0; // of instance parameters
  uint64_t scalar = 0;            // of by-value scalars that differ between instances
  uint64_t local = 0;             // of local arrays
  uint64_t uniform = 0, table = 0;
  uint64_t conditional = 0; // of all these: made only where the data says so

  uint64_t total() const { return loads + stores + scalar + local + uniform + table; }
};
AccessCounts countAccesses(const ir::Function &certificate, const AccessProfile &profile);

struct LayoutTraffic {
  Layout layout;
  std::vector<Traffic> sites;
};

struct MachineRow {
  MemoryMachine machine;
  Layout layout;
  BulkCost cost;
  std::optional<BulkCost> least = {}; // no access under a mask is made, if there is one
};

struct TranslationRow {
  Layout layout;
  Replacement policy;
  VatMemory memory;
  VatCost cost;
};

struct CostReport {
  const ir::Module &module;
  const ir::Function &certificate;
  std::string verdictClass;                                        // "A"
  std::vector<std::pair<std::string, std::string>> arguments = {}; // "n", "32"
  int64_t count = 0;
  AccessCounts accesses = {};
  std::vector<LayoutTraffic> sectors = {};
  std::vector<MachineRow> machines = {};
  VatMachine vat = {};
  std::vector<TranslationRow> translations = {};
  std::string noTranslations = {}; // why there are none, though all models were asked for
};

std::string costText(const CostReport &report);
llvm::json::Value costJson(const CostReport &report);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_COSTREPORT_H
