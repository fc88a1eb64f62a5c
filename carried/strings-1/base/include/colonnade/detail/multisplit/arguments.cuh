//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// arguments.cuh: what a multisplit reads and writes; see multisplit.cuh.
//
// In: a caller's arguments, checked by dispatch.cuh. Out: one struct. Invariant: every method gets
// it unchanged.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/item_count.hpp>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct multisplit_arguments : moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut> {
  Ids ids;
  item_count num_items;
  uint64_t *offsets;
  run_options options;
};

} // namespace colonnade::detail
