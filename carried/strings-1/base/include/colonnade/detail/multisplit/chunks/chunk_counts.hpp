//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chunk_counts.hpp: the first two of three kernels over chunks: counts, and scans.
//
// In: chunks; tickets zero. Out: counts and totals, as chunk_work.hpp says. Invariant: blocks take
// work by tickets, each piece of it once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/multisplit/chunks/chunk_work.hpp>
#include <colonnade/detail/ranking/bucket_id.hpp>

#include <cstddef>
#include <iterator>

namespace colonnade::detail {

template <class KeysIn, class Ids, class Source> struct chunk_counts_arguments {
  KeysIn keys_in;
  Ids ids;
  Source source;
  uint32_t *ticket;
};

/// The next piece of work for the block; `shared` is free before, and after a sync.
template <class Machine>
COLONNADE_KERNEL_CODE uint32_t next_work(const Machine &machine, uint32_t *ticket,
                                         uint32_t *shared) {
  machine.block_sync(); // the work before is done, and `shared` read
  if (machine.thread() == 0)
    *shared = machine.take_ticket(ticket);
  machine.block_sync();
  return *shared;
}

/// Items in flight of a thread that counts.
constexpr uint32_t chunk_count_batch = 16;

template <uint32_t Threads, class KeysIn, class Ids, class Source, class Machine>
class chunk_counts_block {
public:
  using arguments = chunk_counts_arguments<KeysIn, Ids, Source>;
  using key = typename std::iterator_traits<KeysIn>::value_type;
  static constexpr size_t shared_bytes(uint32_t num_buckets) { return (num_buckets + 4) * 4; }

  COLONNADE_KERNEL_CODE chunk_counts_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), ticket_(reinterpret_cast<uint32_t *>(shared)),
        counters_(ticket_ + 4) {}

  COLONNADE_KERNEL_CODE void run() {
    for (;;) {
      const uint32_t i = next_work(machine_, a_.ticket, ticket_);
      if (i >= a_.source.num_work())
        return;
      const chunk_work work = a_.source.work(i);
      if (work.counts)
        count(work);
    }
  }

private:
  COLONNADE_KERNEL_CODE void count(const chunk_work &work) const {
    for (uint32_t b = machine_.thread(); b < a_.ids.count(); b += Threads)
      counters_[b] = 0;
    machine_.block_sync();
    uint64_t first = work.begin;
    for (; first + Threads * chunk_count_batch <= work.end; first += Threads * chunk_count_batch)
      count_batch<true>(first, work.end);
    if (first < work.end)
      count_batch<false>(first, work.end);
    machine_.block_sync();
    for (uint32_t b = machine_.thread(); b < a_.ids.count(); b += Threads)
      work.counts[uint64_t{b} * work.chunks + work.chunk] = counters_[b];
  }
  template <bool Full> COLONNADE_KERNEL_CODE void count_batch(uint64_t first, uint64_t end) const {
    key keys[chunk_count_batch];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < chunk_count_batch; ++k) {
      const uint64_t index = first + k * Threads + machine_.thread();
      if (Full || index < end)
        keys[k] = a_.keys_in[static_cast<std::ptrdiff_t>(index)];
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < chunk_count_batch; ++k) {
      const uint64_t index = first + k * Threads + machine_.thread();
      if (Full || index < end)
        machine_.add_shared(counters_ + a_.ids(keys[k], index), 1);
    }
  }

  const Machine &machine_;
  const arguments &a_;
  uint32_t *ticket_, *counters_;
};

template <class Source> struct row_scan_arguments {
  Source source;
  uint32_t num_buckets;
  uint32_t *ticket;
};

/// Every row (a bucket of a piece) by one block: exclusive sums in place, and the total.
template <uint32_t Threads, class Source, class Machine>
COLONNADE_KERNEL_CODE void scan_rows(const Machine &machine, const row_scan_arguments<Source> &a,
                                     char *shared) {
  constexpr uint32_t each = 4; // numbers of a thread at once
  uint64_t *scratch = reinterpret_cast<uint64_t *>(shared);
  uint32_t *ticket = reinterpret_cast<uint32_t *>(scratch + Threads / 32);
  for (;;) {
    const uint32_t i = next_work(machine, a.ticket, ticket);
    if (i >= a.source.num_pieces() * a.num_buckets)
      return;
    const chunk_work piece = a.source.piece(i / a.num_buckets);
    uint64_t *row = piece.counts + uint64_t{i % a.num_buckets} * piece.chunks;
    uint64_t before = 0;
    for (uint32_t first = 0; first < piece.chunks; first += Threads * each) {
      const uint32_t mine = first + machine.thread() * each;
      uint64_t number[each], sum = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < each; ++k)
        number[k] = mine + k < piece.chunks ? row[mine + k] : 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < each; ++k)
        sum += number[k];
      uint64_t start = before + block_exclusive_sum(machine, sum, scratch);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < each; ++k) {
        if (mine + k < piece.chunks)
          row[mine + k] = start;
        start += number[k];
      }
      for (uint32_t w = 0; w < Threads / 32; ++w)
        before += scratch[w];
      machine.block_sync(); // scratch is free again
    }
    if (machine.thread() == 0)
      piece.totals[i % a.num_buckets] = before;
  }
}

} // namespace colonnade::detail
