//===- CpuParts.cpp - Parts of a CPU kernel as functions ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Local, uniform and constant arrays are passed as pointers, arrays in the caller's memory as
// accessors. A part with neither checked accesses nor such arrays is no template: it is compiled
// once, not for each layout and with and without guards.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cpu/CpuKernelPrinter.h"

using namespace colonnade;
using namespace colonnade::ir;

std::string CpuKernelPrinter::cellType(const Array &array) const {
  const bool isRead = array.isTable() || array.space == Space::Uniform;
  const bool perLane = hasLanes(array) && array.space == Space::Local;
  return (isRead || (array.space == Space::Memory && !array.writes) ? "const " : "") +
         (perLane ? laneType(array.cell) : std::string(cxxName(array.cell)));
}

std::vector<std::string> CpuKernelPrinter::contextParameters(PartId part) {
  std::vector<std::string> parameters = {"[[maybe_unused]] const lane_group &group"};
  for (ArrayId table : partNeeds_[part.index].tables)
    parameters.push_back("[[maybe_unused]] " + arrayParameter(table));
  return parameters;
}

std::vector<std::string> CpuKernelPrinter::contextArguments(PartId part) {
  std::vector<std::string> arguments = {"group"};
  for (ArrayId table : partNeeds_[part.index].tables)
    arguments.push_back(cellsNames_[table.index]);
  return arguments;
}

std::string CpuKernelPrinter::arrayParameter(ArrayId id) {
  const Array &array = function_.array(id);
  const std::string name = declare(id, array.name);
  if (array.space == Space::Memory)
    return (isSerial_ ? "const uniform_cells<" + cellType(array) + ", Guarded> &"
                      : "const lane_cells<" + cellType(array) + ", lanes, Stride, Guarded> &") +
           name;
  cellsNames_[id.index] = names().unique(name + "_cells");
  return cellType(array) + " *const " + cellsNames_[id.index];
}

std::string CpuKernelPrinter::arrayArgument(ArrayId given) {
  return function_.array(given).space == Space::Memory ? nameOf(given) : cellsNames_[given.index];
}

std::string CpuKernelPrinter::parameterType(ValueId value) const {
  return "const " + type(value) + (varying(value) ? " &" : " ");
}

std::string CpuKernelPrinter::templateArguments(PartId part) const {
  if (!isChecked(part) && !partNeeds_[part.index].usesLayout)
    return "";
  return isSerial_ ? "<Guarded>" : "<Stride, Guarded>";
}

void CpuKernelPrinter::openPart(PartId part, const std::string &declarator) {
  if (!templateArguments(part).empty())
    out_.line(templateParameters());
  out_.open("__attribute__((noinline)) void " + declarator, function_.part(part).loc);
  for (ArrayId table : partNeeds_[part.index].tables)
    printPartAccessor(part, table);
  for (ArrayId array : function_.part(part).arrays)
    printPartAccessor(part, array);
}

void CpuKernelPrinter::printPartAccessor(PartId part, ArrayId id) {
  const Array &array = function_.array(id);
  if (array.space == Space::Memory)
    return;
  out_.line("[[maybe_unused]] const local_cells<" + cellType(array) + ", " +
            (isChecked(part) ? "Guarded" : "false") + "> " + nameOf(id) + "(" +
            cellsNames_[id.index] + ", group, " +
            std::to_string(array.constantCells().value_or(0)) + ");");
}
