//===- MirrorPasses.cpp - Passes that two directions share ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/MirrorPasses.h"

#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

using Expr = uint32_t;
constexpr Expr Unknown = 0; // depends on the iteration

/// Equal expressions have equal numbers.
class Expressions {
public:
  Expr of(std::vector<uint64_t> key) {
    return numbers_.emplace(std::move(key), static_cast<Expr>(numbers_.size() + 1)).first->second;
  }

private:
  std::map<std::vector<uint64_t>, Expr> numbers_;
};

enum Leaf : uint64_t { CellLeaf = 1000, ValueLeaf, LoadLeaf, Choice }; // beyond all opcodes

using CellOf = std::pair<uint32_t, uint64_t>; // array, and cell, xor the lowest one
using Cells = std::map<CellOf, Expr>;         // those that are not what they were

/// What an iteration leaves in its cells.
class IterationCells {
public:
  /// turned: what is added to each cell; isAtOne: the direction bit.
  IterationCells(const Function &kernel, llvm::ArrayRef<uint32_t> arrays, const Pass &pass,
                 Expressions &expressions, uint64_t turned, bool isAtOne)
      : kernel_(kernel), arrays_(arrays), pass_(pass), expressions_(expressions), turned_(turned),
        isAtOne_(isAtOne) {}

  /// nullopt: they are no function of what they held before alone.
  std::optional<Cells> run() {
    region(kernel_.op(pass_.nest.front()).regions[0]);
    std::erase_if(cells_, [&](const auto &each) { return each.second == before(each.first); });
    const bool areKnown = llvm::none_of(cells_, [](const auto &c) { return c.second == Unknown; });
    return isKnown_ && areKnown ? std::optional(cells_) : std::nullopt;
  }

private:
  Expr before(CellOf cell) { return expressions_.of({CellLeaf, cell.first, cell.second}); }
  Expr at(CellOf cell) {
    const auto found = cells_.find(cell);
    return found == cells_.end() ? before(cell) : found->second;
  }
  CellOf cellOf(OpId id) const {
    return {kernel_.op(id).array.index, pass_.apart.at(id.index) ^ turned_};
  }
  Expr get(ValueId value);
  Expr pure(const Op &op);
  void region(RegionId id);
  void access(OpId id);
  void branch(OpId id);

  const Function &kernel_;
  llvm::ArrayRef<uint32_t> arrays_;
  const Pass &pass_;
  Expressions &expressions_;
  uint64_t turned_;
  bool isAtOne_, isKnown_ = true;
  std::map<uint32_t, Expr> values_;
  Cells cells_;
};

} // namespace

Expr IterationCells::get(ValueId value) {
  if (const auto found = values_.find(value.index); found != values_.end())
    return found->second;
  if (llvm::any_of(pass_.nest, [&](OpId loop) {
        return kernel_.region(kernel_.op(loop).regions[0]).args[0] == value;
      }))
    return Unknown;
  const auto known = pass_.known.find(value.index);
  if (known == pass_.known.end())
    return expressions_.of({ValueLeaf, value.index});
  const auto &[type, bits] = known->second;
  return expressions_.of(
      {static_cast<uint64_t>(Opcode::Constant), 0, static_cast<uint64_t>(type), bits});
}

/// a > b is b < a.
Expr IterationCells::pure(const Op &op) {
  const bool isTurned = op.opcode == Opcode::Gt || op.opcode == Opcode::Ge;
  std::vector<uint64_t> key = {static_cast<uint64_t>(isTurned ? mirrored(op.opcode) : op.opcode),
                               static_cast<uint64_t>(op.math),
                               static_cast<uint64_t>(kernel_.value(op.results[0]).type),
                               op.opcode == Opcode::Constant ? op.scalar.bits : 0};
  for (ValueId operand : op.operands) {
    const Expr expr = get(operand);
    if (expr == Unknown)
      return Unknown;
    key.push_back(expr);
  }
  if (isTurned)
    std::swap(key[4], key[5]);
  return expressions_.of(std::move(key));
}

void IterationCells::access(OpId id) {
  const Op &op = kernel_.op(id);
  if (op.opcode == Opcode::Store) {
    cells_[cellOf(id)] = get(accessOperands(op).stored);
    return;
  }
  Expr &loaded = values_[op.results[0].index];
  if (llvm::is_contained(arrays_, op.array.index)) {
    loaded = at(cellOf(id));
    return;
  }
  std::vector<uint64_t> key = {LoadLeaf, op.array.index};
  for (ValueId operand : op.operands)
    key.push_back(get(operand));
  loaded = llvm::is_contained(llvm::ArrayRef(key).drop_front(2), Unknown)
               ? Unknown
               : expressions_.of(std::move(key));
}

void IterationCells::branch(OpId id) {
  const Op &op = kernel_.op(id);
  const Decision decision = pass_.branches.at(id.index);
  const auto take = [&](RegionId arm) {
    region(arm);
    std::vector<Expr> results;
    for (ValueId yielded : kernel_.terminator(arm).operands)
      results.push_back(get(yielded));
    return results;
  };
  std::vector<Expr> results;
  if (decision == Decision::Data) {
    const Expr condition = get(op.operands[0]);
    const Cells begin = cells_;
    const std::vector<Expr> then = take(op.regions[0]);
    const Cells behindThen = std::exchange(cells_, begin);
    const std::vector<Expr> otherwise = take(op.regions[1]);
    const auto choose = [&](Expr a, Expr b) {
      return a == b ? a
             : condition == Unknown || a == Unknown || b == Unknown
                 ? Unknown
                 : expressions_.of({Choice, condition, a, b});
    };
    const Cells behindElse = cells_;
    for (const Cells &each : {behindThen, behindElse})
      for (const auto &[cell, value] : each) {
        const auto a = behindThen.find(cell);
        const auto b = behindElse.find(cell);
        cells_[cell] = choose(a == behindThen.end() ? before(cell) : a->second,
                              b == behindElse.end() ? before(cell) : b->second);
      }
    for (auto [a, b] : llvm::zip_equal(then, otherwise))
      results.push_back(choose(a, b));
  } else {
    isKnown_ &= decision != Decision::Known;
    const bool atZero = decision == Decision::Then || decision == Decision::ThenAtZero;
    const bool isOfDirection = decision == Decision::ThenAtZero || decision == Decision::ElseAtZero;
    results = take(op.regions[atZero != (isOfDirection && isAtOne_) ? 0 : 1]);
  }
  for (auto [result, value] : llvm::zip_equal(op.results, results))
    values_[result.index] = value;
}

void IterationCells::region(RegionId id) {
  for (OpId each : llvm::drop_end(kernel_.region(id).ops)) {
    const Op &op = kernel_.op(each);
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
      access(each);
    else if (op.opcode == Opcode::If)
      branch(each);
    else if (op.opcode == Opcode::For) // of the nest
      region(op.regions[0]);
    else
      values_[op.results[0].index] = pure(op);
  }
}

bool colonnade::isMirrored(const Function &kernel, llvm::ArrayRef<uint32_t> arrays,
                           const Pass &pass) {
  if (pass.bits != pass.differ) // where it leaves cells out, it would leave out others
    return false;
  Expressions expressions;
  const std::optional<Cells>
      atZero = IterationCells(kernel, arrays, pass, expressions, 0, false).run(),
      atOne = IterationCells(kernel, arrays, pass, expressions, pass.differ, true).run();
  return atZero && atOne && *atZero == *atOne;
}
