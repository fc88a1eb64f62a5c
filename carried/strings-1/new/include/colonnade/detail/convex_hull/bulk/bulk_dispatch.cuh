//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_dispatch.cuh: runs many convex hulls.
//
// In: the arguments of bulk_convex_hull.cuh. Out: the hulls, or cudaErrorInvalidValue. Invariant:
// the host never learns the sets' sizes; kernels of classes without sets end at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk_hull_options.hpp>
#include <colonnade/bulk_hull_tuning.hpp>
#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/convex_hull/bulk/bulk_plan.hpp>
#include <colonnade/detail/convex_hull/hull_launch.cuh>
#include <colonnade/detail/convex_hull/word_sort.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/multisplit.cuh>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

/// Index: of the hulls at their sets' offsets.
template <class Policy, class Points, class Offset, class Index> class bulk_run {
public:
  using blocks = bulk_blocks<Policy, Points, Offset, Index, device_machine>;
  using word = typename sorted_as<typename Points::coordinate>::raw;
  using plan_type = bulk_plan<typename Points::coordinate>;
  using x_passes = word_sort<typename Policy::sort, word>;
  using rank_passes = word_sort<typename Policy::sort, uint32_t>;

  Points points;
  uint64_t num_points;
  const Offset *d_offsets;
  uint64_t num_sets;
  bulk_hull_options what;
  run_options options;

  /// Of temporary storage.
  cudaError_t bytes(bool packed, size_t &bytes) const {
    size_t split_bytes = 0;
    const cudaError_t error = split(nullptr, split_bytes, nullptr, nullptr);
    bytes = most_on_any([&](gpu_architecture architecture) {
      return plan_on(architecture, packed).storage.bytes();
    });
    return error;
  }
  plan_type plan_on(gpu_architecture architecture, bool packed) const {
    size_t split_bytes = 0;
    if (split(nullptr, split_bytes, nullptr, nullptr) != cudaSuccess)
      split_bytes = 0; // bytes() has said so
    return {shape(packed), split_bytes,
            x_passes::plan(architecture, num_points, digits_of_bits(0, 8 * sizeof(word), 0)),
            rank_passes::plan(architecture, num_points,
                              digits_of_bits(0, shape(packed).rank_bits(), 0))};
  }
  bulk_shape shape(bool packed) const {
    return {num_points,
            num_sets,
            what.longest,
            what.by_x,
            packed,
            blocks::most.wide,
            blocks::many::tile::tile_points,
            Policy::pack_threads};
  }

  /// Every hull at its set's offset.
  cudaError_t run(const device_properties &gpu, const plan_type &plan, void *d_temp, Index *d_hulls,
                  uint32_t *d_counts) const {
    uint32_t *by_class = plan.template at<uint32_t>(d_temp, plan.by_class);
    uint64_t *class_begins = plan.template at<uint64_t>(d_temp, plan.class_begins);
    size_t split_bytes = ~size_t{0};
    if (const cudaError_t error =
            split(plan.template at<char>(d_temp, plan.split), split_bytes, by_class, class_begins))
      return error;
    const bulk_sets<Offset> sets{d_offsets, num_points, what.longest, by_class, class_begins};
    const typename blocks::lanes::arguments a{
        points, sets, what.by_x, what.part, {d_hulls, d_counts, d_offsets, options.d_status}};
    const hull_launcher start{gpu, options.stream};
    if (plan.shape.most_large > 0)
      if (const cudaError_t error = find_large(gpu, plan, d_temp, start, a))
        return error;
    return find_small_hulls<blocks>(start, a, num_sets);
  }

private:
  cudaError_t find_large(const device_properties &gpu, const plan_type &plan, void *d_temp,
                         const hull_launcher &start,
                         const typename blocks::lanes::arguments &a) const {
    const auto storage = plan.large_at(d_temp, a.sets);
    return find_large_hulls<blocks>(
        start, a, storage,
        [&] {
          return x_passes(gpu, plan.x_sort, plan.template at<char>(d_temp, plan.sorts),
                          options.stream, storage.num_points, true)
              .run({plan.words_at(d_temp, 0), plan.words_at(d_temp, 1)},
                   {plan.indices_at(d_temp, 0), plan.indices_at(d_temp, 1)});
        },
        [&] {
          if (plan.shape.rank_bits() == 0)
            return cudaSuccess;
          return rank_passes(gpu, plan.rank_sort, plan.template at<char>(d_temp, plan.sorts),
                             options.stream, storage.num_points, true)
              .run({plan.ranks_at(d_temp, 0), plan.ranks_at(d_temp, 1)},
                   {plan.indices_at(d_temp, 0), plan.indices_at(d_temp, 1)});
        });
  }
  cudaError_t split(void *d_temp, size_t &bytes, uint32_t *by_class, uint64_t *class_begins) const {
    const set_classes<Offset> classes{{d_offsets, num_points, what.longest, nullptr, nullptr},
                                      blocks::most};
    return multisplit_permutation(d_temp, bytes, classes, by_class, num_sets, num_set_classes,
                                  class_of_set{}, class_begins, {options.stream},
                                  typename Policy::split{});
  }
};

} // namespace COLONNADE_ABI

/// Hulls one behind the other, or each at its set's offset.
template <class Index> struct packed_hulls {
  Index *d_hulls;
  uint64_t capacity;
  uint64_t *d_hull_offsets;
};
template <class Index> struct hulls_at_offsets {
  Index *d_hulls;
  uint32_t *d_counts;
};

template <class Policy, class Call, class Index>
cudaError_t write_hulls(const Call &call, const device_properties &gpu, void *d_temp,
                        const typename Call::plan_type &plan, const hulls_at_offsets<Index> &out) {
  return call.run(gpu, plan, d_temp, out.d_hulls, out.d_counts);
}
template <class Policy, class Call, class Index>
cudaError_t write_hulls(const Call &call, const device_properties &gpu, void *d_temp,
                        const typename Call::plan_type &plan, const packed_hulls<Index> &out) {
  using offset = std::remove_const_t<std::remove_pointer_t<decltype(call.d_offsets)>>;
  using packing = pack_blocks<Policy, offset, Index, device_machine>;
  uint32_t *hulls = plan.template at<uint32_t>(d_temp, plan.hulls);
  uint32_t *counts = plan.template at<uint32_t>(d_temp, plan.counts);
  if (const cudaError_t error = call.run(gpu, plan, d_temp, hulls, counts))
    return error;
  return pack_hulls<packing>(
      hull_launcher{gpu, call.options.stream},
      typename packing::sums::arguments{{hulls, counts, call.d_offsets, call.options.d_status},
                                        call.num_sets,
                                        plan.template at<uint64_t>(d_temp, plan.tile_places),
                                        out.d_hulls,
                                        out.capacity,
                                        out.d_hull_offsets});
}

/// An output as two arrays.
struct output_range {
  const void *begin;
  uint64_t bytes;
};
template <class T> output_range range_of(const T *array, uint64_t items) {
  return {array, array ? items * sizeof(T) : 0};
}
template <class Index>
bool valid_output(const hulls_at_offsets<Index> &out, uint64_t points, uint64_t sets,
                  output_range (&ranges)[2]) {
  ranges[0] = range_of(out.d_hulls, points);
  ranges[1] = range_of(out.d_counts, sets);
  return (!out.d_hulls || valid_array(out.d_hulls, points)) && valid_array(out.d_counts, sets);
}
template <class Index>
bool valid_output(const packed_hulls<Index> &out, uint64_t, uint64_t sets,
                  output_range (&ranges)[2]) {
  if (out.capacity >> 57 != 0)
    return false;
  ranges[0] = range_of(out.d_hulls, out.capacity);
  ranges[1] = range_of(out.d_hull_offsets, sets + 1);
  return (!out.d_hulls || valid_array(out.d_hulls, out.capacity)) &&
         valid_array(out.d_hull_offsets, sets + 1);
}
template <class Call, class Output> bool valid_bulk_arrays(const Call &call, const Output &out) {
  output_range ranges[2];
  if (!call.points.valid(call.num_points) || !valid_array(call.d_offsets, call.num_sets + 1) ||
      !valid_output(out, call.num_points, call.num_sets, ranges))
    return false;
  for (const output_range &range : ranges)
    if (!call.points.apart_from(call.num_points, range.begin, range.bytes) ||
        !apart(call.d_offsets, call.num_sets + 1, range.begin, range.bytes))
      return false;
  return !ranges_overlap(ranges[0].begin, ranges[0].bytes, ranges[1].begin, ranges[1].bytes);
}

/// The most points, and sets, of a call: inside, their numbers have 32 bits.
constexpr uint64_t most_in_bulk = ~uint32_t{0};

template <class Policy, class Points, class Offset, template <class> class Output, class Index>
cudaError_t bulk_convex_hull_call(void *d_temp, size_t &temp_bytes, const Points &points,
                                  uint64_t num_points, const Offset *d_offsets, uint64_t num_sets,
                                  const bulk_hull_options &what, const Output<Index> &out,
                                  const run_options &options) {
  static_assert(std::is_unsigned_v<Index> && sizeof(Index) >= 4,
                "convex hull: indices are unsigned integers of 32 or 64 bits");
  static_assert(std::is_unsigned_v<Offset> && sizeof(Offset) >= 4,
                "convex hull: offsets are unsigned integers of 32 or 64 bits");
  constexpr bool is_packed = std::is_same_v<Output<Index>, packed_hulls<Index>>;
  using call_type =
      bulk_run<Policy, Points, Offset, std::conditional_t<is_packed, uint32_t, Index>>;
  const call_type call{points, num_points, d_offsets, num_sets, what, options};
  if (num_points > most_in_bulk || num_sets > most_in_bulk ||
      (d_temp && !valid_bulk_arrays(call, out)))
    return cudaErrorInvalidValue;
  size_t bytes = 0;
  if (const cudaError_t error = call.bytes(is_packed, bytes))
    return error;
  if (!d_temp || temp_bytes < bytes)
    return report_bytes(d_temp, temp_bytes, bytes);
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  return write_hulls<Policy>(call, gpu, d_temp, call.plan_on(gpu.architecture, is_packed), out);
}

} // namespace colonnade::detail
