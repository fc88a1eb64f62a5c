//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: what a segmented sort of each kind runs.
//
//   equal lengths     a kernel over rows, or the sort of large rows
//   lengths that lie in device memory
//                     a multisplit lists the segments of every class; then a kernel for
//                     the classes up to a warp, one for those up to a block, and the
//                     sort of large rows. Launches depend on counts that the host
//                     knows, and end at once where there is nothing to do.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/segmented_sort/large_rows_launch.cuh>
#include <colonnade/detail/segmented_sort/row_launch.cuh>
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

/// One call. Output: word_output or placed_output; ValuesIn and Value: as a large row's
/// values are moved.
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
      return answer(d_temp, temp_bytes, bytes);
    if (count * length == 0)
      return cudaSuccess;
    device_facts facts;
    if (const cudaError_t error = query_device(facts))
      return error;
    temp_storage storage;
    const large<equal_rows> sort = large_on(facts.architecture, storage);
    const equal_rows rows{count, static_cast<uint32_t>(length)};
    if (is_large)
      return sort.run(d_temp, facts, rows, 0, keys_in, keys_out, values_in, values_out,
                      options.stream);
    return sort_equal_rows<Policy, most>(facts, keys_in, output, rows, options.stream);
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
    temp_storage storage; // lists first, large rows behind
    const size_t split_at = storage.add<char>(split_bytes);
    const size_t list_at = storage.add<uint32_t>(count);
    const size_t offsets_at = storage.add<uint64_t>(classes::count + 1);
    const auto large_on = [&](gpu_architecture architecture, temp_storage &all) {
      return large<rows_type>(architecture, num_items, count, classes::most_in_block, digits,
                              !keys_out, all);
    };
    const uint64_t bytes = most_on_any([&](gpu_architecture architecture) {
      temp_storage all = storage;
      (void)large_on(architecture, all);
      return all.bytes();
    });
    if (!d_temp || temp_bytes < bytes)
      return answer(d_temp, temp_bytes, bytes);
    if (count == 0)
      return cudaSuccess;
    device_facts facts;
    if (const cudaError_t error = query_device(facts))
      return error;
    const large<rows_type> sort = large_on(facts.architecture, storage);
    uint32_t *list = temp_storage::at<uint32_t>(d_temp, list_at);
    uint64_t *offsets = temp_storage::at<uint64_t>(d_temp, offsets_at);
    if (const cudaError_t error =
            split(temp_storage::at<char>(d_temp, split_at), split_bytes, list, offsets))
      return error;
    if (num_items == 0)
      return cudaSuccess;
    const rows_type rows{begins, ends, list, offsets};
    if (const cudaError_t error =
            sort_listed_rows<Policy, most>(facts, keys_in, output, rows, num_items, options.stream))
      return error;
    return sort.run(d_temp, facts, rows, classes::large, keys_in, keys_out, values_in, values_out,
                    options.stream);
  }

private:
  static cudaError_t answer(void *d_temp, size_t &temp_bytes, uint64_t bytes) {
    if (d_temp)
      return cudaErrorInvalidValue;
    temp_bytes = bytes;
    return cudaSuccess;
  }
};

} // namespace colonnade::detail
