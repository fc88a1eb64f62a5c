//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sort_work.hpp: a radix sort of few items as the Work of one team of blocks (team_split.hpp), with
// a pass for every digit.
//
// In: the arrays and digits of the sort. Out: what team_split.hpp asks of a Work: how items are
// loaded, their ids, and where they go. Invariant: a team of several blocks alternates between the
// output and a spare array, as a large sort does (alternating_arrays.hpp); one block alone keeps
// the items in shared memory and writes only the output.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/alternating_arrays.hpp>
#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/digits/digits.hpp>
#include <colonnade/detail/team/team_split.hpp>

namespace colonnade::detail {

/// Key: an unsigned integer; Word makes its word. ValuesIn: a pointer, an index iterator or
/// no_items. Arrays that are not wanted are null.
template <class Word, class Key, class ValuesIn, class Value,
          uint32_t Items = team_items_per_thread(sizeof(Key) + bytes_of<Value>)>
struct sort_work {
  using key = Key;
  using value = Value;
  static constexpr bool has_values = !std::is_same_v<Value, nothing>, writes_keys = true;
  static constexpr uint32_t items_per_thread = Items;

  const Key *keys_in;
  ValuesIn values_in;
  alternating_arrays<Key> keys;
  alternating_arrays<Value> values;
  digit_list digits;
  uint32_t num_items;
  uint32_t stretch = 0; // of a block of the team

  template <class Machine> COLONNADE_KERNEL_CODE uint32_t items_now(const Machine &) const {
    return num_items;
  }
  COLONNADE_KERNEL_CODE uint32_t num_passes() const { return digits.count; }
  COLONNADE_KERNEL_CODE uint32_t bits(uint32_t pass) const {
    return digits.at[pass].num_buckets <= 2 ? 1 : log2_of(digits.at[pass].num_buckets);
  }
  COLONNADE_KERNEL_CODE Key load_key(uint32_t pass, uint32_t index) const {
    return (pass ? keys.from(pass, digits.count) : keys_in)[index];
  }
  /// Values that are computed (an index iterator) are numbered from `begin` on.
  COLONNADE_KERNEL_CODE Value load_value(uint32_t pass, uint32_t index, uint32_t begin) const {
    if (pass)
      return values.from(pass, digits.count)[index];
    return values_in[static_cast<std::ptrdiff_t>(are_computed<ValuesIn> ? index - begin : index)];
  }
  COLONNADE_KERNEL_CODE uint32_t id(uint32_t pass, const Key &k, uint32_t) const {
    return digits.at[pass].of(Word{}(k));
  }
  static COLONNADE_KERNEL_CODE bool reports() { return false; }
  template <class Machine>
  COLONNADE_KERNEL_CODE void report(const Machine &, const Key &, uint32_t) const {}
  COLONNADE_KERNEL_CODE uint32_t id_at(uint32_t pass, const Key &k, const uint32_t *,
                                       uint32_t) const {
    return digits.at[pass].of(Word{}(k));
  }
  COLONNADE_KERNEL_CODE uint32_t kept(const uint32_t *, uint32_t all) const { return all; }
  COLONNADE_KERNEL_CODE void bucket(uint32_t, uint32_t, uint32_t) const {}
  COLONNADE_KERNEL_CODE void store_key(uint32_t pass, uint32_t index, const Key &k) const {
    keys.to(pass, digits.count)[index] = k;
  }
  COLONNADE_KERNEL_CODE void store_value(uint32_t pass, uint32_t index, const Value &v) const {
    values.to(pass, digits.count)[index] = v;
  }

private:
  /// Of a power of two.
  static COLONNADE_KERNEL_CODE uint32_t log2_of(uint32_t x) {
    uint32_t bits = 0;
    while (x >> (bits + 1))
      ++bits;
    return bits;
  }
};

} // namespace colonnade::detail
