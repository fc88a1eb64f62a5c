//===- MakePart.cpp - Puts a part and its calls in place ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part's body is a copy of the first segment, in which each operand from outside is
// replaced by what fills its hole.
//
//===----------------------------------------------------------------------===//

#include "Transform/Calls/MakePart.h"

#include "IR/Clone.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class PartMaker {
public:
  PartMaker(const Function &from, const PartPlan &plan, std::string name)
      : from_(from), plan_(plan), name_(std::move(name)), builder_(fresh_),
        cloner_(from, builder_, [this](OpId old) { return visit(old); }),
        body_(from, builder_, [this](OpId old) { return visitInPart(old); }),
        covered_(from.ops.size()), position_(positionOf()) {
    for (const PlannedCall &call : plan.calls) {
      const std::vector<OpId> &ops = from.region(call.segment.region).ops;
      calls_[ops[call.segment.begin].index] = &call;
      for (size_t i = call.segment.begin; i < call.segment.end; ++i)
        covered_[ops[i].index] = true;
    }
  }

  Function run() {
    cloner_.copyShell();
    for (uint32_t hole : plan_.arrays)
      addFormal(hole);
    for (size_t p = 0; p <= from_.parts.size(); ++p) {
      if (p == position_)
        makePart();
      if (p < from_.parts.size())
        copyPart(from_.parts[p]);
    }
    cloner_.cloneOps(from_.body);
    return std::move(fresh_);
  }

private:
  const SegmentShape &first() const { return plan_.calls.front().shape; }

  /// Behind all that it calls: before its callers, as they call those, too.
  size_t positionOf() const {
    size_t position = 0;
    for (const auto &[op, hole] : first().firstHole)
      if (from_.ops[op].opcode == Opcode::CallPart)
        position = std::max<size_t>(position, from_.ops[op].part.index + 1);
    return position;
  }

  void addFormal(uint32_t hole) {
    Array formal = from_.array(first().arrays[hole]);
    formal.name = nameInSource(formal).str();
    formal.role = ArrayRole::Formal;
    formal.space = spaceInParts(from_, formal);
    formal.reads = true;
    formal.isConst = formal.extentsDerived = false;
    formal.parameter.clear();
    formal.object.clear();
    const std::optional<uint64_t> cells = formal.constantCells();
    for (const PlannedCall &call : plan_.calls) {
      const Array &given = from_.array(call.shape.arrays[hole]);
      formal.writes &= given.writes;
      if (!cells || given.constantCells() != cells)
        formal.extents = {SizeExpr()}; // no access needs it
    }
    fresh_.arrays.push_back(std::move(formal));
  }

  ArrayId formal(uint32_t hole) const { return ArrayId(from_.arrays.size() + plan_.arrayOf[hole]); }

  void copyPart(const Part &old) {
    Part part = old;
    part.body = builder_.createRegion();
    cloner_.cloneRegion(old.body, part.body);
    fresh_.parts.push_back(std::move(part));
  }

  void makePart() {
    const CallSegment &segment = plan_.calls.front().segment;
    const std::vector<OpId> &ops = from_.region(segment.region).ops;
    Part part;
    part.name = name_;
    part.body = builder_.createRegion();
    part.loc = from_.op(ops[segment.begin]).loc;
    for (size_t a = 0; a < plan_.arrays.size(); ++a)
      part.arrays.push_back(ArrayId(from_.arrays.size() + a));
    InsertionScope scope(builder_);
    builder_.setRegion(part.body);
    for (uint32_t hole : plan_.arguments) {
      const Value &value = from_.value(first().values[hole]);
      arguments_.push_back(builder_.addArg(part.body, value.type, value.name));
      fresh_.value(arguments_.back()).varying = value.varying;
    }
    for (const PartPlan::Hole &hole : plan_.holes)
      if (hole.constant)
        constantInPart(*hole.constant);
    for (size_t i = segment.begin; i < segment.end; ++i)
      body_.visit(ops[i]);
    llvm::SmallVector<ValueId, 4> results;
    for (uint32_t result : plan_.results)
      results.push_back(body_.map(first().defined[result]));
    builder_.yield(results);
    fresh_.parts.push_back(std::move(part));
  }

  ValueId constantInPart(Scalar scalar) {
    ValueId &known = constants_[{scalar.type, scalar.bits}];
    return known ? known : known = builder_.constant(scalar);
  }

  bool visitInPart(OpId old) {
    const Op &op = from_.op(old);
    if (op.opcode == Opcode::Constant)
      return true;
    llvm::SmallVector<ValueId, 4> operands;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const uint32_t hole = first().holes[first().firstHole.lookup(old.index) + i];
      if (hole == SegmentShape::Inside)
        operands.push_back(body_.map(op.operands[i]));
      else if (const PartPlan::Hole &planned = plan_.holes[hole]; planned.constant)
        operands.push_back(constantInPart(*planned.constant));
      else
        operands.push_back(arguments_[planned.argument]);
    }
    const OpId id = body_.copy(old, operands);
    uint32_t hole = first().firstArray.lookup(old.index);
    if (op.array) {
      if (!from_.array(op.array).isTable())
        fresh_.op(id).array = formal(hole);
      ++hole;
    }
    for (ArrayId &array : fresh_.op(id).arrays)
      array = formal(hole++);
    renumber(id);
    return true;
  }

  void renumber(OpId id) {
    Op &op = fresh_.op(id);
    if (op.opcode == Opcode::CallPart && op.part.index >= position_)
      op.part = PartId(op.part.index + 1);
  }

  bool visit(OpId old) {
    if (auto call = calls_.find(old.index); call != calls_.end()) {
      makeCall(*call->second);
      return true;
    }
    if (covered_[old.index])
      return true;
    if (from_.op(old).opcode != Opcode::CallPart)
      return false;
    renumber(cloner_.copy(old));
    return true;
  }

  void makeCall(const PlannedCall &call) {
    const std::vector<OpId> &ops = from_.region(call.segment.region).ops;
    for (size_t i = call.segment.begin; i < call.segment.end; ++i)
      if (from_.op(ops[i]).opcode == Opcode::Constant)
        cloner_.copy(ops[i]);
    Op op = makeOp(Opcode::CallPart);
    op.part = PartId(position_);
    op.loc = call.segment.call;
    for (uint32_t hole : plan_.arrays)
      op.arrays.push_back(call.shape.arrays[hole]);
    for (uint32_t hole : plan_.arguments) {
      const ValueId value = call.shape.values[hole];
      const Scalar *constant = from_.constant(value); // that may stand in a region inside
      op.operands.push_back(constant ? builder_.constant(*constant) : cloner_.map(value));
    }
    llvm::SmallVector<ScalarType, 4> types;
    for (uint32_t result : plan_.results)
      types.push_back(from_.value(call.shape.defined[result]).type);
    const OpId id = builder_.append(std::move(op), types);
    for (size_t i = 0; i < plan_.results.size(); ++i) {
      const ValueId old = call.shape.defined[plan_.results[i]];
      const ValueId result = builder_.result(id, unsigned(i));
      fresh_.value(result).name = from_.value(old).name;
      fresh_.value(result).varying = from_.varying(old);
      cloner_.set(old, result);
    }
  }

  const Function &from_;
  const PartPlan &plan_;
  std::string name_;
  Function fresh_;
  Builder builder_;
  Cloner cloner_, body_;      // of what stays where it is; of the part's body
  std::vector<bool> covered_; // by old operation: stands in a segment
  llvm::DenseMap<uint32_t, const PlannedCall *> calls_; // by a segment's first operation
  size_t position_;                                     // of the part
  std::vector<ValueId> arguments_;
  std::map<std::pair<ScalarType, uint64_t>, ValueId> constants_; // of the part
};

} // namespace

Function colonnade::withPart(const Function &kernel, const PartPlan &plan, std::string name) {
  return PartMaker(kernel, plan, std::move(name)).run();
}
