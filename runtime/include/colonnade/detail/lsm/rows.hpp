//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rows.hpp: writes a part of the merged sequence to the slices that it belongs to.
//
// In: a plan, places of the merged sequence, and their elements. Out: keys, values, tombstones and
// index entries in the slices' arrays. A warp writes 32 elements at a time that share a word of
// tombstones. Invariant: of a word of tombstones that two parts share, each changes its own bits
// alone, by atomics.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/plan.hpp>

namespace colonnade::detail {

template <class Raw, class Value> struct lsm_element {
  Raw key;
  Value value;
  bool is_tombstone;
};

/// Element `at` is the last of what these index entries stand for.
template <class Slice, class Raw>
COLONNADE_KERNEL_CODE void write_index(const Slice &slice, uint64_t at, Raw word) {
  using index = lsm_index<Raw>;
  constexpr uint32_t step = index::log2_fanout;
  if ((at + 1) % index::fanout != 0)
    return;
  const uint32_t top = index::height(slice.count);
  for (uint32_t t = 1; t <= top && (at + 1) >> t * step << t * step == at + 1; ++t)
    slice.index[index::place(slice.count, t, top) + ((at + 1) >> t * step) - 1] = word;
}

/// Elements first to end - 1 of the slice; get(i): element i. Called by all threads of the block.
template <class Machine, class Slice, class Format, class Get>
COLONNADE_KERNEL_CODE void write_rows(const Machine &machine, const Slice &slice,
                                      const Format &format, uint64_t first, uint64_t end, Get get) {
  const uint32_t warps = machine.num_threads() / 32;
  for (uint64_t row = first / 32 + machine.warp(); row * 32 < end; row += warps) {
    const uint64_t at = row * 32 + machine.lane();
    const bool active = at >= first && at < end;
    bool is_tombstone = false;
    if (active) {
      const auto element = get(at);
      slice.keys[at] = element.key;
      slice.values[at] = element.value;
      is_tombstone = element.is_tombstone;
      if (slice.index)
        write_index(slice, at, format.word(element.key));
    }
    const uint32_t mask = machine.ballot(active), bits = machine.ballot(is_tombstone);
    if (machine.lane() == 0) {
      if (mask == ~0u)
        slice.tombstones[row] = bits;
      else
        machine.set_bits(slice.tombstones + row, mask, bits);
    }
  }
}

/// Elements of the merged sequence from `at` on; slice_of(i): the slice of element i; get(i):
/// element i.
template <class Machine, class Format, class SliceOf, class Get>
COLONNADE_KERNEL_CODE void write_to_slices(const Machine &machine, const Format &format,
                                           uint64_t at, uint64_t count, SliceOf slice_of, Get get) {
  for (const uint64_t end = at + count; at < end;) {
    const auto slice = slice_of(at);
    const uint64_t slice_end = slice.begin + slice.count, until = slice_end < end ? slice_end : end;
    write_rows(machine, slice, format, at - slice.begin, until - slice.begin,
               [&](uint64_t i) { return get(slice.begin + i); });
    at = until;
  }
}

template <class Plan> COLONNADE_KERNEL_CODE auto planned_slice(const Plan &plan, uint64_t at) {
  uint32_t s = 0;
  while (at >= plan.slices[s].begin + plan.slices[s].count)
    ++s;
  return plan.slices[s];
}

} // namespace colonnade::detail
