//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The thesis's three methods on the host, the launches of methods.cuh in order, against
// a stable counting sort: sizes around chunks, few and many buckets, ids out of range,
// the number of items on the device; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"
#include "planted.hpp"

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/multisplit/chunks/chunk_move.hpp>
#include <colonnade/detail/multisplit/methods/warp_chunks.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

enum class method { direct, warp_level, block_level };

struct small_tuning {
  static constexpr chunk_tuning value{64, 3, 1, 2};
};

struct modulo { // every 97th key's id is out of range
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % 97 == 5 ? m + key : key % m; }
};
struct by_index {
  uint32_t m;
  uint32_t operator()(uint32_t key, uint64_t index) const {
    return static_cast<uint32_t>((key + index / 7) % m);
  }
};

struct method_faults : faults {
  bool no_scan = false;
  bool dirty_tickets = false;
};

template <class Bucket> struct one_call {
  using ids_type = bucket_ids<Bucket, false>;
  const std::vector<uint32_t> &keys;
  std::vector<uint32_t> keys_out;
  std::vector<uint64_t> values_out, offsets;
  device_status status;
  ids_type ids;
  item_count count;

  one_call(const std::vector<uint32_t> &in, uint32_t m, Bucket bucket, item_count number)
      : keys(in), keys_out(in.size() + 4, 0xabababab), values_out(in.size() + 4, 0xabababab),
        offsets(m + 2, 0xabababab), ids{bucket, m}, count(number) {}

  template <method Method, uint32_t Bits> std::string run(unsigned seed, method_faults planted) {
    constexpr uint64_t chunk_items = Method == method::block_level ? 2 * 64 * 3 : 32 * 4;
    const uint64_t chunks = std::max<uint64_t>(1, chunk_cut::chunks(count.most, chunk_items));
    std::vector<uint64_t> counts(chunks * ids.num_buckets, 77), totals(ids.num_buckets, 77);
    uint32_t tickets[3] = {};
    if (planted.dirty_tickets)
      tickets[0] = tickets[1] = tickets[2] = 1;
    const whole_input source{count, chunk_items, counts.data(), totals.data(), offsets.data()};
    host_grid grid(seed, 3, planted);
    const auto scan = [&] {
      const row_scan_arguments<whole_input> r{source, ids.num_buckets, tickets + 1};
      if (!planted.no_scan)
        grid.run(2, 64, 64,
                 [&](const host_machine &m, char *shared) { scan_rows<64>(m, r, shared); });
    };
    if constexpr (Method == method::block_level) {
      const chunk_counts_arguments<const uint32_t *, ids_type, whole_input> c{keys.data(), ids,
                                                                              source, tickets};
      using counting =
          chunk_counts_block<64, const uint32_t *, ids_type, whole_input, host_machine>;
      grid.run(2, 64, counting::shared_bytes(ids.num_buckets),
               [&](const host_machine &m, char *shared) { counting(m, c, shared).run(); });
      scan();
      using moves = chunk_move_arguments<const uint32_t *, uint32_t *, index_iterator<uint64_t>,
                                         uint64_t *, ids_type, whole_input>;
      const moves a{keys.data(), keys_out.data(), {},          values_out.data(),
                    ids,         source,          tickets + 2, &status};
      using block = chunk_move_block<small_tuning, Bits, moves, host_machine>;
      grid.run(2, 64, block::storage::bytes,
               [&](const host_machine &m, char *shared) { block(m, a, shared).run(); });
    } else {
      using arguments = warp_chunks_arguments<const uint32_t *, uint32_t *,
                                              index_iterator<uint64_t>, uint64_t *, ids_type>;
      const arguments a{
          {keys.data(), keys_out.data(), {}, values_out.data()}, ids, source, &status};
      using block =
          warp_chunks_block<64, 2, Bits, Method == method::warp_level, arguments, host_machine>;
      grid.run(3, 64, 0, [&](const host_machine &m, char *shared) { block(m, a, shared).count(); });
      scan();
      grid.run(3, 64, block::shared_bytes,
               [&](const host_machine &m, char *shared) { block(m, a, shared).move(); });
    }
    return grid.all_complaints();
  }
};

template <method Method, uint32_t Bits, class Bucket>
std::string method_case(uint64_t n, uint32_t m, Bucket bucket, unsigned seed,
                        method_faults planted = {}, const uint64_t *d_num_items = nullptr) {
  std::mt19937 random(seed + 5);
  std::vector<uint32_t> keys(n);
  for (uint32_t &key : keys)
    key = random();
  one_call<Bucket> call(keys, m, bucket, {d_num_items, n});
  const std::string wrong = call.template run<Method, Bits>(seed, planted);
  const uint64_t there = d_num_items ? std::min(n, *d_num_items) : n;
  std::vector<std::vector<uint64_t>> lists(m);
  device_status expected;
  for (uint64_t i = 0; i < there; ++i) {
    const uint32_t raw = call.ids.raw(keys[i], i);
    if (raw >= m && expected.ok())
      expected.first = i << 8 | 1;
    lists[std::min(raw, m - 1)].push_back(i);
  }
  if (d_num_items && *d_num_items > n && expected.ok())
    expected.first = *d_num_items << 8 | 2;
  std::vector<uint64_t> from, offsets;
  for (const auto &list : lists) {
    offsets.push_back(from.size());
    from.insert(from.end(), list.begin(), list.end());
  }
  offsets.push_back(there);
  offsets.push_back(0xabababab);
  for (uint64_t i = 0; i < n + 4; ++i) {
    const bool written = i < there;
    if (call.keys_out[i] != (written ? keys[from[i]] : 0xabababab) ||
        call.values_out[i] != (written ? from[i] : 0xabababab))
      return wrong + "item " + std::to_string(i);
  }
  if (call.offsets != offsets)
    return wrong + "offsets";
  return call.status.first != expected.first ? wrong + "status" : wrong;
}

template <method Method> void check_sizes() {
  for (uint64_t n :
       {0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 383, 384, 385, 3000})
    for (uint32_t m : {1, 2, 13, 32})
      EXPECT_EQ((method_case<Method, 5>(n, m, modulo{m}, m)), "") << n << " " << m;
  EXPECT_EQ((method_case<Method, 1>(2000, 2, modulo{2}, 1)), "");
  EXPECT_EQ((method_case<Method, 6>(2000, 64, modulo{64}, 2)), "");
  EXPECT_EQ((method_case<Method, 6>(2000, 33, by_index{33}, 3)), "");
  EXPECT_EQ((method_case<Method, 3>(2000, 5, by_index{5}, 4)), "");
}

template <method Method> void check_number_on_device() {
  for (uint64_t number : {0, 1, 128, 129, 384, 999, 1000, 1001})
    EXPECT_EQ((method_case<Method, 3>(1000, 7, modulo{7}, 1, {}, &number)), "") << number;
}

template <method Method> void expect_seen(const char *fault, method_faults f) {
  const auto with = [](method_faults planted) {
    return [planted](unsigned seed) {
      return method_case<Method, 3>(1500, 6, modulo{6}, seed, planted);
    };
  };
  expect_caught("multisplit", fault, with(f), with({}));
}

TEST(MultisplitMethods, Direct) { check_sizes<method::direct>(); }
TEST(MultisplitMethods, WarpLevel) { check_sizes<method::warp_level>(); }
TEST(MultisplitMethods, BlockLevel) { check_sizes<method::block_level>(); }

TEST(MultisplitMethods, WarpLevelInto256) {
  EXPECT_EQ((method_case<method::warp_level, 8>(2000, 256, modulo{256}, 1)), "");
  EXPECT_EQ((method_case<method::direct, 8>(2000, 200, modulo{200}, 2)), "");
}

TEST(MultisplitMethods, NumberOfItemsOnTheDevice) {
  check_number_on_device<method::direct>();
  check_number_on_device<method::warp_level>();
  check_number_on_device<method::block_level>();
}

TEST(MultisplitMethods, PlantedFaultsAreSeen) {
  method_faults f;
  f.no_scan = true;
  expect_seen<method::direct>("no_scan_direct", f);
  expect_seen<method::block_level>("no_scan_block_level", f);
  f = {};
  f.drop_warp_sync = true;
  expect_seen<method::warp_level>("dropped_warp_sync_warp_level", f);
  expect_seen<method::block_level>("dropped_warp_sync_block_level", f);
  f = {};
  f.drop_block_sync = true;
  expect_seen<method::block_level>("dropped_block_sync_block_level", f);
  f = {};
  f.dirty_tickets = true;
  expect_seen<method::direct>("unreset_ticket_direct", f);
  expect_seen<method::block_level>("unreset_ticket_block_level", f);
}

} // namespace
