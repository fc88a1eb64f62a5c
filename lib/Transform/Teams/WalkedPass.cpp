//===- WalkedPass.cpp - The iterations of a pass --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/WalkedPass.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

static uint64_t lowestOf(const PassIteration &iteration) {
  uint64_t lowest = UINT64_MAX;
  for (const PassAccess &access : iteration.accesses)
    lowest = std::min(lowest, access.cell);
  return lowest;
}

namespace {

/// Lowest cells of the iterations that take an arm.
struct OfArm {
  uint64_t all = UINT64_MAX, any = 0; // bits of all of them, and of any
  void add(uint64_t cell) {
    all &= cell;
    any |= cell;
  }
  bool isEmpty() const { return all == UINT64_MAX; }
};
struct BranchCells {
  OfArm then, otherwise;
  bool isData = false;
};

} // namespace

/// Which bit decides: it is the same for all iterations that take an arm, and not for others.
static Decision decisionOf(const BranchCells &branch, std::optional<unsigned> &direction) {
  if (branch.isData)
    return Decision::Data;
  if (branch.then.isEmpty() || branch.otherwise.isEmpty())
    return branch.then.isEmpty() ? Decision::Else : Decision::Then;
  const uint64_t thenAtZero = branch.otherwise.all & ~branch.then.any,
                 elseAtZero = branch.then.all & ~branch.otherwise.any;
  if (!llvm::has_single_bit(thenAtZero | elseAtZero))
    return Decision::Known;
  const auto bit = static_cast<unsigned>(llvm::countr_zero(thenAtZero | elseAtZero));
  if (direction && *direction != bit)
    return Decision::Known;
  direction = bit;
  return thenAtZero ? Decision::ThenAtZero : Decision::ElseAtZero;
}

static void decideBranches(WalkedPass &walked) {
  std::map<uint32_t, BranchCells> branches;
  for (const PassIteration &iteration : walked.iterations)
    for (const auto &[op, decision] : iteration.branches) {
      BranchCells &branch = branches[op];
      branch.isData |= decision == Decision::Data;
      (decision == Decision::Then ? branch.then : branch.otherwise).add(lowestOf(iteration));
    }
  for (const auto &[op, branch] : branches)
    walked.pass.branches[op] = decisionOf(branch, walked.pass.direction);
}

static void findWritten(const Function &kernel, unsigned numBits, WalkedPass &walked) {
  std::map<uint32_t, uint64_t> stored; // by array: cells that are stored to at first
  for (const PassIteration &iteration : walked.iterations) {
    std::set<std::pair<uint32_t, uint64_t>> seen; // arrays and cells
    for (const PassAccess &access : iteration.accesses) {
      const Op &op = kernel.ops[access.op];
      if (seen.insert({op.array.index, access.cell}).second)
        stored[op.array.index] += access.isCertain && op.opcode == Opcode::Store;
    }
  }
  for (const auto &[array, cells] : stored)
    if (cells == uint64_t(1) << numBits)
      walked.pass.written.insert(array);
}

bool colonnade::conclude(const Function &kernel, unsigned numBits, WalkedPass &walked) {
  Pass &pass = walked.pass;
  std::vector<std::map<uint64_t, uint64_t>> counters(pass.nest.size()); // by lowest cell
  uint64_t ofLowest = 0;
  for (const PassIteration &iteration : walked.iterations) {
    const uint64_t lowest = lowestOf(iteration);
    for (auto [of, counter] : llvm::zip_equal(counters, iteration.counters))
      if (!of.emplace(lowest, counter).second)
        return false;
    ofLowest |= lowest;
    for (const PassAccess &access : iteration.accesses) {
      const uint64_t apart = access.cell ^ lowest;
      if (pass.apart.emplace(access.op, apart).first->second != apart)
        return false;
      pass.differ |= apart;
    }
  }
  // All cells of these bits are lowest ones, and no other bits are theirs: iterations have no cell
  // in common.
  if (walked.iterations.size() != uint64_t(1) << llvm::popcount(ofLowest) ||
      (ofLowest & pass.differ) != 0)
    return false;
  pass.bits = ((uint64_t(1) << numBits) - 1) & ~ofLowest;
  for (const std::map<uint64_t, uint64_t> &of : counters) {
    std::optional<BitMap> map = bitMapOf(of);
    if (!map)
      return false;
    map->images.resize(numBits);
    pass.counters.push_back(std::move(*map));
  }
  decideBranches(walked);
  findWritten(kernel, numBits, walked);
  return true;
}
