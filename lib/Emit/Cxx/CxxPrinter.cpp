//===- CxxPrinter.cpp - Structured IR to C++ statements -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, the order of operations, definitions. Branches and loops are in CxxControl.cpp,
// the variables that they assign in CxxAssignments.cpp, operations in CxxOperations.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/CxxPrinter.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

CxxPrinter::CxxPrinter(const Module &module, const Function &function, CxxWriter &out,
                       const std::vector<bool> &needless)
    : module_(module), function_(function), out_(out), plan_(function, needless),
      valueNames_(function.values.size()), arrayNames_(function.arrays.size()) {
  // Printed bodies call these, and their float twins.
#define COLONNADE_MATH(Name, text, arity, exact)                                                   \
  names_.reserve(text);                                                                            \
  names_.reserve(text "f");
#include "IR/MathFunctions.def"
}

std::string CxxPrinter::declare(ValueId value, llvm::StringRef wanted) {
  return valueNames_[value.index] = names_.unique(wanted);
}

std::string CxxPrinter::declare(ArrayId array, llvm::StringRef wanted) {
  return arrayNames_[array.index] = names_.unique(wanted, "cells");
}

void CxxPrinter::shareName(ValueId from, ValueId to) {
  valueNames_[to.index] = valueNames_[from.index];
}

void CxxPrinter::fail(LocId loc, const llvm::Twine &message) {
  if (error_.empty())
    error_ = module_.sources.str(loc) + ": " + message.str();
}

llvm::Error CxxPrinter::takeError() {
  if (error_.empty())
    return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(), error_);
}

std::string CxxPrinter::type(ValueId value) const { return cxxName(function_.value(value).type); }

CxxExpr CxxPrinter::convertTo(ValueId target, ValueId value) { return use(value); }

std::string CxxPrinter::parameterType(ValueId value) const { return "const " + type(value) + " "; }

void CxxPrinter::openPart(PartId id, const std::string &) {
  fail(function_.part(id).loc, "internal: no parts in this back end");
  out_.open("");
}

void CxxPrinter::together(const Op &op) {
  fail(op.loc, llvm::Twine("internal: no blocks in this back end, for ") + mnemonic(op.opcode));
}

void CxxPrinter::printReturn(const Op &op) {
  if (!op.operands.empty())
    fail(op.loc, "internal: a return value is not stored to an array");
}

void CxxPrinter::printBody() {
  printRegion(function_.body);
  if (!function_.region(function_.body).ops.empty())
    printReturn(function_.terminator(function_.body));
}

void CxxPrinter::printRegion(RegionId region) {
  beginRegion(region);
  for (OpId id : llvm::drop_end(function_.region(region).ops))
    if (!plan_.omitted(id))
      printOp(id);
}

void CxxPrinter::printOp(OpId id) {
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::Store:
    return store(id);
  case Opcode::Check:
    return check(op);
  case Opcode::CallPart:
    return printCallPart(op);
  case Opcode::Barrier:
  case Opcode::Stage:
  case Opcode::Wait:
    return together(op);
  case Opcode::If:
    return printIf(op);
  case Opcode::For:
    return printFor(id);
  case Opcode::Loop:
    return printLoop(op);
  case Opcode::Unsupported:
    return fail(op.loc, "unsupported: " + op.text);
  default:
    return printDefinition(id);
  }
}

void CxxPrinter::printDefinition(OpId id) {
  const Op &op = function_.op(id);
  if (!isExpression(op))
    return fail(op.loc, llvm::Twine("no C++ for the operation ") + mnemonic(op.opcode));
  ValueId result = op.results[0];
  if (op.opcode == Opcode::Load)
    visitLoad(id);
  if (op.opcode == Opcode::Constant || !plan_.uses(result) || plan_.folded(result))
    return;
  CxxExpr value = op.opcode == Opcode::Load ? load(op) : operation(op);
  std::string name = declare(result, function_.value(result).name);
  out_.line(constness(result) + definitionType(result) + " " + name + " = " + value.text + ";",
            op.loc);
}
