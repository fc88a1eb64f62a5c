//===- Residues.cpp - Residues of a linear value --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Residues.h"

#include "Model/Stages.h"

#include <numeric>

namespace colonnade::model {

/// start, start + step, … (iterations of them), each `times` times.
static void addProgression(std::vector<uint64_t> &counts, uint64_t start, uint64_t step,
                           uint64_t iterations, uint64_t times) {
  const uint64_t modulus = counts.size(), period = modulus / std::gcd(modulus, step);
  const uint64_t full = iterations / period, rest = iterations % period;
  uint64_t residue = start;
  for (uint64_t i = 0; i < std::min(period, iterations); ++i) {
    counts[residue] += times * (full + (i < rest));
    residue += step;
    residue -= residue >= modulus ? modulus : 0;
  }
}

void addResidues(std::vector<uint64_t> &counts, const LinearValue &cell, const LoopCounts &loops) {
  const auto modulus = static_cast<int64_t>(counts.size());
  const auto start = static_cast<uint64_t>(floorRemainder(ir::asInt64(cell.scalar), modulus));
  uint64_t times = 1;                               // loops that do not change the residue
  std::vector<std::pair<uint64_t, uint64_t>> steps; // and iterations
  for (unsigned loop = 0; loop < loops.size(); ++loop) {
    const int64_t step = floorRemainder(cell.terms.of(loop), modulus);
    if (step == 0 || loops[loop] == 1)
      times *= static_cast<uint64_t>(loops[loop]);
    else
      steps.emplace_back(step, loops[loop]);
  }
  if (steps.empty()) {
    counts[start] += times;
    return;
  }
  if (steps.size() == 1)
    return addProgression(counts, start, steps[0].first, steps[0].second, times);
  std::vector<uint64_t> before(counts.size());
  before[start] = times;
  for (auto [step, iterations] : steps) {
    std::vector<uint64_t> after(counts.size());
    for (uint64_t residue = 0; residue < before.size(); ++residue)
      if (before[residue] > 0)
        addProgression(after, residue, step, iterations, before[residue]);
    before = std::move(after);
  }
  for (size_t residue = 0; residue < counts.size(); ++residue)
    counts[residue] += before[residue];
}

} // namespace colonnade::model
