//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// two_way.hpp: moves items into two buckets in one pass, without keeping their order.
//
// In: taken[0], taken[1] and `done` zero. Out: the items in their buckets; the offsets 0, items of
// bucket 0, all items; the first bucket id out of range in the status. A block takes a tile, counts
// its items of bucket 1, sorts the tile by bucket in shared memory, and meanwhile reserves places
// by two atomic counters: bucket 0 is written from the front of the output, bucket 1 from its back.
// The last block to finish writes the offsets. Invariant: every item is written once; which block
// comes first is left to chance.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/ranking/bucket_id.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>
#include <colonnade/item_count.hpp>
#include <colonnade/two_way_tuning.hpp>

#include <iterator>

namespace colonnade::detail {

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket>
struct two_way_arguments : moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut> {
  bucket_ids<Bucket, false> ids;
  item_count count;
  uint64_t *offsets; // three; null: not wanted
  uint64_t *taken;   // places given away at the front, and at the back
  uint32_t *done;    // blocks that have their room
  device_status *status;
};

/// Shared memory of a block.
template <class Tuning, class Key, class Value> struct two_way_storage {
  static constexpr uint32_t warps = Tuning::value.threads / 32;
  static constexpr uint32_t tile_items = Tuning::value.threads * Tuning::value.items_per_thread;
  static constexpr size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }
  static constexpr size_t scratch_at = 16; // behind the two places
  static constexpr size_t keys_at = aligned(scratch_at + warps * 4);
  static constexpr size_t values_at = aligned(keys_at + tile_items * sizeof(Key));
  static constexpr size_t bytes = aligned(values_at + tile_items * bytes_of<Value>);

  char *base;
  COLONNADE_KERNEL_CODE uint64_t *room() const { return reinterpret_cast<uint64_t *>(base); }
  COLONNADE_KERNEL_CODE uint32_t *scratch() const {
    return reinterpret_cast<uint32_t *>(base + scratch_at);
  }
  COLONNADE_KERNEL_CODE Key *keys() const { return reinterpret_cast<Key *>(base + keys_at); }
  COLONNADE_KERNEL_CODE Value *values() const {
    return reinterpret_cast<Value *>(base + values_at);
  }
};

template <class Tuning, class Arguments, class Machine> class two_way_block {
public:
  using key = typename Arguments::key;
  using value = typename Arguments::value;
  using storage = two_way_storage<Tuning, key, value>;
  static constexpr uint32_t threads = Tuning::value.threads, items = Tuning::value.items_per_thread;
  static constexpr uint32_t warps = storage::warps, tile_items = storage::tile_items;
  static constexpr uint32_t batch = Tuning::value.write_batch;
  static_assert(items <= 32, "a bit an item");

  COLONNADE_KERNEL_CODE two_way_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), s_{shared} {}

  COLONNADE_KERNEL_CODE void run() {
    num_items_ = a_.count.now();
    const uint64_t first = uint64_t{machine_.block()} * tile_items;
    const uint64_t left = num_items_ > first ? num_items_ - first : 0;
    index_ = first + machine_.warp() * (32 * items) + machine_.lane();
    if (left >= tile_items)
      move_tile<true>(tile_items);
    else if (left > 0)
      move_tile<false>(static_cast<uint32_t>(left));
    if (machine_.thread() == 0)
      finish();
  }

private:
  template <bool Full> COLONNADE_KERNEL_CODE void move_tile(uint32_t valid) {
    const uint32_t before = machine_.warp() * (32 * items); // in the warps before
    const uint32_t of_warp = valid > before ? valid - before : 0;
    rows_ = of_warp > machine_.lane() ? (of_warp - machine_.lane() + 31) / 32 : 0;
    key keys[items];
    value values[Arguments::has_values ? items : 1];
    load<Full>(a_.keys_in, keys);
    if constexpr (Arguments::has_values)
      load<Full>(a_.values_in, values);
    const uint32_t ones = bits_of<Full>(keys); // bit k: item k is of bucket 1
    const uint32_t up_to = warp_inclusive_sum(machine_, Machine::count_ones(ones));
    if (machine_.lane() == 31)
      s_.scratch()[machine_.warp()] = up_to;
    machine_.block_sync();
    uint32_t ones_before = 0, all_ones = 0;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < warps; ++w) {
      ones_before += w < machine_.warp() ? s_.scratch()[w] : 0;
      all_ones += s_.scratch()[w];
    }
    const uint32_t zeros = valid - all_ones;
    if (machine_.thread() < 2) // both at once: front and back
      s_.room()[machine_.thread()] =
          machine_.take_global(a_.taken + machine_.thread(), machine_.thread() ? all_ones : zeros);
    stage<Full>(ones, (before < valid ? before : valid) - ones_before, zeros + ones_before, keys,
                values);
    machine_.block_sync();
    write<Full>(valid, zeros, s_.room()[0], num_items_ - s_.room()[1] - all_ones);
  }
  template <bool Full, class In, class Item>
  COLONNADE_KERNEL_CODE void load(In in, Item (&out)[items]) const {
    const In from = in + static_cast<std::ptrdiff_t>(index_);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      out[k] = Full || k < rows_ ? Item(from[k * 32]) : Item{};
  }
  template <bool Full> COLONNADE_KERNEL_CODE uint32_t bits_of(const key (&keys)[items]) const {
    uint32_t ones = 0;
    bool right = true;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      if (Full || k < rows_) {
        const uint32_t raw = a_.ids.raw(keys[k], index_ + k * 32);
        right = right && raw < 2;
        ones |= uint32_t{raw != 0} << k;
      }
    if (!right && a_.status)
      report(keys);
    return ones;
  }
  COLONNADE_KERNEL_CODE void report(const key (&keys)[items]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      if (k < rows_ && a_.ids.raw(keys[k], index_ + k * 32) > 1)
        report_error(machine_, a_.status, data_error::bucket_out_of_range, index_ + k * 32);
  }
  /// `zero`, `one`: the places of the warp's first item of each bucket.
  template <bool Full, size_t N>
  COLONNADE_KERNEL_CODE void stage(uint32_t ones, uint32_t zero, uint32_t one,
                                   const key (&keys)[items], const value (&values)[N]) const {
    const uint32_t below = other_lanes(machine_.lane()).below;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k) {
      const bool mine = ones >> k & 1;
      const uint32_t in_one = machine_.ballot(mine);
      const uint32_t in_zero = Full ? ~in_one : machine_.ballot(k < rows_ && !mine);
      const uint32_t place = mine ? one + Machine::count_ones(in_one & below)
                                  : zero + Machine::count_ones(in_zero & below);
      if (Full || k < rows_) {
        s_.keys()[place] = keys[k];
        if constexpr (Arguments::has_values)
          s_.values()[place] = values[k];
      }
      one += Machine::count_ones(in_one);
      zero += Machine::count_ones(in_zero);
    }
  }
  template <bool Full>
  COLONNADE_KERNEL_CODE void write(uint32_t valid, uint32_t zeros, uint64_t front,
                                   uint64_t back) const {
    const uint64_t ones_at = back - zeros;
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < items; first += batch) {
      key moved[batch];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k) {
        const uint32_t place = (first + k) * threads + machine_.thread();
        if (first + k < items && (Full || place < valid))
          moved[k] = s_.keys()[place];
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k) {
        const uint32_t place = (first + k) * threads + machine_.thread();
        if (first + k < items && (Full || place < valid)) {
          const uint64_t to = (place < zeros ? front : ones_at) + place;
          if constexpr (Arguments::writes_keys)
            a_.keys_out[to] = moved[k];
          if constexpr (Arguments::has_values)
            a_.values_out[to] = s_.values()[place];
        }
      }
    }
  }
  COLONNADE_KERNEL_CODE void finish() const {
    if (machine_.block() == 0)
      a_.count.report(machine_, a_.status);
    if (!a_.offsets)
      return;
    machine_.device_fence(); // its room before `done`
    if (machine_.take_ticket(a_.done) != machine_.num_blocks() - 1)
      return;
    machine_.device_fence();
    a_.offsets[0] = 0;
    a_.offsets[1] = machine_.load_counter(a_.taken);
    a_.offsets[2] = num_items_;
  }

  const Machine &machine_;
  const Arguments &a_;
  storage s_;
  uint64_t num_items_ = 0, index_ = 0;
  uint32_t rows_ = 0;
};

} // namespace colonnade::detail
