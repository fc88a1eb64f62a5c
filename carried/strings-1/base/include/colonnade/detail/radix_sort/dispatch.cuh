//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// dispatch.cuh: runs a radix sort: one histogram pass for all digits, then a scatter pass for
// each digit between two arrays. Small inputs are sorted by one kernel instead.
//
// In: arguments that radix_sort.cuh has checked, and temporary storage, or null to ask for its
// bytes. Out: the sorted items in keys_out and values_out. Invariant: the input is read by the
// histogram and the first scatter pass alone, and is written only if it is one of the caller's two
// buffers; passes alternate so that the last one writes the output.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/alternating_arrays.hpp>
#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/digits/digit_passes.cuh>
#include <colonnade/detail/digits/key_words.hpp>
#include <colonnade/detail/digits/sort_work.hpp>
#include <colonnade/detail/radix_sort/by_rank.cuh>
#include <colonnade/detail/radix_sort/tiles.hpp>
#include <colonnade/detail/team/team_launch.cuh>

namespace colonnade::detail {

/// The spare arrays are the caller's (double-buffered), or in temporary storage.
enum class spares : bool { in_storage, given };

/// Key: an unsigned word. ValuesIn: a pointer, an index iterator or no_items.
template <class Policy, class Word, class Key, class ValuesIn, class Value> struct radix_sort_run {
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;

  const Key *keys_in;
  Key *keys_out; // null in an argsort, whose keys are dropped: then both in storage
  ValuesIn values_in;
  Value *values_out;
  uint64_t num_items;
  digit_list digits;
  run_options options;
  spares where = spares::in_storage;
  Key *spare_keys = nullptr;
  Value *spare_values = nullptr;
  bool in_spare = false; // set where the sorted items are in the given spare arrays

  cudaError_t run(void *d_temp, size_t &temp_bytes, bool keys_dropped) {
    const size_t needed = bytes(keys_dropped);
    if (!d_temp || temp_bytes < needed)
      return report_bytes(d_temp, temp_bytes, needed);
    if (num_items == 0)
      return cudaSuccess;
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    return start(gpu, d_temp, keys_dropped);
  }

  /// Of temporary storage.
  size_t bytes(bool keys_dropped) const {
    return most_on_any([&](gpu_architecture architecture) {
      return storage_on(architecture, keys_dropped).plan.storage.bytes();
    });
  }
  /// Queues the sort of at least one item; d_temp holds bytes().
  cudaError_t start(const device_properties &gpu, void *d_temp, bool keys_dropped) {
    constexpr bool by_rank = Policy::most_team_items > 0 && sizeof(Key) >= 4;
    if constexpr (by_rank)
      if (num_items <= Policy::most_team_items && pays_by_rank<Key>(gpu, num_items, digits.count))
        return sort_by_rank(gpu);
    const places at = storage_on(gpu.architecture, keys_dropped);
    if (has_spare()) {
      spare_keys = temp_storage::at<Key>(d_temp, at.keys);
      if constexpr (has_values)
        spare_values = temp_storage::at<Value>(d_temp, at.values);
    }
    if (keys_dropped)
      keys_out = temp_storage::at<Key>(d_temp, at.dropped);
    if constexpr (Policy::most_team_items > 0)
      if (num_items <= Policy::most_team_items) {
        bool done = false;
        if (const cudaError_t error = sort_few(gpu, done); error || done)
          return error;
      }
    return by_tiles([&](auto policy) {
      digit_passes<decltype(policy), Key, Value> passes(gpu, at.plan, d_temp, options);
      const cudaError_t error = passes.count(keys_in, word_ids<Word>{}, nothing{});
      return error ? error : move(passes);
    });
  }

private:
  template <class Use> auto by_tiles(Use use) const {
    return with_tiles<Policy, sizeof(Key), bytes_of<Value>>(num_items, use);
  }

  struct places {
    digit_passes_plan plan;
    size_t keys = 0, values = 0, dropped = 0; // behind the plan's own
  };
  bool has_spare() const { return where == spares::in_storage && digits.count > 1; }
  places storage_on(gpu_architecture architecture, bool keys_dropped) const {
    places at{by_tiles([&](auto policy) {
      return digit_passes<decltype(policy), Key, Value>::plan(architecture, num_items, digits);
    })};
    const uint64_t spare_items = has_spare() ? num_items : 0;
    at.keys = at.plan.storage.template add<Key>(spare_items);
    at.values = at.plan.storage.template add<char>(spare_items * bytes_of<Value>);
    at.dropped = at.plan.storage.template add<Key>(keys_dropped ? num_items : 0);
    return at;
  }
  /// Not in place: where the output is the input, into the spare arrays.
  cudaError_t sort_by_rank(const device_properties &gpu) {
    in_spare = keys_in == keys_out;
    return detail::sort_by_rank<Word>(gpu, keys_in, in_spare ? spare_keys : keys_out, values_in,
                                      in_spare ? spare_values : values_out, num_items, digits,
                                      options.stream);
  }
  /// By a team of blocks in one launch, if the input is small.
  cudaError_t sort_few(const device_properties &gpu, bool &done) const {
    using work = sort_work<Word, Key, ValuesIn, Value>;
    if (num_items > most_by_team(most_blocks_of_team(gpu)))
      return cudaSuccess;
    const team_shape team = choose_team<work>(gpu, num_items);
    done = team.blocks > 0;
    if (!done)
      return cudaSuccess;
    return launch_team(work{keys_in,
                            values_in,
                            {keys_out, spare_keys},
                            {values_out, spare_values},
                            digits,
                            static_cast<uint32_t>(num_items)},
                       num_items, team, gpu.device, options.stream);
  }
  /// So many that a team sorts them faster than kernels for large inputs. Measured on an H200.
  static constexpr uint64_t most_by_team(uint32_t most_blocks) {
    constexpr size_t item_bytes = sizeof(Key) + bytes_of<Value>;
    if (item_bytes <= 8)
      return ~uint64_t{0};
    return item_bytes <= 16 && most_blocks == most_teammates ? 65536 : 24576;
  }

  template <class Passes> cudaError_t move(Passes &passes) const {
    const alternating_arrays<Key> keys{keys_out, spare_keys};
    const alternating_arrays<Value> values{values_out, spare_values};
    for (uint32_t k = 0; k < digits.count; ++k) {
      const Key *from = k ? keys.from(k, digits.count) : keys_in;
      Key *to = keys.to(k, digits.count);
      cudaError_t error;
      if constexpr (!has_values)
        error = passes.scatter(k, Word{}, from, to, no_items{}, nothing{});
      else if (k == 0)
        error = passes.scatter(k, Word{}, from, to, values_in, values.to(k, digits.count));
      else
        error = passes.scatter(k, Word{}, from, to, values.from(k, digits.count),
                               values.to(k, digits.count));
      if (error)
        return error;
    }
    return cudaSuccess;
  }
};

} // namespace colonnade::detail
