//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// search.hpp: how many elements of a run come before a key.
//
// In: a run, and a word. Out: the number of elements whose word is not above it. With the index:
// from its highest level down, 32 bytes at a time; each time the number of entries that are not
// above the word is the child to go on with. Invariant: entries and keys beyond the end of the run
// are never read; so no key has to be set apart to fill them with.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/levels.hpp>
#include <colonnade/lsm_tuning.hpp>

namespace colonnade::detail {

struct alignas(16) lsm_sixteen_bytes {
  uint32_t word[4];
};

/// How many entries of this node are not above `word`; they are sorted. whole: the node is, else it
/// has `rest` entries. convert(entry): its word.
template <class Raw, class Convert>
COLONNADE_KERNEL_CODE uint32_t count_in_node(const Raw *node, bool whole, uint32_t rest, Raw word,
                                             Convert convert) {
  constexpr uint32_t fanout = lsm_index<Raw>::fanout;
  uint32_t count = 0;
  if (whole) {
    constexpr uint32_t loads = 2;
    union {
      lsm_sixteen_bytes wide[loads];
      Raw entry[fanout];
    } loaded;
    const lsm_sixteen_bytes *from = reinterpret_cast<const lsm_sixteen_bytes *>(node);
    COLONNADE_UNROLL
    for (uint32_t l = 0; l < loads; ++l)
      loaded.wide[l] = from[l];
    COLONNADE_UNROLL
    for (uint32_t e = 0; e < fanout; ++e)
      count += convert(loaded.entry[e]) <= word;
  } else {
    for (uint32_t e = 0; e < rest; ++e)
      count += convert(node[e]) <= word;
  }
  return count;
}

/// Nodes have numbers of 32 bits: there are fewer than 2^32 of a run in what a GPU can hold.
template <class Run, class Format>
COLONNADE_KERNEL_CODE uint64_t count_by_index(const Run &run, const Format &format,
                                              typename Format::raw word) {
  using raw = typename Format::raw;
  using index = lsm_index<raw>;
  constexpr uint32_t fanout = index::fanout;
  const uint32_t top = index::height(run.count);
  uint32_t node = 0;
  for (uint32_t t = top; t > 0; --t) {
    const uint32_t entries = static_cast<uint32_t>(index::entries(run.count, t)),
                   nodes_before = t == top ? 0 : (entries + fanout - 1) / fanout;
    const raw *const at = run.index + (uint64_t{nodes_before} + node) * fanout;
    node = node * fanout + count_in_node(at, node < entries / fanout, entries % fanout, word,
                                         [](raw entry) { return entry; });
  }
  const uint64_t first = uint64_t{node} * fanout;
  return first + count_in_node(run.keys + first, node < static_cast<uint32_t>(run.count / fanout),
                               static_cast<uint32_t>(run.count % fanout), word,
                               [&](raw key) { return format.word(key); });
}

/// By binary search among the keys.
template <class Run, class Format>
COLONNADE_KERNEL_CODE uint64_t count_by_halves(const Run &run, const Format &format,
                                               typename Format::raw word) {
  uint64_t low = 0, high = run.count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (format.word(run.keys[middle]) <= word)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Of the keys from `low` to `high` - 1. Three are read at once: half as many loads that wait for
/// each other as by halves.
template <class Place, class Raw, class Format>
COLONNADE_KERNEL_CODE Place count_by_quarters(const Raw *keys, Place low, Place high,
                                              const Format &format, Raw word) {
  const auto is_counted = [&](Place i) { return Place{format.word(keys[i]) <= word}; };
  while (high - low > 3) {
    const Place quarter = (high - low) / 4, counted = is_counted(low + quarter) +
                                                      is_counted(low + 2 * quarter) +
                                                      is_counted(low + 3 * quarter);
    high = counted < 3 ? low + (counted + 1) * quarter : high;
    low = counted > 0 ? low + counted * quarter + 1 : low;
  }
  Place counted = 0;
  COLONNADE_UNROLL
  for (uint32_t i = 0; i < 3; ++i)
    if (i < high - low)
      counted += is_counted(low + i);
  return low + counted;
}

template <lsm_search Search, class Run, class Format>
COLONNADE_KERNEL_CODE uint64_t count_up_to(const Run &run, const Format &format,
                                           typename Format::raw word) {
  if constexpr (Search == lsm_search::index)
    return count_by_index(run, format, word);
  else
    return count_by_halves(run, format, word);
}
template <lsm_search Search, class Run, class Format>
COLONNADE_KERNEL_CODE uint64_t count_below(const Run &run, const Format &format,
                                           typename Format::raw word) {
  using raw = typename Format::raw;
  return word ? count_up_to<Search>(run, format, static_cast<raw>(word - 1)) : 0;
}

/// The last element with this word: its place in `at`; false if there is none.
template <lsm_search Search, class Run, class Format>
COLONNADE_KERNEL_CODE bool last_equal(const Run &run, const Format &format,
                                      typename Format::raw word, uint64_t &at) {
  const uint64_t up_to = count_up_to<Search>(run, format, word);
  at = up_to - 1;
  return up_to && format.word(run.keys[at]) == word;
}

/// Of the elements with this word, of which one is at `at`, the last; mostly there is no other.
template <lsm_search Search, class Run, class Format>
COLONNADE_KERNEL_CODE uint64_t last_of_equal(const Run &run, const Format &format,
                                             typename Format::raw word, uint64_t at) {
  if (at + 1 == run.count || format.word(run.keys[at + 1]) != word)
    return at;
  return count_up_to<Search>(run, format, word) - 1;
}
/// The first.
template <lsm_search Search, class Run, class Format>
COLONNADE_KERNEL_CODE uint64_t first_of_equal(const Run &run, const Format &format,
                                              typename Format::raw word, uint64_t at) {
  if (at == 0 || format.word(run.keys[at - 1]) != word)
    return at;
  return count_below<Search>(run, format, word);
}

} // namespace colonnade::detail
