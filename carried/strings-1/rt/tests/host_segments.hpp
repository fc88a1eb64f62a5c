//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_segments.hpp: a segmented multisplit on the host: the GPU's blocks under random
// schedules, the launches of segmented.cuh in order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/multisplit/chunks/chunk_move.hpp>
#include <colonnade/detail/multisplit/segmented/segments_plan.hpp>

namespace colonnade::testing {

struct segment_faults : faults {
  bool dirty_header = false; // list lengths and tickets are not zeroed
  bool no_scan = false;      // counts are left as they are
  bool no_middle = false;    // middle segments are forgotten
};

/// Small shapes: short up to 64 items, middle up to 256, chunks of 640.
struct small_middle {
  static constexpr chunk_tuning value{64, 4, 1, 1};
};
struct small_large {
  static constexpr chunk_tuning value{64, 5, 1, 2};
};
constexpr uint32_t small_rows = 2;

template <uint32_t Bits, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket>
std::string host_segments(unsigned seed, segment_faults planted, KeysIn keys_in, KeysOut keys_out,
                          ValuesIn values_in, ValuesOut values_out, uint64_t n,
                          const std::vector<uint64_t> &segments, uint32_t m, Bucket bucket,
                          uint64_t *offsets, device_status *status) {
  using namespace detail;
  using ids_type = bucket_ids<Bucket, false>;
  using arguments = segments_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, ids_type>;
  using first = segments_block<64, small_rows, Bits, arguments, host_machine>;
  using counts = chunk_counts_block<64, KeysIn, ids_type, large_segments, host_machine>;
  constexpr uint64_t chunk_items = 2 * 320;
  const uint32_t num_segments = static_cast<uint32_t>(segments.size() - 1);
  const segments_plan plan(n, m, first::most, 256, chunk_items);
  std::vector<char> temp(plan.storage.bytes() + 64, static_cast<char>(0xee));
  void *d_temp = temp.data() + seed % 17;
  const segment_lists lists = plan.lists(d_temp, segments.data(), num_segments, m, offsets);
  if (!planted.dirty_header)
    std::memset(lists.header, 0, sizeof(segment_header));
  const ids_type ids{bucket, m};
  host_grid grid(seed, 3, planted);

  const arguments a{{keys_in, keys_out, values_in, values_out}, ids, lists, status};
  grid.run(2, 64, first::shared_bytes,
           [&](const host_machine &machine, char *shared) { first(machine, a, shared).run(); });
  const auto move = [&](auto source, auto tuning, uint32_t *ticket) {
    using tuned = decltype(tuning);
    using moves =
        chunk_move_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, ids_type, decltype(source)>;
    using block = chunk_move_block<tuned, Bits, moves, host_machine>;
    const moves b{keys_in, keys_out, values_in, values_out, ids, source, ticket, status};
    grid.run(3, 64, block::storage::bytes,
             [&](const host_machine &machine, char *shared) { block(machine, b, shared).run(); });
  };
  if (!planted.no_middle)
    move(middle_segments{lists}, small_middle{}, &lists.header->middle_ticket);
  const large_segments large{lists};
  const chunk_counts_arguments<KeysIn, ids_type, large_segments> c{keys_in, ids, large,
                                                                   &lists.header->counts_ticket};
  grid.run(2, 64, counts::shared_bytes(m),
           [&](const host_machine &machine, char *shared) { counts(machine, c, shared).run(); });
  const row_scan_arguments<large_segments> r{large, m, &lists.header->rows_ticket};
  if (!planted.no_scan)
    grid.run(2, 64, 64,
             [&](const host_machine &machine, char *shared) { scan_rows<64>(machine, r, shared); });
  move(large, small_large{}, &lists.header->move_ticket);
  for (size_t i = plan.storage.bytes() + seed % 17; i < temp.size(); ++i)
    if (temp[i] != static_cast<char>(0xee))
      grid.complaints.push_back("written beyond the temporary storage");
  return grid.all_complaints();
}

} // namespace colonnade::testing
