//===- VerifierRules.h - The rules for one operation ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation of a function. Out: the first rule of its kind that it breaks: numbers
// of operands, results and regions, and their types. Used by VerifierTypes.h alone.
//
// Invariant: every id in the operation is in range.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_VERIFIERRULES_H
#define COLONNADE_IR_VERIFIERRULES_H

#include "IR/Function.h"

namespace colonnade::ir {

using Breach = std::optional<std::string>;

/// The rules for one operation. Each method returns the first breach.
class Rules {
public:
  Rules(const Module &module, const Function &function, const Op &op)
      : module_(module), f_(function), op_(op) {}

  Breach check();

private:
  ScalarType operand(size_t i) const { return f_.value(op_.operands[i]).type; }
  ScalarType result(size_t i = 0) const { return f_.value(op_.results[i]).type; }

  Breach counts(size_t operands, size_t results) const {
    if (op_.operands.size() != operands)
      return "takes " + std::to_string(operands) + " operands, has " +
             std::to_string(op_.operands.size());
    if (op_.results.size() != results)
      return "gives " + std::to_string(results) + " results, has " +
             std::to_string(op_.results.size());
    return std::nullopt;
  }
  Breach regions(size_t count) const {
    if (op_.regions.size() != count)
      return "has " + std::to_string(op_.regions.size()) + " regions, not " + std::to_string(count);
    return std::nullopt;
  }
  static Breach require(bool holds, const char *rule) { return holds ? Breach() : Breach(rule); }
  /// Types of `values` are `types`, one by one.
  Breach match(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> types,
               const char *what) const;
  bool hasLanes() const;
  /// The same, and what varies goes to targets that do.
  Breach carry(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> targets,
               const char *what) const;
  /// The same; these are names of one variable each.
  Breach share(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> variables,
               const char *what) const;

  Breach types();
  Breach scalarOp();
  Breach arithmetic();
  Breach comparison();
  Breach cast();
  Breach math();
  Breach access();
  Breach ifOp();
  Breach forOp();
  Breach loopOp();
  Breach pointerOp();
  Breach memory();
  Breach call();
  Breach callPart();
  Breach passed(const Array &taken, const Array &given) const;
  Breach sharedCell(const Array &array, const AccessOperands &parts) const;
  Breach blockOp();
  Breach stage();
  Breach row(uint64_t cells, std::optional<int64_t> width);
  Breach kernelOp();
  Breach constantDivision();

  const MemType *memType() const { return op_.memType ? &module_.memType(op_.memType) : nullptr; }

  const Module &module_;
  const Function &f_;
  const Op &op_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_VERIFIERRULES_H
