//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_paths.hpp: the shortest-paths kernel on the host machine.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/shortest_paths/solve.hpp>
#include <colonnade/graphs/dijkstra.hpp>

#include <type_traits>
#include <utility>

namespace colonnade::testing {

struct path_report_and_complaints {
  shortest_paths_report report;
  std::vector<std::string> complaints;
};

struct path_faults {
  bool split_minimum = false;  // a minimum that is read and written in two steps
  bool forget_or = false;      // a vertex that is taken is not marked as taken
  bool lose_waiting = false;   // a shorter distance is written as one that was expanded
  bool says_waiting = false;   // a vertex that was expanded seems to wait still
  bool split_places = false;   // places in a queue are taken in two steps
  bool short_piles = false;    // of several vertices sent to a pile one is not counted
  bool early_barrier = false;  // blocks pass a barrier before the last one has arrived
  bool dirty_counters = false; // a set of counters is not cleared
};

/// With the atomics of device_path_machine: others run before each, none within it.
class host_path_machine : public host_machine {
public:
  host_path_machine(const host_machine &machine, path_faults planted,
                    const detail::path_control &control)
      : host_machine(machine), planted_(planted), control_(control) {}

  uint32_t load_word(const uint32_t *word) const {
    const uint32_t value = host_machine::load_word(word);
    return planted_.early_barrier && word == &control_.arrived ? value + 1 : value;
  }
  void store_word(uint32_t *word, uint32_t value) const {
    if (!planted_.dirty_counters)
      host_machine::store_word(word, value);
  }
  template <class T> T fetch_add(T *word, T value) const {
    others();
    const T before = *word;
    if (planted_.split_places && is_pile_count(word))
      others();
    *word = before + value - (planted_.short_piles && value > 1 && is_pile_count(word));
    return before;
  }
  template <class T> T fetch_min(T *word, T value) const {
    others();
    const T before = *word;
    if (planted_.split_minimum)
      others();
    if (planted_.split_minimum ? value < before : value < *word)
      *word = planted_.lose_waiting ? value | 1 : value;
    return planted_.says_waiting && before + 1 != 0 ? before & ~T{1} : before;
  }
  template <class T> T fetch_or(T *word, T value) const {
    others();
    return std::exchange(*word, planted_.forget_or ? *word : *word | value);
  }
  void fetch_max(uint64_t *word, uint64_t value) const {
    others(), *word = value > *word ? value : *word;
  }
  uint32_t any_of(uint32_t bits) const {
    for (uint32_t mask = 16; mask; mask /= 2)
      bits |= shuffle_xor(bits, mask);
    return bits;
  }
  template <class T> T load_atomic(const T *word) const { return others(), *word; }
  template <class T> T read(const T *place) const { return *place; }
  template <class T> T read_once(const T *place) const { return *place; }
  void wait_a_little() const { others(); }

private:
  void others() const { load_word(&nothing_); }
  template <class T> bool is_pile_count(const T *word) const {
    const auto at = reinterpret_cast<const char *>(word),
               counts = reinterpret_cast<const char *>(control_.counts);
    return at >= counts && at < counts + sizeof control_.counts;
  }
  path_faults planted_;
  const detail::path_control &control_;
  uint32_t nothing_ = 0;
};

struct host_path_policy {
  static constexpr shortest_paths_tuning tuning(gpu_architecture) {
    shortest_paths_tuning t;
    t.threads = 64;
    t.edges_at_once = 2;
    t.outbox_items = 128;
    t.near_far_outbox_items = 96;
    t.heavy_degree = 20;
    t.piece_edges = 8;
    return t;
  }
};

template <class Distance> struct host_path_result {
  std::vector<Distance> distances;
  path_report_and_complaints told;
};

/// `blocks` blocks of 64 threads, all resident, under the schedule of `seed`.
template <class Distance, class Weight>
host_path_result<Distance> paths_on_host(const host_graph<Weight> &graph, uint32_t source,
                                         shortest_paths_options<Distance> options, unsigned seed,
                                         uint32_t blocks = 3, path_faults planted = {},
                                         faults machine_faults = {}) {
  constexpr shortest_paths_tuning tuning = host_path_policy::tuning(detail::compiled_architecture);
  const uint64_t n = graph.num_vertices, edges = graph.columns.size();
  if (options.strategy == path_strategy::near_far)
    options.num_buckets = 2;
  const uint64_t num_pieces = edges / tuning.piece_edges + edges / tuning.heavy_degree + 1;
  detail::path_control control{};
  std::vector<typename detail::path_word<Distance>::type> words(n, 12345);
  std::vector<uint32_t> queues(n * (options.num_buckets + 2), 0xabababab);
  std::vector<detail::path_piece> pieces(num_pieces);
  host_path_result<Distance> result;
  result.distances.resize(n);
  detail::path_arguments<Weight, Distance> arguments{};
  arguments.graph = {graph.num_vertices, edges, graph.row_offsets.data(), graph.columns.data(),
                     graph.weights.data()};
  arguments.source = source;
  arguments.options = options;
  arguments.d_distances = result.distances.data();
  arguments.control = &control;
  arguments.words = words.data();
  arguments.queues = queues.data();
  arguments.pieces = pieces.data();
  arguments.num_pieces = num_pieces;
  host_grid grid(seed, blocks, machine_faults);
  const auto run = [&](auto piles) {
    using solver = detail::path_solver<host_path_machine, Weight, Distance, decltype(piles)::value,
                                       detail::compiled<detail::paths_tunings<host_path_policy>>>;
    grid.run(
        blocks, tuning.threads, sizeof(typename solver::shared_type),
        [&](const host_machine &machine, char *shared) {
          const host_path_machine m(machine, planted, control);
          solver(m, arguments, *reinterpret_cast<typename solver::shared_type *>(shared)).run();
        });
  };
  if (options.num_buckets == 2)
    run(std::integral_constant<uint32_t, 2>{});
  else
    run(std::integral_constant<uint32_t, detail::max_piles>{});
  detail::fill_report(control, result.told.report);
  result.told.complaints = grid.complaints;
  return result;
}

} // namespace colonnade::testing
