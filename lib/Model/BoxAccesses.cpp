//===- BoxAccesses.cpp - What is counted in boxes -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: accesses, or entries of regions, in a box. Out: how often each is made, by residue.
//
// What is in a loop, but not in one that comes before it (Boxes.h), is counted with the first
// iteration of that one only.
//
// Invariant: what is counted waits until no range of its box can be cut any more.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"

#include "Model/Residues.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

/// Ranges of the loop are no more cut; nor are those around it, perhaps.
bool ProfileSummary::BoxWalk::endPass(unsigned dimension, size_t from) {
  if (const int64_t count = frames_[dimension].count; count > 1)
    for (size_t p = from; p < pending_.size(); ++p)
      if (pending_[p].dimensions >> dimension & 1)
        pending_[p].counts[dimension] = count;
  if ((ranged_ & ~(uint32_t(1) << dimension)) != 0)
    return true;
  for (const Pending &pending : pending_)
    if (!commit(pending))
      return false;
  pending_.clear();
  return true;
}

void ProfileSummary::BoxWalk::enter(uint32_t number, const BoxValue &cell, bool isConditional) {
  for (unsigned loop : plan_.hoisted)
    if (const unsigned d = plan_.symbols + loop; !(around_ >> d & 1) && !frames_[d].isFirst)
      return;
  Pending pending{number, isConditional, around_, cell, {}};
  pending.counts.fill(1);
  pending_.push_back(pending);
}

std::optional<BoxValue> ProfileSummary::BoxWalk::cellOf(const ir::AccessOperands &operands) {
  BoxValue cell = value(operands.subscripts[0]);
  for (size_t k = 0; k < operands.radices.size(); ++k) {
    const BoxValue &radix = value(operands.radices[k]), &next = value(operands.subscripts[k + 1]);
    if (cell.isData || radix.isData || next.isData)
      return BoxValue::data();
    BoxValue row;
    if (!linear(Opcode::Mul, cell, radix, row) || !linear(Opcode::Add, row, next, cell))
      return std::nullopt;
  }
  return cell;
}

bool ProfileSummary::BoxWalk::access(OpId id) {
  const Op &op = function_.op(id);
  const std::optional<BoxValue> cell = cellOf(ir::accessOperands(op));
  if (!cell || cell->isData)
    return false;
  enter(summary_.siteOf(id), *cell, false);
  return op.opcode == Opcode::Store || load(op, *cell);
}

bool ProfileSummary::BoxWalk::kernelLoad(const Op &op) {
  value(op.results[0]) = BoxValue::data();
  if (!summary_.decides_[op.array.index])
    return true;
  const std::optional<BoxValue> cell = cellOf(ir::accessOperands(op));
  return cell && (cell->isData || load(op, *cell));
}

/// What is loaded from an array whose contents are known.
bool ProfileSummary::BoxWalk::load(const Op &op, const BoxValue &cell) {
  BoxValue &result = value(op.results[0]);
  const ir::ScalarType type = summary_.typeOf(op.results[0]);
  result = {};
  result.isData = !summary_.decides_[op.array.index] || ir::isFloat(type);
  if (result.isData)
    return true;
  const llvm::ArrayRef<uint64_t> contents = summary_.contents_[op.array.index];
  if (!makeKnown(cell) || static_cast<uint64_t>(cell.base) >= contents.size())
    return false;
  result.base = ir::asInt64({type, contents[static_cast<size_t>(cell.base)]});
  return true;
}

bool ProfileSummary::BoxWalk::commit(const Pending &pending) {
  uint64_t times = 1;
  forEachDimension(pending.dimensions, [&](unsigned d) {
    times = llvm::SaturatingMultiply(times, static_cast<uint64_t>(pending.counts[d]));
  });
  tally_.add(times);
  if (tally_.sum == UINT64_MAX)
    return false; // the other ways say so
  if (summary_.isKernel_) {
    Executions &of = tally_.executions[pending.number];
    of.all += times;
    of.conditional += pending.isConditional ? times : 0;
    return true;
  }
  if (!isWithinArray(pending.number, pending))
    return false;
  addCells(pending);
  return true;
}

/// As of ProfileSummary::access.
bool ProfileSummary::BoxWalk::isWithinArray(uint32_t site, const Pending &pending) const {
  const Site &of = summary_.profile_.sites[site];
  int64_t least = pending.cell.base, most = least;
  bool overflows = false;
  forEachDimension(pending.cell.changing & pending.dimensions, [&](unsigned d) {
    int64_t change;
    overflows |=
        __builtin_mul_overflow(pending.cell.steps[d], pending.counts[d] - 1, &change) ||
        __builtin_add_overflow(change < 0 ? least : most, change, change < 0 ? &least : &most);
  });
  if (overflows)
    return false;
  const int64_t last = summary_.cells_[of.array.index] - 1;
  const bool isIn =
      hasSymbols(pending.cell)
          ? model::isWithin(withSymbols(pending.cell, least), 0, last, summary_.loops_) &&
                model::isWithin(withSymbols(pending.cell, most), 0, last, summary_.loops_)
          : least >= 0 && most <= last;
  return isIn || (function_.op(of.op).speculative && !summary_.decides_[of.array.index]);
}

void ProfileSummary::BoxWalk::addCells(const Pending &pending) {
  const BoxValue &cell = pending.cell;
  std::vector<uint64_t> &counts =
      tally_.countsOf(pending.number, hasSymbols(cell) ? withSymbols(cell, 0).terms : LoopTerms(),
                      summary_.profile_.period);
  uint64_t times = 1;
  uint32_t changing = 0;
  forEachDimension(pending.dimensions, [&](unsigned d) {
    if (pending.counts[d] == 1)
      return;
    if (cell.changing >> d & 1)
      changing |= uint32_t(1) << d;
    else
      times *= static_cast<uint64_t>(pending.counts[d]);
  });
  if (changing == 0) {
    counts[summary_.residueOf(cell.base)] += times;
  } else if (llvm::popcount(changing) == 1) {
    const auto d = static_cast<unsigned>(llvm::countr_zero(changing));
    addResidues(counts, cell.base, cell.steps[d], static_cast<uint64_t>(pending.counts[d]), times);
  } else {
    LoopCounts loops = {static_cast<int64_t>(times)};
    LinearValue of = LinearValue::of({ir::ScalarType::S64, static_cast<uint64_t>(cell.base)});
    forEachDimension(changing, [&](unsigned d) {
      of.terms[static_cast<unsigned>(loops.size())] = cell.steps[d];
      loops.push_back(pending.counts[d]);
    });
    addResidues(counts, of, loops);
  }
}

void ProfileSummary::BoxWalk::mergeTally() {
  Tally &to = summary_.tally_;
  for (const Tally::Row &row : tally_.rows) {
    std::vector<uint64_t> &counts = to.countsOf(row.site, row.symbols, summary_.profile_.period);
    for (size_t residue = 0; residue < counts.size(); ++residue)
      counts[residue] += row.counts[residue];
  }
  for (auto [all, more] : llvm::zip(to.executions, tally_.executions)) {
    all.all += more.all;
    all.conditional += more.conditional;
  }
  to.add(tally_.sum);
}

} // namespace colonnade::model
