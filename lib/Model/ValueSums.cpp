//===- ValueSums.cpp - What a kernel's integers are made of ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ValueSums.h"

#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

// Subscripts are short sums of little that is computed. Beyond this a value is like no other, so
// that a long chain of sums takes no time for each of its terms in each of its values, and a value
// that is multiplied with itself, and so on, none for each way to what it is made of.
static constexpr size_t MaxTerms = 32;
static constexpr uint64_t MaxParts = 1000;

static ValueSum scaled(ValueSum sum, uint64_t factor) {
  sum.constant *= factor;
  for (auto &[name, times] : sum.names)
    times *= factor;
  std::erase_if(sum.names, [](const auto &name) { return name.second == 0; });
  return sum;
}

static ValueSum plus(ValueSum sum, const ValueSum &other) {
  sum.constant += other.constant;
  for (const auto &[name, times] : other.names)
    if ((sum.names[name] += times) == 0)
      sum.names.erase(name);
  return sum;
}

bool ValueSums::isWhole(ValueId id) const {
  const ir::ScalarType type = kernel_.value(id).type;
  return ir::isInteger(type) || type == ir::ScalarType::Bool;
}

ValueSum ValueSums::named(Name name) {
  const auto number = static_cast<uint32_t>(names_.size());
  names_.push_back(std::move(name));
  return {0, {{number, 1}}};
}

/// Once each: a value that is added to itself, and so on, would double the work.
const ValueSum &ValueSums::of(ValueId id) {
  if (const auto found = sums_.find(id.index); found != sums_.end())
    return found->second;
  const Op *const op = kernel_.definition(id);
  ValueSum sum = op ? computed(*op) : fresh();
  return sums_[id.index] = std::move(sum);
}

/// Sums, and products with constants. Conversions change no subscript.
std::optional<ValueSum> ValueSums::linear(const Op &op) {
  switch (op.opcode) {
  case Opcode::Constant:
    return isWhole(op.results[0])
               ? std::optional(ValueSum{static_cast<uint64_t>(ir::asInt64(op.scalar))})
               : std::nullopt;
  case Opcode::Cast:
    return isWhole(op.operands[0]) ? std::optional(of(op.operands[0])) : std::nullopt;
  case Opcode::Add:
  case Opcode::Sub:
    if (!isWhole(op.operands[0]))
      return std::nullopt;
    return plus(of(op.operands[0]),
                scaled(of(op.operands[1]), op.opcode == Opcode::Add ? 1 : UINT64_MAX));
  case Opcode::Mul:
    if (isWhole(op.operands[0]))
      for (unsigned side : {0, 1})
        if (const ValueSum factor = of(op.operands[side]); factor.isKnown())
          return scaled(of(op.operands[1 - side]), factor.constant);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

static ir::Scalar asScalar(ir::ScalarType type, uint64_t number) {
  return ir::makeInt(type, static_cast<int64_t>(number));
}

uint64_t ValueSums::partsOf(const ValueSum &sum) const {
  uint64_t parts = 1;
  for (const auto &[number, times] : sum.names)
    parts += names_[number].parts;
  return parts;
}

/// Known, if its operands are; else of one name with what is computed from the same by the same.
std::optional<ValueSum> ValueSums::alike(const Op &op) {
  Name name;
  name.opcode = op.opcode == Opcode::DivConstant   ? Opcode::Div
                : op.opcode == Opcode::RemConstant ? Opcode::Rem
                                                   : op.opcode;
  if (!ir::isBinary(*name.opcode) ||
      !llvm::all_of(op.operands, [&](ValueId id) { return isWhole(id); }))
    return std::nullopt;
  for (ValueId operand : llvm::ArrayRef(op.operands).take_front(2)) {
    name.operands.push_back(of(operand));
    name.types.push_back(kernel_.value(operand).type);
    name.parts += partsOf(name.operands.back());
  }
  if (name.parts > MaxParts)
    return std::nullopt;
  if (name.operands[0].isKnown() && name.operands[1].isKnown()) {
    const ir::Evaluation result =
        ir::evaluateBinary(*name.opcode, asScalar(name.types[0], name.operands[0].constant),
                           asScalar(name.types[1], name.operands[1].constant));
    if (result.undefined == ir::Undefined::None)
      return ValueSum{static_cast<uint64_t>(ir::asInt64(result.value))};
    return std::nullopt;
  }
  const auto [at, isNew] = found_.try_emplace(name, static_cast<uint32_t>(names_.size()));
  return isNew ? named(std::move(name)) : ValueSum{0, {{at->second, 1}}};
}

ValueSum ValueSums::computed(const Op &op) {
  if (op.opcode == Opcode::Member) {
    Name member;
    member.isMember = true;
    return named(std::move(member));
  }
  if (std::optional<ValueSum> sum = linear(op))
    return sum->names.size() <= MaxTerms ? *sum : fresh();
  if (std::optional<ValueSum> sum = alike(op))
    return *sum;
  return fresh();
}

bool ValueSums::isOfMember(const ValueSum &sum) const {
  return llvm::all_of(sum.names, [&](const auto &named) {
    const Name &name = names_[named.first];
    return name.isMember || (name.opcode && llvm::all_of(name.operands, [&](const ValueSum &of) {
                               return isOfMember(of);
                             }));
  });
}

int64_t ValueSums::ofMember(const ValueSum &sum, int64_t member) const {
  uint64_t result = sum.constant;
  for (const auto &[number, times] : sum.names) {
    const Name &name = names_[number];
    if (name.isMember) {
      result += times * static_cast<uint64_t>(member);
    } else if (name.opcode) {
      const auto operand = [&](unsigned side) {
        return asScalar(name.types[side],
                        static_cast<uint64_t>(ofMember(name.operands[side], member)));
      };
      const ir::Evaluation of = ir::evaluateBinary(*name.opcode, operand(0), operand(1));
      result += times * static_cast<uint64_t>(
                            of.undefined == ir::Undefined::None ? ir::asInt64(of.value) : 0);
    }
  }
  return static_cast<int64_t>(result);
}

} // namespace colonnade::model
