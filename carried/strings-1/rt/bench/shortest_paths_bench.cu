//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths_bench.cu: delta-stepping with multisplit buckets against the
// near-far strategy: the same kernel, each at the best of its own settings.
//
// First every strategy's settings are swept (width of the bucket or near pile, and
// when the next one is opened); then the best of each alternate. Times
// are of whole calls, by the host's clock: they synchronise. Distances are
// compared with each other on every graph, and with Dijkstra's with --dijkstra.
//
//   --graphs rmat,rmat22,road   --sweep (prints every setting)   --json FILE
//
//===----------------------------------------------------------------------===//
#include "bench.hpp"
#include "paths_bench.hpp"
#include "timed_call.hpp"

#include "../tests/cuda/paths_case.cuh"

#include <chrono>

using namespace colonnade;
using options_type = shortest_paths_options<uint32_t>;

#ifndef BENCH_THREADS
#define BENCH_POLICY shortest_paths_policy
#else
struct bench_policy {
  static constexpr shortest_paths_tuning tuning(gpu_architecture) {
    shortest_paths_tuning t;
    t.threads = BENCH_THREADS;
    t.blocks_per_sm = BENCH_BLOCKS;
    t.edges_at_once = BENCH_EDGES;
    return t;
  }
};
#define BENCH_POLICY bench_policy
#endif
using path_run_type = path_run<uint32_t, uint32_t, BENCH_POLICY>;

static double seconds_of(path_run_type &paths, uint32_t source) {
  const auto begin = std::chrono::steady_clock::now();
  CUDA_OK(paths.run(source));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

static double median_seconds(path_run_type &paths, uint32_t source, int runs) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i)
    times.push_back(seconds_of(paths, source));
  return bench::quantile(times, 0.5);
}

static void print_setting(const char *graph, const options_type &o, double seconds,
                          const shortest_paths_report &r) {
  std::printf(
      "%s %s delta %u early %u ratio %u merge %u: %.1f us, %llu phases, %llu splits of %llu, "
      "%llu vertices, %llu edges\n",
      graph, o.strategy == path_strategy::near_far ? "near-far" : "multisplit", o.delta,
      o.open_early, o.open_ratio, o.merge_up_to, seconds * 1e6, (unsigned long long)r.phases,
      (unsigned long long)r.splits, (unsigned long long)r.split_items,
      (unsigned long long)r.vertices, (unsigned long long)r.edges);
}

static const uint32_t never = ~0u;

/// What a strategy can be set to besides delta.
static std::vector<options_type> settings(options_type options) {
  std::vector<options_type> all;
  const bool buckets = options.strategy == path_strategy::multisplit;
  for (const uint32_t early : {1u, 2000u, 8000u, 16000u, 32000u, 128000u, 512000u})
    for (const uint32_t ratio : {6u, 8u, 12u, 16u, never})
      for (const uint32_t merge : {1u, 60000u, 1000000u, 3000000u, 6000000u}) {
        const bool twice = early > 8000; // a bucket's size says when
        if (buckets ? twice : ratio != never || merge != 1)
          continue;
        options.open_early = early;
        options.open_ratio = ratio;
        options.merge_up_to = merge;
        all.push_back(options);
      }
  return all;
}

/// The fastest of all settings.
static options_type sweep(const char *name, path_run_type &paths, uint32_t source,
                          const std::vector<uint32_t> &deltas, bool print) {
  options_type best = paths.options();
  double least = 1e9;
  for (const options_type &options : settings(best))
    for (const uint32_t delta : deltas) {
      paths.options() = options;
      paths.options().delta = delta;
      const double seconds = median_seconds(paths, source, 3);
      if (print)
        print_setting(name, paths.options(), seconds, paths.report);
      if (seconds < least)
        least = seconds, best = paths.options();
    }
  paths.options() = best;
  return best;
}

static void measure(bench::report &out, const std::string &name, bool print, bool with_dijkstra) {
  const host_graph<uint32_t> graph = bench::path_graph(name);
  const uint32_t source = bench::path_source(graph);
  const device_graph<uint32_t> on_device(graph);
  options_type options;
  path_run_type ours(on_device.view(), options);
  options.strategy = path_strategy::near_far;
  path_run_type peer(on_device.view(), options);
  std::vector<uint32_t> deltas = {40, 50, 60, 75, 100, 125, 150, 175, 200, 250, 300};
  if (name == "road")
    deltas = {8000, 32000, 64000};
  std::printf("%s: %u vertices, %zu edges; automatic: ", name.c_str(), graph.num_vertices,
              graph.columns.size());
  const double automatic = median_seconds(ours, source, 5);
  print_setting(name.c_str(), ours.options(), automatic, ours.report);
  sweep(name.c_str(), ours, source, deltas, print);
  sweep(name.c_str(), peer, source, deltas, print);
  std::vector<double> our_rate, peer_rate;
  const double edges = static_cast<double>(graph.columns.size());
  for (int i = 0; i < bench::warm_ups + bench::pairs; ++i) {
    const double a = seconds_of(ours, source), b = seconds_of(peer, source);
    if (i < bench::warm_ups)
      continue;
    our_rate.push_back(edges / a / 1e9);
    peer_rate.push_back(edges / b / 1e9);
  }
  print_setting(name.c_str(), ours.options(), edges / bench::quantile(our_rate, 0.5) / 1e9,
                ours.report);
  print_setting(name.c_str(), peer.options(), edges / bench::quantile(peer_rate, 0.5) / 1e9,
                peer.report);
  out.add("shortest paths, multisplit, " + name, "G edges of the graph/s", "near-far", our_rate,
          peer_rate);
  const std::vector<uint32_t> distances = ours.distances();
  EXPECT(distances == peer.distances(), "%s: the strategies' distances differ", name.c_str());
  if (with_dijkstra)
    EXPECT(distances == dijkstra<uint32_t>(graph, source), "%s: not Dijkstra's distances",
           name.c_str());
}

int main(int argc, char **argv) {
  require_gpu();
  bench::report out(argc, argv);
  bool print = false, with_dijkstra = false;
  for (int i = 1; i < argc; ++i) {
    print = print || std::strcmp(argv[i], "--sweep") == 0;
    with_dijkstra = with_dijkstra || std::strcmp(argv[i], "--dijkstra") == 0;
  }
  std::string names = bench::option(argc, argv, "--graphs", "rmat,rmat22,road") + ",";
  for (size_t comma; (comma = names.find(',')) != std::string::npos; names.erase(0, comma + 1))
    measure(out, names.substr(0, comma), print, with_dijkstra);
  return out.finish() || gpu_failures();
}
