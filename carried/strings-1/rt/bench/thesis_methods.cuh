//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thesis_methods.cuh: thesis_bench.hpp's functions for keys, or for pairs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench.hpp"
#include "thesis_bench.hpp"

#include <colonnade/multisplit_methods.cuh>

namespace bench {

struct delta_bucket {
  uint32_t divisor;
  __device__ uint32_t operator()(uint32_t key) const { return key / divisor; }
};
struct digit_bucket {
  uint32_t shift, mask;
  __device__ uint32_t operator()(uint32_t key) const { return key >> shift & mask; }
};

/// Four numbers of bits; direct and warp-level up to 32 buckets.
template <class Method> struct thesis : Method {
  static constexpr bool by_warps = Method::method == colonnade::multisplit_method::direct ||
                                   Method::method == colonnade::multisplit_method::warp_level;
  static constexpr uint32_t max_buckets = by_warps ? 32 : 256;
  static constexpr uint32_t round_up_bits(uint32_t bits) {
    return bits <= 1 ? 1 : bits <= 3 ? 3 : bits <= 5 || by_warps ? 5 : 8;
  }
};

template <bool Pairs> struct thesis_calls {
  template <class Policy, class Bucket>
  static cudaError_t call(void *d_temp, size_t &bytes, const arrays &a, uint32_t m, Bucket bucket) {
    if constexpr (Pairs)
      return colonnade::multisplit_pairs(d_temp, bytes, a.keys_in, a.keys_out, a.values_in,
                                         a.values_out, a.num_items, m, bucket, nullptr, {},
                                         Policy{});
    else
      return colonnade::multisplit_keys(d_temp, bytes, a.keys_in, a.keys_out, a.num_items, m,
                                        bucket, nullptr, {}, Policy{});
  }
  template <class Method>
  static cudaError_t by(void *d_temp, size_t &bytes, const arrays &a, const bucket_choice &b) {
    using policy = thesis<Method>;
    if (b.divisor)
      return call<policy>(d_temp, bytes, a, b.num_buckets, delta_bucket{b.divisor});
    return call<policy>(d_temp, bytes, a, b.num_buckets, digit_bucket{b.shift, b.mask});
  }
  static cudaError_t split(void *d_temp, size_t &bytes, const arrays &a, method m,
                           const bucket_choice &b) {
    switch (m) {
    case method::direct:
      return by<colonnade::direct_policy>(d_temp, bytes, a, b);
    case method::warp_level:
      return by<colonnade::warp_level_policy>(d_temp, bytes, a, b);
    case method::block_level:
      return by<colonnade::block_level_policy>(d_temp, bytes, a, b);
    case method::reduced_bit:
      return by<colonnade::reduced_bit_policy>(d_temp, bytes, a, b);
    default:
      return by<colonnade::multisplit_policy>(d_temp, bytes, a, b);
    }
  }

  using ids = colonnade::detail::bucket_ids<delta_bucket, false>;
  using values_in = std::conditional_t<Pairs, const uint32_t *, colonnade::detail::no_items>;
  using values_out = std::conditional_t<Pairs, uint32_t *, colonnade::detail::nothing>;
  using arguments = colonnade::detail::multisplit_arguments<const uint32_t *, uint32_t *, values_in,
                                                            values_out, ids>;

  static arguments all_of(const arrays &a, const bucket_choice &b) {
    if constexpr (Pairs)
      return {{a.keys_in, a.keys_out, a.values_in, a.values_out},
              {{b.divisor}, b.num_buckets},
              a.num_items,
              nullptr,
              {}};
    else
      return {
          {a.keys_in, a.keys_out, {}, {}}, {{b.divisor}, b.num_buckets}, a.num_items, nullptr, {}};
  }
  template <class Method> static stage_times stages_by(const arrays &a, const bucket_choice &b) {
    colonnade::detail::device_properties gpu;
    CUDA_OK(colonnade::detail::query_device(gpu));
    colonnade::detail::method_stages<thesis<Method>, const uint32_t *, uint32_t *, values_in,
                                     values_out, ids>
        stages(gpu.architecture, all_of(a, b));
    void *d_temp = random_memory(stages.bytes());
    std::vector<double> times[3];
    for (int i = 0; i < warm_ups + bench::pairs; ++i) {
      CUDA_OK(stages.begin(d_temp, gpu));
      const float time[3] = {milliseconds([&] { CUDA_OK(stages.pre_scan()); }),
                             milliseconds([&] { CUDA_OK(stages.scan()); }),
                             milliseconds([&] { CUDA_OK(stages.post_scan()); })};
      for (int s = 0; s < 3 && i >= warm_ups; ++s)
        times[s].push_back(time[s]);
    }
    CUDA_OK(cudaFree(d_temp));
    return {static_cast<float>(quantile(times[0], 0.5)),
            static_cast<float>(quantile(times[1], 0.5)),
            static_cast<float>(quantile(times[2], 0.5))};
  }
  /// As many_buckets.cuh does for one pass of carried ids.
  static stage_times reduced_bit_stages(const arrays &a, const bucket_choice &b) {
    using namespace colonnade::detail;
    const arguments all = all_of(a, b);
    const auto in = join_inputs(all.keys_in, all.values_in);
    const auto out = join_outputs(all.keys_out, all.values_out);
    using item = typename std::iterator_traits<std::remove_const_t<decltype(in)>>::value_type;
    using passes = digit_passes<thesis<colonnade::reduced_bit_policy>, uint32_t, item>;
    device_properties gpu;
    CUDA_OK(query_device(gpu));
    const digit_passes_plan plan =
        passes::plan(gpu.architecture, a.num_items, digits_of_ids(b.num_buckets, false));
    void *d_temp = random_memory(plan.storage.bytes());
    uint32_t *from = static_cast<uint32_t *>(random_memory(a.num_items * 4));
    uint32_t *to = static_cast<uint32_t *>(random_memory(a.num_items * 4));
    std::vector<double> label, sort;
    for (int i = 0; i < warm_ups + bench::pairs; ++i) {
      passes r(gpu, plan, d_temp, {});
      const float time = milliseconds([&] { CUDA_OK(r.count(all.keys_in, all.ids, from)); });
      const float sorting = milliseconds([&] {
        CUDA_OK(r.scatter(0, same_word<false>{}, static_cast<const uint32_t *>(from), to, in, out));
      });
      if (i >= warm_ups) {
        label.push_back(time);
        sort.push_back(sorting);
      }
    }
    for (void *d_array : {d_temp, static_cast<void *>(from), static_cast<void *>(to)})
      CUDA_OK(cudaFree(d_array));
    return {static_cast<float>(quantile(label, 0.5)), 0, static_cast<float>(quantile(sort, 0.5))};
  }
  static stage_times stages(const arrays &a, method m, const bucket_choice &b) {
    switch (m) {
    case method::direct:
      return stages_by<colonnade::direct_policy>(a, b);
    case method::warp_level:
      return stages_by<colonnade::warp_level_policy>(a, b);
    case method::block_level:
      return stages_by<colonnade::block_level_policy>(a, b);
    default:
      return reduced_bit_stages(a, b);
    }
  }
};

} // namespace bench
