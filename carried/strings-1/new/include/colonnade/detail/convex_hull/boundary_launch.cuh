//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// boundary_launch.cuh: finds all points on the boundary of a hull.
//
//   the strict hull                       dispatch.cuh
//   frame, sides, words, write            boundary.hpp
//   those on the boundary, and sides      our multisplit; along sides: our sort by digits
//
// In: as dispatch.cuh. Out: the points on the boundary, in order. Invariant: the strict hull stands
// within the storage that finding it needs; once sides are found, the rest uses all of that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/boundary.hpp>
#include <colonnade/detail/convex_hull/dispatch.cuh>
#include <colonnade/multisplit.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Policy, class Points, class Vertices> class boundary_run {
public:
  using strict = hull_run<Policy, Points, index_vertices<uint32_t>>;
  using coordinate = typename Points::coordinate;
  using word = typename sorted_as<coordinate>::raw;
  using passes = word_sort<typename Policy::sort, word>;

  Points points;
  item_count num_points;
  hull_options what;
  hull_output<Vertices> out;
  run_options options;

  template <hull_input Input> static size_t bytes(uint64_t most) {
    return most_on_any([&](gpu_architecture architecture) {
      return plan<Input>(architecture, most).storage.bytes();
    });
  }
  template <hull_input Input> cudaError_t run(void *d_temp) const {
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    const plan_type p = plan<Input>(gpu.architecture, num_points.most);
    uint64_t *num_hull = temp_storage::at<uint64_t>(d_temp, p.num_hull);
    char *work = temp_storage::at<char>(d_temp, p.work);
    uint32_t *hull = temp_storage::at<uint32_t>(work, p.hull);
    if (const cudaError_t error = strict{points,
                                         num_points,
                                         {},
                                         {{hull}, num_points.most, num_hull, options.d_status},
                                         options}
                                      .template run<Input>(work))
      return error;
    uint64_t *offsets = temp_storage::at<uint64_t>(d_temp, p.offsets);
    const boundary_arguments<Points> a{
        points,
        num_points,
        hull,
        num_hull,
        what.part,
        temp_storage::at<boundary_frame<coordinate>>(d_temp, p.frame),
        temp_storage::at<boundary_side>(d_temp, p.sides),
        offsets + 1,
        temp_storage::at<uint32_t>(work, p.indices[0]),
        temp_storage::at<word>(work, p.words[0])};
    return find(gpu, p, work, a, offsets);
  }

private:
  struct plan_type {
    digit_passes_plan sort;
    temp_storage storage, in_work;
    size_t num_hull, frame, offsets, sides, work;
    size_t hull;                                   // in work, until there are sides
    size_t split, passes_at, words[2], indices[2]; // in work, from then on
  };

  template <hull_input Input> static plan_type plan(gpu_architecture architecture, uint64_t most) {
    plan_type p{passes::plan(architecture, most, digits_of_bits(0, 8 * sizeof(word), 0))};
    p.num_hull = p.storage.template add<uint64_t>(1);
    p.frame = p.storage.template add<boundary_frame<coordinate>>(1);
    p.offsets = p.storage.template add<uint64_t>(3 + 6);
    p.sides = p.storage.template add<boundary_side>(most);
    p.hull = strict::hull_place(architecture, most);
    p.split = p.in_work.template add<char>(split_bytes(most));
    p.passes_at = p.in_work.template add<char>(p.sort.storage.bytes());
    for (uint32_t k = 0; k < 2; ++k) {
      p.words[k] = p.in_work.template add<word>(most);
      p.indices[k] = p.in_work.template add<uint32_t>(most);
    }
    const size_t of_strict = strict::template bytes<Input>(most);
    p.work = p.storage.template add<char>(std::max(of_strict, p.in_work.bytes()));
    return p;
  }
  /// Of either split.
  static size_t split_bytes(uint64_t most) {
    size_t all = 0, sides = 0;
    const cudaError_t errors[2] = {
        multisplit_permutation(nullptr, all, static_cast<const boundary_side *>(nullptr),
                               static_cast<uint32_t *>(nullptr), most, 2, is_off_boundary{},
                               nullptr, {}, typename Policy::split{}),
        multisplit_keys(nullptr, sides, static_cast<const uint32_t *>(nullptr),
                        static_cast<uint32_t *>(nullptr), most, 5, side_of_point{}, nullptr, {},
                        typename Policy::split{})};
    return errors[0] || errors[1] ? 0 : std::max(all, sides); // numbers of points were checked
  }
  cudaError_t find(const device_properties &gpu, const plan_type &p, char *work,
                   const boundary_arguments<Points> &a, uint64_t *offsets) const {
    const hull_launcher start{gpu, options.stream};
    using frame = boundary_frame_block<Points, device_machine>;
    using sides = boundary_sides_block<Points, Policy::write_threads, device_machine>;
    using words = boundary_words_block<Points, Policy::write_threads, device_machine>;
    using write = write_boundary_block<Points, Vertices, Policy::write_threads, device_machine>;
    const uint64_t blocks = num_points.most / Policy::write_threads + 1;
    char *split = temp_storage::at<char>(work, p.split);
    size_t split_bytes = ~size_t{0};
    uint32_t *indices[2] = {a.indices, temp_storage::at<uint32_t>(work, p.indices[1])};
    if (const cudaError_t error = start(std::type_identity<frame>{}, 1, a))
      return error;
    if (const cudaError_t error = start(std::type_identity<sides>{}, blocks, a))
      return error;
    if (const cudaError_t error = multisplit_permutation(
            split, split_bytes, static_cast<const boundary_side *>(a.sides), indices[0], num_points,
            2, is_off_boundary{}, offsets, {options.stream}, typename Policy::split{}))
      return error;
    if (const cudaError_t error = start(std::type_identity<words>{}, blocks, a))
      return error;
    if (const cudaError_t error = sort(gpu, p, work, a, indices))
      return error;
    const bool has_sides = what.part == hull_part::whole;
    if (has_sides)
      if (const cudaError_t error = multisplit_keys(
              split, split_bytes, static_cast<const uint32_t *>(indices[0]), indices[1],
              item_count(a.num_found, num_points.most), 5, side_of_point{a.sides}, offsets + 3,
              {options.stream}, typename Policy::split{}))
        return error;
    return start(
        std::type_identity<write>{}, blocks,
        typename write::arguments{points, indices[has_sides], a.num_found, a.num_hull, out});
  }
  cudaError_t sort(const device_properties &gpu, const plan_type &p, char *work,
                   const boundary_arguments<Points> &a, uint32_t *const (&indices)[2]) const {
    word *const words[2] = {a.words, temp_storage::at<word>(work, p.words[1])};
    return passes(gpu, p.sort, temp_storage::at<char>(work, p.passes_at), options.stream,
                  a.num_found)
        .run(words, indices);
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
