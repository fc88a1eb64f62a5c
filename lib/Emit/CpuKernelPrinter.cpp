//===- CpuKernelPrinter.cpp - The body of a CPU kernel -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signature, accessors and memory. Operations are in CpuOperations.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/CpuKernelPrinter.h"

#include "Emit/ExtentText.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

// Names that the kernel's text uses and source names must not hide.
static const char *const KernelNames[] = {"vec",           "mask",
                                          "lanes",         "group",
                                          "scratch",       "kernel",
                                          "entry",         "kernels",
                                          "sites",         "walk",
                                          "scalars",       "bytes",
                                          "select",        "any",
                                          "check",         "convert",
                                          "reinterpret",   "to_number",
                                          "shift_left",    "shift_right",
                                          "load",          "store",
                                          "lane_cells",    "local_cells",
                                          "uniform_cells", "lane_group",
                                          "lane_scratch",  "Stride",
                                          "Guarded",       "from_bits",
                                          "native_bytes",  "first_lane",
                                          "combine",       "lower",
                                          "upper",         "tile_stride",
                                          "strided",       "multiply_low_halves",
                                          "multiply_high", "divide",
                                          "modulo",        "wrapping"};

// Local arrays of up to this many bytes per lane live on the stack.
static constexpr uint64_t StackBytesPerLane = 1024;

CpuKernelPrinter::CpuKernelPrinter(const Module &module, const Kernel &kernel, bool guardAll,
                                   Sites &sites, CxxWriter &out)
    : CxxPrinter(module, kernel.body, out), kernel_(kernel), ranges_(kernel.body),
      guardAll_(guardAll), interface_(interfaceOf(kernel.body)), sites_(sites),
      cellsNames_(kernel.body.arrays.size()) {
  for (const char *name : KernelNames)
    names().reserve(name);
}

std::string CpuKernelPrinter::laneType(ScalarType type) const {
  return type == ScalarType::Bool ? "mask" : std::string("vec<") + cxxName(type) + ">";
}

std::string CpuKernelPrinter::type(ValueId value) const {
  return varying(value) ? laneType(function_.value(value).type) : CxxPrinter::type(value);
}

// A comparison's mask stays as wide as what was compared until it is used.
std::string CpuKernelPrinter::definitionType(ValueId value) const {
  return varying(value) && function_.value(value).type == ScalarType::Bool ? "auto" : type(value);
}

bool CpuKernelPrinter::isPerLane(const Array &array) const { return array.isPerInstance(); }

bool CpuKernelPrinter::onStack(const Array &array) const {
  std::optional<uint64_t> cells = constantCells(array);
  return cells && *cells <= StackBytesPerLane &&
         *cells * sizeBytes(array.cell) <= StackBytesPerLane;
}

std::string CpuKernelPrinter::cellCount(const Array &array) {
  if (std::optional<uint64_t> cells = constantCells(array))
    return std::to_string(std::max<uint64_t>(1, *cells));
  std::string text;
  for (const SizeExpr &extent : array.extents) {
    if (!isComputable(function_, extent))
      fail(array.loc, "the size of the local array '" + array.name + "' is not known");
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

std::string CpuKernelPrinter::guardedType(llvm::StringRef base) const {
  return ("runtime::detail::COLONNADE_ISA_NAMESPACE::" + base).str();
}

void CpuKernelPrinter::print() {
  printSignature();
  out_.indent();
  printAccessors();
  printBody();
  out_.close();
  out_.blank();
  printEntry();
}

void CpuKernelPrinter::printSignature() {
  out_.line("// One group of instances, one per lane: " + function_.name + ", " +
            out_.position(function_.loc));
  out_.line("template <class Stride, bool Guarded>");
  std::string text = "void kernel(";
  for (const InterfaceArray &passed : interface_.arrays) {
    const Array &array = function_.array(passed.array);
    declare(passed.array, passed.name);
    std::string &cells = cellsNames_[passed.array.index];
    cells = names().unique(nameOf(passed.array) + "_cells");
    text += std::string(array.writes ? "" : "const ") + cxxName(array.cell) + " *__restrict " +
            cells + ", ";
  }
  for (const InterfaceScalar &scalar : interface_.scalars)
    text += std::string("[[maybe_unused]] const ") + cxxName(function_.value(scalar.value).type) +
            " " + declare(scalar.value, scalar.name) + ", ";
  out_.line(text + "const lane_group &group) {");
}

void CpuKernelPrinter::printEntry() {
  out_.open("struct entry");
  out_.open("template <class Stride, bool Guarded> static void run(const lane_group &group)");
  std::string text = "kernel<Stride, Guarded>(";
  for (size_t a = 0; a < interface_.arrays.size(); ++a) {
    const Array &array = function_.array(interface_.arrays[a].array);
    text += std::string("static_cast<") + (array.writes ? "" : "const ") + cxxName(array.cell) +
            " *>(group.arrays[" + std::to_string(a) + "]), ";
  }
  for (size_t s = 0; s < interface_.scalars.size(); ++s)
    text += std::string("from_bits<") + cxxName(function_.value(interface_.scalars[s].value).type) +
            ">(group.scalars[" + std::to_string(s) + "]), ";
  out_.line(text + "group);");
  out_.close();
  out_.close(";");
}

void CpuKernelPrinter::printAccessors() {
  for (size_t a = 0; a < interface_.arrays.size(); ++a) {
    const InterfaceArray &passed = interface_.arrays[a];
    const Array &array = function_.array(passed.array);
    std::string cell = std::string(array.writes ? "" : "const ") + cxxName(array.cell);
    std::string accessor = passed.uniform ? "uniform_cells<" + cell + ", Guarded>"
                                          : "lane_cells<" + cell + ", lanes, Stride, Guarded>";
    out_.line("[[maybe_unused]] const " + accessor + " " + nameOf(passed.array) + "(" +
              cellsNames_[passed.array.index] + ", group, group.cells[" + std::to_string(a) +
              "]);");
  }
  bool needsScratch = llvm::any_of(
      function_.arrays, [&](const Array &array) { return array.isLocal() && !onStack(array); });
  if (needsScratch)
    out_.line("lane_scratch scratch{group.scratch};");
  for (size_t a = 0; a < function_.arrays.size(); ++a)
    if (!function_.arrays[a].isPassed())
      printLocal(ArrayId(a));
}

void CpuKernelPrinter::printLocal(ArrayId id) {
  const Array &array = function_.array(id);
  declare(id, array.name);
  std::string cells = names().unique(nameOf(id) + "_cells"), count = cellCount(array);
  cellsNames_[id.index] = cells;
  bool perLane = isPerLane(array), table = array.isTable();
  std::string cell = perLane ? laneType(array.cell) : cxxName(array.cell);
  if (table) {
    std::string text = "static const " + cell + " " + cells + "[] = {";
    for (size_t i = 0; i < array.contents.size(); ++i)
      text += (i ? ", " : "") + literal({array.cell, array.contents[i]}, true).text;
    if (array.contents.empty())
      text += "0";
    out_.line(text + "};");
    cell = "const " + cell;
  } else if (onStack(array)) {
    // Zeroed, so that cells never written hold defined values; compilers drop
    // what is overwritten.
    std::string zero = cell == "mask" ? "false" : cell + "(0)";
    out_.line(cell + " " + cells + "[" + count + "];");
    out_.line("for (auto &cell : " + cells + ") cell = " + zero + ";");
  } else {
    out_.line(cell + " *const " + cells + " = scratch.take<" + cell + ">(" + count + ");");
  }
  out_.line(std::string("[[maybe_unused]] const ") + (perLane ? "local_cells<" : "uniform_cells<") +
            cell + ", Guarded> " + nameOf(id) + "(" + cells + ", group, " + count + ");");
}

void CpuKernelPrinter::printScratchBytes() {
  out_.open("uint64_t scratch_bytes([[maybe_unused]] const scalar_bits *scalars,"
            " [[maybe_unused]] uint64_t lanes)");
  for (size_t s = 0; s < interface_.scalars.size(); ++s) {
    const char *type = cxxName(function_.value(interface_.scalars[s].value).type);
    out_.line(std::string("[[maybe_unused]] const ") + type + " " +
              declare(interface_.scalars[s].value, interface_.scalars[s].name) + " = from_bits<" +
              type + ">(scalars[" + std::to_string(s) + "]);");
  }
  out_.line("uint64_t bytes = 0;");
  for (const Array &array : function_.arrays)
    if (array.isLocal() && !onStack(array))
      // A mask takes at most 8 bytes a lane.
      out_.line("bytes += ((" + cellCount(array) + ") * " +
                std::to_string(array.cell == ScalarType::Bool ? 8 : sizeBytes(array.cell)) +
                (isPerLane(array) ? " * lanes" : "") + " + 63) / 64 * 64;");
  out_.line("return bytes;");
  out_.close();
}

uint32_t CpuKernelPrinter::accessSite(const Op &op) {
  return sites_.add(op.loc, "an instance reaches a cell of '" + function_.array(op.array).name +
                                "' outside its extent");
}

std::string CpuKernelPrinter::accessMask(const Op &op) {
  return op.masked ? use(accessOperands(op).mask).text : "mask(true)";
}

CxxExpr CpuKernelPrinter::load(const Op &op) {
  const Array &array = function_.array(op.array);
  std::string text = nameOf(op.array);
  if (op.masked || guardAll_)
    text += ".at(" + cell(op).text + ", " + accessMask(op) + ", " + std::to_string(accessSite(op)) +
            ")";
  else
    text += "[" + cell(op).text + "]";
  // Equal in all lanes although there is a copy per lane: any lane's will do.
  if (isPerLane(array) && !varying(op.results[0]))
    text = array.cell == ScalarType::Bool ? "any(" + text + ")" : text + "[0]";
  return {text, Precedence::Primary};
}

void CpuKernelPrinter::store(const Op &op) {
  const Array &array = function_.array(op.array);
  AccessOperands access = accessOperands(op);
  bool perLane = isPerLane(array);
  if (!perLane && varying(access.stored))
    fail(op.loc, "internal: a varying value is stored to the uniform array '" + array.name + "'");
  CxxExpr value = perLane ? vector(access.stored) : use(access.stored, true);
  std::string text = nameOf(op.array) + ".set(" + cell(op).text + ", " + value.text;
  if (op.masked || guardAll_)
    text += ", " + accessMask(op) + ", " + std::to_string(accessSite(op));
  out_.line(text + ");", op.loc);
}

void CpuKernelPrinter::check(const Op &op) {
  uint32_t site =
      sites_.add(op.loc, op.text.empty() ? "a fact given by the user is false" : op.text);
  out_.line("check(" + use(op.operands[0]).text + ", group, " + std::to_string(site) + ");",
            op.loc);
}
