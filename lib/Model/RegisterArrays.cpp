//===- RegisterArrays.cpp - Arrays that a thread has in registers ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/RegisterArrays.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

namespace {

/// Which values are constants once the loops that the kernel unrolls are.
class Constants {
public:
  explicit Constants(const ir::Function &kernel)
      : kernel_(kernel), known_(kernel.values.size(), Known::NotAsked) {}

  bool has(ValueId id) {
    Known &known = known_[id.index];
    if (known == Known::NotAsked) {
      known = Known::No; // also where it is computed from itself
      known = find(id) ? Known::Yes : Known::No;
    }
    return known_[id.index] == Known::Yes;
  }

private:
  enum class Known : uint8_t { NotAsked, No, Yes };

  bool find(ValueId id) {
    const ir::Value &value = kernel_.value(id);
    if (!value.def)
      return isCounter(value);
    const Op &op = kernel_.op(value.def);
    return op.opcode != Opcode::Load && op.regions.empty() && op.opcode != Opcode::CallPart &&
           llvm::all_of(op.operands, [&](ValueId operand) { return has(operand); });
  }
  bool isCounter(const ir::Value &value) const {
    const OpId loop = value.region ? kernel_.region(value.region).parent : OpId();
    return loop && kernel_.op(loop).opcode == Opcode::For && value.index == 0 &&
           kernel_.op(loop).unrolling.kind == ir::Unrolling::Kind::Fully;
  }

  const ir::Function &kernel_;
  std::vector<Known> known_;
};

} // namespace

std::vector<bool> registerArrays(const ir::Function &kernel) {
  Constants constants(kernel);
  std::vector<bool> result;
  for (const ir::Array &array : kernel.arrays)
    result.push_back(array.space == ir::Space::Registers || array.space == ir::Space::Local);
  for (const Op &op : kernel.ops) {
    if (op.opcode != Opcode::Load && op.opcode != Opcode::Store)
      continue;
    const bool isKnown = llvm::all_of(ir::accessOperands(op).subscripts,
                                      [&](ValueId part) { return constants.has(part); });
    if (!isKnown && kernel.array(op.array).space == ir::Space::Local)
      result[op.array.index] = false;
  }
  return result;
}

} // namespace colonnade::model
