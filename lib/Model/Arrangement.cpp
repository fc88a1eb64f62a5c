//===- Arrangement.cpp - Where cell i of instance j lies ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Arrangement.h"

namespace colonnade::model {

llvm::ArrayRef<Layout> allLayouts() {
  static constexpr Layout All[] = {Layout::Tiled, Layout::Column, Layout::Row};
  return All;
}

const char *name(Layout layout) {
  switch (layout) {
  case Layout::Row:
    return "row";
  case Layout::Column:
    return "column";
  case Layout::Tiled:
    return "tiled";
  }
  return "";
}

std::optional<Layout> findLayout(llvm::StringRef text) {
  for (Layout layout : allLayouts())
    if (text == name(layout))
      return layout;
  return std::nullopt;
}

int64_t Arrangement::address(int64_t cell, int64_t instance) const {
  switch (layout) {
  case Layout::Row:
    return base + instance * cells + cell;
  case Layout::Column:
    return base + cell * count + instance;
  case Layout::Tiled:
    return base + instance / tile * cells * tile + cell * tile + instance % tile;
  }
  return 0;
}

} // namespace colonnade::model
