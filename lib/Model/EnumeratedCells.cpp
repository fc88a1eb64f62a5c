//===- EnumeratedCells.cpp - Cells that are not linear --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x[columns[k]] keeps no loop over k from being closed: only the cell is not linear, so it alone is
// computed for each iteration, from what it is made of.
//
// In: an address that is not linear in the closed loops around. Out: how many iterations of those
// that it depends on have a cell of each residue.
// Invariant: every such iteration is counted once; none whose address is undefined or has no cell.
//
//===----------------------------------------------------------------------===//

#include "Model/ProfileSummary.h"

#include "Model/Stages.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Scalar;
using Kind = LinearValue::Kind;

static constexpr int64_t MaxAtOnce = 256; // iterations of the innermost loop

/// A value that is not linear gets what it is computed from, if that is known.
LinearValue ProfileSummary::withSource(const Op &op, LinearValue result,
                                       llvm::ArrayRef<const LinearValue *> operands,
                                       std::optional<unsigned> asked) {
  const bool isOne = result.kind == Kind::Other && !isKernel_ && !allowsBounds_ &&
                     loops_.hasLoops() && operands.size() <= 2 && ir::isInteger(result.scalar.type);
  if (!isOne)
    return result;
  Source source{&op, result.scalar.type, {}, 1, asked};
  for (const LinearValue *operand : operands) {
    if (operand->kind == Kind::Undefined || (operand->kind == Kind::Other && !operand->source))
      return result;
    source.operands.push_back(*operand);
    if (!operand->source) {
      ++source.operations;
      continue;
    }
    const Source &of = sources_[operand->source - 1];
    source.operations = llvm::SaturatingAdd(source.operations, of.operations);
    if (!source.asked)
      source.asked = of.asked;
  }
  sources_.push_back(std::move(source));
  result.source = static_cast<uint32_t>(sources_.size());
  return result;
}

/// Likewise what is loaded from an array whose contents are known.
LinearValue ProfileSummary::loadedFrom(const Op &op, const LinearValue &cell) {
  LinearValue result;
  result.kind = Kind::Other;
  result.terms = cell.terms;
  result.scalar = {typeOf(op.results[0]), 0};
  return withSource(op, std::move(result), {&cell}, std::nullopt);
}

/// Runs through the iterations of the loops that a value depends on.
class ProfileSummary::Enumeration {
public:
  Enumeration(const ProfileSummary &summary, const LinearValue &cell) : summary_(summary) {
    for (auto [loop, coefficient] : cell.terms)
      loops_.push_back(loop);
    at_.resize(summary.loops_.size());
  }

  /// False: the value is undefined somewhere, or `visit` says so.
  bool run(const LinearValue &cell, llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> visit) {
    const int64_t inner = summary_.loops_[loops_.back()];
    std::vector<int64_t> cells;
    do
      for (int64_t first = 0; first < inner; first += MaxAtOnce) {
        at_[loops_.back()] = first;
        count_ = static_cast<size_t>(std::min(MaxAtOnce, inner - first));
        if (!compute(cell, cells) || !visit(cells))
          return false;
      }
    while (next());
    return true;
  }

private:
  /// Of the loops around the innermost one.
  bool next() {
    for (unsigned loop : llvm::reverse(llvm::ArrayRef(loops_).drop_back())) {
      if (++at_[loop] < summary_.loops_[loop])
        return true;
      at_[loop] = 0;
    }
    return false;
  }

  bool compute(const LinearValue &of, std::vector<int64_t> &values) {
    values.resize(count_);
    if (of.kind == Kind::Other) {
      const Source &source = summary_.sources_[of.source - 1];
      return source.op->opcode == Opcode::Load ? load(source, values) : operate(source, values);
    }
    int64_t value = ir::asInt64(of.scalar);
    for (auto [loop, coefficient] : of.terms)
      value += coefficient * at_[loop]; // linear: its type holds all of its values
    const int64_t step = of.terms.of(loops_.back());
    for (int64_t &each : values)
      each = std::exchange(value, value + step);
    return true;
  }

  bool load(const Source &source, std::vector<int64_t> &values) {
    if (!compute(source.operands[0], values))
      return false;
    const llvm::ArrayRef<uint64_t> cells = summary_.contents_[source.op->array.index];
    for (int64_t &each : values) {
      if (static_cast<uint64_t>(each) >= cells.size())
        return false;
      each = ir::asInt64({source.type, cells[static_cast<size_t>(each)]});
    }
    return true;
  }

  bool operate(const Source &source, std::vector<int64_t> &values) {
    std::vector<int64_t> second;
    const bool isBinary = source.operands.size() == 2;
    if (!compute(source.operands[0], values) || (isBinary && !compute(source.operands[1], second)))
      return false;
    const ir::ScalarType a = source.operands[0].scalar.type, b = source.operands.back().scalar.type;
    if (source.op->opcode == Opcode::Cast && a == ir::ScalarType::S32 &&
        source.type == ir::ScalarType::S64)
      return true; // as subscripts of C are
    for (size_t i = 0; i < count_; ++i) {
      const ir::Evaluation result =
          evaluated(source, ir::makeInt(a, values[i]), ir::makeInt(b, isBinary ? second[i] : 0));
      if (result.undefined != ir::Undefined::None)
        return false;
      values[i] = ir::asInt64(result.value);
    }
    return true;
  }

  static ir::Evaluation evaluated(const Source &source, Scalar a, Scalar b) {
    const Op &op = *source.op;
    if (ir::isBinary(op.opcode))
      return ir::evaluateBinary(op.opcode, a, b);
    return op.opcode == Opcode::Cast ? ir::evaluateCast(a, source.type)
                                     : ir::evaluateUnary(op.opcode, a);
  }

  const ProfileSummary &summary_;
  llvm::SmallVector<unsigned, 4> loops_; // that it depends on
  std::vector<int64_t> at_;              // iteration of each loop
  size_t count_ = 0;                     // of the innermost one's iterations at once
};

/// An access whose cell is not linear. nullopt: its loops have to be walked.
std::optional<Outcome> ProfileSummary::enumeratedAccess(OpId id, uint32_t site,
                                                        const LinearValue &cell) {
  const Op &op = function_.op(id);
  if (cell.source == 0 || cell.terms.empty() || cell.terms.begin()->first < loops_.symbols)
    return std::nullopt;
  const Source &source = sources_[cell.source - 1];
  if (source.asked) {
    blamed_ = *source.asked;
    return Outcome::Open;
  }
  uint64_t iterations = 1;
  LoopCounts others = loops_;
  for (auto [loop, coefficient] : cell.terms) {
    iterations = llvm::SaturatingMultiply(iterations, static_cast<uint64_t>(loops_[loop]));
    others[loop] = 1;
  }
  const uint64_t work = llvm::SaturatingMultiply(iterations, uint64_t(source.operations));
  if (work > enumerable_)
    return std::nullopt;
  enumerable_ -= work;
  auto counts = std::make_shared<std::vector<uint64_t>>(profile_.period);
  const bool mayBeBeyond = op.speculative && !decides_[op.array.index];
  const int64_t behind = cells_[op.array.index];
  const bool isDefined = Enumeration(*this, cell).run(cell, [&](llvm::ArrayRef<int64_t> cells) {
    for (int64_t of : cells) {
      if ((of < 0 || of >= behind) && !mayBeBeyond)
        return isOutside(id, of), false;
      ++(*counts)[residueOf(of)];
    }
    return true;
  });
  if (!isDefined)
    return Outcome::Given;
  const LinearValue none = LinearValue::of({ir::ScalarType::S64, 0});
  record({site, none, others, conditions_ > 0, counts.get(), nullptr, counts});
  return Outcome::Done;
}

} // namespace colonnade::model
