//===- RandomPassesTest.cpp - Random passes over cells in registers -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random sequences of passes, fused with so many bits and shared by teams, give what the canonical
// function gives; where a barrier is dropped, the interpreter finds it.
//
//===----------------------------------------------------------------------===//

#include "PassKernels.h"
#include "PassNetwork.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

TEST(Passes, RandomNetworks) {
  unsigned kept = 0, refused = 0, longGroups = 0, branches = 0, directions = 0, skewed = 0,
           several = 0, mirrored = 0;
  std::array<unsigned, NumPassKinds> kinds = {};
  Planted dropped;
  for (unsigned seed = 0; seed < 600 && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    const unsigned bits = 5 + random() % 3, own = 1 + random() % 3;
    Network network(seed, bits);
    if (random() % 2)
      network.straight(1 + random() % 3);
    constexpr PassKind InRounds[] = {PassKind::Partners, PassKind::Halves, PassKind::Sorted,
                                     PassKind::Nested};
    if (random() % 3)
      network.rounds(InRounds[random() % std::size(InRounds)]);
    if (random() % 2)
      network.pass(PassKind::Some, network.number(1), random() % bits);
    network.straight(random() % 4);
    const std::string text = network.text();
    const Module module = parsed(text);
    ASSERT_EQ(verifyError(module), "") << text;
    const Function kernel = kernelOf(module);
    WalkBudget budget;
    const std::optional<FusedPasses> fused = fusePasses(kernel, own, budget);
    if (!fused) {
      ++refused;
      continue;
    }
    ASSERT_EQ(verifyError(module, fused->kernel), "") << text << textOf(fused->kernel);
    const unsigned team = TeamSizes[random() % std::size(TeamSizes)];
    const bool isSkewed = random() % 2 == 0;
    const TeamPlan plan = teamOf(fused->kernel, team, isSkewed);
    ASSERT_EQ(plan.run.refusal, "") << text << textOf(fused->kernel);
    const Function teams = teamKernel(plan);
    ASSERT_EQ(verifyError(module, teams), "") << text << textOf(teams);
    ASSERT_EQ(textOf(parsed(textOf(teams)).functions[0]), textOf(teams));
    const uint64_t count = 1 + random() % 3;
    ASSERT_EQ(runRows(module, teams, count, seed), "") << "network " << seed << "\n"
                                                       << text << textOf(teams);
    ++kept;
    several += fused->groups > 1;
    mirrored += fused->mirrored > 0;
    longGroups += fused->passes > 2 * fused->groups;
    branches += network.hasBranch();
    directions += network.hasDirection();
    skewed += isSkewed;
    for (unsigned kind = 0; kind < NumPassKinds; ++kind)
      kinds[kind] += network.of(static_cast<PassKind>(kind)) > 0;
    if (seed % 4 == 0)
      dropBarriers(module, plan, count, seed, dropped);
  }
  for (const auto &[what, number] : {std::pair("fused", kept),
                                     {"refused", refused},
                                     {"of several groups", several},
                                     {"with more than two passes a group", longGroups},
                                     {"with branches", branches},
                                     {"with directions", directions},
                                     {"skewed", skewed},
                                     {"with partners", kinds[0]},
                                     {"with halves", kinds[1]},
                                     {"with single cells", kinds[2]},
                                     {"turned", kinds[3]},
                                     {"with four cells", kinds[4]},
                                     {"with bits reversed", kinds[5]},
                                     {"sorted", kinds[6]},
                                     {"nested", kinds[7]},
                                     {"written", kinds[8]},
                                     {"of some cells", kinds[9]},
                                     {"mirrored", mirrored},
                                     {"dropped barriers", dropped.number}}) {
    EXPECT_GT(number, 0u) << what;
    std::cout << what << ": " << number << "\n";
  }
  EXPECT_GT(dropped.found, dropped.number / 2);
  std::cout << "dropped and found: " << dropped.found << "\n";
}

} // namespace
