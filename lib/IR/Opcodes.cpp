//===- Opcodes.cpp - Tables of operations and math functions --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Opcodes.h"

#include <cassert>
#include <cstddef>

namespace colonnade::ir {

const char *mnemonic(Opcode opcode) {
  static constexpr const char *Names[] = {
#define COLONNADE_OP(Name, mnemonic, level) mnemonic,
#include "IR/Opcodes.def"
  };
  return Names[static_cast<size_t>(opcode)];
}

namespace {
struct MathInfo {
  const char *name;
  unsigned arity;
  bool exact;
};
constexpr MathInfo MathTable[] = {
#define COLONNADE_MATH(Name, name, arity, exact) {name, arity, exact},
#include "IR/MathFunctions.def"
};
const MathInfo &info(MathFn fn) { return MathTable[static_cast<size_t>(fn)]; }
} // namespace

const char *name(MathFn fn) { return info(fn).name; }
unsigned arity(MathFn fn) { return info(fn).arity; }
bool isExact(MathFn fn) { return info(fn).exact; }

Opcode inverted(Opcode comparison) {
  assert(isComparison(comparison) && "nothing to invert");
  switch (comparison) {
  case Opcode::Eq:
    return Opcode::Ne;
  case Opcode::Ne:
    return Opcode::Eq;
  case Opcode::Lt:
    return Opcode::Ge;
  case Opcode::Le:
    return Opcode::Gt;
  case Opcode::Gt:
    return Opcode::Le;
  default:
    return Opcode::Lt;
  }
}

Opcode mirrored(Opcode comparison) {
  assert(isComparison(comparison) && "nothing to mirror");
  switch (comparison) {
  case Opcode::Lt:
    return Opcode::Gt;
  case Opcode::Le:
    return Opcode::Ge;
  case Opcode::Gt:
    return Opcode::Lt;
  case Opcode::Ge:
    return Opcode::Le;
  default:
    return comparison;
  }
}

} // namespace colonnade::ir
