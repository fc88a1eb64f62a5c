//===- AddressMap.h - Addresses to cells ------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: where the arrays lie, and the cells that the caller of the original laid out in structs.
// Out: the cells that lie in a range of addresses.
//
// Invariant: padding has no cells; a cell that the range covers only in part is marked.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_ADDRESSMAP_H
#define COLONNADE_RECORD_ADDRESSMAP_H

#include "Record/Log.h"
#include "Record/Recorder.h"

namespace colonnade::record {

class AddressMap {
public:
  AddressMap(const std::vector<AddressRange> &arrays, const std::vector<ir::ScalarType> &types,
             llvm::ArrayRef<LoggedCell> cells);
  /// Appends the cells of one access, in the order of addresses.
  void find(const AddressRange &range, bool isStore, std::vector<RecordedCell> &into) const;

private:
  struct Placed {
    AddressRange range;
    uint32_t array;
    int64_t cell;
  };
  const std::vector<AddressRange> &arrays_;
  const std::vector<ir::ScalarType> &types_;
  std::vector<Placed> placed_; // in structs, by address
};

} // namespace colonnade::record

#endif // COLONNADE_RECORD_ADDRESSMAP_H
