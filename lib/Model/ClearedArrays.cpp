//===- ClearedArrays.cpp - What a kernel sets to zero ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClearedArrays.h"

#include "IR/Evaluate.h"
#include "IR/Interpreter.h"
#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Function;
using ir::Op;
using ir::Opcode;

namespace {

/// Reads a kernel from its beginning as long as it sets cells that are known.
class FirstStores {
public:
  FirstStores(const Function &kernel, ArrayId array)
      : kernel_(kernel), array_(array), isSet_(kernel.array(array).constantCells().value_or(0)) {}

  bool setAll() {
    for (OpId id : kernel_.region(kernel_.body).ops)
      if (!readOn(kernel_.op(id)))
        break;
    return !isSet_.empty() && llvm::all_of(isSet_, [](bool is) { return is; });
  }

private:
  bool isOfArray(const Op &op) const {
    return (op.opcode == Opcode::Load || op.opcode == Opcode::Store) && op.array == array_;
  }

  bool touches(const Op &op) const {
    return isOfArray(op) || op.opcode == Opcode::CallPart ||
           llvm::any_of(op.regions, [&](RegionId region) {
             return llvm::any_of(kernel_.region(region).ops,
                                 [&](OpId id) { return touches(kernel_.op(id)); });
           });
  }

  /// False: from here on it is not known what is set.
  bool readOn(const Op &op) {
    if (!touches(op))
      return true;
    if (op.opcode == Opcode::Store)
      return store(op, {}, 0, 1);
    const std::optional<int64_t> iterations =
        op.opcode == Opcode::For ? ir::constantIterations(kernel_, op) : std::nullopt;
    if (!iterations || op.hasContinueFlag)
      return false;
    const ir::Region &body = kernel_.region(op.regions[0]);
    const ir::Scalar *const low = kernel_.constant(op.operands[0]), *const step = kernel_.constant(
                                                                        op.operands[2]);
    for (OpId id : body.ops)
      if (const Op &inner = kernel_.op(id); touches(inner))
        if (inner.opcode != Opcode::Store || !low || !step ||
            !store(inner, body.args[0], ir::asInt64(*low), *iterations, ir::asStep(op, *step)))
          return false;
    return true;
  }

  /// At the counter, or a constant more.
  bool store(const Op &op, ValueId counter, int64_t low, int64_t iterations, int64_t step = 1) {
    const ir::AccessOperands operands = ir::accessOperands(op);
    if (operands.mask || !operands.radices.empty())
      return false;
    const std::optional<int64_t> base = beyond(operands.subscripts[0], counter, low);
    for (int64_t i = 0; base && i < iterations; ++i)
      if (const auto cell = static_cast<uint64_t>(*base + i * step); cell < isSet_.size())
        isSet_[cell] = true;
    return base.has_value();
  }

  std::optional<int64_t> beyond(ValueId id, ValueId counter, int64_t low) const {
    if (counter && id == counter)
      return low;
    if (const ir::Scalar *const constant = kernel_.constant(id))
      return counter ? std::nullopt : std::optional(ir::asInt64(*constant));
    const Op *const op = kernel_.definition(id);
    if (op && op->opcode == Opcode::Cast)
      return beyond(op->operands[0], counter, low);
    if (op && op->opcode == Opcode::Add)
      for (unsigned side : {0u, 1u})
        if (const ir::Scalar *const more = kernel_.constant(op->operands[side]))
          if (const auto base = beyond(op->operands[1 - side], counter, low))
            return *base + ir::asInt64(*more);
    return std::nullopt;
  }

  const Function &kernel_;
  ArrayId array_;
  std::vector<bool> isSet_; // by cell
};

} // namespace

bool isCleared(const Function &kernel, ArrayId id) {
  const ir::Array &array = kernel.array(id);
  return array.space == ir::Space::Local && !array.isPassed() && !FirstStores(kernel, id).setAll();
}

} // namespace colonnade::model
