//===- Arrangement.h - Where cell i of instance j lies ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   row      base + j*n + i
//   column   base + i*p + j
//   tiled    base + (j/tile)*n*tile + i*tile + j%tile
//
// In: an array of n cells an instance, p instances, a layout. Out: addresses, in cells.
// Invariant: the same formulas as runtime/include/colonnade/bulk/layout.hpp (a test compares
// them); here the width of a tile is a value, because a model's machine may have any width.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_ARRANGEMENT_H
#define COLONNADE_MODEL_ARRANGEMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace colonnade::model {

enum class Layout : uint8_t { Row, Column, Tiled };

/// In the order of reports.
llvm::ArrayRef<Layout> allLayouts();
const char *name(Layout layout); // "row"
std::optional<Layout> findLayout(llvm::StringRef name);

/// One array of all instances.
struct Arrangement {
  Layout layout = Layout::Column;
  int64_t cells = 1; // an instance
  int64_t count = 1; // instances
  int64_t tile = 1;  // instances of a tile, if it is tiled
  int64_t base = 0;  // address of its first cell

  int64_t address(int64_t cell, int64_t instance) const;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_ARRANGEMENT_H
