//===- CostReport.h - What `colonnade cost` says ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function, how many accesses its instances make, and what the models say. Out: text or JSON.
// Invariant: both say the same.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_COSTREPORT_H
#define COLONNADE_MODEL_COSTREPORT_H

#include "Model/CostModels.h"

namespace colonnade::model {

/// How many accesses one instance makes.
struct AccessCounts {
  uint64_t loads = 0, stores = 0; // of instance parameters
  uint64_t scalar = 0;            // of by-value scalars that differ between instances
  uint64_t local = 0;             // of local arrays
  uint64_t uniform = 0, table = 0;
  uint64_t conditional = 0;      // of loads and stores: made only where the data says so
  uint64_t otherConditional = 0; // of the others, likewise
  bool isBounds = false;         // or perhaps: these are the most, without them the least

  uint64_t total() const { return loads + stores + scalar + local + uniform + table; }
};
AccessCounts countAccesses(const ir::Function &certificate, const AccessProfile &profile);

/// The caller's arrays: those that the function reads in, those that it writes out, each cell once.
struct ArraysOnce {
  uint64_t bytesIn = 0, bytesOut = 0;
  uint64_t footprint = 0;  // bytes of all, also of those that are read and written
  uint64_t transposed = 0; // bytes read and written if all go to another layout and back
};
ArraysOnce arraysOnce(const ir::Function &certificate, llvm::ArrayRef<ModelArray> arrays,
                      int64_t count);

/// At so many GB/s.
double microsecondsOf(uint64_t bytes, const Machine::Value &bandwidth);

struct CostReport {
  std::string name;
  std::string verdictClass;                                        // "A"
  std::vector<std::pair<std::string, std::string>> arguments = {}; // "n", "32"
  int64_t count = 0;
  std::string target = {};             // "CUDA"
  std::optional<Machine> machine = {}; // --machine
  AccessCounts accesses = {};
  std::optional<LeftAccesses> left = {}; // none are merged, or it was not asked for
  ArraysOnce once = {};
  std::vector<CostSection> sections = {}; // in the order of costModelGroups()
  std::optional<BestTime> best = {};      // if times were asked for
  std::string plot = {};                  // SVG
};

/// Asks every model that the options want. Error: one cannot answer, and it was named.
llvm::Error priceAll(const CostQuestion &question, CostReport &report);

std::string costText(const CostReport &report);
llvm::json::Value costJson(CostReport report);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_COSTREPORT_H
