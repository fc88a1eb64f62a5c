//===- NestLines.cpp - Which cells the iterations of a nest load ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/NestLines.h"

#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class LineFinder {
public:
  LineFinder(const Function &kernel, const SteppedNest &nest)
      : kernel_(kernel), k_(counterOf(nest.steps)), i_(counterOf(nest.rows)),
        j_(counterOf(nest.columns)) {
    lines_.nest = nest;
  }

  std::optional<NestLines> run() {
    const RegionId body = kernel_.op(lines_.nest.columns).regions[0];
    if (!findStores(body) || lines_.stores.empty() || !findLoads(body) || !loadsOthers_)
      return std::nullopt;
    return std::move(lines_);
  }

private:
  ValueId counterOf(OpId loop) const { return kernel_.region(kernel_.op(loop).regions[0]).args[0]; }
  bool findStores(RegionId region);
  bool findLoads(RegionId region);
  bool isAt(const Op &access, const Op &store, NestCell cell) const;
  bool isAt(ValueId value, ValueId own, NestCell cell) const;

  const Function &kernel_;
  const ValueId k_, i_, j_;
  NestLines lines_;
  std::set<uint32_t> storedSoFar_;
  bool loadsOthers_ = false;
};

} // namespace

/// Whether a value is what `own` is at other counters.
bool LineFinder::isAt(ValueId value, ValueId own, NestCell cell) const {
  if (own == i_)
    return value == (cell.rowIsK ? k_ : i_);
  if (own == j_)
    return value == (cell.columnIsK ? k_ : j_);
  const Op *const a = kernel_.definition(value), *const b = kernel_.definition(own);
  if (!a || !b)
    return value == own;
  const auto type = [&](ValueId each) { return kernel_.value(each).type; };
  if (!isPure(*a) || !isPure(*b) || type(value) != type(own) || a->opcode != b->opcode ||
      a->operands.size() != b->operands.size())
    return false;
  if (a->opcode == Opcode::Constant)
    return a->scalar.bits == b->scalar.bits;
  const auto areAt = [&](unsigned x, unsigned y) {
    return isAt(a->operands[0], b->operands[x], cell) && isAt(a->operands[1], b->operands[y], cell);
  };
  if (a->opcode == Opcode::Add || a->opcode == Opcode::Mul)
    return areAt(0, 1) || areAt(1, 0);
  if (a->opcode != Opcode::Sub && a->opcode != Opcode::Cast && a->opcode != Opcode::Shl)
    return false;
  return a->operands.size() == 2 ? areAt(0, 1) : isAt(a->operands[0], b->operands[0], cell);
}

bool LineFinder::isAt(const Op &access, const Op &store, NestCell cell) const {
  const AccessOperands a = accessOperands(access), b = accessOperands(store);
  const auto areAt = [&](llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> own) {
    return values.size() == own.size() &&
           llvm::all_of(llvm::zip(values, own), [&](const auto &pair) {
             return isAt(std::get<0>(pair), std::get<1>(pair), cell);
           });
  };
  return areAt(a.subscripts, b.subscripts) && areAt(a.radices, b.radices);
}

/// All of an array are to one cell.
bool LineFinder::findStores(RegionId region) {
  for (OpId id : kernel_.region(region).ops) {
    const Op &op = kernel_.op(id);
    if (op.opcode == Opcode::Store) {
      const OpId first = lines_.stores.try_emplace(op.array.index, id).first->second;
      if (!kernel_.array(op.array).isPassed() || !isAt(op, kernel_.op(first), {}))
        return false;
    } else if (op.opcode != Opcode::If && op.opcode != Opcode::Load && op.opcode != Opcode::Yield &&
               !isPure(op)) {
      return false;
    }
    if (!llvm::all_of(op.regions, [&](RegionId inner) { return findStores(inner); }))
      return false;
  }
  return true;
}

bool LineFinder::findLoads(RegionId region) {
  static constexpr NestCell Cells[] = {{}, {false, true}, {true, false}, {true, true}};
  for (OpId id : kernel_.region(region).ops) {
    const Op &op = kernel_.op(id);
    if (!llvm::all_of(op.regions, [&](RegionId inner) { return findLoads(inner); }))
      return false;
    if (op.opcode == Opcode::Store)
      storedSoFar_.insert(op.array.index);
    const auto store = lines_.stores.find(op.array.valid() ? op.array.index : UINT32_MAX);
    if (op.opcode != Opcode::Load || store == lines_.stores.end())
      continue;
    const auto *const cell = llvm::find_if(
        Cells, [&](NestCell each) { return isAt(op, kernel_.op(store->second), each); });
    if (cell == std::end(Cells) || (!cell->isOwn() && storedSoFar_.count(op.array.index) != 0))
      return false;
    loadsOthers_ |= !cell->isOwn();
    lines_.loads[id.index] = *cell;
  }
  return true;
}

std::optional<NestLines> colonnade::nestLines(const Function &kernel, const SteppedNest &nest) {
  return LineFinder(kernel, nest).run();
}
