//===- WithinExtents.cpp - Accesses that need no check before a launch ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/WithinExtents.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// The integers from `low` to `high`; neither is beyond 64 signed bits.
struct Interval {
  int64_t low;
  int64_t high;
};

class Intervals {
public:
  explicit Intervals(const Function &function) : function_(function) {}

  std::optional<Interval> of(ValueId id) {
    if (auto known = known_.find(id); known != known_.end())
      return known->second;
    if (depth_ == MaxDepth)
      return std::nullopt;
    ++depth_;
    std::optional<Interval> found = compute(id);
    --depth_;
    if (found && !fits(*found, function_.value(id).type))
      found.reset();
    known_[id] = found;
    return found;
  }

private:
  static constexpr unsigned MaxDepth = 32; // of an expression

  static bool fits(const Interval &interval, ScalarType type) {
    if (!isInteger(type))
      return false;
    const unsigned width = bitWidth(type);
    if (!isSigned(type))
      return interval.low >= 0 && (width == 64 || llvm::isUIntN(width, interval.high));
    return llvm::isIntN(width, interval.low) && llvm::isIntN(width, interval.high);
  }

  std::optional<Interval> compute(ValueId id) {
    const Op *def = function_.definition(id);
    if (!def)
      return ofArgument(function_.value(id));
    switch (def->opcode) {
    case Opcode::Constant:
      return ofConstant(def->scalar);
    case Opcode::Cast:
      return of(def->operands[0]);
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
      return ofArithmetic(*def);
    default:
      return std::nullopt;
    }
  }

  static std::optional<Interval> ofConstant(const Scalar &scalar) {
    if (!isInteger(scalar.type))
      return std::nullopt;
    const unsigned width = bitWidth(scalar.type);
    const int64_t value = isSigned(scalar.type) && width < 64
                              ? llvm::SignExtend64(scalar.bits, width)
                              : static_cast<int64_t>(scalar.bits);
    if (!isSigned(scalar.type) && value < 0)
      return std::nullopt;
    return Interval{value, value};
  }

  std::optional<Interval> ofArithmetic(const Op &op) {
    std::optional<Interval> a = of(op.operands[0]), b = of(op.operands[1]);
    if (!a || !b)
      return std::nullopt;
    if (op.opcode == Opcode::Mul)
      return product(*a, *b);
    const bool sum = op.opcode == Opcode::Add;
    Interval result;
    const bool overflows = sum ? llvm::AddOverflow(a->low, b->low, result.low) |
                                     llvm::AddOverflow(a->high, b->high, result.high)
                               : llvm::SubOverflow(a->low, b->high, result.low) |
                                     llvm::SubOverflow(a->high, b->low, result.high);
    return overflows ? std::nullopt : std::optional(result);
  }

  /// Of intervals from 0 on.
  static std::optional<Interval> product(const Interval &a, const Interval &b) {
    Interval result;
    if (a.low < 0 || b.low < 0 || llvm::MulOverflow(a.low, b.low, result.low) ||
        llvm::MulOverflow(a.high, b.high, result.high))
      return std::nullopt;
    return result;
  }

public:
  /// How often the body of a For runs, if that is a constant.
  std::optional<uint64_t> iterations(const Op &loop) {
    if (loop.hasContinueFlag || loop.postTest)
      return std::nullopt;
    std::optional<Interval> low = of(loop.operands[0]), high = of(loop.operands[1]),
                            step = of(loop.operands[2]);
    if (!low || !high || !step || low->low != low->high || high->low != high->high ||
        step->low != step->high || !ofArgument(argument(loop)))
      return std::nullopt;
    int64_t distance;
    if (llvm::SubOverflow(high->low, low->low, distance))
      return std::nullopt;
    distance -= loop.predicate == Predicate::Lt; // of the last counter that may be
    return static_cast<uint64_t>(distance) / static_cast<uint64_t>(step->low) + 1;
  }

private:
  const Value &argument(const Op &loop) const {
    return function_.value(function_.region(loop.regions[0]).args[0]);
  }

  /// The counter of a For with constant ends that runs. Where its body runs, the test has just
  /// held; a step that leaves the counter's type could bring it below where it began.
  std::optional<Interval> ofArgument(const Value &value) {
    const OpId parent = function_.region(value.region).parent;
    if (!parent || value.index != 0)
      return std::nullopt;
    const Op &loop = function_.op(parent);
    if (loop.opcode != Opcode::For || loop.postTest)
      return std::nullopt;
    std::optional<Interval> low = of(loop.operands[0]), high = of(loop.operands[1]),
                            step = of(loop.operands[2]);
    const bool less = loop.predicate == Predicate::Lt;
    if (!low || !high || !step || step->low <= 0 || high->high == INT64_MIN ||
        (!less && loop.predicate != Predicate::Le))
      return std::nullopt;
    const Interval range = {low->low, less ? high->high - 1 : high->high};
    Interval behind;
    if (range.high < range.low || llvm::AddOverflow(range.high, step->high, behind.high))
      return std::nullopt;
    behind.low = range.low;
    return fits(behind, value.type) ? std::optional(range) : std::nullopt;
  }

  const Function &function_;
  std::map<ValueId, std::optional<Interval>> known_;
  unsigned depth_ = 0;
};

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
