//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// levels.hpp: where the elements of a log-structured merge tree stand.
//
// A tree has levels of batch_size * 2^i elements, each full or empty, and a buffer for fewer than
// batch_size. Which levels are full is a number in device memory, the number of batches: its bit i
// is level i. Each level has one piece of memory: keys, values, a bit for each element that says
// whether it is a tombstone, and the index (search.hpp). The bits have a meaning only where the
// state says that there may be tombstones: what was never erased from neither writes nor reads
// them.
//
// In: a table, which kernels take by value, and the state. Out: runs: sorted elements that can be
// read. A captured graph keeps the table that it was captured with, and the state may have outgrown
// that: then its kernels say so, and read nothing. Invariant: the buffer is newer than all levels,
// and level i is newer than level i + 1. Within a run equal keys stand next to each other, the
// newest last; so the last of them in the newest run is the one that counts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/report.hpp>
#include <colonnade/detail/digits/key_words.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

/// With the buffer a lane of a warp for each.
constexpr uint32_t most_lsm_levels = 31;

/// The place of the highest bit of a number that is not 0.
COLONNADE_HOST_DEVICE uint32_t log2_below(uint64_t number) {
#if defined(__CUDA_ARCH__)
  return 63 - static_cast<uint32_t>(__clzll(static_cast<long long>(number | 1)));
#else
  return 63 - static_cast<uint32_t>(__builtin_clzll(number | 1));
#endif
}

/// Keys are compared as words, whose order is that of the unsigned integers; they are stored
/// unchanged.
template <class Raw_, bool Floating> struct lsm_format {
  using raw = Raw_;
  static constexpr bool invertible = !Floating; // -0 and +0 have one word
  raw flip = 0;                                 // of integers: the sign bit, if they have one

  COLONNADE_KERNEL_CODE raw word(raw key) const {
    if constexpr (Floating)
      return floating_word<raw>{}(key);
    else
      return key ^ flip;
  }
  COLONNADE_KERNEL_CODE bool is_identity() const { return !Floating && flip == 0; }
  COLONNADE_KERNEL_CODE raw key(raw word) const {
    static_assert(invertible);
    return word ^ flip;
  }
};

/// The index of n sorted keys: of every F-th its word, of every F * F-th, and so on, so that a node
/// of F entries is a sector of memory. Level t has
/// n / F^t entries; entry i is the word of key (i + 1) * F^t - 1. The highest level, which has
/// fewer than F, stands first; level t behind it stands at its own size, rounded up: since each is
/// F times as large as the one above, they do not meet.
template <class Raw> struct lsm_index {
  static constexpr uint32_t fanout = 32 / sizeof(Raw), log2_fanout = sizeof(Raw) == 4 ? 3 : 2;

  static COLONNADE_HOST_DEVICE uint64_t entries(uint64_t n, uint32_t level) {
    return n >> level * log2_fanout;
  }
  static COLONNADE_KERNEL_CODE uint32_t height(uint64_t n) { return log2_below(n) / log2_fanout; }
  static COLONNADE_HOST_DEVICE uint64_t rounded(uint64_t count) {
    return (count + fanout - 1) / fanout * fanout;
  }
  static COLONNADE_HOST_DEVICE uint64_t place(uint64_t n, uint32_t level, uint32_t top) {
    return level == top ? 0 : rounded(entries(n, level));
  }
  /// Entries that there must be room for, whichever number of keys up to n there are.
  static COLONNADE_HOST_DEVICE uint64_t room(uint64_t n) {
    return 2 * rounded(entries(n, 1)) + fanout;
  }
};

/// What can be read: sorted elements.
template <class Raw, class Value> struct lsm_run {
  const Raw *keys = nullptr;
  const Value *values = nullptr;        // null: they have none
  const uint32_t *tombstones = nullptr; // a bit for each; null: all are as `all_erased` says
  const Raw *index = nullptr;           // null: there is none
  uint64_t count = 0;
  bool all_erased = false;

  COLONNADE_KERNEL_CODE bool is_tombstone(uint64_t i) const {
    return tombstones ? tombstones[i / 32] >> i % 32 & 1 : all_erased;
  }
};

/// A part of the merged sequence, from `begin` on, and where it is written.
template <class Raw, class Value> struct lsm_slice {
  uint64_t begin = 0, count = 0;
  Raw *keys = nullptr;
  Value *values = nullptr;
  uint32_t *tombstones = nullptr; // null: there are none
  Raw *index = nullptr;           // null: none is wanted
};

/// The arrays of so many elements in one piece of memory.
template <class Raw, class Value> struct lsm_layout {
  static constexpr size_t alignment = 256;
  size_t index, values, tombstones, bytes; // what searches need first is computed in few steps

  static COLONNADE_HOST_DEVICE size_t rounded(size_t b) {
    return (b + alignment - 1) / alignment * alignment;
  }
  explicit COLONNADE_HOST_DEVICE lsm_layout(uint64_t count)
      : index(rounded(count * sizeof(Raw))),
        values(index + rounded(lsm_index<Raw>::room(count) * sizeof(Raw))),
        tombstones(values + rounded(count * sizeof(Value))),
        bytes(tombstones + rounded((count + 31) / 32 * sizeof(uint32_t))) {}
  COLONNADE_HOST_DEVICE size_t tombstone_bytes() const { return bytes - tombstones; }
};

struct lsm_state {
  uint64_t batches;  // bit i: level i is full
  uint64_t buffered; // elements in the buffer
  uint32_t which;    // of the two buffers
  uint32_t erased;   // bit i: level i may have tombstones; the highest: the buffer may

  static constexpr uint32_t buffer_bit = 1u << most_lsm_levels;
};

template <class Raw, class Value_, bool Floating> struct lsm_table {
  using raw = Raw;
  using value = Value_;
  using format_type = lsm_format<raw, Floating>;
  using run = lsm_run<raw, value>;
  using slice = lsm_slice<raw, value>;
  using layout = lsm_layout<raw, value>;

  lsm_state *state = nullptr;
  uint64_t batch_size = 0;
  uint32_t num_levels = 0;
  format_type format{};
  char *buffers[2] = {};
  char *levels[most_lsm_levels] = {};

  COLONNADE_HOST_DEVICE uint64_t most_batches() const { return (uint64_t{1} << num_levels) - 1; }
  COLONNADE_HOST_DEVICE uint64_t level_size(uint32_t i) const { return batch_size << i; }
  COLONNADE_HOST_DEVICE uint64_t num_elements(const lsm_state &s) const {
    return s.batches * batch_size + s.buffered;
  }
  /// Elements that there is room for at any time.
  COLONNADE_HOST_DEVICE uint64_t capacity() const { return most_batches() * batch_size; }

  COLONNADE_KERNEL_CODE run level(const lsm_state &s, uint32_t i) const {
    return run_at(levels[i], layout(level_size(i)), level_size(i), s.erased >> i & 1);
  }
  COLONNADE_KERNEL_CODE run buffer(const lsm_state &s) const {
    return run_at(buffers[s.which], layout(batch_size), s.buffered,
                  s.erased & lsm_state::buffer_bit);
  }
  COLONNADE_HOST_DEVICE slice level_slice(uint32_t i, uint64_t begin) const {
    return slice_at(levels[i], layout(level_size(i)), begin, level_size(i));
  }
  COLONNADE_KERNEL_CODE slice buffer_slice(uint32_t which, uint64_t begin, uint64_t count) const {
    return slice_at(buffers[which], layout(batch_size), begin, count);
  }

private:
  static COLONNADE_KERNEL_CODE run run_at(const char *memory, const layout &at, uint64_t count,
                                          bool erased) {
    return {reinterpret_cast<const raw *>(memory),
            reinterpret_cast<const value *>(memory + at.values),
            erased ? reinterpret_cast<const uint32_t *>(memory + at.tombstones) : nullptr,
            reinterpret_cast<const raw *>(memory + at.index),
            count,
            false};
  }
  static COLONNADE_HOST_DEVICE slice slice_at(char *memory, const layout &at, uint64_t begin,
                                              uint64_t count) {
    return {begin,
            count,
            reinterpret_cast<raw *>(memory),
            reinterpret_cast<value *>(memory + at.values),
            reinterpret_cast<uint32_t *>(memory + at.tombstones),
            reinterpret_cast<raw *>(memory + at.index)};
  }
};

/// Whether the table has all the levels of a state: not in a graph that was captured when there
/// were fewer, and is replayed when those are full.
template <class Table>
COLONNADE_KERNEL_CODE bool knows(const Table &table, const lsm_state &state) {
  return state.batches <= table.most_batches();
}
/// What a query answers from: the state, or nothing at all where the table does not know it; one
/// thread then reports how many elements there are. status: or null.
template <class Machine, class Table>
COLONNADE_KERNEL_CODE lsm_state known_state(const Machine &machine, const Table &table,
                                            device_status *status) {
  const lsm_state state = *table.state;
  if (knows(table, state))
    return state;
  if (status && machine.block() == 0 && machine.thread() == 0)
    report_error(machine, status, data_error::buffer_too_small, table.num_elements(state));
  return {};
}

/// visit(run) for the buffer and every full level, the newest first, until it returns true.
template <class Table, class Visit>
COLONNADE_KERNEL_CODE void for_runs(const Table &table, const lsm_state &state, Visit visit) {
  if (state.buffered && visit(table.buffer(state)))
    return;
  uint32_t i = 0;
  for (uint64_t left = state.batches; left; left >>= 1, ++i)
    if ((left & 1) && visit(table.level(state, i)))
      return;
}
/// The i-th of all runs that there may be, the newest first: the buffer, then each level. Without
/// elements where there is none.
template <class Table>
COLONNADE_KERNEL_CODE typename Table::run run_of(const Table &table, const lsm_state &state,
                                                 uint32_t i) {
  if (i == 0)
    return table.buffer(state);
  if (i <= table.num_levels && (state.batches >> (i - 1) & 1))
    return table.level(state, i - 1);
  return {};
}

} // namespace colonnade::detail
