//===- PaddedBody.cpp - A function with padded loops and arrays -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Padding/PaddedBody.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "Transform/Padding/SizeValues.h"
#include "Transform/UnusedValues.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class BodyPadder {
public:
  BodyPadder(const Function &from, PaddingPlan &plan, Affine &affine, const SizePoints &points)
      : from_(from), plan_(plan), affine_(affine), points_(points), builder_(body_.function),
        cloner_(from, builder_, [this](OpId old) { return visit(old); }) {}

  PaddedBody run();

private:
  using Values = llvm::SmallVector<ValueId, 4>;

  Function &to() { return body_.function; }
  const PaddedCopy *copyOf(ArrayId memory) const;
  void addLocals();
  bool visit(OpId old);
  void access(OpId old, const PaddedCopy &copy);
  void loop(const Op &op, const PaddedLoop &padded);
  void body(const Op &op, const PaddedLoop &padded, RegionId region);
  ValueId guard(const Op &op, const PaddedLoop &padded, ValueId counter);
  ValueId counterAfter(const Op &op);
  void copyAll(bool isIn);

  const Function &from_;
  PaddingPlan &plan_;
  Affine &affine_;
  const SizePoints &points_;
  PaddedBody body_;
  uint32_t nextAccess_ = 0;
  Builder builder_;
  Cloner cloner_;
};

/// Copies an array's cells, each where the sizes have it.
class CellCopier {
public:
  CellCopier(Builder &builder, const PaddedCopy &copy, bool isIn, uint32_t &nextAccess)
      : builder_(builder), copy_(copy), isIn_(isIn), nextAccess_(nextAccess) {}

  void run() { dimension(0, {0, cells().size()}, {}, {}); }

private:
  /// Padded cells, one after the other.
  struct Piece {
    size_t first, count;
  };
  const std::vector<bool> &cells() const { return isIn_ ? copy_.in : copy_.out; }
  bool areCopied(Piece piece, Piece as) const;
  void dimension(size_t d, Piece piece, ValueId memory, ValueId local);
  void range(size_t d, int64_t first, int64_t end, Piece piece, ValueId memory, ValueId local);
  void cell(ValueId memory, ValueId local);
  ValueId number(int64_t value) { return builder_.constantInt(ScalarType::S64, value); }
  ValueId next(ValueId outer, ValueId extent, ValueId subscript) {
    return outer ? builder_.binary(Opcode::Add, builder_.binary(Opcode::Mul, outer, extent),
                                   subscript)
                 : subscript;
  }

  Builder &builder_;
  const PaddedCopy &copy_;
  const bool isIn_;
  uint32_t &nextAccess_;
};

} // namespace

/// Whether the same cells of both are.
bool CellCopier::areCopied(Piece piece, Piece as) const {
  const auto begin = cells().begin();
  return std::equal(begin + ptrdiff_t(piece.first), begin + ptrdiff_t(piece.first + piece.count),
                    begin + ptrdiff_t(as.first));
}

/// Those of dimension d whose inner dimensions have the same cells are one loop.
void CellCopier::dimension(size_t d, Piece piece, ValueId memory, ValueId local) {
  const auto most = static_cast<size_t>(copy_.array.most[d]);
  const size_t inner = piece.count / most;
  const auto innerPiece = [&](size_t i) { return Piece{piece.first + i * inner, inner}; };
  for (size_t first = 0, end = 0; first < most; first = end) {
    for (end = first + 1; end < most && areCopied(innerPiece(end), innerPiece(first)); ++end) {
    }
    const auto begin = cells().begin() + ptrdiff_t(innerPiece(first).first);
    if (std::find(begin, begin + ptrdiff_t(inner), true) != begin + ptrdiff_t(inner))
      range(d, int64_t(first), int64_t(end), innerPiece(first), memory, local);
  }
}

void CellCopier::range(size_t d, int64_t first, int64_t end, Piece piece, ValueId memory,
                       ValueId local) {
  const PaddedArray &array = copy_.array;
  const ValueId low = number(first), high = number(end), step = number(1);
  const OpId loop = builder_.createFor(low, high, step, Predicate::Lt, false, {});
  const InsertionScope scope(builder_);
  Function &to = builder_.function();
  const RegionId region = to.op(loop).regions[0];
  builder_.setRegion(region);
  const ValueId subscript = to.region(region).args[0];
  const ValueId extent = sizeValue(builder_, array.extents[d]);
  const OpId branch = builder_.createIf(builder_.binary(Opcode::Lt, subscript, extent), {});
  builder_.yield({});
  builder_.setRegion(to.op(branch).regions[0]);
  const ValueId ofMemory = next(memory, extent, subscript),
                ofLocal = next(local, number(array.most[d]), subscript);
  if (d + 1 < array.most.size())
    dimension(d + 1, piece, ofMemory, ofLocal);
  else
    cell(ofMemory, ofLocal);
  builder_.yield({});
  builder_.setRegion(builder_.function().op(branch).regions[1]);
  builder_.yield({});
}

void CellCopier::cell(ValueId memory, ValueId local) {
  const ArrayId from = isIn_ ? copy_.array.memory : copy_.local,
                to = isIn_ ? copy_.local : copy_.array.memory;
  const ValueId loaded = builder_.load(from, {isIn_ ? memory : local});
  builder_.function().op(builder_.function().value(loaded).def).accessId = nextAccess_++;
  const OpId store = builder_.store(to, loaded, {isIn_ ? local : memory});
  builder_.function().op(store).accessId = nextAccess_++;
}

const PaddedCopy *BodyPadder::copyOf(ArrayId memory) const {
  const auto found = llvm::find_if(
      plan_.copies, [&](const PaddedCopy &copy) { return copy.array.memory == memory; });
  return found == plan_.copies.end() ? nullptr : &*found;
}

void BodyPadder::addLocals() {
  for (PaddedCopy &copy : plan_.copies) {
    const Array &memory = from_.array(copy.array.memory);
    Array local;
    local.name = memory.name + "_padded";
    local.cell = memory.cell;
    local.extents = {SizeExpr::constant(static_cast<int64_t>(copy.array.cells()))};
    local.reads = local.writes = true;
    local.loc = memory.loc;
    copy.local = ArrayId(to().arrays.size());
    to().arrays.push_back(std::move(local));
  }
}

void BodyPadder::copyAll(bool isIn) {
  for (const PaddedCopy &copy : plan_.copies)
    if (!(isIn ? copy.in : copy.out).empty())
      CellCopier(builder_, copy, isIn, nextAccess_).run();
}

bool BodyPadder::visit(OpId old) {
  const Op &op = from_.op(old);
  builder_.setLoc(op.loc);
  if (op.opcode == Opcode::Return)
    copyAll(false);
  if (isAccess(op))
    if (const PaddedCopy *copy = copyOf(op.array)) {
      access(old, *copy);
      return true;
    }
  const auto padded = plan_.loops.find(old);
  if (padded == plan_.loops.end())
    return false;
  loop(op, padded->second);
  return true;
}

void BodyPadder::access(OpId old, const PaddedCopy &copy) {
  const Op &op = from_.op(old);
  const AccessOperands parts = accessOperands(op);
  Values operands;
  if (copy.array.extents.size() > 1) {
    const std::optional<Polynomial> cell = paddedSubscript(copy.array, op, affine_, points_);
    operands.push_back(polynomialValue(builder_, cloner_, from_, *cell, ScalarType::S64));
  } else {
    operands = cloner_.map(parts.subscripts);
    operands.append(cloner_.map(parts.radices));
  }
  if (op.opcode == Opcode::Store)
    operands.push_back(cloner_.map(parts.stored));
  const OpId fresh = cloner_.copy(old, operands);
  to().op(fresh).array = copy.local;
}

/// Whether the loop itself makes the iteration.
ValueId BodyPadder::guard(const Op &op, const PaddedLoop &padded, ValueId counter) {
  const bool isUp = op.predicate == Predicate::Lt || op.predicate == Predicate::Le;
  ValueId result;
  if (padded.low)
    result = builder_.binary(isUp ? Opcode::Ge : Opcode::Le, counter, cloner_.map(op.operands[0]));
  if (padded.high) {
    const ValueId isBefore =
        builder_.binary(comparisonOf(op.predicate), counter, cloner_.map(op.operands[1]));
    result = result ? builder_.binary(Opcode::And, result, isBefore) : isBefore;
  }
  return result;
}

/// Where the loop itself leaves its counter, which goes in steps of 1.
ValueId BodyPadder::counterAfter(const Op &op) {
  const ValueId low = cloner_.map(op.operands[0]), high = cloner_.map(op.operands[1]);
  const bool isInclusive = op.predicate == Predicate::Le || op.predicate == Predicate::Ge;
  const ValueId end =
      isInclusive ? builder_.binary(Opcode::Add, high, cloner_.map(op.operands[2])) : high;
  return builder_.select(builder_.binary(comparisonOf(op.predicate), low, high), end, low);
}

/// What an iteration hands on, if it is made; else it hands on what came, and goes on.
void BodyPadder::body(const Op &op, const PaddedLoop &padded, RegionId region) {
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  const RegionId old = op.regions[0];
  const Values args(to().region(region).args.begin(), to().region(region).args.end());
  Values unchanged;
  if (op.hasContinueFlag)
    unchanged.push_back(builder_.constantBool(true));
  unchanged.append(args.begin() + 1, args.end());
  llvm::SmallVector<ScalarType, 4> types;
  for (ValueId value : unchanged)
    types.push_back(to().value(value).type);
  for (auto [of, arg] : llvm::zip_equal(from_.region(old).args, args)) {
    cloner_.set(of, arg);
    to().value(arg).name = from_.value(of).name;
  }
  const OpId branch = builder_.createIf(guard(op, padded, args[0]), types);
  const Op made = to().op(branch);
  builder_.yield(made.results);
  builder_.setRegion(made.regions[0]);
  cloner_.cloneOps(old);
  builder_.setRegion(made.regions[1]);
  builder_.yield(unchanged);
}

void BodyPadder::loop(const Op &op, const PaddedLoop &padded) {
  const ScalarType type = from_.value(op.operands[0]).type;
  const auto bound = [&](const std::optional<Polynomial> &own, ValueId old) {
    return own ? polynomialValue(builder_, cloner_, from_, *own, type) : cloner_.map(old);
  };
  const Values inits = cloner_.map(llvm::ArrayRef(op.operands).drop_front(3));
  const ValueId low = bound(padded.low, op.operands[0]), high = bound(padded.high, op.operands[1]);
  const OpId fresh = builder_.createFor(low, high, cloner_.map(op.operands[2]), op.predicate,
                                        op.hasContinueFlag, inits);
  to().op(fresh).index = op.index;
  body(op, padded, to().op(fresh).regions[0]);
  for (size_t i = 1; i < op.results.size(); ++i) {
    const ValueId result = builder_.result(fresh, static_cast<unsigned>(i));
    to().value(result).name = from_.value(op.results[i]).name;
    cloner_.set(op.results[i], result);
  }
  if (padded.isCounterUsed)
    cloner_.set(op.results[0], counterAfter(op));
}

PaddedBody BodyPadder::run() {
  for (const Op &op : from_.ops)
    if (op.accessId != UINT32_MAX)
      body_.firstCopy = std::max(body_.firstCopy, op.accessId + 1);
  nextAccess_ = body_.firstCopy;
  cloner_.copyShell();
  addLocals();
  copyAll(true);
  cloner_.cloneBody();
  dropUnusedValues(body_.function); // subscripts as they were
  return std::move(body_);
}

PaddedBody colonnade::padBody(const Function &function, PaddingPlan &plan, Affine &affine,
                              const SizePoints &points) {
  return BodyPadder(function, plan, affine, points).run();
}
