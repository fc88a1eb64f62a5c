//===- UniformArrays.cpp - -i to cells ------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/UniformArrays.h"

#include "Driver/Options/ScalarArguments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <colonnade/bulk/npy.hpp>

#include <cstring>

#include <sys/mman.h>

namespace colonnade {

namespace npy = bulk::npy;

/// How to say what the number of cells depends on, where nothing says it.
static std::string extentOption(const ir::Array &array, uint64_t cells) {
  if (llvm::all_of(array.extents, [](const SizeExpr &extent) { return extent.known(); }))
    return "";
  return ", since its extent is unknown: add --extent " + array.name + "=" + std::to_string(cells);
}

/// Getting hundreds of megabytes page by page of 4 KiB takes longer than to copy them.
static void useLargePages([[maybe_unused]] const std::vector<uint64_t> &cells) {
#ifdef MADV_HUGEPAGE
  static constexpr uintptr_t Page = 4096, Large = 2 << 20;
  const auto begin = reinterpret_cast<uintptr_t>(cells.data()), first = llvm::alignTo<Page>(begin);
  const uintptr_t end = begin + cells.capacity() * sizeof(uint64_t);
  if (first + Large < end) // an advice, which may not be taken
    madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE);
#endif
}

/// In one pass: millions of cells are not set to zero before.
template <class Word>
static void copyCells(const char *from, size_t count, std::vector<uint64_t> &cells) {
  const auto all = llvm::map_range(llvm::seq<size_t>(0, count), [&](size_t i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    return uint64_t{word};
  });
  cells.assign(all.begin(), all.end());
}
/// Of so many bytes each: copies of a size that the compiler knows are loads.
static void copyCells(size_t bytes, const char *from, size_t count, std::vector<uint64_t> &cells) {
  switch (bytes) {
  case 1:
    return copyCells<uint8_t>(from, count, cells);
  case 2:
    return copyCells<uint16_t>(from, count, cells);
  case 4:
    return copyCells<uint32_t>(from, count, cells);
  default:
    return copyCells<uint64_t>(from, count, cells);
  }
}

llvm::Error readUniformArray(const std::string &path, const ir::Array &array, uint64_t count,
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
  if (file.head.num_items != count)
    return llvm::createStringError("'" + path + "' holds " + std::to_string(file.head.num_items) +
                                   " cells, but '" + array.name + "' has " + std::to_string(count) +
                                   " at these sizes" + extentOption(array, file.head.num_items));
  if (file.head.fortran_order && file.head.shape.size() > 1)
    return llvm::createStringError("'" + path + "' is in Fortran order; save it in C order");
  cells.reserve(static_cast<size_t>(count));
  useLargePages(cells);
  copyCells(ir::sizeBytes(array.cell), reinterpret_cast<const char *>(file.data()),
            static_cast<size_t>(count), cells);
  return llvm::Error::success();
}

} // namespace colonnade
