//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// split_work.hpp: a multisplit of few items into few buckets, as the work of one team of
// blocks (team_split.hpp): one pass by the caller's functor.
//
// In: the call's arguments. Out: as of a large multisplit: items, the caller's offsets, the
// first bad id or a count that is too large in the status; what is discarded is left out.
// Invariant: bit for bit what the large path gives.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/ranking/bucket_id.hpp>
#include <colonnade/detail/team/team_split.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct split_work : moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut> {
  using arrays = moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut>;
  using key = typename arrays::key;
  using value = typename arrays::value;
  static constexpr uint32_t items_per_thread = team_items_per_thread(arrays::item_bytes);

  Ids ids;
  item_count num_items;
  uint64_t *offsets;     // null: not wanted
  device_status *status; // null: not reported
  uint32_t id_bits;
  uint32_t stretch = 0; // of a block of the team

  template <class Machine> COLONNADE_KERNEL_CODE uint32_t items_now(const Machine &machine) const {
    if (machine.team_rank() == 0 && machine.thread() == 0)
      num_items.report(machine, status);
    return static_cast<uint32_t>(num_items.now());
  }
  static COLONNADE_KERNEL_CODE uint32_t num_passes() { return 1; }
  COLONNADE_KERNEL_CODE uint32_t bits(uint32_t) const { return id_bits; }
  COLONNADE_KERNEL_CODE key load_key(uint32_t, uint32_t index) const {
    return this->keys_in[static_cast<std::ptrdiff_t>(index)];
  }
  COLONNADE_KERNEL_CODE value load_value(uint32_t, uint32_t index, uint32_t) const {
    return this->values_in[static_cast<std::ptrdiff_t>(index)];
  }
  COLONNADE_KERNEL_CODE uint32_t id(uint32_t, const key &k, uint32_t index) const {
    return ids(k, index);
  }
  COLONNADE_KERNEL_CODE bool reports() const { return status != nullptr; }
  template <class Machine>
  COLONNADE_KERNEL_CODE void report(const Machine &machine, const key &k, uint32_t index) const {
    report_bad_id(machine, ids, k, index, status);
  }
  /// Of an item that was staged at a place.
  COLONNADE_KERNEL_CODE uint32_t id_at(uint32_t, const key &k, const uint32_t *start,
                                       uint32_t place) const {
    if constexpr (takes_index<decltype(Ids::bucket), key>)
      return bucket_at<team_buckets>(start, place); // its index is not known any more
    else
      return ids(k, 0);
  }
  /// Items of a block to write: all but what is in the bucket behind the caller's.
  COLONNADE_KERNEL_CODE uint32_t kept(const uint32_t *start, uint32_t all) const {
    return Ids::discards ? start[ids.num_buckets] : all;
  }
  COLONNADE_KERNEL_CODE void bucket(uint32_t b, uint32_t begin, uint32_t end) const {
    if (!offsets || b >= ids.num_buckets)
      return;
    offsets[b] = begin;
    if (b + 1 == ids.num_buckets)
      offsets[b + 1] = end;
  }
  COLONNADE_KERNEL_CODE void store_key(uint32_t, uint32_t index, const key &k) const {
    this->keys_out[index] = k;
  }
  COLONNADE_KERNEL_CODE void store_value(uint32_t, uint32_t index, const value &v) const {
    this->values_out[index] = v;
  }
};

} // namespace colonnade::detail
