//===- ExtentWalk.cpp - The certificate as a check of extents -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/ExtentWalk.h"

#include "Emit/Cxx/InterfaceText.h"
#include "Emit/Cxx/TableText.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// What need not be printed for its addresses. A For may end in a counter that is needed, a store
/// may be of a table that decides an address, also one in a branch or loop.
static std::vector<bool> needlessAccesses(const Verdict &verdict) {
  const AddressProperties &addresses = verdict.addresses;
  std::vector<bool> needless = addresses.within.holds;
  for (auto [i, op] : llvm::enumerate(verdict.certificate.ops))
    if (op.opcode == Opcode::Store && addresses.loaded[op.array.index])
      needless[i] = false;
  return needless;
}

ExtentWalk::ExtentWalk(const Module &module, const Verdict &verdict, Sites &sites, CxxWriter &out)
    : CxxPrinter(module, verdict.certificate, out, needlessAccesses(verdict)), sites_(sites),
      interface_(interfaceOf(function_)), addresses_(verdict.addresses),
      counts_(function_.arrays.size()) {
  for (const char *name :
       {"result", "walk", "corners", "ends", "sites", "scalars", "cells", "wrapping", "from_bits"})
    names().reserve(name);
}

uint32_t ExtentWalk::site(const Op &op, llvm::StringRef what) {
  return sites_.add(module_.sources.str(op.loc), what);
}

std::string ExtentWalk::cellCount(ArrayId id) const {
  const Array &array = function_.array(id);
  if (array.isPassed())
    return "cells[" + std::to_string(interface_.index(id)) + "]";
  if (array.isTable())
    return std::to_string(array.contents.size());
  return cellProduct(function_, array, *this).value_or("UINT64_MAX");
}

void ExtentWalk::printArrays() {
  for (size_t a = 0; a < function_.arrays.size(); ++a) {
    const ArrayId id(a);
    declare(id, function_.arrays[a].name);
    counts_[a] = names().unique(nameOf(id) + "_count");
    out_.line("[[maybe_unused]] const uint64_t " + counts_[a] + " = " + cellCount(id) + ";");
    if (addresses_.loaded[a])
      printContents(id);
  }
}

void ExtentWalk::printContents(ArrayId id) {
  const Array &array = function_.array(id);
  if (array.isTable())
    return printTable(std::string("static const ") + cxxName(array.cell) + " " + nameOf(id), array,
                      out_);
  // bool as a byte: std::vector<bool> has no cells
  out_.line(std::string("std::vector<") +
            (array.cell == ScalarType::Bool ? "uint8_t" : cxxName(array.cell)) + "> " + nameOf(id) +
            "(" + counts_[id.index] + ");");
}

bool ExtentWalk::hasCorners() const { return addresses_.anyLinear && !addresses_.needData; }

void ExtentWalk::print() {
  out_.line("// The accesses a(i) of every instance, in order, against the extents.");
  out_.open("runtime::detail::walk_result walk([[maybe_unused]] const scalar_bits *scalars,"
            " [[maybe_unused]] const uint64_t *cells)");
  out_.line("runtime::detail::walk_result result;");
  if (hasCorners()) {
    out_.line("if (corners(scalars, cells, result))");
    out_.line("  return result;");
  }
  if (addresses_.needData) {
    out_.line("// Addresses come out of a uniform array: they are checked as they happen.");
    out_.line("result.all_within = false;");
    out_.line("return result;");
    return out_.close();
  }
  declareScalars(function_, interface_, *this, out_);
  printArrays();
  printBody();
  out_.close();
}

void ExtentWalk::printReturn(const Op &op) { out_.line("return result;"); }

void ExtentWalk::beginRegion(RegionId region) {
  uint64_t within = 0;
  for (OpId id : function_.region(region).ops)
    if (addresses_.within.holds[id.index] && (function_.op(id).regions.empty() || omitted(id)))
      within += addresses_.within.accesses[id.index];
  if (within)
    countAccesses(within);
}

void ExtentWalk::countAccesses(uint64_t accesses) {
  out_.line("result.accesses += " + std::to_string(accesses) + ";");
}

void ExtentWalk::printAccess(const Op &op) {
  const Array &array = function_.array(op.array);
  out_.line("if (!result.access(" + cell(op).text + ", " + counts_[op.array.index] + ", " +
                std::to_string(site(op, array.name)) + (op.speculative ? ", true))" : ", false))"),
            op.loc);
  out_.line("  return result;");
}

/// A fact about uniform values; above all, that the loop which follows ends.
void ExtentWalk::check(const Op &op) {
  out_.line("if (!result.check(" + use(op.operands[0]).text + ", " +
                std::to_string(site(op, op.text)) + "))",
            op.loc);
  out_.line("  return result;");
}

void ExtentWalk::visitLoad(OpId id) {
  if (!addresses_.within.holds[id.index])
    printAccess(function_.op(id));
}

std::string ExtentWalk::within(const Op &op) {
  return "static_cast<uint64_t>(" + cell(op).text + ") < " + counts_[op.array.index];
}

CxxExpr ExtentWalk::load(const Op &op) {
  CxxExpr value{nameOf(op.array) + "[" + cell(op).text + "]", Precedence::Primary};
  if (!op.speculative)
    return value;
  return {within(op) + " ? " + value.text + " : 0", Precedence::Conditional};
}

void ExtentWalk::store(OpId id) {
  const Op &op = function_.op(id);
  if (!addresses_.within.holds[id.index])
    printAccess(op);
  if (!addresses_.loaded[op.array.index])
    return;
  if (op.speculative)
    out_.line("if (" + within(op) + ")");
  out_.line((op.speculative ? "  " : "") + nameOf(op.array) + "[" + cell(op).text +
            "] = " + use(accessOperands(op).stored, true).text + ";");
}
