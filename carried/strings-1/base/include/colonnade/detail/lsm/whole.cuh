//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// whole.cuh: what is done to a log-structured merge tree as a whole: it is built from arrays, read
// out, saved and loaded.
//
// In: an owner, or arrays. Out: launches, arrays, files. Invariant: nobody changes the tree
// meanwhile; where a call makes a new one, the old one stays if that fails. What comes out is in
// order, each key once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/apart.hpp>
#include <colonnade/detail/device/read_back.cuh>
#include <colonnade/detail/dictionaries/device_pairs.cuh>
#include <colonnade/detail/dictionaries/whole_files.cuh>
#include <colonnade/detail/lsm/changes.cuh>
#include <colonnade/detail/lsm/export.hpp>

namespace colonnade::detail {

template <class Table> struct lsm_build_plan_arguments {
  Table table;
  typename Table::run batch;
  const uint32_t *refused; // null, or not 0: nothing is to be done
  lsm_plan<typename Table::raw, typename Table::value> *plan;
  uint32_t blocks; // that merge
};

inline namespace COLONNADE_ABI {
template <class Tunings, class Table>
__global__ void __launch_bounds__(lsm_plan_threads)
    lsm_build_plan_kernel(const __grid_constant__ lsm_build_plan_arguments<Table> a) {
  constexpr lsm_tuning tuning = compiled<Tunings>::value;
  __shared__ plan_words<Table> words;
  write_plan(lsm_device_machine{}, words, a.plan, [&](auto &plan) {
    plan_build(a.table, a.refused && *a.refused ? typename Table::run{} : a.batch, plan);
    lsm_planner<Table>(a.table, plan).divide(tuning, a.blocks);
  });
}
template <class Table>
__global__ void __launch_bounds__(lsm_scan_threads)
    lsm_place_exported_kernel(const __grid_constant__ lsm_export_arguments<Table> a) {
  __shared__ uint64_t scratch[lsm_scan_threads / 32 + 1];
  place_exported(lsm_device_machine{}, a, scratch);
}
template <class Table>
__global__ void __launch_bounds__(256)
    lsm_export_kernel(const __grid_constant__ lsm_export_arguments<Table> a) {
  export_tiles(lsm_device_machine{}, a);
}
} // namespace COLONNADE_ABI

template <class Key, class Value, class Resource>
class lsm_whole : public lsm_changes<Key, Value, Resource> {
  using owner = lsm_changes<Key, Value, Resource>;
  using typename owner::merge_arguments;
  using typename owner::plan_arguments;
  using typename owner::plan_type;
  using typename owner::run;
  using typename owner::slice;
  using pairs_type = device_pairs<Key, Value, Resource>;

protected:
  using typename owner::operations;

public:
  using typename owner::raw;
  using typename owner::raw_value;
  using typename owner::table_type;

  /// A tree of these pairs in place of what was there, without stale elements; of equal keys the
  /// last counts. The call allocates and queues its work on on.stream; where it returns an error,
  /// what was there is unchanged. If a key is a NaN the status says so, and the new tree is empty.
  template <class Policy = lsm_policy>
  [[nodiscard]] static cudaError_t build(lsm_whole &tree, lsm_options options, const Key *d_keys,
                                         const Value *d_values, uint64_t num_items,
                                         run_options on = {}, Resource resource = {}, Policy = {}) {
    if (num_items > uint64_t{1} << 32 || !valid_array(d_keys, num_items) ||
        !valid_array(d_values, num_items))
      return cudaErrorInvalidValue;
    lsm_whole fresh;
    options.capacity = std::max(options.capacity, num_items);
    if (const cudaError_t error = fresh.create_empty(options, on.stream, resource))
      return error;
    const operations pairs{d_keys, d_values, nullptr, num_items, false};
    if (num_items)
      if (const cudaError_t error =
              single_phase(resource, on.stream, [&](void *d_temp, size_t &bytes) {
                return fresh.template fill<Policy>(d_temp, bytes, pairs, on);
              }))
        return error;
    tree = std::move(fresh);
    return cudaSuccess;
  }

  /// The first `capacity` elements in order, and in *d_num_elements how many there are: if there
  /// are more, the status says buffer_too_small. d_keys or d_values may be null. Temporary storage
  /// is that of a cleanup.
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t retrieve_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                               Key *d_keys, Value *d_values, uint64_t capacity,
                                               uint64_t *d_num_elements, run_options options = {},
                                               Policy = {}) const {
    using tunings = lsm_tunings_of<Policy, table_type>;
    if (!owner::is_there())
      return cudaErrorInvalidValue;
    const table_type &table = owner::table_;
    const uint64_t most_items = table.capacity() + table.batch_size;
    const uint32_t most_runs = table.num_levels + 1;
    const packed_storage at(owner::template most_tiles<tunings>(most_items, most_runs), most_runs,
                            most_items);
    if (!d_temp_storage || temp_storage_bytes < at.all.bytes())
      return report_bytes(d_temp_storage, temp_storage_bytes, at.all.bytes());
    if ((d_keys && !valid_array(d_keys, capacity)) ||
        (d_values && !valid_array(d_values, capacity)) || (!d_keys && !d_values && capacity) ||
        !valid_array(d_num_elements, 1) ||
        !written_apart({{d_keys, capacity}, {d_values, capacity}, {d_num_elements, 1}}, {}))
      return cudaErrorInvalidValue;
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    const packed_tiles to = at.in(d_temp_storage);
    const plan_arguments planning{table, {}, nullptr, to.plan, options.d_status, true, false};
    if (const cudaError_t error =
            merge_packed<tunings>(gpu, &planning, to, most_items, most_runs, options.stream))
      return error;
    const lsm_export_arguments<table_type> a{to.plan,
                                             to.staging,
                                             to.counts,
                                             to.offsets,
                                             reinterpret_cast<raw *>(d_keys),
                                             reinterpret_cast<raw_value *>(d_values),
                                             capacity,
                                             d_num_elements,
                                             options.d_status};
    if (const cudaError_t error = launch(lsm_place_exported_kernel<table_type>,
                                         {1, lsm_scan_threads, 0, options.stream, false}, a))
      return error;
    return launch(lsm_export_kernel<table_type>,
                  {lsm_blocks(gpu, at.tiles, 16), 256, 0, options.stream, false}, a);
  }

  /// All elements, in order, to the host. Done when it returns.
  [[nodiscard]] cudaError_t to_host(std::vector<Key> &keys, std::vector<Value> &values,
                                    cudaStream_t stream = nullptr) const {
    lsm_statistics now;
    if (const cudaError_t error = owner::statistics(now, stream))
      return error;
    pairs_type pairs;
    if (const cudaError_t error = pairs.allocate(now.num_elements, stream, owner::resource_))
      return error;
    Resource resource = owner::resource_;
    if (const cudaError_t error = single_phase(resource, stream, [&](void *d_temp, size_t &bytes) {
          return retrieve_all_async(d_temp, bytes, pairs.keys, pairs.values, pairs.n, pairs.count,
                                    {stream});
        }))
      return error;
    return pairs.to_host(keys, values, stream);
  }
  /// A tree of pairs on the host, in place of what was there; of equal keys the last counts. A NaN
  /// is an error. Done when it returns.
  [[nodiscard]] static cudaError_t from_host(lsm_whole &tree, const lsm_options &options,
                                             const Key *keys, const Value *values,
                                             uint64_t num_items, cudaStream_t stream = nullptr,
                                             Resource resource = {}) {
    if (num_items > uint64_t{1} << 32 || !valid_array(keys, num_items) ||
        !valid_array(values, num_items))
      return cudaErrorInvalidValue;
    pairs_type pairs;
    if (const cudaError_t error = pairs.allocate(num_items, stream, resource))
      return error;
    if (const cudaError_t error = pairs.from_host(keys, values, stream))
      return error;
    if (const cudaError_t error = cudaMemsetAsync(pairs.status, 0xff, sizeof *pairs.status, stream))
      return error;
    lsm_whole fresh;
    if (const cudaError_t error = build(fresh, options, pairs.keys, pairs.values, num_items,
                                        {stream, pairs.status}, resource))
      return error;
    device_status status;
    if (const cudaError_t error = read_back(&status, pairs.status, 1, stream))
      return error;
    if (!status.ok())
      return cudaErrorInvalidValue;
    tree = std::move(fresh);
    return cudaSuccess;
  }

  /// All elements to a file (pair_file.hpp). If that is what fails, `file` says so, and the call
  /// returns cudaErrorInvalidValue.
  [[nodiscard]] cudaError_t save(const char *path, pair_file_error &file,
                                 cudaStream_t stream = nullptr) const {
    return save_whole<Key, Value>(*this, path, file, stream);
  }
  /// A tree of the pairs in a file, in place of what was there.
  [[nodiscard]] static cudaError_t load(lsm_whole &tree, const char *path, pair_file_error &file,
                                        const lsm_options &options = {},
                                        cudaStream_t stream = nullptr, Resource resource = {}) {
    return load_whole<Key, Value>(
        path, file, [&](const Key *keys, const Value *values, uint64_t num_items) {
          return from_host(tree, options, keys, values, num_items, stream, resource);
        });
  }

private:
  /// Where merged tiles stand, packed, before they go where they belong.
  struct packed_tiles {
    plan_type *plan;
    uint64_t *splits, *offsets;
    uint32_t *counts;
    slice staging;
  };
  struct packed_storage {
    temp_storage all;
    uint64_t tiles;
    size_t plan_at, splits_at, counts_at, offsets_at, keys_at, values_at;

    packed_storage(uint64_t num_tiles, uint32_t runs, uint64_t items, temp_storage before = {})
        : all(before), tiles(num_tiles), plan_at(all.add<plan_type>(1)),
          splits_at(all.add<uint64_t>(tiles * runs)), counts_at(all.add<uint32_t>(tiles)),
          offsets_at(all.add<uint64_t>(tiles)), keys_at(all.add<raw>(items)),
          values_at(all.add<raw_value>(items)) {}
    packed_tiles in(void *d_temp) const {
      packed_tiles t{temp_storage::at<plan_type>(d_temp, plan_at),
                     temp_storage::at<uint64_t>(d_temp, splits_at),
                     temp_storage::at<uint64_t>(d_temp, offsets_at),
                     temp_storage::at<uint32_t>(d_temp, counts_at),
                     {}};
      t.staging.keys = temp_storage::at<raw>(d_temp, keys_at);
      t.staging.values = temp_storage::at<raw_value>(d_temp, values_at);
      return t;
    }
  };
  /// What the plan says, without what is stale. planning: null if the plan has been made.
  template <class Tunings>
  cudaError_t merge_packed(const device_properties &gpu, const plan_arguments *planning,
                           const packed_tiles &to, uint64_t most_items, uint32_t most_runs,
                           cudaStream_t stream) const {
    const merge_arguments merge{to.plan,    to.splits, owner::table_.format,
                                to.staging, to.counts, nullptr};
    return launch_merge<Tunings, true>(gpu, planning, merge, to.splits, most_items, most_runs,
                                       stream);
  }

  /// Both phases: an empty tree gets these pairs, of which there are some.
  template <class Policy>
  cudaError_t fill(void *d_temp, size_t &temp_bytes, const operations &pairs,
                   const run_options &options) {
    using tunings = lsm_tunings_of<Policy, table_type>;
    typename owner::change_storage sorting{};
    sorting.keys = sorting.all.template add<raw>(pairs.count);
    sorting.values = sorting.all.template add<raw_value>(pairs.count);
    sorting.refused = sorting.all.template add<uint32_t>(1);
    if (const cudaError_t error =
            owner::call_sort(nullptr, sorting.sort_bytes, nullptr, sorting, pairs, {}))
      return error;
    sorting.sort = sorting.all.template add<char>(sorting.sort_bytes);
    const packed_storage at(owner::template most_tiles<tunings>(pairs.count, 1), 1, pairs.count,
                            sorting.all);
    if (!d_temp || temp_bytes < at.all.bytes())
      return report_bytes(d_temp, temp_bytes, at.all.bytes());
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    typename owner::sorted_batch batch;
    if (const cudaError_t error = owner::sort(d_temp, sorting, pairs, options, gpu, batch))
      return error;
    const packed_tiles to = at.in(d_temp);
    const uint32_t *refused =
        owner::floating ? temp_storage::at<uint32_t>(d_temp, sorting.refused) : nullptr;
    const table_type &table = owner::table_;
    if (const cudaError_t error =
            launch(lsm_build_plan_kernel<tunings, table_type>,
                   {1, lsm_plan_threads, 0, options.stream, false},
                   lsm_build_plan_arguments<table_type>{table, batch.elements, refused, to.plan,
                                                        lsm_merge_blocks<tunings>(gpu)}))
      return error;
    if (const cudaError_t error =
            merge_packed<tunings>(gpu, nullptr, to, pairs.count, 1, options.stream))
      return error;
    const lsm_move_arguments<table_type> move{table, to.plan, to.staging, to.counts, to.offsets};
    if (const cudaError_t error = launch_place(gpu, move, options.stream))
      return error;
    return launch_move(gpu, move, at.tiles, options.stream);
  }
};

} // namespace colonnade::detail
