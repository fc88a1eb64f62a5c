//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths_thesis_bench.cu: the thesis's table 3.10: near-far, bucketing by radix
// sort and bucketing by multisplit, launched phase by phase, beside the resident kernel.
//
// Each launched method is at the best delta of a sweep; the resident kernel chooses for
// itself. Methods take turns; times are of whole calls, by the host's clock, and all
// distances are compared, with --dijkstra with Dijkstra's besides.
//
//   --graphs rmat,rmat22,road,FILE.mtx   --sweep (prints every delta)   --json FILE
//
//===----------------------------------------------------------------------===//
#include "bench.hpp"
#include "paths_bench.hpp"
#include "thesis_paths.cuh"
#include "timed_call.hpp"

#include "../tests/cuda/paths_case.cuh"

#include <chrono>

using namespace colonnade;

/// A method, ready to be called: returns when the distances are there.
struct method {
  const char *name;
  std::function<void()> run;
  std::function<std::vector<uint32_t>()> distances;
  std::vector<double> milliseconds;
};

static double milliseconds_of(const std::function<void()> &run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// The fastest delta, around four mean weights over the mean degree.
static uint32_t best_delta(const char *name, bench::launched_paths &paths, uint32_t source,
                           const std::vector<uint32_t> &deltas, bool print) {
  uint32_t best = deltas.front();
  double least = 1e9;
  for (const uint32_t delta : deltas) {
    std::vector<double> times;
    for (int i = 0; i < 3; ++i)
      times.push_back(milliseconds_of([&] { paths.run(source, delta); }));
    const double time = bench::quantile(times, 0.5);
    if (print)
      std::printf("%s, delta %u: %.3f ms\n", name, delta, time);
    if (time < least)
      least = time, best = delta;
  }
  return best;
}

static std::vector<uint32_t> deltas_for(const host_graph<uint32_t> &graph) {
  double sum = 0;
  for (const uint32_t weight : graph.weights)
    sum += weight;
  const double edges = static_cast<double>(graph.columns.size());
  const double automatic = 4 * (sum / edges) / (edges / graph.num_vertices);
  std::vector<uint32_t> deltas;
  for (const double factor : {0.5, 1., 1.5, 2., 4., 8., 16., 32., 64., 128.})
    deltas.push_back(static_cast<uint32_t>(std::max(1., automatic * factor)));
  return deltas;
}

static void measure(bench::report &out, const std::string &name, bool print, bool with_dijkstra) {
  const host_graph<uint32_t> graph = bench::path_graph(name);
  const uint32_t source = bench::path_source(graph);
  const device_graph<uint32_t> on_device(graph);
  const auto &view = on_device.view();
  std::vector<method> methods;
  const std::vector<uint32_t> deltas = deltas_for(graph);
  bench::launched_paths near_far(view, bench::launched::near_far),
      sorts(view, bench::launched::bucketing), splits(view, bench::launched::multisplit);
  const auto add_launched = [&](const char *title, bench::launched_paths &paths) {
    const uint32_t delta = best_delta(title, paths, source, deltas, print);
    methods.push_back({title,
                       [&paths, source, delta] { paths.run(source, delta); },
                       [&paths] { return paths.distances(); },
                       {}});
  };
  add_launched("near-far", near_far);
  add_launched("bucketing (CUB radix sort)", sorts);
  add_launched("multisplit", splits);
  shortest_paths_options<uint32_t> options;
  path_run<uint32_t, uint32_t> buckets(view, options);
  options.strategy = path_strategy::near_far;
  path_run<uint32_t, uint32_t> two_piles(view, options);
  const auto add_resident = [&](const char *title, path_run<uint32_t, uint32_t> &paths) {
    methods.push_back({title,
                       [&paths, source] { CUDA_OK(paths.run(source)); },
                       [&paths] { return paths.distances(); },
                       {}});
  };
  add_resident("near-far, resident", two_piles);
  add_resident("multisplit, resident", buckets);

  for (int i = 0; i < bench::warm_ups + bench::pairs; ++i)
    for (method &m : methods) {
      const double time = milliseconds_of(m.run);
      if (i >= bench::warm_ups)
        m.milliseconds.push_back(time);
    }
  char row[256];
  std::snprintf(row, sizeof row, "%s: %.2f M vertices, %.2f M edges",
                name.substr(name.rfind('/') + 1).c_str(), graph.num_vertices / 1e6,
                static_cast<double>(graph.columns.size()) / 1e6);
  const std::vector<uint32_t> expected =
      with_dijkstra ? dijkstra<uint32_t>(graph, source) : methods.back().distances();
  const double peer = bench::quantile(methods[0].milliseconds, 0.5);
  for (const method &m : methods) {
    EXPECT(m.distances() == expected, "%s, %s: wrong distances", name.c_str(), m.name);
    const double time = bench::quantile(m.milliseconds, 0.5);
    out.cell("Thesis, table 3.10: shortest paths (and times near-far's rate)", row, m.name, "ms",
             time, peer / time);
  }
}

int main(int argc, char **argv) {
  require_gpu();
  bench::report out(argc, argv);
  const auto given = [&](const char *flag) {
    return std::any_of(argv + 1, argv + argc,
                       [&](const char *a) { return std::strcmp(a, flag) == 0; });
  };
  const bool print = given("--sweep"), with_dijkstra = given("--dijkstra");
  std::string names = bench::option(argc, argv, "--graphs", "rmat,rmat22,road") + ",";
  for (size_t comma; (comma = names.find(',')) != std::string::npos; names.erase(0, comma + 1))
    measure(out, names.substr(0, comma), print, with_dijkstra);
  return out.finish() || gpu_failures();
}
