//===- CxxControl.cpp - If, For and Loop as C++ statements ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results and carried values are variables that are declared before the statement and
// assigned in its regions (CxxAssignments.cpp).
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/CxxPrinter.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

// An If that only picks one of two values, both free of loads and of names
// defined inside, reads better as an expression.
bool CxxPrinter::printAsChoice(const Op &op) {
  if (op.results.size() != 1 || function_.region(op.regions[0]).ops.size() != 1 ||
      function_.region(op.regions[1]).ops.size() != 1)
    return false;
  ValueId result = op.results[0];
  if (!plan_.uses(result))
    return true;
  CxxExpr condition = use(op.operands[0]);
  CxxExpr a = convertTo(result, function_.terminator(op.regions[0]).operands[0]);
  CxxExpr b = convertTo(result, function_.terminator(op.regions[1]).operands[0]);
  std::string name = declare(result, function_.value(result).name);
  out_.line(constness(result) + type(result) + " " + name + " = " +
                conditionalExpr(condition, a, b).text + ";",
            op.loc);
  return true;
}

void CxxPrinter::printIf(const Op &op) {
  if (printAsChoice(op))
    return;
  std::string condition = use(op.operands[0]).text;
  for (ValueId result : op.results) {
    declare(result, function_.value(result).name);
    out_.line(type(result) + " " + nameOf(result) + ";", op.loc);
  }
  auto arm = [&](RegionId region) {
    printRegion(region);
    llvm::SmallVector<Assignment> list;
    for (auto [result, value] : llvm::zip(op.results, function_.terminator(region).operands))
      list.push_back({result, value});
    assignAll(list, {});
  };
  bool hasElse = !op.results.empty() || function_.region(op.regions[1]).ops.size() > 1;
  bool hasThen = !op.results.empty() || function_.region(op.regions[0]).ops.size() > 1;
  if (!hasThen && !hasElse)
    return;
  if (!hasThen) {
    out_.open("if (!" + use(op.operands[0]).within(Precedence::Unary) + ")", op.loc);
    arm(op.regions[1]);
    return out_.close();
  }
  out_.open("if (" + condition + ")", op.loc);
  arm(op.regions[0]);
  if (hasElse) {
    out_.reopen("} else {");
    arm(op.regions[1]);
  }
  out_.close();
}

static const char *predicateText(Predicate predicate) {
  switch (predicate) {
  case Predicate::Lt:
    return "<";
  case Predicate::Le:
    return "<=";
  case Predicate::Gt:
    return ">";
  case Predicate::Ge:
    return ">=";
  case Predicate::Ne:
    return "!=";
  }
  return "<";
}

static std::string stepText(const Function &function, ValueId step, const std::string &counter,
                            const CxxExpr &value) {
  if (const Scalar *constant = function.constant(step)) {
    unsigned width = bitWidth(constant->type);
    int64_t amount = int64_t(constant->bits << (64 - width)) >> (64 - width);
    if (amount == 1)
      return "++" + counter;
    if (amount == -1)
      return "--" + counter;
    if (amount < 0 && amount != INT64_MIN && bitWidth(constant->type) >= 32)
      return counter + " -= " + std::to_string(-amount);
  }
  return counter + " += " + value.text;
}

void CxxPrinter::printFor(OpId id) {
  const Op &op = function_.op(id);
  const Region &body = function_.region(op.regions[0]);
  ValueId counter = body.args[0];
  auto args = llvm::ArrayRef(body.args).drop_front();
  declareCarried(args, llvm::ArrayRef(op.operands).drop_front(3),
                 llvm::ArrayRef(op.results).drop_front());
  CxxExpr low = convertTo(counter, op.operands[0]);
  CxxExpr high = convertTo(counter, op.operands[1]), stepValue = convertTo(counter, op.operands[2]);
  std::string name =
      declare(counter, function_.value(counter).name.empty() ? "i" : function_.value(counter).name);
  shareName(counter, op.results[0]);
  bool outside = plan_.uses(op.results[0]) || op.postTest;
  std::string init = type(counter) + " " + name + " = " + low.text;
  std::string test =
      binaryExpr({name}, predicateText(op.predicate), high,
                 op.predicate == Predicate::Ne ? Precedence::Equality : Precedence::Relational)
          .text;
  std::string step = stepText(function_, op.operands[2], name, stepValue);
  if (outside)
    out_.line(init + ";", op.loc);
  beforeLoop(op);
  if (op.postTest)
    out_.open("do", op.loc);
  else
    out_.open("for (" + (outside ? "" : init) + "; " + test + "; " + step + ")", op.loc);
  printRegion(op.regions[0]);
  auto yields = llvm::ArrayRef(function_.terminator(op.regions[0]).operands);
  llvm::SmallVector<Assignment> list;
  for (auto [arg, next] : llvm::zip(args, yields.drop_front(op.hasContinueFlag ? 1 : 0)))
    list.push_back({arg, next});
  CxxExpr continues = assignAll(list, op.hasContinueFlag ? yields[0] : ValueId());
  if (op.hasContinueFlag)
    out_.line("if (!" + continues.within(Precedence::Unary) + ") break;");
  if (op.postTest)
    out_.line(step + ";");
  out_.close(op.postTest ? " while (" + test + ");" : "");
  afterFor(id);
}

void CxxPrinter::printLoop(const Op &op) {
  const Region &before = function_.region(op.regions[0]), &body = function_.region(op.regions[1]);
  declareCarried(before.args, op.operands, op.results);
  for (auto [arg, inner] : llvm::zip(before.args, body.args))
    shareName(arg, inner);
  beforeLoop(op);
  out_.open("for (;;)", op.loc);
  printRegion(op.regions[0]);
  const Op &test = function_.terminator(op.regions[0]);
  llvm::SmallVector<Assignment> list;
  for (auto [arg, forwarded] : llvm::zip(before.args, llvm::drop_begin(test.operands)))
    list.push_back({arg, forwarded});
  CxxExpr condition = assignAll(list, test.operands[0]);
  const Scalar *always = function_.constant(test.operands[0]);
  if (!always || !always->bits)
    out_.line("if (!" + condition.within(Precedence::Unary) + ") break;", test.loc);
  printRegion(op.regions[1]);
  const Op &yield = function_.terminator(op.regions[1]);
  list.clear();
  for (auto [arg, next] : llvm::zip(before.args, llvm::drop_begin(yield.operands)))
    list.push_back({arg, next});
  CxxExpr continues = assignAll(list, yield.operands[0]);
  const Scalar *ever = function_.constant(yield.operands[0]);
  if (!ever || !ever->bits)
    out_.line("if (!" + continues.within(Precedence::Unary) + ") break;");
  out_.close();
}
