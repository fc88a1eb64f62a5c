//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_merge.hpp: merges the runs of a plan by threads of the CPU.
//
// In: runs, the oldest first. Out: their elements in order, equal keys with the newest last; or of
// each key the last alone, unless it is a tombstone. Each thread has a part of the merged sequence.
// Invariant: parts begin between different keys, so equal keys are all in one; in a word of
// tombstones that two parts share each changes its own bits alone, by atomics.
//
//===----------------------------------------------------------------------===//
#pragma once

#ifdef __CUDACC__
#error "lsm: the host implementation is for host compilers; under nvcc use lsm.cuh"
#endif

#include <colonnade/detail/dictionaries/host_threads.hpp>
#include <colonnade/detail/lsm/rows.hpp>
#include <colonnade/detail/lsm/search.hpp>

#include <algorithm>
#include <vector>

namespace colonnade::detail {

/// Where each part of the merged sequence begins: in each run, and in the sequence.
template <class Table> class host_parts_of_runs {
public:
  using raw = typename Table::raw;
  using run = typename Table::run;
  using format_type = typename Table::format_type;

  host_parts_of_runs(const format_type &format, const run *runs, uint32_t num_runs,
                     uint64_t num_parts)
      : num_runs_(num_runs), begins_((num_parts + 1) * num_runs) {
    const run *longest = runs;
    for (uint32_t r = 0; r < num_runs; ++r)
      longest = runs[r].count > longest->count ? runs + r : longest;
    for (uint64_t p = 1; p < num_parts; ++p) {
      const raw first = format.word(longest->keys[longest->count * p / num_parts]);
      for (uint32_t r = 0; r < num_runs; ++r)
        begins_[p * num_runs + r] =
            first ? count_by_halves(runs[r], format, static_cast<raw>(first - 1)) : 0;
    }
    for (uint32_t r = 0; r < num_runs; ++r)
      begins_[num_parts * num_runs + r] = runs[r].count;
  }
  const uint64_t *of(uint64_t part) const { return &begins_[part * num_runs_]; }
  uint64_t place(uint64_t part) const {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < num_runs_; ++r)
      sum += of(part)[r];
    return sum;
  }

private:
  uint32_t num_runs_;
  std::vector<uint64_t> begins_;
};

/// see(element) for all elements from `begin` to `end` of the runs, in order.
template <class Table, class See>
void merge_on_host(const typename Table::format_type &format, const typename Table::run *runs,
                   uint32_t num_runs, const uint64_t *begin, const uint64_t *end, const See &see) {
  using raw = typename Table::raw;
  using element = lsm_element<raw, typename Table::value>;
  struct head {
    raw word;
    uint64_t at, end;
    const typename Table::run *of;
  };
  head heads[most_lsm_runs];
  uint32_t num_heads = 0;
  for (uint32_t r = 0; r < num_runs; ++r)
    if (begin[r] < end[r])
      heads[num_heads++] = {format.word(runs[r].keys[begin[r]]), begin[r], end[r], runs + r};
  while (num_heads) {
    uint32_t least = 0; // of equal keys the oldest
    for (uint32_t h = 1; h < num_heads; ++h)
      least = heads[h].word < heads[least].word ? h : least;
    head &h = heads[least];
    see(element{h.of->keys[h.at], h.of->values ? h.of->values[h.at] : typename Table::value{},
                h.of->is_tombstone(h.at)});
    if (++h.at == h.end)
      std::copy(heads + least + 1, heads + num_heads--, heads + least);
    else
      h.word = format.word(h.of->keys[h.at]);
  }
}

/// Of equal keys the last, unless it is a tombstone, to `keep`.
template <class Format, class Element, class Keep> class keep_last {
public:
  keep_last(const Format &format, const Keep &keep) : format_(format), keep_(keep) {}
  void see(const Element &next) {
    if (some_ && format_.word(next.key) != format_.word(last_.key))
      end();
    last_ = next;
    some_ = true;
  }
  void end() {
    if (some_ && !last_.is_tombstone)
      keep_(last_);
    some_ = false;
  }

private:
  const Format &format_;
  const Keep &keep_;
  Element last_{};
  bool some_ = false;
};

/// Writes elements of the merged sequence from `at` on, one after the other, to their slices.
template <class Table> class host_slice_writer {
public:
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  using element = lsm_element<typename Table::raw, typename Table::value>;

  host_slice_writer(const plan_type &plan, const typename Table::format_type &format, uint64_t at)
      : plan_(plan), format_(format), at_(at) {}
  host_slice_writer(const host_slice_writer &) = delete;
  ~host_slice_writer() { flush(); }

  void put(const element &e) {
    if (at_ >= slice_end_)
      next_slice();
    const uint64_t i = at_++ - slice_.begin;
    slice_.keys[i] = e.key;
    slice_.values[i] = e.value;
    if ((i + 1) % lsm_index<typename Table::raw>::fanout == 0)
      write_index(slice_, i + 1, format_.word(e.key));
    mask_ |= 1u << i % 32;
    bits_ |= uint32_t{e.is_tombstone} << i % 32;
    word_ = i / 32;
    if (i % 32 == 31 || at_ == slice_end_)
      flush();
  }

private:
  void next_slice() {
    slice_ = planned_slice(plan_, at_);
    slice_end_ = slice_.begin + slice_.count;
  }
  void flush() {
    if (mask_ && slice_.tombstones) {
      uint32_t *word = slice_.tombstones + word_;
      __atomic_fetch_and(word, ~mask_, __ATOMIC_RELAXED);
      __atomic_fetch_or(word, bits_, __ATOMIC_RELAXED);
    }
    mask_ = bits_ = 0;
  }

  const plan_type &plan_;
  const typename Table::format_type &format_;
  typename Table::slice slice_{};
  uint64_t at_, slice_end_ = 0, word_ = 0;
  uint32_t mask_ = 0, bits_ = 0;
};

} // namespace colonnade::detail
