//===- CpuKernelPrinter.cpp - The body of a CPU kernel -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signature, accessors and memory. Operations are in CpuOperations.cpp, parts in CpuParts.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cpu/CpuKernelPrinter.h"

#include "Emit/Cxx/InterfaceText.h"
#include "Emit/Cxx/TableText.h"

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
                                          "modulo",        "wrapping",
                                          "serial",        "count"};

CpuKernelPrinter::CpuKernelPrinter(const Module &module, const Function &kernel, Sites &sites,
                                   CxxWriter &out)
    : CxxPrinter(module, kernel, out, allLoads(kernel)), interface_(interfaceOf(kernel)),
      isSerial_(kernel.isSerial()), sites_(sites), partNeeds_(needsOfParts(kernel)),
      cellsNames_(kernel.arrays.size()) {
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

std::string CpuKernelPrinter::cellCount(const Array &array) {
  if (std::optional<uint64_t> cells = array.constantCells())
    return std::to_string(std::max<uint64_t>(1, *cells));
  std::optional<std::string> product = cellProduct(function_, array, *this);
  if (!product)
    fail(array.loc, "the size of the local array '" + array.name + "' is not known");
  return product.value_or("0");
}

void CpuKernelPrinter::print() {
  printParts();
  printSignature();
  out_.indent();
  printAccessors();
  printBody();
  out_.close();
  out_.blank();
  printEntry();
}

static bool hasLoop(const Function &kernel) {
  return llvm::any_of(kernel.ops, [](const Op &op) {
    return op.opcode == Opcode::For || op.opcode == Opcode::Loop;
  });
}

void CpuKernelPrinter::printSignature() {
  out_.line(
      std::string(isSerial_ ? "// One instance: " : "// One group of instances, one per lane: ") +
      function_.name + ", " + out_.position(function_.loc));
  out_.line(templateParameters());
  std::string text =
      isSerial_ && hasLoop(function_) ? "__attribute__((noinline)) void kernel(" : "void kernel(";
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

/// Nothing differs between a build with guards and one without them if there is nothing to check.
bool CpuKernelPrinter::isChecked() const {
  return llvm::any_of(function_.ops, [&](const Op &op) { return isChecked(op); });
}

void CpuKernelPrinter::printEntry() {
  out_.open("struct entry");
  out_.line(std::string("static constexpr bool is_checked = ") +
            (isChecked() ? "true;" : "false;"));
  if (isSerial_)
    return printLoopOverRows();
  out_.open("template <class Stride, bool Guarded> static void run(const lane_group &group)");
  out_.line(kernelCall() + ";");
  out_.close();
  out_.close(";");
}

void CpuKernelPrinter::printLoopOverRows() {
  out_.open("template <bool Guarded> static void run(lane_group group, uint64_t count)");
  out_.open("for (uint64_t j = 0; j < count; ++j, ++group.first_instance)");
  out_.line(kernelCall() + ";");
  out_.close();
  out_.close();
  out_.close(";");
}

std::string CpuKernelPrinter::kernelCall() {
  std::string text = isSerial_ ? "kernel<Guarded>(" : "kernel<Stride, Guarded>(";
  for (size_t a = 0; a < interface_.arrays.size(); ++a) {
    const Array &array = function_.array(interface_.arrays[a].array);
    const std::string number = std::to_string(a);
    text += std::string("static_cast<") + (array.writes ? "" : "const ") + cxxName(array.cell) +
            " *>(group.arrays[" + number + "])";
    if (isSerial_ && array.isPerInstance())
      text += " + j * group.cells[" + number + "]";
    text += ", ";
  }
  for (size_t s = 0; s < interface_.scalars.size(); ++s)
    text += scalarFromBits(function_, interface_, s, "group.scalars") + ", ";
  return text + "group)";
}

void CpuKernelPrinter::printAccessors() {
  for (size_t a = 0; a < interface_.arrays.size(); ++a) {
    const InterfaceArray &passed = interface_.arrays[a];
    const Array &array = function_.array(passed.array);
    std::string cell = std::string(array.writes ? "" : "const ") + cxxName(array.cell);
    std::string accessor = hasLanes(array) ? "lane_cells<" + cell + ", lanes, Stride, Guarded>"
                                           : "uniform_cells<" + cell + ", Guarded>";
    out_.line("[[maybe_unused]] const " + accessor + " " + nameOf(passed.array) + "(" +
              cellsNames_[passed.array.index] + ", group, group.cells[" + std::to_string(a) +
              "]);");
  }
  if (llvm::any_of(function_.arrays,
                   [](const Array &array) { return array.space == Space::Scratch; }))
    out_.line("lane_scratch scratch{group.scratch};");
  for (size_t a = 0; a < function_.arrays.size(); ++a)
    if (!function_.arrays[a].isPassed() && !function_.arrays[a].isFormal())
      printLocal(ArrayId(a));
}

void CpuKernelPrinter::printLocal(ArrayId id) {
  const Array &array = function_.array(id);
  declare(id, array.name);
  const std::string cells = names().unique(nameOf(id) + "_cells"), count = cellCount(array);
  cellsNames_[id.index] = cells;
  const bool perLane = hasLanes(array);
  const std::string cell = perLane ? laneType(array.cell) : cxxName(array.cell);
  printCells(id, cell, count);
  out_.line(std::string("[[maybe_unused]] const ") + (perLane ? "local_cells<" : "uniform_cells<") +
            (array.isTable() ? "const " : "") + cell + ", Guarded> " + nameOf(id) + "(" + cells +
            ", group, " + count + ");");
}

void CpuKernelPrinter::printCells(ArrayId id, const std::string &cell, const std::string &count) {
  const Array &array = function_.array(id);
  const std::string &cells = cellsNames_[id.index];
  switch (*array.space) {
  case Space::Constant:
    return printTable("static const " + cell + " " + cells, array, out_);
  case Space::Local:
    // Zeroed, so that cells never written hold defined values; compilers drop
    // what is overwritten.
    out_.line(cell + " " + cells + "[" + count + "];");
    return out_.line("for (auto &cell : " + cells +
                     ") cell = " + (cell == "mask" ? "false" : cell + "(0)") + ";");
  case Space::Scratch:
    return out_.line(cell + " *const " + cells + " = scratch.take<" + cell + ">(" + count + ");");
  default:
    fail(array.loc, "internal: no memory of this kind in a kernel of lanes");
  }
}

void CpuKernelPrinter::printScratchBytes() {
  out_.open(std::string("uint64_t ") + (isSerial_ ? "serial_" : "") +
            "scratch_bytes([[maybe_unused]] const scalar_bits *scalars" +
            (isSerial_ ? ")" : ", [[maybe_unused]] uint64_t lanes)"));
  declareScalars(function_, interface_, *this, out_);
  out_.line("uint64_t bytes = 0;");
  for (const Array &array : function_.arrays)
    if (array.space == Space::Scratch)
      // A mask takes at most 8 bytes a lane.
      out_.line("bytes += ((" + cellCount(array) + ") * " +
                std::to_string(array.cell == ScalarType::Bool ? 8 : sizeBytes(array.cell)) +
                (hasLanes(array) ? " * lanes" : "") + " + 63) / 64 * 64;");
  out_.line("return bytes;");
  out_.close();
}

uint32_t CpuKernelPrinter::accessSite(const Op &op) {
  return sites_.add(module_.sources.str(op.loc), "an instance reaches a cell of '" +
                                                     function_.array(op.array).name +
                                                     "' outside its extent");
}

std::string CpuKernelPrinter::checkArguments(const Op &op) {
  return ", " +
         (op.masked   ? use(accessOperands(op).mask).text
          : isSerial_ ? "true"
                      : "mask(true)") +
         ", " + std::to_string(accessSite(op));
}

CxxExpr CpuKernelPrinter::load(const Op &op) {
  const Array &array = function_.array(op.array);
  std::string text = nameOf(op.array);
  if (isChecked(op))
    text += ".at(" + cell(op).text + checkArguments(op) + ")";
  else
    text += "[" + cell(op).text + "]";
  // Equal in all lanes although there is a copy per lane: any lane's will do.
  if (hasLanes(array) && !varying(op.results[0]))
    text = array.cell == ScalarType::Bool ? "any(" + text + ")" : text + "[0]";
  return {text, Precedence::Primary};
}

void CpuKernelPrinter::store(OpId id) {
  const Op &op = function_.op(id);
  const Array &array = function_.array(op.array);
  AccessOperands access = accessOperands(op);
  bool perLane = hasLanes(array);
  if (!perLane && varying(access.stored))
    fail(op.loc, "internal: a varying value is stored to the uniform array '" + array.name + "'");
  CxxExpr value = perLane ? vector(access.stored) : use(access.stored, true);
  std::string text = nameOf(op.array) + ".set(" + cell(op).text + ", " + value.text;
  if (isChecked(op))
    text += checkArguments(op);
  out_.line(text + ");", op.loc);
}

void CpuKernelPrinter::check(const Op &op) {
  uint32_t site = sites_.add(module_.sources.str(op.loc),
                             op.text.empty() ? "a fact given by the user is false" : op.text);
  out_.line("check(" + use(op.operands[0]).text + ", group, " + std::to_string(site) + ");",
            op.loc);
}
