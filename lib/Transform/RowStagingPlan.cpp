//===- RowStagingPlan.cpp - What goes through shared memory, and how ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/RowStagingPlan.h"

#include "Transform/BlockBuilder.h"
#include "Transform/SharedRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

// Of a warp, for strips that are on their way at the same time: 24 warps have as much on an SM.
static constexpr uint64_t MaxStripBytes = 9 << 10;
// Each row of a strip is a cache line.
static constexpr uint64_t StripBytes = 128;

namespace {

class RowPlanner {
public:
  RowPlanner(const Function &kernel, llvm::ArrayRef<uint64_t> accesses,
             const std::vector<bool> &fullyWritten, llvm::ArrayRef<uint64_t> mostCells)
      : plan_{kernel}, kernel_(plan_.kernel), accesses_(accesses), fullyWritten_(fullyWritten),
        mostCells_(mostCells) {}

  RowStagingPlan run();

private:
  std::string refusal() const;
  uint64_t mostOf(ArrayId id) const;
  uint64_t cellsOf(ArrayId id) const;
  bool isWorthIt(ArrayId id) const;
  void chooseArrays();
  bool haveRoom() const;
  void planWholeRows(StagedArray &staged);
  void planRegisters(StagedArray &staged);
  std::vector<StripBatch> batches(bool isIn);
  void note();

  RowStagingPlan plan_;
  Function &kernel_;
  llvm::ArrayRef<uint64_t> accesses_;
  const std::vector<bool> &fullyWritten_;
  llvm::ArrayRef<uint64_t> mostCells_;
  using Shape = std::pair<ScalarType, uint64_t>;    // of a strip: cell and width
  std::map<Shape, std::vector<ArrayId>> stripRows_; // which strips use in turn
};

} // namespace

std::string RowPlanner::refusal() const {
  if (llvm::none_of(llvm::seq(kernel_.arrays.size()),
                    [&](size_t a) { return isWorthIt(ArrayId(a)); }))
    return "";
  if (!kernel_.parts.empty())
    return "calls are kept";
  for (const Array &array : kernel_.arrays)
    if (array.space == Space::Scratch)
      return array.name + " is in scratch memory";
  return "";
}

/// 0: its cells are in no range.
uint64_t RowPlanner::mostOf(ArrayId id) const {
  return id.index < mostCells_.size() ? mostCells_[id.index] : 0;
}

uint64_t RowPlanner::cellsOf(ArrayId id) const {
  return mostOf(id) ? mostOf(id) : *kernel_.array(id).constantCells();
}

/// Whether to copy the rows of an array: its accesses are not one piece of memory already.
bool RowPlanner::isWorthIt(ArrayId id) const {
  const Array &array = kernel_.array(id);
  if (mostOf(id))
    return array.space == Space::Memory && areEnough(accesses_[id.index], mostOf(id)) &&
           !isGuarded(kernel_, id);
  return (hasLongRows(array) && array.space == Space::Registers) ||
         isWorthCopying(kernel_, id, accesses_[id.index]);
}

void RowPlanner::planWholeRows(StagedArray &staged) {
  const Array memory = kernel_.array(staged.memory);
  staged.width = staged.cells;
  staged.isRead = memory.reads || !fullyWritten_[staged.memory.index];
  staged.rows = addRows(kernel_, staged.memory, staged.width, "_rows");
}

void RowPlanner::planRegisters(StagedArray &staged) {
  const Array &memory = kernel_.array(staged.memory);
  const uint64_t most = StripBytes / sizeBytes(memory.cell),
                 strips = (staged.cells + most - 1) / most;
  staged.width = (staged.cells + strips - 1) / strips;
  staged.isRead = memory.loadedFirst;
  staged.registers = splitRegisters(kernel_, staged.memory);
}

/// The strips of arrays in registers, as many at the same time as have room.
std::vector<StripBatch> RowPlanner::batches(bool isIn) {
  std::vector<StripBatch> result;
  std::map<Shape, size_t> used; // by the batch
  uint64_t bytes = MaxStripBytes;
  for (const StagedArray &staged : plan_.staged) {
    const Array memory = kernel_.array(staged.memory);
    if (!staged.registers || staged.isDirect || !(isIn ? staged.isRead : memory.writes))
      continue;
    for (uint64_t first = 0; first < staged.cells; first += staged.width) {
      const uint64_t width = std::min(staged.width, staged.cells - first);
      bytes += bytesOfRows(memory.cell, width);
      if (bytes > MaxStripBytes) {
        result.emplace_back();
        used.clear();
        bytes = bytesOfRows(memory.cell, width);
      }
      const Shape shape(memory.cell, width);
      std::vector<ArrayId> &rows = stripRows_[shape];
      const size_t number = used[shape]++;
      if (number == rows.size())
        rows.push_back(addRows(kernel_, staged.memory, width, "_strip"));
      result.back().push_back({&staged, first, width, rows[number]});
    }
  }
  return result;
}

/// For all arrays whose rows would stay in shared memory: one that did not would lose the cache
/// that the others take.
bool RowPlanner::haveRoom() const {
  uint64_t bytes = 0;
  for (size_t a = 0; a < kernel_.arrays.size(); ++a) {
    const Array &array = kernel_.arrays[a];
    if (array.space == Space::Memory && isWorthIt(ArrayId(a)))
      bytes += bytesOfRows(array.cell, cellsOf(ArrayId(a)));
  }
  return bytes <= MaxSharedBytes;
}

void RowPlanner::chooseArrays() {
  const bool hasRoom = haveRoom();
  const size_t numArrays = kernel_.arrays.size();
  for (size_t a = 0; a < numArrays; ++a) {
    const bool isInRegisters = kernel_.arrays[a].space == Space::Registers;
    const bool isDirect = isInRegisters && kernel_.arrays[a].isPassed() && !isWorthIt(ArrayId(a));
    if (!isDirect && (!isWorthIt(ArrayId(a)) || !(isInRegisters || hasRoom)))
      continue;
    StagedArray staged{ArrayId(a), {}, {}, cellsOf(ArrayId(a))};
    staged.isDirect = isDirect;
    if (isInRegisters)
      planRegisters(staged);
    else
      planWholeRows(staged);
    plan_.staged.push_back(staged);
  }
  plan_.in = batches(true);
  plan_.out = batches(false);
}

bool RowStagingPlan::isEmpty() const {
  return llvm::all_of(staged, [](const StagedArray &each) { return each.isDirect; });
}

RowStagingPlan RowPlanner::run() {
  if (std::string reason = refusal(); !reason.empty())
    return {kernel_, {}, {}, {}, std::move(reason)};
  chooseArrays();
  if (plan_.isEmpty())
    return {
        kernel_, {}, {}, {}, haveRoom() ? "" : "the rows take more shared memory than there is"};
  if (!shapeForRows(kernel_, 1))
    return {kernel_, {}, {}, {}, "strips of all arrays take more shared memory than there is"};
  note();
  return std::move(plan_);
}

void RowPlanner::note() {
  kernel_.notes.clear();
  if (const uint64_t bytes = kernel_.sharedBytes(); bytes > SharedBytesOfAll)
    kernel_.notes.push_back("row-wise instances: blocks with " + std::to_string(bytes) +
                            " bytes of shared memory; as others where a GPU has less");
  for (const StagedArray &staged : plan_.staged)
    if (!staged.isDirect)
      kernel_.notes.push_back(
          "row-wise " + kernel_.array(staged.memory).name + ": " +
          (staged.registers ? "to registers and back in strips of " + std::to_string(staged.width) +
                                  " cells through shared memory"
                            : "rows of " + std::string(mostOf(staged.memory) ? "at most " : "") +
                                  std::to_string(staged.width) + " cells in shared memory"));
}

RowStagingPlan colonnade::planRowStaging(const Function &kernel, llvm::ArrayRef<uint64_t> accesses,
                                         const std::vector<bool> &fullyWritten,
                                         llvm::ArrayRef<uint64_t> mostCells) {
  return RowPlanner(kernel, accesses, fullyWritten, mostCells).run();
}
