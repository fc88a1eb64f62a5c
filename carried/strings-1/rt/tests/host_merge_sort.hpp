//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_merge_sort.hpp: a merge sort on the host: the GPU's blocks under random
// schedules, the launches of detail/merge_sort/dispatch.cuh in order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/arrays/alternating_arrays.hpp>
#include <colonnade/detail/merge_sort/merge_sort_plan.hpp>
#include <colonnade/detail/merge_sort/method.hpp>

namespace colonnade::testing {

struct merge_faults : faults {
  bool stale_samples = false; // passes leave the samples as they were
  uint64_t lost_tail = 0;     // so many items at the end are forgotten by the passes
  bool moved_splits = false;  // a tile starts one item late in one run
};

template <class Block> uint32_t host_blocks_for(uint64_t tiles) {
  const detail::merge_block_shape shape{Block::threads, Block::tiles_per_block,
                                        Block::shared_bytes};
  return static_cast<uint32_t>(shape.blocks_for(tiles));
}

/// Temporary storage starts as garbage. Returns the complaints, one a line. Value: of
/// the values, or nothing, and values_out null.
template <class Policy, bool Stable, class Offset = uint32_t, class KeysIn, class Key,
          class ValuesIn, class Value, class Compare>
std::string host_merge_sort(unsigned seed, merge_faults planted, KeysIn keys_in, Key *keys_out,
                            ValuesIn values_in, Value *values_out, uint64_t n, Compare compare) {
  using namespace detail;
  using tuning = compiled<merge_tunings<Policy, sizeof(Key), bytes_of<Value>>>;
  using blocks =
      merge_sort_blocks<tuning, Stable, KeysIn, Key, ValuesIn, Value, Compare, host_machine>;
  using arrays = typename blocks::arrays;
  using sort_block = typename blocks::sort;
  using pass_block = typename blocks::pass;
  using split_thread = typename blocks::template split<Offset>;
  const merge_sort_plan plan({n, sort_block::tile_items, tuning::value.ways,
                              tuning::value.sample_stride, pass_block::tile_samples, sizeof(Key),
                              bytes_of<Value>, false});
  std::vector<char> temp(plan.storage.bytes() + 64, static_cast<char>(0xee));
  void *d_temp = temp.data() + seed % 17; // any alignment
  const arrays output{keys_out, values_out};
  arrays spare{temp_storage::at<Key>(d_temp, plan.keys_at), nullptr};
  if constexpr (!std::is_same_v<Value, nothing>)
    spare.values = temp_storage::at<Value>(d_temp, plan.values_at);
  Key *samples = temp_storage::at<Key>(d_temp, plan.samples_at);
  uint64_t *splits = temp_storage::at<uint64_t>(d_temp, plan.splits_at);
  const uint32_t writes = plan.num_passes + 1; // the sorted tiles are written too

  host_grid grid(seed, 3, planted);
  const arrays &first = writes_output(0, writes) ? output : spare;
  const typename blocks::sort_arguments s{join_inputs(keys_in, values_in),
                                          join_outputs(first.keys_out(), first.values_out()), n,
                                          plan.num_passes ? samples : nullptr, compare};
  const uint64_t tiles = (n + sort_block::tile_items - 1) / sort_block::tile_items;
  grid.run(
      host_blocks_for<sort_block>(tiles), sort_block::threads, sort_block::shared_bytes,
      [&](const host_machine &machine, char *shared) { sort_block(machine, s, shared).run(); });
  for (uint32_t p = 0; p < plan.num_passes; ++p) {
    const bool to_output = writes_output(p + 1, writes);
    const arrays &from = to_output ? spare : output, &to = to_output ? output : spare;
    pass_plan pass = plan.pass(p);
    pass.num_items -= planted.lost_tail;
    const typename blocks::split_arguments q{from.keys, samples, pass, splits, compare};
    const uint64_t split_blocks =
        (pass.num_samples() + split_thread::threads - 1) / split_thread::threads;
    grid.run(
        static_cast<uint32_t>(split_blocks), split_thread::threads, 0,
        [&](const host_machine &machine, char *shared) { split_thread(machine, q, shared).run(); });
    if (planted.moved_splits)
      ++splits[tuning::value.ways];
    const bool sampled = p + 1 < plan.num_passes && !planted.stale_samples;
    const typename blocks::pass_arguments m{join_inputs(from.keys_in(), from.values_in()),
                                            join_outputs(to.keys_out(), to.values_out()),
                                            pass,
                                            splits,
                                            sampled ? samples : nullptr,
                                            compare};
    grid.run(
        host_blocks_for<pass_block>(pass.num_tiles), pass_block::threads, pass_block::shared_bytes,
        [&](const host_machine &machine, char *shared) { pass_block(machine, m, shared).run(); });
  }
  for (size_t i = plan.storage.bytes() + seed % 17; i < temp.size(); ++i)
    if (temp[i] != static_cast<char>(0xee))
      grid.complaints.push_back("written beyond the temporary storage");
  return grid.all_complaints();
}

} // namespace colonnade::testing
