//===- WithinExtents.cpp - Accesses that need no check before a launch ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/WithinExtents.h"

#include "Oblivious/Ranges/Intervals.h"

#include "llvm/Support/MathExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// The cell at the largest subscripts and radices, none of which is negative, is the largest.
bool isWithin(const Function &certificate, Intervals &intervals, const Op &access) {
  const Array &array = certificate.array(access.array);
  std::optional<uint64_t> cells = array.constantCells();
  if (array.isPassed() || !cells)
    return false;
  AccessOperands parts = accessOperands(access);
  std::optional<Interval> cell = intervals.of(parts.subscripts[0]);
  if (!cell || cell->low < 0)
    return false;
  for (size_t k = 0; k < parts.radices.size(); ++k) {
    std::optional<Interval> radix = intervals.of(parts.radices[k]);
    std::optional<Interval> next = intervals.of(parts.subscripts[k + 1]);
    if (!radix || !next || radix->low < 0 || next->low < 0 ||
        llvm::MulOverflow(cell->high, radix->high, cell->high) ||
        llvm::AddOverflow(cell->high, next->high, cell->high))
      return false;
  }
  return static_cast<uint64_t>(cell->high) < *cells;
}

/// Which regions need no check is found from the innermost out.
class Regions {
public:
  Regions(const Function &certificate, const std::vector<bool> &loaded)
      : function_(certificate), loaded_(loaded), intervals_(certificate),
        accesses_(certificate.regions.size()) {
    found_.holds.resize(certificate.ops.size());
    found_.accesses.resize(certificate.ops.size());
  }

  WithinExtents run() {
    for (size_t r = function_.regions.size(); r-- > 0;) // a region is made after the one around it
      accesses_[r] = visit(function_.regions[r]);
    return std::move(found_);
  }

private:
  using Accesses = std::optional<uint64_t>; // nullopt: it needs checks

  Accesses visit(const Region &region) {
    Accesses sum = 0;
    for (OpId id : region.ops) {
      const Accesses accesses = of(function_.op(id));
      if (accesses && isPrinted(function_.op(id))) {
        found_.holds[id.index] = true;
        found_.accesses[id.index] = *accesses;
      }
      sum = sum && accesses && !hasEffect(function_.op(id)) ? checkedSum(*sum, *accesses)
                                                            : std::nullopt;
    }
    return sum;
  }

  bool hasEffect(const Op &op) const {
    return op.opcode == Opcode::Store && loaded_[op.array.index];
  }

  static bool isPrinted(const Op &op) {
    return op.opcode == Opcode::Load || op.opcode == Opcode::Store || !op.regions.empty();
  }

  static Accesses checkedSum(uint64_t a, uint64_t b) {
    return a + b < a ? std::nullopt : Accesses(a + b);
  }

  Accesses of(const Op &op) {
    switch (op.opcode) {
    case Opcode::Load:
    case Opcode::Store:
      return isWithin(function_, intervals_, op) ? Accesses(1) : std::nullopt;
    case Opcode::If: {
      const Accesses a = accesses_[op.regions[0].index], b = accesses_[op.regions[1].index];
      return a == b ? a : std::nullopt;
    }
    case Opcode::For:
      return ofLoop(op);
    case Opcode::Loop:
    case Opcode::Check:
    case Opcode::Unsupported:
      return std::nullopt;
    default:
      return 0;
    }
  }

  Accesses ofLoop(const Op &loop) {
    const Accesses each = accesses_[loop.regions[0].index];
    const std::optional<uint64_t> iterations = each ? intervals_.iterations(loop) : std::nullopt;
    uint64_t all;
    if (!iterations || __builtin_mul_overflow(*each, *iterations, &all))
      return std::nullopt;
    return all;
  }

  const Function &function_;
  const std::vector<bool> &loaded_;
  Intervals intervals_;
  std::vector<Accesses> accesses_; // per region, once visited
  WithinExtents found_;
};

} // namespace

WithinExtents colonnade::withinExtents(const Function &certificate,
                                       const std::vector<bool> &loaded) {
  return Regions(certificate, loaded).run();
}
