//===- UniformArrays.cpp - -i to cells ------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/UniformArrays.h"

#include "Driver/Options/ScalarArguments.h"

#include <colonnade/bulk/npy.hpp>

#include <cstring>

namespace colonnade {

namespace npy = bulk::npy;

/// How to say what the number of cells depends on, where nothing says it.
static std::string extentOption(const ir::Array &array, uint64_t cells) {
  if (llvm::all_of(array.extents, [](const SizeExpr &extent) { return extent.known(); }))
    return "";
  return ", since its extent is unknown: add --extent " + array.name + "=" + std::to_string(cells);
}

template <class Word> static void copyCells(const char *from, std::vector<uint64_t> &cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    cells[i] = word;
  }
}
/// Of so many bytes each: copies of a size that the compiler knows are loads.
static void copyCells(size_t bytes, const char *from, std::vector<uint64_t> &cells) {
  switch (bytes) {
  case 1:
    return copyCells<uint8_t>(from, cells);
  case 2:
    return copyCells<uint16_t>(from, cells);
  case 4:
    return copyCells<uint32_t>(from, cells);
  default:
    return copyCells<uint64_t>(from, cells);
  }
}

llvm::Error readUniformArray(const std::string &path, const ir::Array &array,
                             std::vector<uint64_t> &cells) {
  npy::array_file file;
  if (bulk::status status = npy::array_file::open(path, file); !status.ok())
    return llvm::createStringError(status.message);
  if (file.head.structured)
    return llvm::createStringError("'" + path + "' is structured; '" + array.name +
                                   "' needs a plain array");
  bulk::status typed = npy::check_type(file.head.fields[0].code, cellType(array.cell));
  if (!typed.ok())
    return llvm::createStringError("'" + path + "': " + typed.message);
  if (file.head.num_items != cells.size())
    return llvm::createStringError("'" + path + "' holds " + std::to_string(file.head.num_items) +
                                   " cells, but '" + array.name + "' has " +
                                   std::to_string(cells.size()) + " at these sizes" +
                                   extentOption(array, file.head.num_items));
  if (file.head.fortran_order && file.head.shape.size() > 1)
    return llvm::createStringError("'" + path + "' is in Fortran order; save it in C order");
  copyCells(ir::sizeBytes(array.cell), reinterpret_cast<const char *>(file.data()), cells);
  return llvm::Error::success();
}

} // namespace colonnade
