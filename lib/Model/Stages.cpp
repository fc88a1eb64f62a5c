//===- Stages.cpp - Pipeline stages of one warp's requests ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace colonnade::model {

using Numbers = llvm::SmallVector<int64_t, 32>;

const char *name(MemoryModel model) { return model == MemoryModel::Umm ? "UMM" : "DMM"; }

int64_t floorRemainder(int64_t a, int64_t b) {
  const int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

int64_t floorDivide(int64_t a, int64_t b) { return (a - floorRemainder(a, b)) / b; }

static void sortUnique(Numbers &numbers) {
  llvm::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Of a sorted range.
static uint64_t longestRun(llvm::ArrayRef<int64_t> sorted) {
  uint64_t longest = 0, run = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return longest;
}

uint64_t stages(const MemoryMachine &machine, llvm::ArrayRef<int64_t> addresses) {
  Numbers numbers(addresses.begin(), addresses.end());
  if (machine.broadcast)
    sortUnique(numbers);
  for (int64_t &number : numbers)
    number = machine.model == MemoryModel::Umm ? floorDivide(number, machine.group)
                                               : floorRemainder(number, machine.group);
  if (machine.model == MemoryModel::Umm) {
    sortUnique(numbers);
    return numbers.size();
  }
  llvm::sort(numbers);
  return longestRun(numbers);
}

} // namespace colonnade::model
