//===- Spaces.cpp - Where each array of a kernel lives --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Spaces.h"

using namespace colonnade;
using namespace colonnade::ir;

// CUDA reserves the local memory of as many threads as the device can hold. Beyond this many
// bytes a thread, scratch memory for the threads that are launched costs less.
static constexpr uint64_t MaxLocalBytesPerThread = 4096;
// A lane's local arrays of up to this many bytes live on the stack.
static constexpr uint64_t MaxLocalBytesPerLane = 1024;
// Of an instance that runs alone: what a thread's stack of the usual 8 MiB has room for.
static constexpr uint64_t MaxLocalBytesOfOne = 64 << 10;
// Tables are read at uniform addresses: constant memory broadcasts them. It has 64 KiB.
static constexpr uint64_t MaxConstantBytes = 48 << 10;

void colonnade::shareLocalArrays(Function &kernel, const Uniformity &uniformity) {
  for (size_t a = 0; a < kernel.arrays.size(); ++a)
    if (kernel.arrays[a].isLocal())
      kernel.arrays[a].sharing = uniformity.arrayVarying[a] ? Sharing::Instance : Sharing::Uniform;
}

static Space spaceOfLocal(const Array &array, uint64_t maxBytes) {
  std::optional<uint64_t> cells = array.constantCells();
  return cells && *cells <= maxBytes / sizeBytes(array.cell) ? Space::Local : Space::Scratch;
}

static Space spaceOfPassed(const Array &array) {
  return array.isPerInstance() ? Space::Memory : Space::Uniform;
}

/// The tables in their order, as long as constant memory lasts.
static void placeTables(Function &kernel, uint64_t constantBytes) {
  for (Array &array : kernel.arrays) {
    if (!array.isTable())
      continue;
    const uint64_t bytes = array.contents.size() * sizeBytes(array.cell);
    array.space = bytes <= constantBytes ? Space::Constant : Space::Global;
    constantBytes -= array.space == Space::Constant ? bytes : 0;
  }
}

/// As Array::stored says it: all cells are no ranges.
static std::vector<CellRange> writtenBack(const Array &array,
                                          const std::vector<CellRange> &stored) {
  const CellRange all = {0, *array.constantCells() - 1};
  return stored == std::vector<CellRange>{all} ? std::vector<CellRange>{} : stored;
}

void colonnade::placeForThreads(Function &kernel, const RegisterPlan &registers,
                                const std::vector<bool> &fullyWritten) {
  kernel.notes.insert(kernel.notes.end(), registers.notes.begin(), registers.notes.end());
  placeTables(kernel, MaxConstantBytes);
  for (size_t a = 0; a < kernel.arrays.size(); ++a) {
    Array &array = kernel.arrays[a];
    if (array.isTable())
      continue;
    if (registers.arrays[a])
      array.space = Space::Registers;
    else
      array.space =
          array.isLocal() ? spaceOfLocal(array, MaxLocalBytesPerThread) : spaceOfPassed(array);
    array.loadedFirst =
        array.space == Space::Registers && array.isPassed() && (array.reads || !fullyWritten[a]);
    if (array.space == Space::Registers && array.isPassed())
      array.stored = writtenBack(array, registers.stored[a]);
    if (array.space == Space::Scratch)
      kernel.notes.push_back(array.name +
                             ": in scratch memory, too large for a thread or of unknown size");
  }
}

static void placeOnHost(Function &kernel, uint64_t maxLocalBytes) {
  placeTables(kernel, UINT64_MAX);
  for (Array &array : kernel.arrays)
    if (!array.isTable())
      array.space = array.isLocal() ? spaceOfLocal(array, maxLocalBytes) : spaceOfPassed(array);
}

void colonnade::placeForLanes(Function &kernel) { placeOnHost(kernel, MaxLocalBytesPerLane); }
void colonnade::placeForOne(Function &kernel) { placeOnHost(kernel, MaxLocalBytesOfOne); }
