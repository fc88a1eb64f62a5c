//===- ExtentWalk.cpp - The certificate as a check of extents -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Emit/ExtentWalk.h"

#include "Emit/AddressData.h"
#include "Emit/ExtentText.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

ExtentWalk::ExtentWalk(const Module &module, const Function &certificate, Sites &sites,
                       CxxWriter &out)
    : CxxPrinter(module, certificate, out), interface_(interfaceOf(certificate)), sites_(sites),
      read_(arraysReadForAddresses(certificate)), loops_(certificate, read_),
      counts_(certificate.arrays.size()) {
  for (const char *name :
       {"result", "walk", "corners", "ends", "sites", "scalars", "cells", "wrapping", "from_bits"})
    names().reserve(name);
}

bool ExtentWalk::isPassed(ArrayId array) const {
  return interface_.index(array) < interface_.arrays.size();
}

std::string ExtentWalk::cellCount(const Array &array) const {
  if (array.isTable())
    return std::to_string(array.contents.size());
  std::string text;
  for (const SizeExpr &extent : array.extents) {
    if (!isComputable(function_, extent))
      return "UINT64_MAX";
    text += (text.empty() ? "" : " * ") + std::string("static_cast<uint64_t>(") +
            sizeText(extent,
                     [&](const std::string &name) {
                       for (const ScalarParam &scalar : function_.scalars)
                         if (scalar.name == name)
                           return "static_cast<int64_t>(" + nameOf(scalar.value) + ")";
                       return std::string("0");
                     }) +
            ")";
  }
  return text.empty() ? "1" : text;
}

void ExtentWalk::printArrays() {
  for (size_t a = 0; a < function_.arrays.size(); ++a) {
    const Array &array = function_.arrays[a];
    ArrayId id(a);
    declare(id, array.name);
    counts_[a] = names().unique(nameOf(id) + "_count");
    std::string count =
        isPassed(id) ? "cells[" + std::to_string(interface_.index(id)) + "]" : cellCount(array);
    out_.line("[[maybe_unused]] const uint64_t " + counts_[a] + " = " + count + ";");
    if (!read_[a])
      continue;
    if (array.isTable()) {
      std::string text =
          std::string("static const ") + cxxName(array.cell) + " " + nameOf(id) + "[] = {";
      for (size_t i = 0; i < array.contents.size(); ++i)
        text += (i ? ", " : "") + literal({array.cell, array.contents[i]}, true).text;
      out_.line(text + "};");
    } else {
      // bool as a byte: std::vector<bool> has no cells
      out_.line(std::string("std::vector<") +
                (array.cell == ScalarType::Bool ? "uint8_t" : cxxName(array.cell)) + "> " +
                nameOf(id) + "(" + counts_[a] + ");");
    }
  }
}

bool ExtentWalk::hasCorners() const { return loops_.any() && !addressesNeedData(function_); }

void ExtentWalk::print() {
  out_.line("// The accesses a(i) of every instance, in order, against the extents.");
  out_.open("runtime::detail::walk_result walk([[maybe_unused]] const scalar_bits *scalars,"
            " [[maybe_unused]] const uint64_t *cells)");
  out_.line("runtime::detail::walk_result result;");
  if (hasCorners()) {
    out_.line("if (corners(scalars, cells, result))");
    out_.line("  return result;");
  }
  if (addressesNeedData(function_)) {
    out_.line("// Addresses come out of a uniform array: they are checked as they happen.");
    out_.line("result.all_within = false;");
    out_.line("return result;");
    return out_.close();
  }
  printScalars();
  printArrays();
  printBody();
  out_.close();
}

void ExtentWalk::printScalars() {
  for (size_t s = 0; s < interface_.scalars.size(); ++s) {
    const InterfaceScalar &scalar = interface_.scalars[s];
    const char *type = cxxName(function_.value(scalar.value).type);
    out_.line(std::string("[[maybe_unused]] const ") + type + " " +
              declare(scalar.value, scalar.name) + " = from_bits<" + type + ">(scalars[" +
              std::to_string(s) + "]);");
  }
}

void ExtentWalk::printReturn(const Op &op) { out_.line("return result;"); }

void ExtentWalk::printAccess(const Op &op) {
  const Array &array = function_.array(op.array);
  out_.line("if (!result.access(" + cell(op).text + ", " + counts_[op.array.index] + ", " +
                std::to_string(sites_.add(op.loc, array.name)) +
                (op.speculative ? ", true))" : ", false))"),
            op.loc);
  out_.line("  return result;");
}

/// A fact about uniform values; above all, that the loop which follows ends.
void ExtentWalk::check(const Op &op) {
  out_.line("if (!result.check(" + use(op.operands[0]).text + ", " +
                std::to_string(sites_.add(op.loc, op.text)) + "))",
            op.loc);
  out_.line("  return result;");
}

void ExtentWalk::visitLoad(const Op &op) { printAccess(op); }

std::string ExtentWalk::within(const Op &op) {
  return "static_cast<uint64_t>(" + cell(op).text + ") < " + counts_[op.array.index];
}

CxxExpr ExtentWalk::load(const Op &op) {
  CxxExpr value{nameOf(op.array) + "[" + cell(op).text + "]", Precedence::Primary};
  if (!op.speculative)
    return value;
  return {within(op) + " ? " + value.text + " : 0", Precedence::Conditional};
}

void ExtentWalk::store(const Op &op) {
  printAccess(op);
  if (!read_[op.array.index])
    return;
  if (op.speculative)
    out_.line("if (" + within(op) + ")");
  out_.line((op.speculative ? "  " : "") + nameOf(op.array) + "[" + cell(op).text +
            "] = " + use(accessOperands(op).stored, true).text + ";");
}

CxxExpr ExtentWalk::operation(const Op &op) {
  if (!op.speculative || !isInteger(function_.value(op.results[0]).type))
    return scalarOperation(op);
  const char *name = nullptr;
  switch (op.opcode) {
  case Opcode::Add:
    name = "wrapping::add";
    break;
  case Opcode::Sub:
    name = "wrapping::sub";
    break;
  case Opcode::Mul:
    name = "wrapping::mul";
    break;
  case Opcode::Div:
    name = "wrapping::div";
    break;
  case Opcode::Rem:
    name = "wrapping::rem";
    break;
  case Opcode::Shl:
    name = "wrapping::shl";
    break;
  case Opcode::Shr:
    name = "wrapping::shr";
    break;
  case Opcode::Neg:
    name = "wrapping::neg";
    break;
  case Opcode::Cast:
    if (isFloat(function_.value(op.operands[0]).type))
      name = "wrapping::to_integer";
    break;
  default:
    break;
  }
  if (!name)
    return scalarOperation(op);
  bool shift = op.opcode == Opcode::Shl || op.opcode == Opcode::Shr;
  std::string type = cxxName(function_.value(op.results[0]).type);
  llvm::SmallVector<CxxExpr> args;
  for (ValueId operand : op.operands)
    args.push_back(use(operand, true));
  return call(name + (shift ? std::string() : "<" + type + ">"), args);
}
