//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: packed texts as kernels see them, and how they are divided.
//
// In: a job without its temporary storage. Out: launches. Invariant: as in ../launch.cuh, whose
// divisions of a text these are, in bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/launch.cuh>
#include <colonnade/detail/string_matching/packed/skim.hpp>

namespace colonnade::detail {

/// Characters of so many bits.
template <uint32_t Bits> struct text_of_bits {
  using job_type = packed_job;
  static constexpr bool may_overlap = true;
  static constexpr uint32_t noted_windows = 0;
  template <class Tuning, class Work>
  __device__ __forceinline__ static void with_skimmer(const device_machine &machine,
                                                      const packed_job &job, Work work) {
    __shared__ unit_table table;
    if (job.unit_bits)
      fill_table<Bits>(machine, job, table);
    work.template operator()<packed_skimmer<Tuning, Bits, device_machine>>(packed_view{job, table});
  }
};

/// Segments of at most 2^16 characters, whose numbers the slots have room for.
template <class Policy, uint32_t Bits> struct packed_policy : Policy {
  static constexpr uint32_t most_rounds_of(gpu_architecture architecture) {
    return 65536 / (packed_shape<Bits>::row_windows * Policy::tuning(architecture).loads);
  }
  static constexpr uint32_t most_rounds = [] {
    uint32_t most = Policy::most_rounds;
    for (const gpu_architecture architecture : gpu_architectures)
      most = std::min(most, most_rounds_of(architecture));
    return most;
  }();
  static_assert(most_rounds > 0);
};

/// Both phases, of one number of bits. num_items: characters.
template <class Policy, matching_result Result, uint32_t Bits>
cudaError_t match_packed(void *d_temp, size_t &temp_bytes, packed_job job, uint64_t num_items,
                         cudaStream_t stream) {
  using policy = packed_policy<Policy, Bits>;
  constexpr bool lists = Result == matching_result::positions,
                 first = Result == matching_result::first;
  const bool apart = !first && job.every > 1;
  job.num_positions = num_items < job.length ? 0 : num_items - job.length + 1;
  // The first one is anywhere in its byte.
  const uint64_t bytes = job.num_positions / packed_shape<Bits>::per_byte + 2;
  matching_places places;
  places.add<policy>(bytes, false, lists, apart);
  if (!d_temp || temp_bytes < places.all.bytes())
    return report_bytes(d_temp, temp_bytes, places.all.bytes());
  places.put(d_temp, job, false, lists, apart);
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const string_matching_tuning tuning = Policy::tuning(gpu.architecture);
  const auto shape = first ? matching_shape::walking(tuning, policy::most_rounds, bytes, gpu)
                           : matching_shape(tuning, policy::most_rounds, bytes);
  const bool none = job.num_positions == 0;
  job.rounds = shape.rounds;
  if (apart && !lists)
    job.capacity = ~uint64_t{0}; // none is missing
  if (none || first || (!lists && !apart && shape.blocks > 1))
    if (const cudaError_t error =
            cudaMemsetAsync(job.num_matches, first ? 0xff : 0, sizeof(uint64_t), stream))
      return error;
  if (none)
    return cudaSuccess;
  return skim<Policy, text_of_bits<Bits>, Result>(job, shape, tuning.threads, stream);
}

template <class Policy, matching_result Result>
cudaError_t match_packed(void *d_temp, size_t &temp_bytes, const packed_job &job, uint32_t bits,
                         uint64_t num_items, cudaStream_t stream) {
  switch (bits) {
  case 1:
    return match_packed<Policy, Result, 1>(d_temp, temp_bytes, job, num_items, stream);
  case 2:
    return match_packed<Policy, Result, 2>(d_temp, temp_bytes, job, num_items, stream);
  default:
    return match_packed<Policy, Result, 4>(d_temp, temp_bytes, job, num_items, stream);
  }
}

} // namespace colonnade::detail
