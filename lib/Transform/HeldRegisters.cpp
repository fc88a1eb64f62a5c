//===- HeldRegisters.cpp - Arrays in registers while rows stream ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/HeldRegisters.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

void HeldRegisters::load() {
  for (Op &op : builder_.function().ops)
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
      for (const HeldArray &held : held_)
        if (op.array == held.memory) {
          op.array = held.registers;
          break;
        }
  for (const Batch &batch : batches(&HeldArray::isRead)) {
    for (const auto &[held, strip] : batch)
      builder_.stage(strip->rows, held->memory, beginOf(*held, *strip));
    builder_.wait();
    builder_.barrier(Sharing::Warp);
    builder_.onlyIf(place_.hasInstance, [&] {
      for (const auto &[held, strip] : batch)
        eachCell(*held, *strip, true);
    });
    builder_.barrier(Sharing::Warp);
  }
  builder_.onlyIf(place_.hasInstance, [&] {
    for (const HeldArray &held : held_)
      if (held.isRead && held.strips.empty())
        builder_.copyCells(held.registers, held.memory, held.cells);
  });
}

void HeldRegisters::store() {
  builder_.onlyIf(place_.hasInstance, [&] {
    for (const HeldArray &held : held_)
      if (held.isWritten && held.strips.empty())
        builder_.copyCells(held.memory, held.registers, held.cells);
  });
  for (const Batch &batch : batches(&HeldArray::isWritten)) {
    builder_.barrier(Sharing::Warp);
    builder_.onlyIf(place_.hasInstance, [&] {
      for (const auto &[held, strip] : batch)
        eachCell(*held, *strip, false);
    });
    builder_.barrier(Sharing::Warp);
    for (const auto &[held, strip] : batch)
      builder_.stage(held->memory, strip->rows, beginOf(*held, *strip));
  }
}

/// The first strips of arrays, the second ones, and so on.
std::vector<HeldRegisters::Batch> HeldRegisters::batches(bool HeldArray::*isCopied) const {
  std::vector<Batch> batches;
  for (const HeldArray &held : held_)
    for (auto [s, strip] : llvm::enumerate(held.strips))
      if (held.*isCopied) {
        batches.resize(std::max(batches.size(), s + 1));
        batches[s].push_back({&held, &strip});
      }
  return batches;
}

/// Invalid if the strip is all of the row.
ValueId HeldRegisters::beginOf(const HeldArray &held, const HeldStrip &strip) {
  return strip.width < held.cells ? builder_.number(strip.first) : ValueId();
}

/// Between a strip in shared memory and the thread's registers.
void HeldRegisters::eachCell(const HeldArray &held, const HeldStrip &strip, bool isIn) {
  const ValueId width = builder_.number(strip.width), base = builder_.number(strip.first);
  builder_.forCells(strip.width, [&](ValueId cell) {
    const ValueId inRegisters = builder_.binary(Opcode::Add, base, cell),
                  inRow[] = {place_.lane, cell};
    if (isIn)
      builder_.store(held.registers, builder_.varying(builder_.load(strip.rows, inRow, {width})),
                     {inRegisters});
    else
      builder_.store(strip.rows, builder_.varying(builder_.load(held.registers, {inRegisters})),
                     inRow, {width});
  });
}
