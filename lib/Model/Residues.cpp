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

namespace {

/// What the loops change, modulo something.
struct Steps {
  uint64_t start;
  uint64_t times = 1;                               // of loops that do not change the residue
  std::vector<std::pair<uint64_t, uint64_t>> steps; // and iterations

  Steps(size_t modulus, const LinearValue &cell, const LoopCounts &loops) {
    const auto m = static_cast<int64_t>(modulus);
    start = static_cast<uint64_t>(floorRemainder(ir::asInt64(cell.scalar), m));
    for (unsigned loop = 0; loop < loops.size(); ++loop) {
      const int64_t step = floorRemainder(cell.terms.of(loop), m);
      if (step == 0 || loops[loop] == 1)
        times *= static_cast<uint64_t>(loops[loop]);
      else
        steps.emplace_back(step, loops[loop]);
    }
  }
};

} // namespace

static void addSteps(std::vector<uint64_t> &counts, std::vector<uint64_t> before,
                     const Steps &steps) {
  for (auto [step, iterations] : steps.steps) {
    std::vector<uint64_t> after(counts.size());
    for (uint64_t residue = 0; residue < before.size(); ++residue)
      if (before[residue] > 0)
        addProgression(after, residue, step, iterations, before[residue]);
    before = std::move(after);
  }
  for (size_t residue = 0; residue < counts.size(); ++residue)
    counts[residue] += before[residue];
}

void addResidues(std::vector<uint64_t> &counts, const LinearValue &cell, const LoopCounts &loops) {
  const Steps steps(counts.size(), cell, loops);
  if (steps.steps.empty()) {
    counts[steps.start] += steps.times;
    return;
  }
  if (steps.steps.size() == 1)
    return addProgression(counts, steps.start, steps.steps[0].first, steps.steps[0].second,
                          steps.times);
  std::vector<uint64_t> before(counts.size());
  before[steps.start] = steps.times;
  addSteps(counts, std::move(before), steps);
}

void addResidues(std::vector<uint64_t> &counts, int64_t first, int64_t step, uint64_t iterations,
                 uint64_t times) {
  const auto modulus = static_cast<int64_t>(counts.size());
  addProgression(counts, static_cast<uint64_t>(floorRemainder(first, modulus)),
                 static_cast<uint64_t>(floorRemainder(step, modulus)), iterations, times);
}

void addTurnedResidues(std::vector<uint64_t> &counts, llvm::ArrayRef<uint64_t> others,
                       const LinearValue &turn, const LoopCounts &loops) {
  const Steps steps(counts.size(), turn, loops);
  std::vector<uint64_t> before(counts.size());
  uint64_t to = steps.start;
  for (uint64_t times : others) {
    before[to] = times * steps.times;
    to = to + 1 == counts.size() ? 0 : to + 1;
  }
  addSteps(counts, std::move(before), steps);
}

} // namespace colonnade::model
