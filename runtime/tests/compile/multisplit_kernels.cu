//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of multisplit.cuh, under the default policy.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/multisplit.cuh>

namespace colonnade::testing {

struct shift_bucket {
  uint32_t shift;
  __device__ uint32_t operator()(uint32_t key) const { return key >> shift; }
};

using ids = detail::bucket_ids<shift_bucket, false>;

template <uint32_t Bits, class Offset, class ValuesIn, class ValuesOut>
kernel_record scatter(const char *name) {
  using namespace detail;
  using arguments = scatter_arguments<const uint32_t *, uint32_t *, ValuesIn, ValuesOut, ids>;
  using value = typename arguments::value;
  using tuning = tuned<default_policy, Bits, 4, bytes_of<value>>;
  using storage = tile_storage<tuning, Bits, Offset, uint32_t, value>;
  return record<multisplit_scatter_kernel<tuning, Bits, Offset, arguments>>(
      name, tuning::value.threads, storage::bytes);
}
template <uint32_t Bits, class Offset = uint32_t> kernel_record keys(const char *name) {
  return scatter<Bits, Offset, detail::no_items, detail::nothing>(name);
}
template <uint32_t Bits> kernel_record pairs(const char *name) {
  return scatter<Bits, uint32_t, const uint32_t *, uint32_t *>(name);
}

kernel_records multisplit_kernels() {
  using namespace detail;
  using tuning = tuned<default_policy, 8, 4, 0>;
  using histogram = histogram_block<tuning, const uint32_t *, ids, device_machine>;
  return {
      record<multisplit_histogram_kernel<tuning, const uint32_t *, ids>>(
          "histogram, 32-bit keys, 256 buckets", tuning::value.histogram_threads,
          histogram::shared_bytes(256)),
      keys<1>("scatter, 32-bit keys, 2 buckets"),
      keys<3>("scatter, 32-bit keys, 8 buckets"),
      keys<5>("scatter, 32-bit keys, 32 buckets"),
      keys<8>("scatter, 32-bit keys, 256 buckets"),
      keys<8, uint64_t>("scatter, 32-bit keys, 256 buckets, 64-bit offsets"),
      pairs<3>("scatter, 32-bit pairs, 8 buckets"),
      pairs<8>("scatter, 32-bit pairs, 256 buckets"),
  };
}

} // namespace colonnade::testing
