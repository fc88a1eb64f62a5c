//===- BlockBuilder.cpp - Appends what threads of a block do together -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/BlockBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr unsigned MostThreads = 128;
static constexpr uint64_t SectorBytes = 32;
// Cells of a sector that a thread may access one by one: each time, a warp asks for 32 sectors.
static constexpr uint64_t MostOfSector = 8;

bool colonnade::hasLongRows(const Array &array) {
  const std::optional<uint64_t> cells = array.constantCells();
  return array.isPassed() && array.isPerInstance() && cells &&
         (*cells * sizeBytes(array.cell) > SectorBytes || *cells > MostOfSector);
}

bool colonnade::shapeForRows(Function &kernel, unsigned team) {
  ThreadShape &shape = std::get<ThreadShape>(*kernel.launch);
  shape.perBlock = LanesPerWarp;
  const uint64_t bytes = kernel.sharedBytes();
  if (bytes > MaxSharedBytes)
    return false;
  const uint64_t warps = std::max<uint64_t>(1, SharedBytesOfAll / std::max<uint64_t>(1, bytes));
  shape.perBlock = static_cast<unsigned>(std::min<uint64_t>(MostThreads, warps * LanesPerWarp));
  shape.team = team;
  shape.together = true;
  shape.layouts = Layouts::Rows;
  shape.resident = 1; // as shared memory allows
  return true;
}

unsigned colonnade::instancesOfSectors(const Function &kernel) {
  uint64_t instances = 1;
  for (const Array &array : kernel.arrays)
    if (hasLongRows(array))
      instances = std::max(instances, SectorBytes / sizeBytes(array.cell));
  return static_cast<unsigned>(instances);
}

void BlockBuilder::stage(ArrayId to, ArrayId from, ValueId at) {
  Op op = makeOp(Opcode::Stage);
  op.arrays = {to, from};
  if (at)
    op.operands = {at};
  append(std::move(op), {});
}

void BlockBuilder::forCells(uint64_t cells, llvm::function_ref<void(ValueId)> body) {
  const ValueId low = number(0), high = number(cells), step = number(1);
  const OpId loop = createFor(low, high, step, Predicate::Lt, false, {});
  function().op(loop).unrolling.kind = Unrolling::Kind::Fully;
  const RegionId region = function().op(loop).regions[0];
  const InsertionScope scope(*this);
  setRegion(region);
  body(function().region(region).args[0]);
  yield({});
}

void BlockBuilder::copyCells(ArrayId to, ArrayId from, uint64_t cells) {
  forCells(cells, [&](ValueId cell) { store(to, varying(load(from, {cell})), {cell}); });
}

void BlockBuilder::onlyIf(ValueId condition, llvm::function_ref<void()> body) {
  const OpId branch = createIf(condition, {});
  const RegionId with = function().op(branch).regions[0],
                 without = function().op(branch).regions[1];
  const InsertionScope scope(*this);
  setRegion(with);
  body();
  yield({});
  setRegion(without);
  yield({});
}

ValueId BlockBuilder::cellOf(const Op &access) {
  const AccessOperands parts = accessOperands(access);
  ValueId cell = parts.subscripts[0];
  for (auto [radix, next] : llvm::zip_equal(parts.radices, parts.subscripts.drop_front())) {
    const bool varies = function().anyVarying({cell, radix, next});
    const ValueId row = binary(Opcode::Mul, cell, radix);
    cell = binary(Opcode::Add, row, next);
    function().value(row).varying = function().value(cell).varying = varies;
  }
  return cell;
}
