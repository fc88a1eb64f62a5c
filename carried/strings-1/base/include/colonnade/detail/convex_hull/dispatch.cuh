//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: runs a convex hull.
//
//   few points (as many as one block holds)   one launch                      few_points.hpp
//   else   sample     a sieve from the hull of some points                    sample.hpp sieve.hpp
//          filter     all points are read once; those that may count are kept filter.hpp
//          thin       of a middling number those on hoods of tiles, twice     thin.hpp
//          few        if few are left: the hull, by one block                 few_points.hpp
//          sort       by x, by digits                                         digits/
//                     of many doubles by words of 32 bits, and what those miss  narrow_words.hpp
//          tiles, joining, offsets, writing                                   many_points.hpp
//
// In: the arguments of convex_hull.cuh. Out: the hull, or cudaErrorInvalidValue. Invariant: the
// host never learns how many points are left; kernels that have nothing to do end at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/convex_hull_tuning.hpp>
#include <colonnade/detail/convex_hull/hull_blocks.hpp>
#include <colonnade/detail/convex_hull/hull_launch.cuh>
#include <colonnade/detail/convex_hull/hull_plan.hpp>
#include <colonnade/detail/convex_hull/many_points_steps.hpp>
#include <colonnade/detail/convex_hull/word_sort.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

struct begin_hull_arguments {
  hull_state *state;
  bool by_x;
  item_count num_points;
  device_status *status; // of points that come by x
  uint64_t *told;        // of others
  uint32_t num_told;
  uint32_t *sort_header; // of others, to be zeroed
  uint32_t header_words;
};
template <class = void>
__global__ void begin_hull_kernel(const __grid_constant__ begin_hull_arguments a) {
  const device_machine machine;
  if (a.by_x)
    report_count(machine, a.num_points, a.status);
  begin_hull(machine, a.state, a.by_x ? a.num_points.now() : 0);
  if (machine.warp() == 0)
    begin_sample(machine, a.told, a.num_told);
  for (uint32_t k = machine.thread(); k < a.header_words; k += machine.num_threads())
    a.sort_header[k] = 0;
}
template <class Policy, class Points, class Vertices> class hull_run {
public:
  using blocks = hull_blocks<Policy, Points, Vertices, device_machine>;
  using word = typename sorted_as<typename Points::coordinate>::raw;
  /// Of more than few_sorted.
  static constexpr bool is_narrow = sizeof(word) == 8;
  using many_word = std::conditional_t<is_narrow, uint32_t, word>;
  using passes = word_sort<typename Policy::sort, many_word>;
  using few_passes = word_sort<typename Policy::few_sort, word>;
  using plan_type = hull_plan<typename Points::coordinate>;
  using chains_type = typename blocks::sample::chains_type;

  Points points;
  item_count num_points;
  hull_options what;
  hull_output<Vertices> out;
  run_options options;
  device_properties gpu{};

  static bool are_few(uint64_t most) { return most <= blocks::few::most_points; }
  static bool may_sample(uint64_t most) { return most >= Policy::sample_from; }
  static uint32_t directions(uint64_t most) {
    return may_sample(most) ? blocks::sample::most_directions : 0;
  }
  static plan_type plan_on(gpu_architecture architecture, uint64_t most) {
    return plan_type(
        most <= Policy::few_sorted
            ? few_passes::plan(architecture, most, digits_of_bits(0, 8 * sizeof(word), 0))
            : passes::plan(architecture, most, digits_of_bits(0, 8 * sizeof(many_word), 0)),
        most, blocks::tile::tile_points, may_sample(most) ? Policy::sieve_columns : 0,
        may_sample(most) ? sizeof(chains_type) : 0, directions(most));
  }
  static sorted_hull_plan<typename Points::coordinate> sorted_plan(uint64_t most) {
    return {most, blocks::tile::tile_points};
  }
  /// Of temporary storage.
  template <hull_input Input> static size_t bytes(uint64_t most) {
    if (are_few(most))
      return 1;
    if constexpr (Input == hull_input::by_x)
      return sorted_plan(most).storage.bytes();
    return most_on_any(
        [&](gpu_architecture architecture) { return plan_on(architecture, most).storage.bytes(); });
  }

  /// Where, in storage of at least 4 bytes a point, indices of the vertices may be written, of
  /// points that come in any order: where the sorted ones were.
  static size_t hull_place(gpu_architecture architecture, uint64_t most) {
    return are_few(most) ? 0 : plan_on(architecture, most).indices[0];
  }

  template <hull_input Input> cudaError_t run(void *d_temp) {
    if (const cudaError_t error = query_device(gpu))
      return error;
    if (are_few(num_points.most))
      return start<typename blocks::few>(
          1, {points, num_points, nullptr, {}, nullptr, what.part, Input == hull_input::by_x, out});
    if constexpr (Input == hull_input::by_x)
      return run_by_x(d_temp);
    else
      return run_in_any_order(d_temp);
  }

private:
  cudaError_t run_in_any_order(void *d_temp) const {
    const plan_type plan = plan_on(gpu.architecture, num_points.most);
    if (const cudaError_t error = filter(plan, d_temp))
      return error;
    if (const cudaError_t error = find_few(plan, d_temp))
      return error;
    if (const cudaError_t error = sort(plan, d_temp))
      return error;
    return find_many<false>(plan, plan.indices_at(d_temp, 0), d_temp);
  }

  cudaError_t run_by_x(void *d_temp) const {
    const auto plan = sorted_plan(num_points.most);
    if (const cudaError_t error = begin(
            {plan.state_at(d_temp), true, num_points, options.d_status, nullptr, 0, nullptr, 0}))
      return error;
    return find_many<true>(plan, nullptr, d_temp);
  }
  cudaError_t begin(const begin_hull_arguments &a) const {
    return launch(begin_hull_kernel<>, {1, 256, 0, options.stream, false}, a);
  }
  cudaError_t filter(const plan_type &plan, void *d_temp) const {
    hull_state *state = plan.state_at(d_temp);
    uint64_t *told = plan.told_at(d_temp);
    if (const cudaError_t error =
            begin({state, false, num_points, nullptr, told, directions(num_points.most),
                   sort_header(plan, d_temp), header_words(plan)}))
      return error;
    if (const cudaError_t error = start<typename blocks::sample>(
            blocks::sample::num_blocks,
            {points, num_points, Policy::sample_from, Policy::hollow_from, told,
             &state->sample_done, plan.frame_at(d_temp), plan.columns_at(d_temp),
             plan.template chains_at<chains_type>(d_temp)}))
      return error;
    using block = typename blocks::filter;
    const uint64_t tiles = (num_points.most + block::tile_points - 1) / block::tile_points;
    return start<block>(tiles, {points, num_points, plan.frame_at(d_temp), plan.columns_at(d_temp),
                                plan.template chains_at<chains_type>(d_temp),
                                plan.words_at(d_temp, 0), narrow_words_at(plan, d_temp, 0),
                                plan.indices_at(d_temp, 0), state, options.d_status});
  }
  cudaError_t find_few(const plan_type &plan, void *d_temp) const {
    hull_state *state = plan.state_at(d_temp);
    const uint32_t *kept = plan.indices_at(d_temp, 0);
    uint32_t *thinned[2] = {plan.thinned_at(d_temp, 0), plan.thinned_at(d_temp, 1)};
    using thin = typename blocks::thin;
    const uint64_t most = std::min(num_points.most, Policy::thin_most);
    const uint64_t tiles = (most + thin::tile_points - 1) / thin::tile_points;
    for (uint32_t k = 0; k < 2; ++k)
      if (const cudaError_t error = start<thin>(
              tiles, {points, k ? thinned[0] : kept, k ? &state->thinned[0] : &state->kept,
                      thinned[k], &state->thinned[k], blocks::few::most_points + 1, most}))
        return error;
    return start<typename blocks::few>(
        1, {points, num_points, kept, {thinned[0], thinned[1]}, state, what.part, false, out});
  }
  cudaError_t sort(const plan_type &plan, void *d_temp) const {
    const uint64_t *sorted = &plan.state_at(d_temp)->sorted;
    if (num_points.most <= Policy::few_sorted)
      return sort_by<few_passes>(plan, d_temp, sorted, plan.words_at(d_temp, 0),
                                 plan.words_at(d_temp, 1));
    if constexpr (is_narrow)
      return sort_narrow(plan, d_temp);
    else
      return sort_by<passes>(plan, d_temp, sorted, plan.words_at(d_temp, 0),
                             plan.words_at(d_temp, 1));
  }
  template <class Passes, class Word>
  cudaError_t sort_by(const plan_type &plan, void *d_temp, const uint64_t *number, Word *words,
                      Word *other_words) const {
    static_assert(sizeof(word) % 2 == 0, "the sorted points are where they were");
    return Passes(gpu, plan.sort, d_temp, options.stream, number, true)
        .run({words, other_words}, {plan.indices_at(d_temp, 0), plan.indices_at(d_temp, 1)});
  }
  /// Null: points are sorted by all of x.
  uint32_t *narrow_words_at(const plan_type &plan, void *d_temp, uint32_t k) const {
    return is_narrow && num_points.most > Policy::few_sorted
               ? reinterpret_cast<uint32_t *>(plan.words_at(d_temp, k))
               : nullptr;
  }
  cudaError_t sort_narrow(const plan_type &plan, void *d_temp) const {
    hull_state *state = plan.state_at(d_temp);
    uint32_t *words[2] = {narrow_words_at(plan, d_temp, 0), narrow_words_at(plan, d_temp, 1)},
             *indices = plan.indices_at(d_temp, 0);
    if (const cudaError_t error = sort_by<passes>(plan, d_temp, &state->sorted, words[0], words[1]))
      return error;
    if (const cudaError_t error = start<typename blocks::settle>(
            runs_of(num_points.most, blocks::settle::tile_words),
            {points, words[0], indices, &state->sorted, &state->unsettled}))
      return error;
    for (const uint32_t shift : {0u, 32u}) {
      if (const cudaError_t error =
              start<typename blocks::x_halves>(runs_of(num_points.most, Policy::settle_threads),
                                               {points, indices, words[0], &state->unsettled, shift,
                                                sort_header(plan, d_temp), header_words(plan)}))
        return error;
      if (const cudaError_t error =
              sort_by<passes>(plan, d_temp, &state->unsettled, words[0], words[1]))
        return error;
    }
    return cudaSuccess;
  }
  static uint32_t *sort_header(const plan_type &plan, void *d_temp) {
    return reinterpret_cast<uint32_t *>(plan.sort.counts(d_temp));
  }
  static uint32_t header_words(const plan_type &plan) {
    return static_cast<uint32_t>(plan.sort.header_bytes / sizeof(uint32_t));
  }
  /// indices: of the points by x; null: they come so (ByX).
  template <bool ByX, class Plan>
  cudaError_t find_many(const Plan &plan, const uint32_t *indices, void *d_temp) const {
    hull_state *state = plan.state_at(d_temp);
    return find_many_points<blocks, ByX>(
        hull_launcher{gpu, options.stream}, points, indices,
        many_points_storage<typename Points::coordinate>{
            plan.lists_at(d_temp),
            {plan.offsets_at(d_temp, 0), plan.offsets_at(d_temp, 1)},
            plan.num_tiles,
            1,
            plan.num_tiles},
        one_tile_set{&state->sorted, &state->findings, blocks::tile::tile_points}, what.part, ByX,
        out);
  }

  template <class Block>
  cudaError_t start(uint64_t num_blocks, const typename Block::arguments &a) const {
    return hull_launcher{gpu, options.stream}(std::type_identity<Block>{}, num_blocks, a);
  }
};

} // namespace COLONNADE_ABI

/// The most points that are found at once: indices inside have 32 bits.
constexpr uint64_t most_hull_points = ~uint32_t{0};

/// Whether arrays are where they must be.
template <class Points, class Vertices>
bool valid_hull_arrays(const Points &points, const item_count &num_points,
                       const hull_output<Vertices> &out) {
  if (out.capacity >> 57 != 0)
    return false;
  const auto *d_hull = out.vertices.d_hull;
  const uint64_t n = num_points.most, numbers = out.capacity * Vertices::numbers;
  return points.valid(n) && valid_array(d_hull, numbers) && out.num_hull &&
         valid_array(out.num_hull, 1) && points.apart_from(n, d_hull, numbers * sizeof(*d_hull)) &&
         points.apart_from(n, out.num_hull, sizeof(uint64_t)) &&
         apart(d_hull, numbers, out.num_hull, sizeof(uint64_t)) &&
         (!num_points.d_num_items || valid_array(num_points.d_num_items, 1));
}

/// Of a call of Run, which may say that it has more.
template <class Run> constexpr uint64_t most_points_of = most_hull_points;
template <class Run>
  requires(Run::most_points > 0)
constexpr uint64_t most_points_of<Run> = Run::most_points;

/// Run: hull_run, or another that is called like it.
template <class Run, hull_input Input, class Points, class Vertices>
cudaError_t convex_hull_call(void *d_temp, size_t &temp_bytes, const Points &points,
                             const item_count &num_points, const hull_options &what,
                             const Vertices &vertices, uint64_t capacity, uint64_t *d_num_hull,
                             const run_options &options) {
  const hull_output<Vertices> out{vertices, vertices.d_hull ? capacity : 0, d_num_hull,
                                  options.d_status};
  if (num_points.most > most_points_of<Run> ||
      (d_temp && !valid_hull_arrays(points, num_points, out)))
    return cudaErrorInvalidValue;
  const size_t bytes = Run::template bytes<Input>(num_points.most);
  if (!d_temp || temp_bytes < bytes)
    return report_bytes(d_temp, temp_bytes, bytes);
  return Run{points, num_points, what, out, options}.template run<Input>(d_temp);
}

} // namespace colonnade::detail
