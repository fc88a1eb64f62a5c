//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// build.cuh: fills a slab hash from arrays: a multisplit by groups of buckets, then one kernel.
//
// Traffic for n pairs of b bytes: the multisplit reads the keys and then reads and writes the pairs
// once for each 8 bits of a group's number; the kernel reads the pairs and writes the first slabs
// of all chains.
//
// In: a table of which the first slabs of chains need not be filled, keys and values. Out: the
// chains. Invariant: a group has so many buckets that its pairs are expected to fit into a block's
// shared memory. Reserved keys get a group that there is not, so the multisplit finds the first.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/slab_hash/build.hpp>
#include <colonnade/detail/slab_hash/dispatch.cuh>
#include <colonnade/multisplit.cuh>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {

/// 2304 pairs of a mean chunk of 3072, or half as many of 16 bytes.
template <class Table>
using build_shape_of = build_shape<256, sizeof(typename Table::word) == 8 ? 12 : 6, 8>;

/// Blocks on an SM that shared memory suffices for. On sm_90 the fourth is worth more than the
/// registers that three would have (1.05 against 1.16 ms of 2^26 pairs).
constexpr uint32_t build_resident(gpu_architecture architecture) {
  return architecture == gpu_architecture::sm_80    ? 3
         : architecture == gpu_architecture::sm_120 ? 2
                                                    : 4;
}

template <class Table> uint32_t log2_buckets_of_group(const Table &table, uint64_t n) {
  using shape = build_shape_of<Table>;
  const double mean = static_cast<double>(n) / table.num_buckets;
  uint32_t log2 = shape::most_log2_buckets;
  while (log2 && mean * (1u << log2) > shape::items * 0.8)
    --log2;
  return log2;
}

/// One kernel of the scatter pass for all numbers of groups.
struct build_split_policy : multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t) { return 8; }
};

template <class Table> struct group_of_key {
  decltype(Table::format) format;
  decltype(Table::hash) hash;
  uint32_t num_buckets, log2_buckets;

  COLONNADE_HOST_DEVICE uint32_t operator()(const typename Table::key_type &key) const {
    return format.is_reserved(key) ? ~0u : spread_below(hash(key), num_buckets) >> log2_buckets;
  }
};

inline namespace COLONNADE_ABI {
template <class Table>
__global__ void __launch_bounds__(build_shape_of<Table>::threads,
                                  build_resident(compiled_architecture))
    build_groups_kernel(const __grid_constant__ build_arguments<Table> a) {
  extern __shared__ char build_shared[];
  using shape = build_shape_of<Table>;
  const device_slab_machine machine;
  group_build<device_slab_machine, Table, shape>(
      machine, a, *reinterpret_cast<build_storage<Table, shape> *>(build_shared))
      .run();
}
} // namespace COLONNADE_ABI

template <class Table>
cudaError_t launch_build(const build_arguments<Table> &a, uint32_t groups, cudaStream_t stream) {
  static allowed_devices allowed_on;
  constexpr size_t bytes = sizeof(build_storage<Table, build_shape_of<Table>>);
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  if (!runs_on(a.table, gpu))
    return cudaErrorNotSupported;
  if (const cudaError_t error =
          allow_shared_memory(build_groups_kernel<Table>, bytes, gpu.device, allowed_on))
    return error;
  return launch(build_groups_kernel<Table>,
                {groups, build_shape_of<Table>::threads, bytes, stream, false}, a);
}

/// Both phases.
template <class Table, class KeysIn, class ValuesIn>
cudaError_t build_chains(void *d_temp, size_t &temp_bytes, const Table &table, KeysIn keys_in,
                         ValuesIn values_in, uint64_t n, const run_options &options) {
  using key = typename Table::key_type;
  using value = typename Table::value_type;
  constexpr bool has_values = !std::is_same_v<value, no_value>;
  const uint32_t log2 = log2_buckets_of_group(table, n);
  const uint32_t groups = ((table.num_buckets - 1) >> log2) + 1;
  const group_of_key<Table> group{table.format, table.hash, table.num_buckets, log2};
  temp_storage layout;
  const size_t keys_at = layout.add<key>(n), values_at = layout.add<value>(has_values ? n : 0),
               offsets_at = layout.add<uint64_t>(uint64_t{groups} + 1),
               wild_at = layout.add<device_status>(1);
  key *keys = temp_storage::at<key>(d_temp, keys_at);
  value *values = has_values ? temp_storage::at<value>(d_temp, values_at) : nullptr;
  uint64_t *offsets = temp_storage::at<uint64_t>(d_temp, offsets_at);
  device_status *wild = temp_storage::at<device_status>(d_temp, wild_at);
  const auto split = [&](void *d_split, size_t &bytes) {
    const run_options with_wild{options.stream, wild};
    if constexpr (has_values)
      return multisplit_pairs(d_split, bytes, keys_in, keys, values_in, values, n, groups, group,
                              offsets, with_wild, build_split_policy{});
    else
      return multisplit_keys(d_split, bytes, keys_in, keys, n, groups, group, offsets, with_wild,
                             build_split_policy{});
  };
  size_t split_bytes = 0;
  if (const cudaError_t error = split(nullptr, split_bytes))
    return error;
  const size_t split_at = layout.add<char>(split_bytes);
  if (!d_temp || temp_bytes < layout.bytes())
    return report_bytes(d_temp, temp_bytes, layout.bytes());
  if (const cudaError_t error = cudaMemsetAsync(wild, 0xff, sizeof(device_status), options.stream))
    return error;
  if (const cudaError_t error = split(temp_storage::at<char>(d_temp, split_at), split_bytes))
    return error;
  return launch_build<Table>({table, keys, values, offsets, log2, wild, options.d_status}, groups,
                             options.stream);
}

} // namespace colonnade::detail
