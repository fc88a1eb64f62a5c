//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rows.hpp: writes a part of the merged sequence to the slices that it belongs to.
//
// In: a plan, places of the merged sequence, and their elements. Out: keys, values, tombstones and
// index entries in the slices' arrays. A warp writes rows of 32 elements that share a word of
// tombstones, several at a time; the index is written apart, by a thread for each of its entries.
// Invariant: of a word of tombstones that two parts share, each changes its own bits alone, by
// atomics.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/registers.hpp>
#include <colonnade/detail/lsm/plan.hpp>

#include <type_traits>

namespace colonnade::detail {

template <class Raw, class Value> struct lsm_element {
  Raw key;
  Value value;
  bool is_tombstone;
};

/// The element before `end` is the last of what these index entries stand for; `end` is a multiple
/// of the fanout.
template <class Slice, class Raw>
COLONNADE_KERNEL_CODE void write_index(const Slice &slice, uint64_t end, Raw word) {
  using index = lsm_index<Raw>;
  const uint32_t top = index::height(slice.count);
  uint64_t entries = end / index::fanout;
  for (uint32_t t = 1; t <= top; ++t, entries /= index::fanout) {
    slice.index[index::place(slice.count, t, top) + entries - 1] = word;
    if (entries % index::fanout)
      return;
  }
}

/// All of the index of a slice whose keys are there; by so many blocks, of which this is the
/// `block`-th.
template <class Machine, class Format, class Slice>
COLONNADE_KERNEL_CODE void index_whole(const Machine &machine, const Format &format,
                                       const Slice &slice, uint32_t block, uint32_t num_blocks) {
  using raw = typename Format::raw;
  constexpr uint32_t fanout = lsm_index<raw>::fanout, at_once = 4;
  const uint64_t entries = slice.count / fanout,
                 step = uint64_t{num_blocks} * machine.num_threads();
  for (uint64_t first = uint64_t{block} * machine.num_threads() + machine.thread(); first < entries;
       first += at_once * step) {
    raw words[at_once];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < at_once; ++k)
      if (const uint64_t i = first + k * step; i < entries)
        words[k] = format.word(slice.keys[(i + 1) * fanout - 1]);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < at_once; ++k)
      if (const uint64_t i = first + k * step; i < entries)
        write_index(slice, (i + 1) * fanout, words[k]);
  }
}

/// One part of a slice: its elements from `first` on. Called by all threads of the block. AtOnce:
/// rows that a warp reads before it writes the first.
template <class Machine, class Slice, uint32_t AtOnce = 4> class lsm_part_writer {
public:
  COLONNADE_KERNEL_CODE lsm_part_writer(const Machine &machine, const Slice &slice, uint64_t first,
                                        uint32_t count)
      : machine_(machine), slice_(slice), first_(first), count_(count),
        offset_(static_cast<uint32_t>(first % 32)) {}

  /// get(i): element i of the part. Several are read before the first is written.
  /// Erased: whether there may be tombstones; if not, their bits are neither written. ReadSoon:
  /// whether they are to stay in the cache.
  template <bool Erased, bool ReadSoon = false, class Get>
  COLONNADE_KERNEL_CODE void write(Get get) const {
    const uint32_t warps = machine_.num_threads() / 32,
                   rows = count_ ? (offset_ + count_ + 31) / 32 : 0;
    // Two addresses, not two sums of an address and one common offset: half the instructions.
    auto *const keys = computed_anew(slice_.keys + first_);
    auto *const values = computed_anew(slice_.values + first_);
    for (uint32_t row = machine_.warp(); row < rows; row += at_once * warps) {
      decltype(get(0)) elements[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once;
           ++k) { // not only where it is one: no branch, so all at once
        const uint32_t i = place(row + k * warps);
        elements[k] = get(i < count_ ? i : 0);
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        if (const uint32_t i = place(row + k * warps); i < count_) {
          store<ReadSoon>(keys + i, elements[k].key);
          store<ReadSoon>(values + i, elements[k].value);
        }
      if constexpr (Erased)
        for (uint32_t k = 0; k < at_once; ++k)
          write_bits(row + k * warps, elements[k].is_tombstone);
    }
  }
  /// word(i): of the key of element i of the part.
  template <class Word> COLONNADE_KERNEL_CODE void index(Word word) const {
    constexpr uint32_t fanout = lsm_index<decltype(word(0))>::fanout;
    if (!slice_.index)
      return;
    const uint64_t last = (first_ + count_) / fanout;
    for (uint64_t i = first_ / fanout + 1 + machine_.thread(); i <= last;
         i += machine_.num_threads())
      write_index(slice_, i * fanout, word(static_cast<uint32_t>(i * fanout - 1 - first_)));
  }

  COLONNADE_KERNEL_CODE uint32_t count() const { return count_; }

private:
  static constexpr uint32_t at_once = AtOnce;

  template <bool ReadSoon, class T> COLONNADE_KERNEL_CODE void store(T *to, T value) const {
    if constexpr (ReadSoon)
      *to = value;
    else
      machine_.store_past(to, value);
  }
  /// This lane's element in a row of those that share a word of tombstones; beyond all if none is.
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t row) const {
    return row * 32 + machine_.lane() - offset_;
  }
  COLONNADE_KERNEL_CODE void write_bits(uint32_t row, bool is_tombstone) const {
    const bool active = place(row) < count_;
    const uint32_t mask = machine_.ballot(active), bits = machine_.ballot(active && is_tombstone);
    uint32_t *const word = slice_.tombstones + first_ / 32 + row;
    if (machine_.lane() == 0 && mask == ~0u)
      *word = bits;
    else if (machine_.lane() == 0 && mask)
      machine_.set_bits(word, mask, bits);
  }

  const Machine &machine_;
  const Slice &slice_;
  uint64_t first_;
  uint32_t count_, offset_;
};

/// Elements of the merged sequence from `at` on; slice_of(i): the slice of element i of that
/// sequence; get(i), word(i): element `at` + i, and the word of its key.
template <bool Erased, uint32_t AtOnce = 4, class Machine, class SliceOf, class Get, class Word>
COLONNADE_KERNEL_CODE void write_to_slices(const Machine &machine, uint64_t at, uint32_t count,
                                           SliceOf slice_of, Get get, Word word) {
  for (uint32_t done = 0; done < count;) {
    const auto writer = [&](const auto &slice) {
      const uint64_t first = at + done - slice.begin, left = slice.count - first;
      const uint32_t part = left < count - done ? static_cast<uint32_t>(left) : count - done;
      return lsm_part_writer<Machine, std::decay_t<decltype(slice)>, AtOnce>(machine, slice, first,
                                                                             part);
    };
    // The slice is read again for the index: kept, it would take registers that the elements need.
    {
      const auto slice = slice_of(at + done);
      writer(slice).template write<Erased>([&](uint32_t i) { return get(done + i); });
    }
    const auto slice = slice_of(at + done);
    const auto part = writer(slice);
    part.index([&](uint32_t i) { return word(done + i); });
    done += part.count();
  }
}

template <class Plan> COLONNADE_KERNEL_CODE auto planned_slice(const Plan &plan, uint64_t at) {
  uint32_t s = 0;
  while (at >= plan.slices[s].begin + plan.slices[s].count)
    ++s;
  return plan.slices[s];
}

} // namespace colonnade::detail
