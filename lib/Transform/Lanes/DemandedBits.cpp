//===- DemandedBits.cpp - How much of an integer is ever looked at -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worklist: a value's number only grows, at most once per bit, and each growth
// looks at what the value is made of.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/DemandedBits.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>

using namespace colonnade;
using namespace colonnade::ir;

bool colonnade::worksOnLowBits(const Op &op) {
  switch (op.opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Neg:
  case Opcode::Not:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Shl:
    return true;
  default:
    return false;
  }
}

bool colonnade::staysWithin(const Op &op) {
  return op.opcode == Opcode::And || op.opcode == Opcode::Or || op.opcode == Opcode::Xor;
}

namespace {

class Demand {
public:
  explicit Demand(const Function &function)
      : function_(function), bits_(function.values.size(), 0) {
    for (const Op &op : function.ops)
      seed(op);
    while (!work_.empty()) {
      ValueId value = work_.back();
      work_.pop_back();
      pass(value, bits_[value.index]);
    }
  }
  std::vector<unsigned> take() { return std::move(bits_); }

private:
  void demand(ValueId value, unsigned bits) {
    ScalarType type = function_.value(value).type;
    if (!isInteger(type))
      return;
    bits = std::min(bits, bitWidth(type));
    if (bits <= bits_[value.index])
      return;
    bits_[value.index] = bits;
    work_.push_back(value);
  }
  bool isIntegerCast(const Op &op) const {
    return op.opcode == Opcode::Cast && isInteger(function_.value(op.results[0]).type) &&
           isInteger(function_.value(op.operands[0]).type);
  }
  static bool chooses(const Op &op) {
    return op.opcode == Opcode::Select || op.opcode == Opcode::Blend;
  }
  void seed(const Op &op);
  void pass(ValueId value, unsigned bits);
  void passResult(const Op &op, unsigned index, unsigned bits);
  void passArgument(const Op &op, RegionId region, unsigned index, unsigned bits);

  const Function &function_;
  std::vector<unsigned> bits_;
  std::vector<ValueId> work_;
};

} // namespace

// What is needed whole, whatever becomes of the result.
void Demand::seed(const Op &op) {
  llvm::ArrayRef<ValueId> whole = op.operands;
  if (op.opcode == Opcode::For)
    whole = whole.take_front(3);
  else if (op.opcode == Opcode::Shl)
    whole = whole.drop_front();
  else if (worksOnLowBits(op) || chooses(op) || isIntegerCast(op) || op.opcode == Opcode::Loop ||
           op.opcode == Opcode::Yield || op.opcode == Opcode::Test)
    return;
  for (ValueId value : whole)
    demand(value, 64);
}

void Demand::pass(ValueId id, unsigned bits) {
  const Value &value = function_.value(id);
  if (value.def)
    return passResult(function_.op(value.def), value.index, bits);
  OpId owner = function_.region(value.region).parent;
  if (owner)
    passArgument(function_.op(owner), value.region, value.index, bits);
}

void Demand::passResult(const Op &op, unsigned index, unsigned bits) {
  auto yielded = [&](unsigned region, unsigned skipped) {
    demand(function_.terminator(op.regions[region]).operands[index + skipped], bits);
  };
  if (op.opcode == Opcode::If) {
    yielded(0, 0);
    yielded(1, 0);
  } else if (op.opcode == Opcode::For && index > 0) {
    passArgument(op, op.regions[0], index, bits);
  } else if (op.opcode == Opcode::Loop) {
    yielded(0, 1);
    yielded(1, 1);
  } else if (op.opcode == Opcode::And && function_.constant(op.operands[1])) {
    demand(op.operands[0],
           std::min(bits, unsigned(std::bit_width(function_.constant(op.operands[1])->bits))));
    demand(op.operands[1], bits);
  } else if (op.opcode == Opcode::Shl) {
    demand(op.operands[0], bits);
  } else if (worksOnLowBits(op) || isIntegerCast(op)) {
    for (ValueId operand : op.operands)
      demand(operand, bits);
  } else if (chooses(op)) {
    demand(op.operands[1], bits);
    demand(op.operands[2], bits);
  }
}

void Demand::passArgument(const Op &op, RegionId region, unsigned index, unsigned bits) {
  if (op.opcode == Opcode::For && index > 0) {
    demand(op.operands[index + 2], bits);
    demand(function_.terminator(op.regions[0]).operands[index - (op.hasContinueFlag ? 0 : 1)],
           bits);
  } else if (op.opcode == Opcode::Loop && region == op.regions[0]) {
    demand(op.operands[index], bits);
    demand(function_.terminator(op.regions[1]).operands[index + 1], bits);
  } else if (op.opcode == Opcode::Loop) {
    demand(function_.terminator(op.regions[0]).operands[index + 1], bits);
  }
}

std::vector<unsigned> colonnade::demandedBits(const Function &function) {
  return Demand(function).take();
}
