//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: launches the one kernel of a bulk operation on a slab hash.
//
// In: the operation's arguments. Out: what the launch returns. Invariant: one launch, whatever n;
// nothing has to be set before or after it, so it can be captured and replayed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/slab_hash/bulk.hpp>
#include <colonnade/detail/slab_hash/machine.cuh>
#include <colonnade/run_options.cuh>
#include <colonnade/slab_hash_tuning.hpp>

#include <algorithm>

namespace colonnade::detail {

/// A policy's tuning. Changes of wide words, and a multimap's search for a free slot, take
/// registers: those of a block less.
template <class Policy, slab_tuning_of Of, bool Wide, bool Multiple> struct slab_table_tunings {
  template <gpu_architecture Architecture> struct on {
    static constexpr slab_hash_tuning of_policy =
        slab_hash_tunings<Policy, Of, Wide>::template on<Architecture>::value;
    static constexpr slab_hash_tuning with_more(slab_hash_tuning t) {
      t.resident = t.resident > 1 ? t.resident - 1 : 1;
      return t;
    }
    static constexpr slab_hash_tuning value =
        Of == slab_tuning_of::changes && (Wide || Multiple) ? with_more(of_policy) : of_policy;
  };
};
/// Far: of a search where it has a tuning of its own.
template <class Policy, class Arguments, bool Far = false, class Table = decltype(Arguments::table)>
using slab_bulk_tunings =
    slab_table_tunings<Policy,
                       Far ? slab_tuning_of::far_finds
                       : operation_changes<decltype(Arguments::operation)>()
                           ? slab_tuning_of::changes
                           : slab_tuning_of::finds,
                       sizeof(typename Table::word) != 8, Table::format_type::multiple>;
inline namespace COLONNADE_ABI {
template <class Tunings, class Arguments>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.resident)
    slab_bulk_kernel(const __grid_constant__ Arguments a) {
  constexpr slab_hash_tuning tuning = compiled<Tunings>::value;
  const device_slab_machine machine;
  machine.let_next_kernel_start();
  machine.wait_for_previous_kernel();
  slab_bulk<device_slab_machine, Arguments, tuning.lanes, tuning.in_flight>(machine, a).run();
}
} // namespace COLONNADE_ABI

/// Words of 128 bits are changed by instructions that came with sm_90.
template <class Table> bool runs_on(const Table &, const device_properties &gpu) {
  return sizeof(typename Table::word) == 8 || gpu.architecture != gpu_architecture::sm_80;
}

template <class Tunings, class Arguments>
cudaError_t launch_slab_bulk_as(const device_properties &gpu, const Arguments &a,
                                cudaStream_t stream) {
  const slab_hash_tuning tuning =
      ask_tuning<Tunings>(gpu.architecture, [](auto of) { return decltype(of)::type::value; });
  const uint64_t enough = (a.num_items - 1) / tuning.threads + 1;
  const uint64_t most = uint64_t{tuning.blocks_per_sm} * static_cast<uint32_t>(gpu.num_sms);
  return launch(slab_bulk_kernel<Tunings, Arguments>,
                {static_cast<uint32_t>(std::min(enough, most)), tuning.threads, 0, stream,
                 gpu.overlaps_launches()},
                a);
}
/// table_bytes: of all slabs that the dictionary was created with.
template <class Policy, class Arguments>
cudaError_t launch_slab_bulk(const Arguments &a, uint64_t table_bytes, cudaStream_t stream) {
  if (a.num_items == 0)
    return cudaSuccess;
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  if (!runs_on(a.table, gpu))
    return cudaErrorNotSupported;
  if constexpr (only_finds<decltype(a.operation)>)
    if (a.num_items <= Policy::few_keys || std::min(table_bytes / sizeof(slab), a.num_items) >
                                               Policy::near_bytes(gpu.architecture) / sizeof(slab))
      return launch_slab_bulk_as<slab_bulk_tunings<Policy, Arguments, true>>(gpu, a, stream);
  return launch_slab_bulk_as<slab_bulk_tunings<Policy, Arguments>>(gpu, a, stream);
}

/// Whether arrays are as they must be, before any CUDA call.
template <class KeysIn, class ValuesIn>
bool valid_slab_inputs(KeysIn keys, ValuesIn values, uint64_t n) {
  return !too_many(n) && valid_array(keys, n) && valid_array(values, n);
}

} // namespace colonnade::detail
