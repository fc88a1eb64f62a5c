//===- SplitTriangles.cpp - Loops over rows that grow or shrink -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/SplitTriangles.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "Transform/BlockBuilder.h"
#include "Transform/SharedRows.h"
#include "Transform/StreamWalk.h"
#include "Transform/Varying.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

// Memory is read by two sectors at once.
static constexpr uint64_t PairBytes = 64;
// Of what is copied, as a share: less is not worth another copy of the loop's code.
static constexpr uint64_t LeastSaving = 8;

/// What is copied if each of so many parts copies, for each iteration, as much as it needs at most.
static uint64_t bytesInParts(const std::vector<Window> &windows, uint64_t cellBytes,
                             uint64_t parts) {
  const uint64_t perPart = (windows.size() + parts - 1) / parts;
  uint64_t bytes = 0;
  for (size_t begin = 0; begin < windows.size(); begin += perPart) {
    const size_t end = std::min<size_t>(windows.size(), begin + perPart);
    uint64_t most = 0;
    for (size_t t = begin; t < end; ++t)
      if (!windows[t].isEmpty())
        most = std::max(most, static_cast<uint64_t>(windows[t].last - windows[t].first) + 1);
    bytes += (end - begin) * ((most * cellBytes + PairBytes - 1) / PairBytes * PairBytes);
  }
  return bytes;
}

/// 1, 2 or 4.
static unsigned partsOf(const Function &kernel, OpId loop, const StreamWalk &walk) {
  uint64_t bytes[3] = {};
  for (size_t a : llvm::seq(kernel.arrays.size())) {
    const LoopAccesses *accesses = walk.accesses(loop, ArrayId(a));
    if (!accesses || !accesses->isKnown || !isWorthCopying(kernel, ArrayId(a), accesses->number))
      continue;
    const uint64_t cellBytes = sizeBytes(kernel.arrays[a].cell);
    const std::optional<WindowMove> move = moveOf(*accesses);
    if (!move || static_cast<uint64_t>(std::abs(move->slope)) * cellBytes < PairBytes)
      continue;
    for (unsigned log : {0u, 1u, 2u})
      bytes[log] += bytesInParts(accesses->windows, cellBytes, uint64_t(1) << log);
  }
  const uint64_t least = bytes[0] / LeastSaving;
  if (bytes[1] > 0 && bytes[2] + least <= bytes[1])
    return 4;
  return bytes[0] > 0 && bytes[1] + least <= bytes[0] ? 2 : 1;
}

namespace {

class LoopSplitter {
public:
  LoopSplitter(const Function &from, const std::map<uint32_t, unsigned> &parts)
      : from_(from), parts_(parts), builder_(kernel_),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  Function run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(kernel_);
  }

private:
  bool hook(OpId old);
  llvm::SmallVector<ValueId, 4> part(const Op &loop, int64_t begin, int64_t end,
                                     llvm::ArrayRef<ValueId> carried);

  const Function &from_;
  const std::map<uint32_t, unsigned> &parts_; // by loop
  Function kernel_;
  BlockBuilder builder_;
  Cloner cloner_;
};

} // namespace

bool LoopSplitter::hook(OpId old) {
  const auto parts = parts_.find(old.index);
  if (parts == parts_.end())
    return false;
  const Op &loop = from_.op(old);
  const int64_t all = *constantIterations(from_, loop), number = parts->second,
                perPart = (all + number - 1) / number;
  llvm::SmallVector<ValueId, 4> carried = cloner_.map(llvm::ArrayRef(loop.operands).drop_front(3)),
                                results;
  for (int64_t begin = 0; begin < all; begin += perPart) {
    results = part(loop, begin, std::min(all, begin + perPart), carried);
    carried.assign(std::next(results.begin()), results.end());
  }
  for (auto [result, value] : llvm::zip_equal(loop.results, results))
    cloner_.set(result, value);
  return true;
}

/// These iterations; what the loop's results are then.
llvm::SmallVector<ValueId, 4> LoopSplitter::part(const Op &loop, int64_t begin, int64_t end,
                                                 llvm::ArrayRef<ValueId> carried) {
  const int64_t low = asInt64(*from_.constant(loop.operands[0])),
                step = asStep(loop, *from_.constant(loop.operands[2]));
  const ScalarType type = from_.value(loop.results[0]).type;
  const ValueId from = builder_.constantInt(type, low + begin * step),
                to = builder_.constantInt(type, low + end * step),
                by = builder_.constantInt(type, step);
  const OpId fresh =
      builder_.createFor(from, to, by, step > 0 ? Predicate::Lt : Predicate::Gt, false, carried);
  kernel_.op(fresh).loc = loop.loc;
  kernel_.op(fresh).unrolling = loop.unrolling;
  const RegionId region = kernel_.op(fresh).regions[0];
  for (auto [old, arg] :
       llvm::zip_equal(from_.region(loop.regions[0]).args, kernel_.region(region).args)) {
    cloner_.set(old, arg);
    kernel_.value(arg).name = from_.value(old).name;
    kernel_.value(arg).varying = from_.value(old).varying;
  }
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  cloner_.cloneOps(loop.regions[0]);
  return {kernel_.op(fresh).results.begin(), kernel_.op(fresh).results.end()};
}

void colonnade::splitTriangles(Function &kernel) {
  StreamWalk walk(kernel);
  if (!walk.run())
    return;
  std::map<uint32_t, unsigned> parts;
  for (OpId loop : walk.loops())
    if (constantIterations(kernel, kernel.op(loop)))
      if (const unsigned number = partsOf(kernel, loop, walk); number > 1)
        parts[loop.index] = number;
  if (parts.empty())
    return;
  kernel = LoopSplitter(kernel, parts).run();
  spreadVarying(kernel);
}
