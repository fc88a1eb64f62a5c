//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_outputs.hpp: writes sorted rows to the caller's arrays.
//
//   word_output     words become keys again
//   placed_output   keys and values are fetched from the places in the input; in an argsort
//                   the places themselves are written
//
// In: the sorted words or places of a row. Out: the output arrays. Invariant: `fetch` reads only
// inputs and `put` writes only outputs, so several items can be fetched before the first is put.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/scatter/tile_storage.hpp>
#include <colonnade/detail/segmented_sort/items.hpp>

namespace colonnade::detail {

template <class Key> struct word_output {
  using items = word_items<Key>;
  using raw = typename items::raw;
  using payload = typename items::sorted;

  items order;
  raw *keys_out;

  COLONNADE_KERNEL_CODE payload fetch(uint64_t, typename items::sorted word) const { return word; }
  COLONNADE_KERNEL_CODE void put(uint64_t index, const payload &word) const {
    keys_out[index] = order.key(word);
  }
};

template <class Key, class Value> struct placed_payload {
  Key key;
  Value value;
};

/// values_in null: the places are written as values. keys_out null: no keys are written.
template <class Key, class Value> struct placed_output {
  using items = placed_items<Key>;
  using raw = typename items::raw;
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;
  using payload = placed_payload<raw, Value>;

  items order;
  const raw *keys_in;
  raw *keys_out;
  const Value *values_in;
  Value *values_out;

  COLONNADE_KERNEL_CODE payload fetch(uint64_t begin, uint32_t place) const {
    payload p{};
    if (keys_out)
      p.key = keys_in[begin + place];
    if constexpr (has_values) {
      if constexpr (std::is_unsigned_v<Value>)
        p.value = values_in ? values_in[begin + place] : static_cast<Value>(place);
      else
        p.value = values_in[begin + place];
    }
    return p;
  }
  COLONNADE_KERNEL_CODE void put(uint64_t index, const payload &p) const {
    if (keys_out)
      keys_out[index] = p.key;
    if constexpr (has_values)
      values_out[index] = p.value;
  }
};

} // namespace colonnade::detail
