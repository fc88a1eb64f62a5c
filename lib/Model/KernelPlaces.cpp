//===- KernelPlaces.cpp - A kernel with arrays elsewhere ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelPlaces.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Array;
using ir::Op;
using ir::Opcode;
using ir::Space;

std::optional<Space> findPlace(llvm::StringRef name) {
  if (name == "global")
    return Space::Memory;
  if (name == "registers")
    return Space::Registers;
  if (name == "local")
    return Space::Local;
  return std::nullopt;
}

static void unrollAll(ir::Function &kernel) {
  for (Op &op : kernel.ops)
    if (op.opcode == Opcode::For || op.opcode == Opcode::Loop)
      op.unrolling.kind = ir::Unrolling::Kind::Fully;
}

static void setSpace(ir::Function &kernel, Array &array, Space space) {
  array.space = space == Space::Memory && array.isLocal() ? Space::Scratch : space;
  array.loadedFirst = space != Space::Memory && array.isPassed() && array.reads;
  array.stored.clear();
  if (space == Space::Registers)
    unrollAll(kernel);
}

llvm::Error place(ir::Function &kernel, const ArrayPlace &wanted) {
  auto found =
      llvm::find_if(kernel.arrays, [&](const Array &array) { return array.name == wanted.array; });
  if (found == kernel.arrays.end() || found->isFormal())
    return llvm::createStringError("'" + kernel.name + "' has no array '" + wanted.array + "'");
  if (!found->isPerInstance())
    return llvm::createStringError("'" + wanted.array + "' is shared by all instances");
  setSpace(kernel, *found, wanted.space);
  return llvm::Error::success();
}

std::optional<RegisterKernel> withRegisters(const ir::Function &kernel,
                                            llvm::ArrayRef<ModelArray> arrays, uint64_t words) {
  static constexpr uint64_t BytesOfWord = 4;
  RegisterKernel result{kernel, {}};
  uint64_t taken = 0;
  for (auto [info, array] : llvm::zip_first(arrays, result.kernel.arrays)) {
    const auto cells = static_cast<uint64_t>(info.cells), bytes = static_cast<uint64_t>(info.bytes);
    if (array.space == Space::Memory || array.space == Space::Registers)
      taken += cells * std::max<uint64_t>(1, bytes / BytesOfWord);
    if (array.space != Space::Memory || array.constantCells() || !array.isPassed() || taken > words)
      continue;
    for (const SizeExpr &extent : array.extents)
      for (const std::string &name : extent.names())
        if (!llvm::is_contained(result.sizes, name))
          result.sizes.push_back(name);
    setSpace(result.kernel, array, Space::Registers);
  }
  return result.sizes.empty() || taken > words ? std::nullopt : std::optional(std::move(result));
}

} // namespace colonnade::model
