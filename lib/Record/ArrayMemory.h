//===- ArrayMemory.h - The arrays of a recorded run -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the cells of one instance. Out: memory for each array, shared with the child, and the
// cells as the child leaves them.
//
// Invariant: after an array comes a page that nothing may access.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_ARRAYMEMORY_H
#define COLONNADE_RECORD_ARRAYMEMORY_H

#include "IR/Type.h"
#include "Record/Log.h"

namespace colonnade::record {

class ArrayMemory {
public:
  /// Cells as bits, by array; `types` of as many.
  ArrayMemory(const std::vector<std::vector<uint64_t>> &cells,
              const std::vector<ir::ScalarType> &types);
  ~ArrayMemory();
  ArrayMemory(const ArrayMemory &) = delete;
  bool isMapped() const { return memory_ != nullptr; }

  std::vector<void *> pointers() const;
  const std::vector<AddressRange> &ranges() const { return ranges_; }
  std::vector<std::vector<uint64_t>> cells() const;

private:
  const std::vector<ir::ScalarType> &types_;
  std::vector<AddressRange> ranges_; // of each array
  void *memory_ = nullptr;
  uint64_t bytes_ = 0;
};

} // namespace colonnade::record

#endif // COLONNADE_RECORD_ARRAYMEMORY_H
