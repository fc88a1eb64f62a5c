//===- CornerWalk.cpp - The check of extents at the ends of loops ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/CornerWalk.h"

#include "Emit/Cxx/InterfaceText.h"

using namespace colonnade;
using namespace colonnade::ir;

void CornerWalk::print() {
  out_.line(
      "// The same at the first and last iterations of the loops that addresses are linear in:");
  out_.line("// true if that shows them all to be within the extents.");
  out_.open("bool corners([[maybe_unused]] const scalar_bits *scalars,"
            " [[maybe_unused]] const uint64_t *cells, runtime::detail::walk_result &result)");
  out_.line("runtime::detail::corner_walk ends;");
  declareScalars(function_, interface_, *this, out_);
  printArrays();
  printBody();
  out_.close();
  out_.blank();
}

void CornerWalk::check(const Op &op) {
  out_.line("if (!" + use(op.operands[0]).within(Precedence::Unary) + ")", op.loc);
  out_.line("  return false;");
}

void CornerWalk::printReturn(const Op &) {
  out_.line("result.accesses = ends.accesses;");
  out_.line("return ends.exact;");
}

void CornerWalk::printAccess(const Op &op) {
  out_.line("if (!ends.access(" + exactCell(op) + ", " + counts_[op.array.index] + "))", op.loc);
  out_.line("  return false;");
}

void CornerWalk::countAccesses(uint64_t accesses) {
  out_.line("ends.count(" + std::to_string(accesses) + ");");
}

std::string CornerWalk::exactCell(const Op &op) {
  AccessOperands parts = accessOperands(op);
  if (parts.radices.empty() ||
      !llvm::any_of(parts.subscripts, [&](ValueId v) { return addresses_.atEnds[v.index]; }))
    return cell(op).text;
  std::string index = use(parts.subscripts[0]).text;
  for (size_t k = 0; k < parts.radices.size(); ++k)
    index = "ends.add<int64_t>(ends.mul<int64_t>(" + index + ", " + use(parts.radices[k]).text +
            "), " + use(parts.subscripts[k + 1]).text + ")";
  return index;
}

CxxExpr CornerWalk::operation(const Op &op) {
  if (!addresses_.atEnds[op.results[0].index])
    return ExtentWalk::operation(op);
  const char *name = nullptr;
  switch (op.opcode) {
  case Opcode::Add:
    name = "add";
    break;
  case Opcode::Sub:
    name = "sub";
    break;
  case Opcode::Mul:
    name = "mul";
    break;
  case Opcode::Neg:
    name = "neg";
    break;
  case Opcode::Shl:
    name = "shl";
    break;
  default:
    name = "convert";
  }
  std::string text =
      std::string("ends.") + name + "<" + cxxName(function_.value(op.results[0]).type) + ">(";
  for (size_t i = 0; i < op.operands.size(); ++i)
    text += (i ? ", " : "") + use(op.operands[i], true).text;
  return {text + ")", Precedence::Primary};
}

static const char *testName(Predicate predicate) {
  switch (predicate) {
  case Predicate::Lt:
    return "lt";
  case Predicate::Le:
    return "le";
  case Predicate::Gt:
    return "gt";
  case Predicate::Ge:
    return "ge";
  case Predicate::Ne:
    return "ne";
  }
  return "lt";
}

void CornerWalk::printFor(OpId id) {
  if (!addresses_.linear[id.index])
    return ExtentWalk::printFor(id);
  const Op &op = function_.op(id);
  ValueId counter = function_.region(op.regions[0]).args[0];
  std::string wanted = function_.value(counter).name;
  std::string low = use(op.operands[0], true).text, high = use(op.operands[1], true).text,
              step = use(op.operands[2], true).text;
  std::string name = declare(counter, wanted.empty() ? "i" : wanted);
  std::string loop = names().unique(name + "_ends"), type = cxxName(function_.value(counter).type);
  out_.open("for (runtime::detail::corner_loop<" + type + "> " + loop + "(ends, " + low + ", " +
                high + ", " + step + ", runtime::detail::loop_test::" + testName(op.predicate) +
                "); " + loop + ".next();)",
            op.loc);
  out_.line("[[maybe_unused]] const " + type + " " + name + " = " + loop + ".counter;");
  printRegion(op.regions[0]);
  out_.close();
}
