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

template <uint32_t Bits, class ValuesIn, class ValuesOut, bool IsDigit = false>
kernel_record scatter(const char *name) {
  using namespace detail;
  constexpr bool has_values = !std::is_same_v<ValuesIn, no_items>;
  using ranked = typename scatter_kernels<multisplit_policy, false, has_values>::template of<Bits>;
  using digits = digit_ids<bucket_word<ids>>; // 256 buckets of pairs, and each pass into more
  constexpr bool is_digit = Bits == digit_bits && (has_values || IsDigit);
  using arguments = scatter_arguments<const uint32_t *, uint32_t *, ValuesIn, ValuesOut,
                                      std::conditional_t<is_digit, digits, ids>>;
  using value = typename arguments::value;
  using tunings = multisplit_tunings<multisplit_policy, ranked::most, 4, bytes_of<value>>;
  return record_on<multisplit_scatter_kernel<tunings, ranked, arguments>>(
      name, scatter_shape_on<tunings, ranked::most, uint32_t, value>);
}
template <uint32_t Bits, bool IsDigit = false> kernel_record keys(const char *name) {
  return scatter<Bits, detail::no_items, detail::nothing, IsDigit>(name);
}
template <uint32_t Bits> kernel_record pairs(const char *name) {
  return scatter<Bits, const uint32_t *, uint32_t *>(name);
}

template <class ValuesIn, class ValuesOut> kernel_record two_ways(const char *name) {
  using namespace detail;
  using arguments =
      two_way_arguments<const uint32_t *, uint32_t *, ValuesIn, ValuesOut, shift_bucket>;
  using value = typename arguments::value;
  using tunings = two_way_tunings<two_way_policy, 4, bytes_of<value>>;
  return record_on<two_way_kernel<tunings, arguments>>(name,
                                                       two_way_shape_on<tunings, uint32_t, value>);
}

using segments_of_keys =
    detail::segmented_run<segmented_multisplit_policy, const uint32_t *, uint32_t *,
                          detail::no_items, detail::nothing, shift_bucket>;
template <uint32_t Bits> kernel_record short_segments(const char *name) {
  using namespace detail;
  using arguments = segments_of_keys::first;
  using rows = segments_of_keys::rows;
  return record_on<segments_kernel<rows, Bits, arguments>>(name, [](gpu_architecture architecture) {
    return ask_tuning<rows>(architecture, [](auto of) {
      using block = segments_block<segments_threads, decltype(of)::type::value, Bits, arguments,
                                   device_machine>;
      return block_of_bytes{segments_threads, block::shared_bytes};
    });
  });
}
template <class Tunings, uint32_t Bits, class Source> kernel_record chunks(const char *name) {
  using namespace detail;
  using arguments =
      chunk_move_arguments<const uint32_t *, uint32_t *, no_items, nothing, ids, Source>;
  return record_on<chunk_move_kernel<Tunings, Bits, arguments>>(
      name, chunk_shape_on<Tunings, Bits, uint32_t, nothing>);
}

template <class Key, class ValuesIn, class ValuesOut> kernel_record team(const char *name) {
  using namespace detail;
  using work = split_work<const Key *, Key *, ValuesIn, ValuesOut, ids>;
  return record<team_split_kernel<work>>(
      name, 1024,
      team_split_block<work, device_machine>::shared_bytes(1024 * work::items_per_thread));
}

kernel_records multisplit_kernels() {
  using namespace detail;
  using tunings = multisplit_tunings<multisplit_policy, 8, 4, 0>;
  const auto histogram_on = [](gpu_architecture architecture) {
    return ask_tuning<tunings>(architecture, [](auto of) {
      using tuning = typename decltype(of)::type;
      using block = histogram_block<tuning, const uint32_t *, ids, device_machine>;
      return block_of_bytes{block::threads, block::shared_bytes(256)};
    });
  };
  return {
      record_on<multisplit_histogram_kernel<tunings, const uint32_t *, ids>>(
          "histogram, 32-bit keys, 256 buckets", histogram_on),
      keys<1>("scatter, 32-bit keys, 2 buckets"),
      keys<3>("scatter, 32-bit keys, up to 8 buckets"),
      keys<4>("scatter, 32-bit keys, up to 16 buckets"),
      keys<5>("scatter, 32-bit keys, up to 32 buckets"),
      keys<6>("scatter, 32-bit keys, up to 64 buckets"),
      keys<7>("scatter, 32-bit keys, up to 128 buckets"),
      keys<8>("scatter, 32-bit keys, up to 256 buckets"),
      keys<8, true>("scatter, 32-bit keys, a digit of 8 bits"),
      pairs<3>("scatter, 32-bit pairs, up to 8 buckets"),
      pairs<4>("scatter, 32-bit pairs, up to 16 buckets"),
      pairs<5>("scatter, 32-bit pairs, up to 32 buckets"),
      pairs<6>("scatter, 32-bit pairs, up to 64 buckets"),
      pairs<7>("scatter, 32-bit pairs, up to 128 buckets"),
      pairs<8>("scatter, 32-bit pairs, up to 256 buckets"),
      team<uint32_t, no_items, nothing>("team, 32-bit keys"),
      team<uint32_t, const uint32_t *, uint32_t *>("team, 32-bit pairs"),
      team<uint64_t, const uint64_t *, uint64_t *>("team, 64-bit pairs"),
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
