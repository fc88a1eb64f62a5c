//===- CudaStages.cpp - Copies between memory and shared memory in CUDA ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel's Stages. Out: calls of stage.cuh; where they copy strips of rows that begin where
// units of 16 bytes do, of row_strips.cuh; where they copy some cells alone, of stage_live.cuh,
// with lists of these, or of their sectors, which stand before the kernel; of rows whose length the
// launch says, of padded_rows.cuh.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cuda/CudaKernelPrinter.h"
#include "Emit/Cxx/TableText.h"

#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// Of cells of columns; of rows, of sectors.
static Array listOf(const Op &stage, const Array &rows, bool isForColumns) {
  static constexpr uint64_t SectorBytes = 32;
  const uint64_t inSector = isForColumns ? 1 : SectorBytes / sizeBytes(rows.cell);
  Array list;
  list.cell = ScalarType::U16;
  for (uint64_t cell : copiedCells(stage, 0))
    if (cell % inSector == 0)
      list.contents.push_back(cell / inSector);
  return list;
}

void CudaKernelPrinter::printLiveCells(const std::string &kernel) {
  const bool isForColumns = std::get<ThreadShape>(*function_.launch).isForColumns();
  for (const Op &op : function_.ops) {
    if (op.opcode != Opcode::Stage || op.live.empty())
      continue;
    const Array &rows =
        function_.array(op.arrays[function_.array(op.arrays[0]).isShared() ? 0 : 1]);
    const Array list = listOf(op, rows, isForColumns);
    std::string &name = liveLists_[list.contents];
    if (!name.empty())
      continue;
    name = names().unique(kernel + (isForColumns ? "_cells" : "_sectors"));
    printTable(std::string(isConstantList(function_, op) ? "__constant__" : "__device__") +
                   " const uint16_t " + name,
               list, out_);
    out_.blank();
  }
}

/// Of cells whose number is not known.
bool colonnade::isPaddedRow(const Function &kernel, const Op &stage) {
  return !llvm::all_of(
      stage.arrays, [&](ArrayId array) { return kernel.array(array).constantCells().has_value(); });
}

bool colonnade::waitsForSome(const Function &kernel) {
  return llvm::any_of(kernel.ops,
                      [](const Op &op) { return op.opcode == Opcode::Wait && op.index > 0; });
}

void CudaKernelPrinter::stage(const Op &op) {
  copyRows(op);
  if (waitsForSome(function_) && function_.array(op.arrays[0]).isShared())
    out_.line("end_stage();");
}

void CudaKernelPrinter::copyRows(const Op &op) {
  const bool isLoad = function_.array(op.arrays[0]).isShared();
  const ArrayId shared = op.arrays[isLoad ? 0 : 1], memory = op.arrays[isLoad ? 1 : 0];
  const Array &array = function_.array(shared);
  const ThreadShape &threads = std::get<ThreadShape>(*function_.launch);
  const std::string rows = nameOf(shared), cells = memoryName(memory),
                    at = op.operands.empty() ? "0" : use(op.operands[0]).text,
                    move = isLoad ? "from_memory(" : "to_memory(",
                    moved = isLoad ? rows + ", " + cells : cells + ", " + rows;
  if (isPaddedRow(function_, op))
    return out_.line("padded_rows<" + array.extents[0].str() + ">(instance, count)." + move +
                     moved + ", " + cellsName(memory) + ");");
  if (isRowStrip(function_, op))
    return out_.line("row_strips<" + cellsName(memory) + ", " + array.extents[1].str() +
                     ">(instance, count)." + move + moved + ", " + at + ");");
  std::string shape = threads.isForColumns() ? "Layout, " : "";
  shape += array.extents[0].str();
  if (op.live.empty())
    shape += ", " + array.extents[1].str();
  if (threads.team > 1 || array.skew || array.spread)
    shape += ", " + std::to_string(threads.team);
  if (array.skew || array.spread)
    shape += ", " + std::to_string(array.skew);
  if (array.spread)
    shape += ", " + std::to_string(array.spread);
  std::string arguments = moved + ", " + cellsName(memory) + ", " + at;
  if (!op.live.empty())
    arguments += ", " + liveLists_.at(listOf(op, array, threads.isForColumns()).contents);
  out_.line(std::string("staged_") + (op.live.empty() ? "" : "live_") +
            (threads.isForColumns() ? "columns<" : "rows<") + shape + ">(instance, count)." + move +
            arguments + ");");
}
