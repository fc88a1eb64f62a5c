//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// methods.cuh: the launches of the thesis's three methods, stage by stage.
//
//   memset (12 bytes) -> pre-scan: counts -> scan of each bucket's counts
//                     -> post-scan: items to their places
//
// In: a multisplit's arguments into up to 256 buckets, checked. Out: the same as the default
// method's, bit for bit. A stage can be run alone, for benchmarks, after those before it.
// Invariant: stages run in the order above, each over the storage that `begin` was given.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/multisplit/arguments.cuh>
#include <colonnade/detail/multisplit/chunks/chunk_launch.cuh>
#include <colonnade/detail/multisplit/many_buckets/many_buckets.cuh>
#include <colonnade/detail/multisplit/methods/warp_chunks.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

constexpr uint32_t warp_chunks_threads = 256, warp_chunks_rows = 8;

enum class warp_stage : bool { count, move };

template <warp_stage Stage, uint32_t Bits, bool Reorders, class Arguments>
__global__ void __launch_bounds__(warp_chunks_threads)
    warp_chunks_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char warp_chunks_shared[];
  const device_machine machine;
  warp_chunks_block<warp_chunks_threads, warp_chunks_rows, Bits, Reorders, Arguments,
                    device_machine>
      block(machine, a, warp_chunks_shared);
  if constexpr (Stage == warp_stage::count)
    block.count();
  else
    block.move();
}

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
class method_stages {
public:
  using arguments = multisplit_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;
  using warps = warp_chunks_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;
  using blocks = chunk_move_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids, whole_input>;
  using key = typename warps::key;
  using value = typename warps::value;
  static constexpr size_t item_bytes = warps::item_bytes;
  static constexpr bool by_blocks = Policy::method == multisplit_method::block_level;
  static constexpr bool reorders = Policy::method == multisplit_method::warp_level;
  struct tunings {
    template <gpu_architecture Architecture> struct on {
      static constexpr chunk_tuning value = Policy::chunks(Architecture, item_bytes);
    };
  };
  static_assert(!Policy::discards, "only the default method discards");
  static_assert(Policy::warp_chunk_rows % warp_chunks_rows == 0, "whole tiles");

  method_stages(gpu_architecture architecture, const arguments &a)
      : a_(a), chunk_items_(chunk_items_on(architecture)),
        most_chunks_(std::max<uint64_t>(1, chunk_cut::chunks(a.num_items.most, chunk_items_))) {
    tickets_at_ = storage_.add<uint32_t>(3);
    totals_at_ = storage_.add<uint64_t>(a.ids.count());
    counts_at_ = storage_.add<uint64_t>(most_chunks_ * a.ids.count());
    bits_ = 1;
    while ((1u << bits_) < a.ids.count())
      ++bits_;
  }
  size_t bytes() const { return storage_.bytes(); }

  /// First of all: to the storage, whose tickets are zeroed.
  cudaError_t begin(void *d_temp, const device_properties &gpu) {
    gpu_ = gpu;
    tickets_ = temp_storage::at<uint32_t>(d_temp, tickets_at_);
    source_ = {a_.num_items, chunk_items_, temp_storage::at<uint64_t>(d_temp, counts_at_),
               temp_storage::at<uint64_t>(d_temp, totals_at_), a_.offsets};
    return cudaMemsetAsync(tickets_, 0, 3 * sizeof(uint32_t), a_.options.stream);
  }
  cudaError_t pre_scan() const {
    if constexpr (by_blocks) {
      const chunk_counts_arguments<KeysIn, Ids, whole_input> c{a_.keys_in, a_.ids, source_,
                                                               tickets_};
      return launch_chunk_counts(gpu_, c, most_chunks_, a_.options.stream);
    } else {
      return with_bits<1>([&](auto bits) { return launch_warps<warp_stage::count, bits()>(); });
    }
  }
  cudaError_t scan() const {
    const row_scan_arguments<whole_input> r{source_, a_.ids.count(), tickets_ + 1};
    return launch_row_scan(gpu_, r, a_.ids.count(), a_.options.stream);
  }
  cudaError_t post_scan() const {
    return with_bits<1>([&](auto bits) {
      if constexpr (by_blocks) {
        const blocks b{a_.keys_in, a_.keys_out, a_.values_in, a_.values_out,
                       a_.ids,     source_,     tickets_ + 2, a_.options.d_status};
        return launch_chunk_move<tunings, bits()>(gpu_, b, most_chunks_, a_.options.stream);
      } else {
        return launch_warps<warp_stage::move, bits()>();
      }
    });
  }

private:
  static uint64_t chunk_items_on(gpu_architecture architecture) {
    const chunk_tuning t = Policy::chunks(architecture, item_bytes);
    return by_blocks ? uint64_t{t.threads} * t.items_per_thread * t.chunk_tiles
                     : 32 * Policy::warp_chunk_rows;
  }
  /// Calls f with the number of bits, rounded up, as a constant.
  template <uint32_t Bits, class F> cudaError_t with_bits(F f) const {
    constexpr uint32_t rounded = Policy::round_up_bits(Bits);
    if constexpr (Bits < 8)
      if (bits_ > Bits)
        return with_bits<Bits + 1>(f);
    return f(std::integral_constant<uint32_t, rounded>{});
  }
  template <warp_stage Stage, uint32_t Bits> cudaError_t launch_warps() const {
    using block = warp_chunks_block<warp_chunks_threads, warp_chunks_rows, Bits, reorders, warps,
                                    device_machine>;
    static allowed_devices allowed;
    const auto kernel = warp_chunks_kernel<Stage, Bits, reorders, warps>;
    const size_t bytes = Stage == warp_stage::move ? block::shared_bytes : 0;
    if (const cudaError_t error = allow_shared_memory(kernel, bytes, gpu_.device, allowed))
      return error;
    const warps w{a_, a_.ids, source_, a_.options.d_status};
    const uint64_t blocks_needed = most_chunks_ / (warp_chunks_threads / 32) + 1;
    const uint32_t blocks =
        static_cast<uint32_t>(std::min<uint64_t>(blocks_needed, 64u * gpu_.num_sms));
    return launch(kernel, {blocks, warp_chunks_threads, bytes, a_.options.stream, false}, w);
  }

  arguments a_;
  uint64_t chunk_items_, most_chunks_;
  uint32_t bits_;
  temp_storage storage_;
  size_t tickets_at_, totals_at_, counts_at_;
  uint32_t *tickets_ = nullptr;
  whole_input source_{0, 1, nullptr, nullptr, nullptr};
  device_properties gpu_;
};

} // namespace COLONNADE_ABI

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct method_run {
  using arguments = multisplit_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;

  static cudaError_t run(void *d_temp, size_t &temp_bytes, const arguments &a) {
    if constexpr (Policy::method == multisplit_method::reduced_bit_sort) {
      return many_buckets<Policy, KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>::run(d_temp,
                                                                                  temp_bytes, a);
    } else {
      using stages_type = method_stages<Policy, KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;
      const uint64_t bytes = most_on_any(
          [&](gpu_architecture architecture) { return stages_type(architecture, a).bytes(); });
      if (!d_temp || temp_bytes < bytes)
        return report_bytes(d_temp, temp_bytes, bytes);
      device_properties gpu;
      if (const cudaError_t error = query_device(gpu))
        return error;
      stages_type stages(gpu.architecture, a);
      cudaError_t error = stages.begin(d_temp, gpu);
      error = error ? error : stages.pre_scan();
      error = error ? error : stages.scan();
      return error ? error : stages.post_scan();
    }
  }
};

} // namespace colonnade::detail
