//===- CopyTraffic.cpp - Requests and sectors of copies to rows and back ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CopyTraffic.h"

#include "Model/Banks.h"
#include "Model/ColumnCopies.h"
#include "Model/RowCopies.h"
#include "Model/StagedRows.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"

#include <map>

namespace colonnade::model {

using ir::Array;
using ir::Space;

static constexpr int64_t BytesOfNumber = 2; // of a list
static constexpr int64_t Sixteen = 16;      // bytes of the longest unit

namespace {

class CopyCounter {
public:
  CopyCounter(const ir::Function &kernel, Layout layout, const BulkInput &input,
              const TrafficMachine &machine)
      : kernel_(kernel), layout_(layout), input_(input), machine_(machine) {}

  std::vector<Traffic> run();

private:
  using OfCopy = Traffic (CopyCounter::*)(const StagedCopy &) const;
  void add(const StagedCopies &stage, OfCopy ofCopy);
  Traffic ofCells(const StagedCopy &staged) const;
  Traffic ofList(const StagedCopy &staged) const;
  Traffic ofColumns(const StagedCopy &staged) const;
  Traffic ofRows(const StagedCopy &staged) const;
  bool isForColumns() const { return std::get<ir::ThreadShape>(*kernel_.launch).isForColumns(); }
  const Array &rowsOf(const StagedCopy &staged) const { return kernel_.array(staged.rows); }
  int64_t bytesOf(const StagedCopy &staged) const {
    return static_cast<int64_t>(ir::sizeBytes(rowsOf(staged).cell));
  }
  ColumnCopy columnCopy(const StagedCopy &staged, llvm::ArrayRef<int64_t> cells) const;
  RowCopy rowCopy(const StagedCopy &staged, bool isByUnits) const;
  std::vector<int64_t> liveUnits(const StagedCopy &staged, const RowCopy &copy) const;
  RowPlaces placesOf(const StagedCopy &staged, const RowCopy &copy) const;

  const ir::Function &kernel_;
  Layout layout_;
  const BulkInput &input_;
  const TrafficMachine &machine_;
  std::vector<Traffic> traffic_;
};

} // namespace

std::vector<Traffic> CopyCounter::run() {
  for (const StagedCopies &stage : stagedCopies(kernel_)) {
    const ir::Op &op = kernel_.op(stage.stage);
    add(stage, &CopyCounter::ofCells);
    if (!op.live.empty() && !ir::isConstantList(kernel_, op))
      add(stage, &CopyCounter::ofList);
  }
  return std::move(traffic_);
}

/// All that a Stage copies; what begins alike in its sectors is counted once.
void CopyCounter::add(const StagedCopies &stage, OfCopy ofCopy) {
  std::map<int64_t, Traffic> counted; // by the byte of a sector that it begins at
  Traffic sum{};
  for (const StagedCopy &copy : stage.copies) {
    const int64_t bytes = bytesOf(copy),
                  begin = copy.first * bytes % machine_.groupBytes.value_or(machine_.lanes * bytes);
    auto at = counted.find(begin);
    if (at == counted.end())
      at = counted.emplace(begin, (this->*ofCopy)(copy)).first;
    const Traffic &one = at->second;
    if (&copy == &stage.copies.front()) {
      sum = one;
      continue;
    }
    sum.requests += one.requests;
    sum.sectors += one.sectors;
    if (one.ofLastWarp)
      *sum.ofLastWarp += *one.ofLastWarp;
    sum.excessWavefronts += one.excessWavefronts;
    sum.mayTakeMore |= one.mayTakeMore;
    sum.askedTwice += one.askedTwice;
    sum.times += one.times;
  }
  if (!stage.copies.empty())
    traffic_.push_back(sum);
}

Traffic CopyCounter::ofCells(const StagedCopy &staged) const {
  return isForColumns() ? ofColumns(staged) : ofRows(staged);
}

ColumnCopy CopyCounter::columnCopy(const StagedCopy &staged, llvm::ArrayRef<int64_t> cells) const {
  const ModelArray &array = input_.arrays[staged.memory.index];
  return {*rowsOf(staged).extents[0].asConstant(),
          std::get<ir::ThreadShape>(*kernel_.launch).team,
          staged.first,
          staged.width,
          machine_.groupBytes ? bytesOf(staged) : BytesOfWord, // else a cell is a word
          {layout_, array.cells, input_.count, machine_.lanes, array.base},
          cells};
}

Traffic CopyCounter::ofColumns(const StagedCopy &staged) const {
  const std::vector<int64_t> cells = copiedCells(kernel_, staged);
  const ColumnCopy copy = columnCopy(staged, cells);
  Traffic traffic{staged.memory, {}, Space::Shared, staged.isStore, false, copy.requests()};
  traffic.sectors = copy.groups(machine_.groupBytes.value_or(machine_.lanes * copy.bytes));
  traffic.excessWavefronts = copy.excessWavefronts(rowsOf(staged));
  return traffic;
}

static int64_t warpsOfBlock(const ir::Function &kernel) {
  const auto &shape = std::get<ir::ThreadShape>(*kernel.launch);
  return std::max<int64_t>(1, shape.perBlock / LanesOfWarp);
}

RowCopy CopyCounter::rowCopy(const StagedCopy &staged, bool isByUnits) const {
  const Array &rows = rowsOf(staged);
  const ModelArray &array = input_.arrays[staged.memory.index];
  RowCopy copy{array.cells,     staged.width,   staged.first,
               bytesOf(staged), machine_.lanes, instancesOfWarp(kernel_, machine_.lanes),
               array.base};
  if (isByUnits && machine_.groupBytes) // else a cell is a word, whatever its type
    copy.useUnits(static_cast<int64_t>(rows.rowPitch()), rows.skew != 0);
  copy.isByHardware = !staged.isStore && copy.unitBytes >= BytesOfWord;
  const bool isLive = !kernel_.op(staged.stage).live.empty(), isSixteen = copy.unitBytes == Sixteen;
  copy.rest = isLive && isSixteen                 ? RestLoop::OneByOne
              : isLive || isSixteen || !isByUnits ? RestLoop::OnesFirst
                                                  : RestLoop::FoursFirst;
  return copy;
}

/// Of ascending cells that fill them; empty: all.
std::vector<int64_t> CopyCounter::liveUnits(const StagedCopy &staged, const RowCopy &copy) const {
  std::vector<int64_t> units;
  if (kernel_.op(staged.stage).live.empty())
    return units;
  const int64_t inUnit = staged.width / copy.width;
  for (int64_t cell : copiedCells(kernel_, staged))
    if (cell % inUnit == 0)
      units.push_back(cell / inUnit);
  return units;
}

RowPlaces CopyCounter::placesOf(const StagedCopy &staged, const RowCopy &copy) const {
  const Array &rows = rowsOf(staged);
  const auto pitchBytes = static_cast<int64_t>(rows.rowPitch() * ir::sizeBytes(rows.cell));
  return {pitchBytes / copy.unitBytes, static_cast<int64_t>(rows.skew), warpsOfBlock(kernel_)};
}

/// Strips that begin where units of 16 bytes do are copied by such, but for those of a warp that is
/// not full, and of arrays that begin between them: these cell after cell (row_strips.cuh).
Traffic CopyCounter::ofRows(const StagedCopy &staged) const {
  const bool isStrip = ir::isRowStrip(kernel_, kernel_.op(staged.stage)),
             isBetween = input_.arrays[staged.memory.index].base * bytesOf(staged) % Sixteen != 0;
  RowCopy copy = rowCopy(staged, !isStrip || !isBetween), last = rowCopy(staged, !isStrip);
  const std::vector<int64_t> live = liveUnits(staged, copy);
  copy.live = last.live = live;
  const int64_t rest = input_.count % copy.instances, warps = input_.count / copy.instances;
  Traffic traffic{staged.memory,  {},    Space::Shared,
                  staged.isStore, false, copy.requests(copy.instances).size()};
  traffic.parts = copy.parts();
  const RowPlaces places = placesOf(staged, copy), lastPlaces = placesOf(staged, last);
  const auto groups = [&] {
    const int64_t bytes = machine_.groupBytes.value_or(machine_.lanes * bytesOf(staged));
    return copy.groupsOfAll(warps, bytes, places) +
           last.groupsOfWarp(rest, bytes, warps, lastPlaces);
  };
  traffic.sectors = groups();
  if (rest != 0)
    traffic.ofLastWarp = last.requests(rest).size();
  traffic.excessWavefronts =
      static_cast<uint64_t>(warps) * copy.excessWavefronts(copy.instances, places) +
      last.excessWavefronts(rest, lastPlaces);
  traffic.mayTakeMore = copy.mayTakeMore(places);
  copy.isByHardware = last.isByHardware = false;
  traffic.askedTwice = traffic.sectors - groups();
  return traffic;
}

/// Of columns each lane loads the number of its cell, of rows that of its unit's sector.
Traffic CopyCounter::ofList(const StagedCopy &staged) const {
  Traffic traffic{staged.memory, {}, Space::Uniform};
  traffic.isList = true;
  const int64_t numbers = machine_.groupBytes ? *machine_.groupBytes / BytesOfNumber
                                              : machine_.lanes; // else a number is a word
  if (isForColumns()) {
    const std::vector<int64_t> cells = copiedCells(kernel_, staged);
    const ColumnCopy copy = columnCopy(staged, cells);
    traffic.requests = copy.requests();
    traffic.sectors = copy.listGroups(numbers);
    return traffic;
  }
  RowCopy copy = rowCopy(staged, true);
  const std::vector<int64_t> live = liveUnits(staged, copy);
  copy.live = live;
  const int64_t rest = input_.count % copy.instances;
  traffic.requests = copy.requests(copy.instances).size();
  traffic.sectors = copy.listGroups(input_.count / copy.instances, rest, numbers);
  if (rest != 0)
    traffic.ofLastWarp = copy.requests(rest).size();
  return traffic;
}

std::vector<Traffic> copyTraffic(const ir::Function &kernel, Layout layout, const BulkInput &input,
                                 const TrafficMachine &machine) {
  return CopyCounter(kernel, layout, input, machine).run();
}

} // namespace colonnade::model
