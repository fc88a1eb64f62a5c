//===- ResiduesTest.cpp - Cells counted by their remainders ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Residues.h"

#include <gtest/gtest.h>

#include <random>

using namespace colonnade;
using namespace colonnade::model;

namespace {

TEST(Residues, AreThoseOfAllIterations) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const size_t modulus = 1 + random() % 40;
    const LoopCounts loops = {1 + int64_t(random() % 50), 1 + int64_t(random() % 7),
                              1 + int64_t(random() % 90)};
    LinearValue cell =
        LinearValue::of(ir::makeInt(ir::ScalarType::S64, int64_t(random() % 99) - 50));
    for (unsigned loop = 0; loop < 3; ++loop)
      if (random() % 2)
        cell.terms[loop] = int64_t(random() % 61) - 30;
    std::vector<uint64_t> counts(modulus), expected(modulus);
    addResidues(counts, cell, loops);
    for (int64_t x = 0; x < loops[0]; ++x)
      for (int64_t y = 0; y < loops[1]; ++y)
        for (int64_t z = 0; z < loops[2]; ++z) {
          int64_t value = ir::asInt64(cell.scalar);
          for (auto [loop, coefficient] : cell.terms)
            value += coefficient * (loop == 0 ? x : loop == 1 ? y : z);
          const auto m = static_cast<int64_t>(modulus);
          ++expected[static_cast<size_t>((value % m + m) % m)];
        }
    ASSERT_EQ(counts, expected) << "round " << round;
    // Of one loop, all of them the same number of times.
    std::vector<uint64_t> ofOne(modulus), alone(modulus);
    const int64_t first = ir::asInt64(cell.scalar), step = cell.terms.of(0);
    LinearValue row = LinearValue::of(cell.scalar);
    if (step != 0)
      row.terms[0] = step;
    addResidues(ofOne, row, {loops[0], 3});
    addResidues(alone, first, step, static_cast<uint64_t>(loops[0]), 3);
    ASSERT_EQ(alone, ofOne) << "round " << round;
  }
}

} // namespace
