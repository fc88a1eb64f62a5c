//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of multisplit.cuh, segmented_multisplit.cuh and
// two_way_multisplit.cuh, under the default policies.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/multisplit.cuh>
#include <colonnade/segmented_multisplit.cuh>
#include <colonnade/two_way_multisplit.cuh>

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

template <class ValuesIn, class ValuesOut> kernel_record two_ways(const char *name) {
  using namespace detail;
  using arguments =
      two_way_arguments<const uint32_t *, uint32_t *, ValuesIn, ValuesOut, shift_bucket>;
  using value = typename arguments::value;
  using tuning = two_way_tuned<two_way_policy, 4, bytes_of<value>>;
  return record<two_way_kernel<tuning, arguments>>(name, tuning::value.threads,
                                                   two_way_storage<tuning, uint32_t, value>::bytes);
}

using segments_of_keys = detail::segmented_run<segmented_policy, const uint32_t *, uint32_t *,
                                               detail::no_items, detail::nothing, shift_bucket>;
template <uint32_t Bits> kernel_record short_segments(const char *name) {
  using namespace detail;
  using arguments = segments_of_keys::first;
  constexpr uint32_t rows = segments_of_keys::rows;
  using block = segments_block<segments_threads, rows, Bits, arguments, device_machine>;
  return record<segments_kernel<rows, Bits, arguments>>(name, segments_threads,
                                                        block::shared_bytes);
}
template <class Tuning, uint32_t Bits, class Source> kernel_record chunks(const char *name) {
  using namespace detail;
  using arguments =
      chunk_move_arguments<const uint32_t *, uint32_t *, no_items, nothing, ids, Source>;
  return record<chunk_move_kernel<Tuning, Bits, arguments>>(
      name, Tuning::value.threads, chunk_storage<Tuning, Bits, uint32_t, nothing>::bytes);
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
      two_ways<no_items, nothing>("two ways, 32-bit keys"),
      two_ways<const uint32_t *, uint32_t *>("two ways, 32-bit pairs"),
      short_segments<5>("short segments, 32-bit keys, 32 buckets"),
      chunks<segments_of_keys::middle, 5, middle_segments>(
          "middle segments, 32-bit keys, 32 buckets"),
      chunks<segments_of_keys::large, 8, large_segments>(
          "large segments, 32-bit keys, 256 buckets"),
  };
}

} // namespace colonnade::testing
