//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// solve.hpp: the kernel of shortest paths: the whole computation, by blocks that are all
// resident at once and meet at barriers of the grid.
//
// In: path_arguments; the control is zero. Out: the distances, and the report in the
// control. First the words are initialised; then, until nothing waits, every block plans the
// next step for itself, does its share of it, and waits at a barrier; last, distances are
// written. Invariant: all blocks have the same plan, so all reach the same barriers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/shortest_paths/expand.hpp>
#include <colonnade/detail/shortest_paths/schedule.hpp>

namespace colonnade::detail {

/// Waits for all blocks of the grid. number: how many barriers there have been, this one included.
template <class Machine>
COLONNADE_KERNEL_CODE void grid_barrier(const Machine &machine, path_control *control,
                                        uint32_t number) {
  machine.block_sync();
  if (machine.thread() == 0) {
    machine.device_fence();
    machine.fetch_add(&control->arrived, 1u);
    const uint32_t all = number * machine.num_blocks();
    while (static_cast<int32_t>(machine.load_word(&control->arrived) - all) < 0)
      machine.wait_a_little();
    machine.device_fence();
  }
  machine.block_sync();
}

template <class Machine, class Weight, class Distance, uint32_t NumPiles, class Tuning>
class path_solver {
  static constexpr shortest_paths_tuning tuning = Tuning::value;
  static_assert(tuning.threads >= 32 && (tuning.threads & (tuning.threads - 1)) == 0,
                "shortest paths: a block has a power of two of threads");
  static constexpr uint32_t outbox_items =
      NumPiles == 2 ? tuning.near_far_outbox_items : tuning.outbox_items;
  using words = path_word<Distance>;
  using word_type = typename words::type;
  using arguments_type = path_arguments<Weight, Distance>;
  using plan_type = path_plan<Distance>;
  using schedule_type = path_schedule<Machine, Distance>;
  using outbox_type = path_outbox<Machine, arguments_type, plan_type, NumPiles, outbox_items>;
  using work_type = path_work<word_type, tuning.threads, tuning.rows_at_once + 1>;
  using expander_type =
      expander<Machine, Weight, Distance, outbox_type, plan_type, work_type, Tuning>;

public:
  using shared_type = path_shared<Distance, work_type, tuning.threads, outbox_items>;

  COLONNADE_KERNEL_CODE path_solver(const Machine &machine, const arguments_type &arguments,
                                    shared_type &shared)
      : machine_(machine), arguments_(arguments), shared_(shared) {}

  COLONNADE_KERNEL_CODE void run() {
    clear();
    barrier();
    begin();
    for (;;) {
      if (machine_.warp() == 0)
        plan_next();
      machine_.block_sync();
      const plan_type &plan = shared_.plan;
      if (plan.step == path_step::done)
        break;
      reset_next_set(plan.set);
      if (plan.step == path_step::split_far)
        split_far();
      else
        expand();
      barrier();
    }
    report();
    write_distances();
  }

private:
  COLONNADE_KERNEL_CODE void begin() {
    if (machine_.thread() == 0)
      shared_.work.edges = 0;
    if (machine_.warp() == 0)
      schedule_type::begin(machine_, choose_limits(), arguments_.options.num_buckets, shared_.plan,
                           shared_.progress);
    machine_.block_sync();
  }

  /// Called by the first warp. Its state is in shared memory, so that it takes no registers while
  /// edges are relaxed.
  COLONNADE_KERNEL_CODE void plan_next() {
    schedule_type schedule(machine_, shared_.plan, shared_.progress);
    read_counts(schedule);
    schedule.plan_next();
    shared_.block.count[machine_.lane()] = 0;
    if (machine_.lane() == 0)
      shared_.work.warps_left = machine_.num_threads() / 32;
  }

  COLONNADE_KERNEL_CODE void report() {
    path_control &control = *arguments_.control;
    if (machine_.thread() == 0)
      machine_.add_global(&control.edges, shared_.work.edges);
    if (machine_.block() != 0 || machine_.thread() != 0)
      return;
    control.phases = shared_.progress.phases, control.splits = shared_.progress.splits;
    control.split_items = shared_.progress.split_items;
    control.vertices = shared_.progress.vertices;
  }

  COLONNADE_KERNEL_CODE void barrier() { grid_barrier(machine_, arguments_.control, ++barriers_); }
  COLONNADE_KERNEL_CODE uint64_t grid_thread() const {
    return uint64_t{machine_.block()} * machine_.num_threads() + machine_.thread();
  }
  COLONNADE_KERNEL_CODE uint64_t grid_threads() const {
    return uint64_t{machine_.num_blocks()} * machine_.num_threads();
  }

  COLONNADE_KERNEL_CODE void clear() {
    for (uint64_t v = grid_thread(); v < arguments_.graph.num_vertices; v += grid_threads())
      arguments_.words[v] = v == arguments_.source ? word_type{0} : words::unreached;
    if (grid_thread() == 0)
      *pile_items(arguments_, near_pile, 0, 0, 1) = arguments_.source;
    if (arguments_.options.delta == 0)
      sample_weights();
  }

  static constexpr uint32_t samples = 4096;

  /// Adds up to 4096 weights to weight_sum, in units of 1/256 of the first edge's weight.
  COLONNADE_KERNEL_CODE void sample_weights() {
    const uint64_t edges = arguments_.graph.num_edges, step = edges / samples + 1;
    const uint64_t edge = grid_thread() * step;
    if (grid_thread() >= samples || edge >= edges)
      return;
    const Weight weight = machine_.read(arguments_.graph.d_weights + edge);
    const float scaled = static_cast<float>(weight) * weight_scale();
    if (scaled >= 0 && scaled < 1e12f)
      machine_.add_global(&arguments_.control->weight_sum, static_cast<uint64_t>(scaled));
    machine_.add_global(&arguments_.control->weight_samples, 1);
  }
  COLONNADE_KERNEL_CODE float weight_scale() const {
    const float first = static_cast<float>(machine_.read(arguments_.graph.d_weights));
    return first > 1e-30f && first < 1e30f ? 256 / first : 256.f;
  }

  COLONNADE_KERNEL_CODE path_limits<Distance> choose_limits() const {
    const shortest_paths_options<Distance> &options = arguments_.options;
    path_limits<Distance> limits{options.delta, options.open_early, options.open_ratio,
                                 options.merge_up_to};
    const uint32_t warps = machine_.num_blocks() * (tuning.threads / 32);
    if (!limits.open_early)
      limits.open_early = 2 * warps;
    if (!limits.open_ratio)
      limits.open_ratio = 12;
    if (!limits.merge_up_to)
      limits.merge_up_to = 1400 * warps;
    if (limits.delta == 0 && arguments_.graph.num_edges) {
      const path_control &control = *arguments_.control;
      const float mean = static_cast<float>(machine_.load_counter(&control.weight_sum)) /
                         static_cast<float>(machine_.load_counter(&control.weight_samples)) /
                         weight_scale();
      const float degree = static_cast<float>(arguments_.graph.num_edges) /
                           static_cast<float>(arguments_.graph.num_vertices);
      limits.delta = static_cast<Distance>(mean * bucket_widths(degree));
    }
    if (!(limits.delta > 0))
      limits.delta = 1;
    return limits;
  }
  /// The width of a bucket, or of the near pile, as a multiple of the mean weight; found by
  /// measurement. Buckets may be narrow: where they hold few vertices several are opened at once.
  static COLONNADE_KERNEL_CODE float bucket_widths(float degree) {
    if (degree < 4)
      return 16;
    const float width = (NumPiles == 2 ? 4 : 1.4f) / degree;
    return width < 0.03f ? 0.03f : width;
  }

  /// Of the three sets of counters one has been read, one is in use; this clears the third, the
  /// next one.
  COLONNADE_KERNEL_CODE void reset_next_set(uint32_t set) {
    const uint32_t next = (set + 1) % 3;
    if (machine_.block() != 0)
      return;
    for (uint32_t i = machine_.thread(); i <= max_piles; i += machine_.num_threads())
      machine_.store_word(&arguments_.control->counts[next][i].value, 0);
    if (machine_.thread() == 0)
      arguments_.control->nearest_far[next] = 0;
  }

  COLONNADE_KERNEL_CODE void read_counts(schedule_type &schedule) const {
    const path_control &control = *arguments_.control;
    const uint32_t set = schedule.set();
    const uint32_t count = machine_.load_word(&control.counts[set][machine_.lane()].value);
    const uint32_t pieces = machine_.load_word(&control.counts[set][heavy_pieces].value);
    const uint64_t nearest = ~machine_.load_counter(&control.nearest_far[set]);
    schedule.add(count, pieces, static_cast<word_type>(nearest));
  }

  COLONNADE_KERNEL_CODE outbox_type outbox() {
    const uint32_t warp = machine_.warp();
    return outbox_type(machine_, arguments_, shared_.plan, shared_.block, shared_.outboxes[warp]);
  }

  COLONNADE_KERNEL_CODE void expand() {
    outbox_type box = outbox();
    expander_type e(machine_, arguments_, shared_.plan, box, shared_.work);
    e.run();
    box.send_all();
  }

  /// Splits the far pile: drops vertices that have a shorter distance now and wait elsewhere, and
  /// puts the others into the piles of the window after its move.
  COLONNADE_KERNEL_CODE void split_far() {
    const plan_type &plan = shared_.plan;
    outbox_type box = outbox();
    const uint32_t *far =
        pile_items(arguments_, plan.window.far_pile(), 0, plan.far_in, plan.window.far_pile());
    word_type nearest = words::unreached;
    const uint64_t step = grid_threads();
    constexpr uint32_t at_once = tuning.edges_at_once;
    for (uint64_t i = grid_thread(); i - machine_.lane() < plan.num_items; i += at_once * step) {
      box.template make_room<at_once>();
      uint32_t vertex[at_once];
      word_type word[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        vertex[k] = i + k * step < plan.num_items ? machine_.load_word(far + i + k * step) : 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        word[k] = machine_.load_atomic(&arguments_.words[vertex[k]]);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k) {
        const Distance distance = words::distance(word[k]);
        const bool has = i + k * step < plan.num_items && is_waiting(word[k]) &&
                         plan.window_before.pile(distance) == plan.window.far_pile();
        const uint32_t pile = has ? plan.window.pile(distance) : near_pile;
        if (has && pile == plan.window.far_pile() && word[k] < nearest)
          nearest = word[k];
        box.put(has, vertex[k], pile);
      }
    }
    box.send_all();
    note_nearest(machine_, arguments_.control, plan.set, nearest);
  }

  COLONNADE_KERNEL_CODE void write_distances() {
    const bool overflowed = machine_.load_word(&arguments_.control->overflowed) != 0;
    for (uint64_t v = grid_thread(); v < arguments_.graph.num_vertices; v += grid_threads()) {
      const word_type word = machine_.load_atomic(&arguments_.words[v]);
      arguments_.d_distances[v] =
          word == words::unreached ? words::unreachable() : words::distance(word);
      if (overflowed && word != words::unreached)
        find_overflow(v, words::distance(word));
    }
  }

  /// Reports an edge whose sum is too long, if no other edge has reached its end.
  COLONNADE_KERNEL_CODE void find_overflow(uint64_t v, Distance distance) {
    const csr_graph<Weight> &graph = arguments_.graph;
    uint64_t end = machine_.read(graph.d_row_offsets + v + 1);
    end = end < graph.num_edges ? end : graph.num_edges;
    for (uint64_t e = machine_.read(graph.d_row_offsets + v); e < end; ++e) {
      const uint32_t to = machine_.read(graph.d_columns + e);
      const Weight weight = machine_.read(graph.d_weights + e);
      Distance sum;
      if (to < graph.num_vertices && words::valid(weight) && !words::add(distance, weight, sum) &&
          machine_.load_atomic(&arguments_.words[to]) == words::unreached)
        report_path_error(machine_, arguments_.control, data_error::overflow, to);
    }
  }

  const Machine &machine_;
  const arguments_type &arguments_;
  shared_type &shared_;
  uint32_t barriers_ = 0;
};

} // namespace colonnade::detail
