//===- NpyFuzzer.cpp - Any bytes as an .npy file --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are refused with a message, or every leaf that the header announces can be copied out
// of them and back.
//
//===----------------------------------------------------------------------===//

#include <colonnade/bulk/npy.hpp>

#include "Require.h"

using namespace colonnade::runtime;

/// A leaf of every record, copied out of the file, into records of zeros, and out again.
static void checkLeaf(const char *data, const npy::header &head, const npy::field &leaf) {
  const uint64_t bytes = head.num_items * leaf.cells() * leaf.item_bytes;
  require(bytes <= head.num_items * head.item_bytes, "a leaf is a part of its record");
  std::vector<char> cells(bytes), again(bytes), records(head.num_items * head.item_bytes);
  npy::gather_leaf(data, head, leaf, cells.data());
  const char *next = cells.data();
  for (uint64_t i = 0; i < head.num_items; ++i)
    next = npy::scatter_record(leaf, next, records.data() + i * head.item_bytes);
  require(next == cells.data() + bytes, "all cells are copied");
  npy::gather_leaf(records.data(), head, leaf, again.data());
  require(cells == again, "cells are copied back to where they were");
}

static void checkDescription(const npy::header &head) {
  npy::header again;
  require(npy::parse_description(head.description, again).ok(), "a description can be read");
  require(again.item_bytes == head.item_bytes && again.fields.size() == head.fields.size(),
          "a description gives the same fields");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const char *file = reinterpret_cast<const char *>(bytes);
  npy::header head;
  const status parsed = npy::parse_header(file, size, head);
  require(parsed.ok() == parsed.message.empty(), "a header or a message");
  if (!parsed)
    return 0;
  checkDescription(head);
  for (const npy::field &leaf : head.fields) {
    for (int type = 0; type <= static_cast<int>(cell_type::f64); ++type)
      (void)npy::check_type(leaf.code, static_cast<cell_type>(type));
    require(npy::find_field(head, leaf.name) != nullptr, "a leaf is found by its name");
    checkLeaf(file + head.data_offset, head, leaf);
  }
  return 0;
}
