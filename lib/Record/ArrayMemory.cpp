//===- ArrayMemory.cpp - The arrays of a recorded run ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/ArrayMemory.h"

#include <cstring>
#include <sys/mman.h>

namespace colonnade::record {

static constexpr uint64_t PageBytes = 4096, CellAlignment = 64;

static uint64_t roundedUp(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

ArrayMemory::ArrayMemory(const std::vector<std::vector<uint64_t>> &cells,
                         const std::vector<ir::ScalarType> &types)
    : types_(types) {
  std::vector<uint64_t> pages;
  bytes_ = PageBytes;
  for (size_t a = 0; a < cells.size(); ++a) {
    pages.push_back(roundedUp(cells[a].size() * ir::sizeBytes(types[a]), PageBytes));
    bytes_ += pages.back() + PageBytes;
  }
  void *memory =
      ::mmap(nullptr, bytes_, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  memory_ = memory;
  char *at = static_cast<char *>(memory) + PageBytes;
  for (size_t a = 0; a < cells.size(); ++a) {
    const uint64_t size = ir::sizeBytes(types[a]), bytes = cells[a].size() * size;
    if (pages[a] > 0)
      ::mprotect(at, pages[a], PROT_READ | PROT_WRITE);
    at += pages[a];
    char *first = at - roundedUp(bytes, CellAlignment);
    for (size_t i = 0; i < cells[a].size(); ++i)
      std::memcpy(first + i * size, &cells[a][i], size);
    const uint64_t address = reinterpret_cast<uint64_t>(first);
    ranges_.push_back({address, address + bytes});
    at += PageBytes;
  }
}

ArrayMemory::~ArrayMemory() {
  if (memory_)
    ::munmap(memory_, bytes_);
}

std::vector<void *> ArrayMemory::pointers() const {
  std::vector<void *> pointers;
  for (const AddressRange &range : ranges_)
    pointers.push_back(reinterpret_cast<void *>(range.first));
  return pointers;
}

std::vector<std::vector<uint64_t>> ArrayMemory::cells() const {
  std::vector<std::vector<uint64_t>> result;
  for (size_t a = 0; a < ranges_.size(); ++a) {
    const uint64_t size = ir::sizeBytes(types_[a]);
    std::vector<uint64_t> cells((ranges_[a].end - ranges_[a].first) / size);
    for (size_t i = 0; i < cells.size(); ++i)
      std::memcpy(&cells[i], reinterpret_cast<const char *>(ranges_[a].first) + i * size, size);
    result.push_back(std::move(cells));
  }
  return result;
}

} // namespace colonnade::record
