//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// many_buckets.cuh: a multisplit into more than 256 buckets, by a stable scatter pass for
// each digit of the bucket id.
//
// Where the functor looks at the key alone, every pass asks it again. Otherwise
// the histogram pass writes every item's id, the ids are what the passes sort, and
// keys and values go with them. The offsets are searched for in the result.
//
//   passes   copies of the items in temporary storage
//   2        1          m up to 65536 (discarding: 65280)
//   3, 4     2          m up to 2^31
//   and two arrays of 4-byte ids where ids are carried
//
// In: arguments that have been checked, temporary storage or null to ask for its bytes. Out: every
// item in its bucket, stable; the offsets, if wanted.
// Invariant: a pass reads what the one before has written and never writes where it reads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/joined.hpp>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/digits/digit_passes.cuh>
#include <colonnade/detail/multisplit/arguments.cuh>
#include <colonnade/detail/multisplit/many_buckets/bucket_bounds.hpp>
#include <colonnade/detail/multisplit/many_buckets/bucket_counts.cuh>
#include <colonnade/detail/multisplit/many_buckets/carried_ids.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class SortedIn, class Word>
__global__ void __launch_bounds__(256)
    bucket_bounds_kernel(const __grid_constant__ bucket_bounds_arguments<SortedIn, Word> a) {
  const device_machine machine;
  find_bucket_bounds(machine, a, 256);
}

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
class many_buckets {
public:
  using arguments = multisplit_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;
  using key = typename arguments::key;
  using value = typename arguments::value;
  static constexpr bool writes_keys = arguments::writes_keys;
  static constexpr bool has_values = arguments::has_values;
  static constexpr bool carries = carries_ids<Policy, key, KeysOut, decltype(Ids::bucket)>;

  static cudaError_t run(void *d_temp, size_t &temp_bytes, const arguments &a) {
    if constexpr (!writes_keys && !has_values)
      return bucket_counts<KeysIn, Ids>::offsets(d_temp, temp_bytes, a.keys_in, a.ids, a.num_items,
                                                 a.offsets, a.options);
    else
      return move(d_temp, temp_bytes, a);
  }

private:
  using moved_key = std::conditional_t<writes_keys, key, nothing>;
  using spare = spare_arrays<moved_key, value>;
  using item_in_place =
      decltype(join_inputs(std::declval<spare>().keys_in(), std::declval<spare>().values_in()));
  using joined = typename std::iterator_traits<item_in_place>::value_type;
  using passes = std::conditional_t<carries, digit_passes<Policy, uint32_t, joined, item_count>,
                                    digit_passes<Policy, key, value, item_count>>;

  struct places {
    digit_passes_plan plan;
    size_t keys[2] = {}, values[2] = {}, ids[2] = {}; // behind the plan's own
  };
  static places storage_on(gpu_architecture architecture, const arguments &a) {
    places at{passes::plan(architecture, a.num_items.most,
                           digits_of_ids(a.ids.num_buckets, Ids::discards))};
    temp_storage &storage = at.plan.storage;
    for (int i = 0; i < 2; ++i) {
      const uint64_t items = at.plan.digits.count > (i == 0 ? 1u : 2u) ? a.num_items.most : 0;
      at.keys[i] = storage.add<char>(items * bytes_of<moved_key>);
      at.values[i] = storage.add<char>(items * bytes_of<value>);
      at.ids[i] = storage.add<uint32_t>(carries ? a.num_items.most : 0);
    }
    return at;
  }

  static cudaError_t move(void *d_temp, size_t &temp_bytes, const arguments &a) {
    const uint64_t bytes = most_on_any([&](gpu_architecture architecture) {
      return storage_on(architecture, a).plan.storage.bytes();
    });
    if (!d_temp || temp_bytes < bytes)
      return report_bytes(d_temp, temp_bytes, bytes);
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    const places at = storage_on(gpu.architecture, a);
    const digit_passes_plan &plan = at.plan;
    passes r(gpu, plan, d_temp, a.options, a.num_items.d_num_items);
    spare spares[2];
    uint32_t *ids[2];
    for (int i = 0; i < 2; ++i) {
      spares[i] = {temp_storage::at<moved_key>(d_temp, at.keys[i]),
                   temp_storage::at<value>(d_temp, at.values[i])};
      ids[i] = temp_storage::at<uint32_t>(d_temp, at.ids[i]);
    }
    const uint64_t *kept = temp_storage::at<uint64_t>(d_temp, plan.kept);
    if constexpr (carries)
      return carry_ids(r, plan.digits.count, spares, ids, kept, a);
    else
      return ask_again(r, plan.digits.count, spares, kept, a);
  }

  static cudaError_t ask_again(passes &r, uint32_t num_passes, const spare (&spares)[2],
                               const uint64_t *kept, const arguments &a) {
    const bucket_word<Ids> word{a.ids};
    cudaError_t error = r.count(a.keys_in, a.ids, nothing{});
    if (!error)
      error =
          r.scatter(0, word, a.keys_in, spares[0].keys_out(), a.values_in, spares[0].values_out());
    for (uint32_t k = 1; !error && k < num_passes - 1; ++k)
      error = r.scatter(k, word, spares[(k - 1) % 2].keys_in(), spares[k % 2].keys_out(),
                        spares[(k - 1) % 2].values_in(), spares[k % 2].values_out());
    const spare &last = spares[num_passes % 2];
    if (!error)
      error = r.scatter(num_passes - 1, word, last.keys_in(), a.keys_out, last.values_in(),
                        a.values_out);
    return error ? error : write_offsets(a.keys_out, word, kept, a);
  }

  static cudaError_t carry_ids(passes &r, uint32_t num_passes, const spare (&spares)[2],
                               uint32_t *const (&ids)[2], const uint64_t *kept,
                               const arguments &a) {
    const same_word<Ids::discards> word;
    const auto from = [&](uint32_t k) { return static_cast<const uint32_t *>(ids[k % 2]); };
    const auto to = [&](uint32_t k) { return ids[(k + 1) % 2]; };
    cudaError_t error = r.count(a.keys_in, a.ids, ids[0]);
    if (!error && num_passes == 1)
      error =
          r.scatter(0, word, from(0), to(0), input_of(a), join_outputs(a.keys_out, a.values_out));
    else if (!error)
      error = r.scatter(0, word, from(0), to(0), input_of(a), output_of(spares[0]));
    for (uint32_t k = 1; !error && k < num_passes - 1; ++k)
      error = r.scatter(k, word, from(k), to(k), input_of(spares[(k - 1) % 2]),
                        output_of(spares[k % 2]));
    const uint32_t last = num_passes - 1;
    if (!error && last > 0)
      error = r.scatter(last, word, from(last), to(last), input_of(spares[num_passes % 2]),
                        join_outputs(a.keys_out, a.values_out));
    return error ? error : write_offsets(from(num_passes), word, kept, a);
  }
  static auto input_of(const arguments &a) {
    if constexpr (writes_keys)
      return join_inputs(a.keys_in, a.values_in);
    else
      return a.values_in;
  }
  static auto input_of(const spare &s) { return join_inputs(s.keys_in(), s.values_in()); }
  static auto output_of(const spare &s) { return join_outputs(s.keys_out(), s.values_out()); }

  template <class SortedIn, class Word>
  static cudaError_t write_offsets(SortedIn sorted, const Word &word, const uint64_t *kept,
                                   const arguments &a) {
    if (!a.offsets)
      return cudaSuccess;
    const bucket_bounds_arguments<SortedIn, Word> b{sorted, word, kept, a.ids.num_buckets,
                                                    a.offsets};
    const uint32_t blocks = std::min(a.ids.num_buckets / 256 + 1, 65536u);
    return launch(bucket_bounds_kernel<SortedIn, Word>, {blocks, 256, 0, a.options.stream, false},
                  b);
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
