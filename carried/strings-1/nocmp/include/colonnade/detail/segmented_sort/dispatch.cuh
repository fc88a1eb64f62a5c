//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: chooses and launches the kernels of a segmented sort.
//
//   equal lengths      one kernel over rows, or the sort of large rows
//   lengths in device memory
//                      a multisplit lists the segments by class; then one kernel for the
//                      classes up to a warp, one for those up to a block, and the sort of
//                      large rows. Small inputs: one kernel, or two
//
// In: arguments that segmented_sort.cuh has checked; a row is a segment. Out: every segment sorted.
// Invariant: launches depend on counts that the host knows alone; kernels for which there is
// nothing to do end at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/rank_sort/rank_sort_launch.cuh>
#include <colonnade/detail/segmented_sort/large_rows_launch.cuh>
#include <colonnade/detail/segmented_sort/row_launch.cuh>
#include <colonnade/detail/segmented_sort/segment_shares.hpp>
#include <colonnade/detail/segmented_sort/small_rows_launch.cuh>
#include <colonnade/multisplit.cuh>

namespace colonnade::detail {

/// The multisplit of segment numbers into classes.
struct class_policy : multisplit_policy {
  static constexpr uint32_t max_buckets = 16;
  static constexpr uint64_t max_items = 0xffffffff;
  static constexpr uint32_t round_up_bits(uint32_t bits) { return bits <= 4 ? 4 : 8; }
  static constexpr multisplit_tuning tuning(gpu_architecture, uint32_t, size_t, size_t) {
    multisplit_tuning t;
    t.threads = 256;
    t.items_per_thread = 16;
    return t;
  }
};

/// One call. Output: word_output or placed_output. ValuesIn, Value: the values of large rows.
template <class Policy, class Key, class Output, class ValuesIn, class Value>
struct segmented_sort_run {
  using as = sorted_as<Key>;
  using raw = typename as::raw;
  using items = typename Output::items;
  static constexpr uint32_t most = sizeof(typename items::item) <= 8 ? 32 : 16; // items a thread
  using classes = row_classes<most>;
  template <class Rows> using large = large_rows_sort<Policy, typename as::word, raw, Value, Rows>;

  const raw *keys_in;
  raw *keys_out; // null: an argsort
  ValuesIn values_in;
  Value *values_out;
  Output output;
  digit_list digits;
  run_options options;

  cudaError_t equal(void *d_temp, size_t &temp_bytes, uint64_t count, uint64_t length) const {
    const bool is_large = length > classes::most_in_block;
    const auto large_on = [&](gpu_architecture architecture, temp_storage &storage) {
      return large<equal_rows>(architecture, is_large ? count * length : 0, count,
                               classes::most_in_block, digits, !keys_out, storage);
    };
    const uint64_t bytes = most_on_any([&](gpu_architecture architecture) {
      temp_storage storage;
      (void)large_on(architecture, storage);
      return storage.bytes();
    });
    if (!d_temp || temp_bytes < bytes)
      return report_bytes(d_temp, temp_bytes, bytes);
    if (count * length == 0)
      return cudaSuccess;
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    temp_storage storage;
    const large<equal_rows> sort = large_on(gpu.architecture, storage);
    const equal_rows rows{count, static_cast<uint32_t>(length)};
    if (is_large)
      return sort.run(d_temp, gpu, rows, 0, keys_in, keys_out, values_in, values_out,
                      options.stream);
    return sort_equal_rows<Policy, most>(gpu, keys_in, output, rows, options.stream);
  }

  template <class Begins, class Ends>
  cudaError_t listed(void *d_temp, size_t &temp_bytes, uint64_t count, Begins begins, Ends ends,
                     uint64_t num_items) const {
    using class_of = segment_class<Begins, Ends, most>;
    using rows_type = listed_rows<Begins, Ends>;
    const class_of bucket{begins, ends, num_items};
    const auto split = [&](void *d_split, size_t &bytes, uint32_t *list, uint64_t *offsets) {
      return multisplit_keys(d_split, bytes, index_iterator<uint32_t>{}, list, count,
                             classes::count, bucket, offsets, options, class_policy{});
    };
    size_t split_bytes = 0;
    if (const cudaError_t error = split(nullptr, split_bytes, nullptr, nullptr))
      return error;
    temp_storage storage; // lists first, then what large rows need
    const size_t split_at = storage.add<char>(split_bytes);
    const size_t list_at = storage.add<uint32_t>(count);
    const size_t offsets_at = storage.add<uint64_t>(classes::count + 1);
    const auto large_on = [&](gpu_architecture architecture, temp_storage &all) {
      return large<rows_type>(architecture, num_items, count, classes::most_in_block, digits,
                              !keys_out, all);
    };
    const uint64_t bytes = most_on_any([&](gpu_architecture architecture) {
      temp_storage all = storage;
      places(large_on(architecture, all), num_items, all);
      return all.bytes();
    });
    if (!d_temp || temp_bytes < bytes)
      return report_bytes(d_temp, temp_bytes, bytes);
    if (count == 0)
      return cudaSuccess;
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    const large<rows_type> sort = large_on(gpu.architecture, storage);
    const small_places at = places(sort, num_items, storage);
    if (is_small(num_items) && count <= most_small) {
      bool done = false;
      const given_segments<Begins, Ends> given{begins, ends, static_cast<uint32_t>(count),
                                               static_cast<uint32_t>(num_items)};
      if (const cudaError_t error = small(d_temp, gpu, at, given, done); error || done)
        return error;
    }
    uint32_t *list = temp_storage::at<uint32_t>(d_temp, list_at);
    uint64_t *offsets = temp_storage::at<uint64_t>(d_temp, offsets_at);
    if (const cudaError_t error =
            split(temp_storage::at<char>(d_temp, split_at), split_bytes, list, offsets))
      return error;
    if (num_items == 0)
      return cudaSuccess;
    const rows_type rows{begins, ends, list, offsets};
    if (const cudaError_t error =
            sort_listed_rows<Policy, most>(gpu, keys_in, output, rows, num_items, options.stream))
      return error;
    return sort.run(d_temp, gpu, rows, classes::large, keys_in, keys_out, values_in, values_out,
                    options.stream);
  }

private:
  /// Items of a thread of a team: as many as let one team hold any segment of a small input, though
  /// registers spill.
  static constexpr uint32_t team_items = sizeof(raw) <= 8 && bytes_of<Value> <= 8 ? 9 : 4;
  using small_work = sort_work<typename as::word, raw, ValuesIn, Value, team_items>;
  template <class Given> using short_block = short_rows_block<Output, Given, device_machine>;
  static constexpr uint64_t most_small = most_in_team(small_work::items_per_thread);
  static constexpr uint32_t most_in_order =
      1024 * order_items_per_thread(sizeof(typename items::item));

  static bool is_small(uint64_t num_items) {
    return num_items <= most_small && num_items <= Policy::most_team_items;
  }
  /// Where the spare arrays are for segments of a small input that a block cannot hold: those of
  /// the sort of large rows, or others if it has none.
  struct small_places {
    size_t keys, values, dropped;
  };
  template <class Sort>
  small_places places(const Sort &sort, uint64_t num_items, temp_storage &storage) const {
    if (sort.has_spares())
      return {sort.spares().keys, sort.spares().values, sort.spares().dropped};
    const uint64_t any = is_small(num_items) && num_items > most_in_order ? num_items : 0;
    const uint64_t spare = digits.count > 1 ? any : 0;
    return {storage.add<raw>(spare), storage.add<char>(spare * bytes_of<Value>),
            storage.add<raw>(keys_out ? 0 : any)};
  }
  /// Whether counting takes less time than merging: while an SM has few shares, whatever the
  /// lengths, but for one segment of narrow keys, which a team of blocks sorts sooner where half of
  /// the SMs have two shares. Measured on an H200.
  template <class Given>
  static bool pays_by_rank(const device_properties &gpu, const Given &given) {
    const bool by_team = given.count == 1 && sizeof(raw) <= 4 && bytes_of<Value> == 0 &&
                         most_blocks_of_team(gpu) >= usual_teammates;
    return given.count <= segment_shares<Given>::most_segments &&
           given.num_items <= items_of_shares(gpu, by_team ? 3 : 4) / 2;
  }
  template <class Given>
  cudaError_t sort_by_rank(const device_properties &gpu, const Given &given) const {
    using shares = segment_shares<Given>;
    using arguments = rank_sort_arguments<raw, typename Output::items, ValuesIn, Value, shares>;
    const shares rows{given, options.d_status};
    return launch_rank_sort(gpu,
                            arguments{keys_in, keys_out, values_in, values_out, output.order, rows},
                            rows.most_shares(), given.num_items / given.count, options.stream);
  }
  /// Sorts a small input in one launch, or two if many items may lie in a segment longer than a
  /// block holds; those are sorted by teams of blocks. done: false if the GPU has no teams that are
  /// large enough.
  template <class Given>
  cudaError_t small(void *d_temp, const device_properties &gpu, const small_places &at,
                    const Given &given, bool &done) const {
    if (pays_by_rank(gpu, given)) {
      done = true;
      return sort_by_rank(gpu, given);
    }
    using long_rows = long_rows_arguments<small_work, Given>;
    const bool any_long = given.num_items > most_in_order;
    done = !any_long || most_blocks_of_team(gpu) >= usual_teammates;
    if (!done)
      return cudaSuccess;
    if (const cudaError_t error = launch_short_rows<Output, Given>(
            gpu, {keys_in, output, given, false, options.d_status}, options.stream))
      return error;
    if (!any_long)
      return cudaSuccess;
    raw *keys = keys_out ? keys_out : temp_storage::at<raw>(d_temp, at.dropped);
    const small_work work{keys_in,
                          values_in,
                          {keys, temp_storage::at<raw>(d_temp, at.keys)},
                          {values_out, temp_storage::at<Value>(d_temp, at.values)},
                          digits,
                          given.num_items};
    return launch_long_rows(gpu, long_rows{work, given, most_in_order}, options.stream);
  }
};

} // namespace colonnade::detail
