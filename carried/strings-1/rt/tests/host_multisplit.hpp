//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_multisplit.hpp: a multisplit into up to 256 buckets on the host: the GPU's blocks under
// random schedules, the launches of few_buckets.cuh in order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/multisplit/few_buckets/histogram.hpp>
#include <colonnade/detail/multisplit/few_buckets/plan.hpp>
#include <colonnade/detail/multisplit/few_buckets/scatter_kernels.hpp>
#include <colonnade/detail/scatter/scatter.hpp>

namespace colonnade::testing {

struct host_faults : faults {
  bool dirty_header = false; // counts and tickets are not zeroed
  bool dirty_words = false;  // look-back words are not emptied
  bool dirty_ticket = false; // the ticket is where a call before has left it
  uint64_t lost_tail = 0;    // so many items at the end are forgotten by the scatter
  bool thought_near = false; // output indices are taken for smaller than 2^32
};

/// Part of an output that is larger than the host's memory: from index `first` on.
template <class Item> struct part_of_output {
  Item *items;
  uint64_t first = 0;
  Item &operator[](uint64_t index) const { return items[index - first]; }
};

/// Bits: ranked_bits of the scatter pass. The first item's output index is first_output, as if
/// so many were before. Temporary storage starts as garbage. Returns the complaints, one a line.
template <class Policy, class Bits, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut,
          class Bucket>
std::string host_multisplit(unsigned seed, host_faults planted, KeysIn keys_in, KeysOut keys_out,
                            ValuesIn values_in, ValuesOut values_out, item_count count, uint32_t m,
                            Bucket bucket, uint64_t *offsets, device_status *status,
                            uint64_t first_output = 0) {
  using namespace detail;
  using ids_type = bucket_ids<Bucket, Policy::discards>;
  using arguments = scatter_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, ids_type>;
  using key = typename arguments::key;
  using value = typename arguments::value;
  using tuning = compiled<multisplit_tunings<Policy, Bits::most, sizeof(key), bytes_of<value>>>;
  using histogram = histogram_block<tuning, KeysIn, ids_type, host_machine>;
  using scatter = scatter_block<tuning, Bits, arguments, host_machine>;
  using storage = typename scatter::storage;
  const ids_type ids{bucket, m};
  const uint64_t n = count.most;
  const multisplit_plan plan(n, ids.count(), storage::tile_items, sizeof(key) + bytes_of<value>);
  std::vector<char> temp(plan.storage.bytes() + 64, static_cast<char>(0xee));
  void *d_temp = temp.data() + seed % 17; // any alignment
  if (!planted.dirty_header)
    std::memset(plan.counts(d_temp), 0, plan.header_bytes);
  if (planted.dirty_ticket)
    *plan.ticket(d_temp, ids.count(), 0) = 1;

  host_grid grid(seed, 3, planted);
  uint32_t *words = temp_storage::at<uint32_t>(d_temp, plan.words);
  const histogram_arguments<KeysIn, ids_type> h{keys_in,
                                                ids,
                                                count,
                                                plan.counts(d_temp),
                                                temp_storage::at<uint64_t>(d_temp, plan.base[0]),
                                                offsets,
                                                plan.done(d_temp, ids.count()),
                                                words,
                                                planted.dirty_words ? 0 : plan.num_words,
                                                status};
  grid.run(2, histogram::threads, histogram::shared_bytes(ids.count()),
           [&](const host_machine &machine, char *shared) { histogram(machine, h, shared).run(); });
  for (uint32_t b = 0; b < ids.count(); ++b)
    temp_storage::at<uint64_t>(d_temp, plan.base[0])[b] += first_output;
  const bool far = (first_output + n) >> 32 != 0 && !planted.thought_near;
  for (uint32_t p = 0; p < plan.num_portions; ++p) {
    const uint64_t first = p * plan.portion_items;
    const uint64_t items = std::min(plan.portion_items, n - first) - planted.lost_tail;
    const uint32_t tiles =
        static_cast<uint32_t>((items + storage::tile_items - 1) / storage::tile_items);
    if (p > 0 && !planted.dirty_words)
      std::memset(words, 0, plan.num_words * sizeof(uint32_t));
    const arguments s{{keys_in, keys_out, values_in, values_out},
                      ids,
                      first,
                      items,
                      tiles,
                      temp_storage::at<const uint64_t>(d_temp, plan.base[p % 2]),
                      p + 1 < plan.num_portions
                          ? temp_storage::at<uint64_t>(d_temp, plan.base[(p + 1) % 2])
                          : nullptr,
                      words,
                      plan.ticket(d_temp, ids.count(), p),
                      count.d_num_items,
                      far};
    grid.run(tiles, scatter::threads, storage::bytes,
             [&](const host_machine &machine, char *shared) { scatter(machine, s, shared).run(); });
  }
  for (size_t i = 0; i < temp.size(); ++i) // nothing beyond the storage that was asked for
    if (i >= plan.storage.bytes() + seed % 17 && temp[i] != static_cast<char>(0xee))
      grid.complaints.push_back("written beyond the temporary storage");
  return grid.all_complaints();
}

} // namespace colonnade::testing
