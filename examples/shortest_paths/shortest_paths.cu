//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths.cu: shortest paths in a graph from a Matrix Market file, or a
// generated one: both strategies on the GPU, and Dijkstra on the host, timed and
// compared. See README.md.
//
// Exit codes: 0, all distances agree; 1, they do not, or the GPU failed; 2, bad
// arguments or a bad file; 77, no GPU.
//
//===----------------------------------------------------------------------===//
#include "options.hpp"

#include <colonnade/graphs/dijkstra.hpp>
#include <colonnade/graphs/generate.hpp>
#include <colonnade/graphs/matrix_market.hpp>
#include <colonnade/shortest_paths.cuh>

#include <algorithm>
#include <chrono>
#include <fstream>

using namespace colonnade;

static bool ok(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(error));
  return error == cudaSuccess;
}

/// Device memory that goes with its owner.
template <class T> class device_vector {
public:
  explicit device_vector(uint64_t count) {
    if (cudaMalloc(&d_data_, count ? count * sizeof(T) : 1) != cudaSuccess)
      d_data_ = nullptr;
  }
  explicit device_vector(const std::vector<T> &from) : device_vector(from.size()) {
    if (d_data_ &&
        !ok(cudaMemcpy(d_data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
            "copying the graph"))
      release();
  }
  ~device_vector() { release(); }
  device_vector(const device_vector &) = delete;
  T *get() const { return d_data_; }

private:
  void release() {
    (void)cudaFree(d_data_);
    d_data_ = nullptr;
  }
  T *d_data_ = nullptr;
};

template <class Weight>
static bool read_edges(const program_options &options, edge_list<Weight> &list) {
  generator_options generator;
  generator.seed = options.seed;
  if (options.rmat) {
    list = rmat_edges<Weight>(options.rmat, uint64_t{options.rmat} * options.edges_per_vertex,
                              generator);
    return true;
  }
  if (options.road) {
    list = road_edges<Weight>(options.road, options.road, generator);
    return true;
  }
  std::ifstream in(options.file, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "error: cannot read '%s'\n", options.file);
    return false;
  }
  bool has_weights = false;
  if (const matrix_market_error error = read_matrix_market(in, list, &has_weights)) {
    std::fprintf(stderr, "%s:%llu: error: %s\n", options.file,
                 static_cast<unsigned long long>(error.line), error.text.c_str());
    return false;
  }
  if (!has_weights || options.random_weights)
    draw_weights(list, generator);
  return true;
}

static double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// One strategy: the median of five runs, printed; the distances.
template <class Weight>
static bool run_strategy(const csr_graph<Weight> &graph, uint32_t source, path_strategy strategy,
                         const program_options &options, std::vector<Weight> &distances) {
  shortest_paths_options<Weight> how;
  how.strategy = strategy;
  how.delta = static_cast<Weight>(options.delta);
  size_t bytes = 0;
  const device_vector<Weight> d_distances(graph.num_vertices);
  if (!ok(shortest_paths(nullptr, bytes, graph, source, d_distances.get(), how), "shortest paths"))
    return false;
  const device_vector<char> d_temp(bytes);
  if (!d_temp.get() || !d_distances.get())
    return ok(cudaErrorMemoryAllocation, "temporary storage");
  shortest_paths_report report;
  std::vector<double> times;
  for (int run = 0; run < 5; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    const cudaError_t error =
        shortest_paths(d_temp.get(), bytes, graph, source, d_distances.get(), how, &report);
    times.push_back(seconds_since(begin));
    if (report.data.error() == data_error::overflow)
      std::fprintf(stderr,
                   "error: the distance of vertex %llu is too long for 31 bits: try --float\n",
                   static_cast<unsigned long long>(report.data.detail() + 1));
    if (!ok(error, "shortest paths"))
      return false;
  }
  std::sort(times.begin(), times.end());
  std::printf("%-10s %10.3f ms   %llu phases, %.2f edges relaxed per edge\n",
              strategy == path_strategy::multisplit ? "multisplit" : "near-far", times[2] * 1e3,
              static_cast<unsigned long long>(report.phases),
              static_cast<double>(report.edges) /
                  static_cast<double>(graph.num_edges ? graph.num_edges : 1));
  distances.resize(graph.num_vertices);
  return ok(cudaMemcpy(distances.data(), d_distances.get(), distances.size() * sizeof(Weight),
                       cudaMemcpyDeviceToHost),
            "copying distances");
}

template <class Weight> static int run(const program_options &options) {
  edge_list<Weight> list;
  if (!read_edges(options, list))
    return 2;
  if (options.source == 0 || options.source > list.num_vertices) {
    std::fprintf(stderr, "error: there is no vertex %u: the graph has vertices 1 to %u\n",
                 options.source, list.num_vertices);
    return 2;
  }
  const host_graph<Weight> graph = graph_by_rows(list, !options.file);
  const uint32_t source = options.source - 1;
  std::printf("%u vertices, %zu edges\n", graph.num_vertices, graph.columns.size());
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Weight> expected = dijkstra<Weight>(graph, source);
  const double seconds = seconds_since(begin);
  const auto reached = graph.num_vertices -
                       static_cast<uint32_t>(std::count(expected.begin(), expected.end(),
                                                        detail::path_word<Weight>::unreachable()));
  std::printf("%-10s %10.3f ms   on the host; %u vertices reached\n", "Dijkstra", seconds * 1e3,
              reached);
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::printf("no GPU was found: nothing has been compared\n");
    return 77;
  }
  const device_vector<uint64_t> d_rows(graph.row_offsets);
  const device_vector<uint32_t> d_columns(graph.columns);
  const device_vector<Weight> d_weights(graph.weights);
  if (!d_rows.get() || !d_columns.get() || !d_weights.get())
    return ok(cudaErrorMemoryAllocation, "the graph"), 1;
  const csr_graph<Weight> on_device{graph.num_vertices, graph.columns.size(), d_rows.get(),
                                    d_columns.get(), d_weights.get()};
  bool agree = true;
  for (const path_strategy strategy : {path_strategy::near_far, path_strategy::multisplit}) {
    std::vector<Weight> distances;
    if (!run_strategy(on_device, source, strategy, options, distances))
      return 1;
    agree = agree && distances == expected;
  }
  std::printf(agree ? "all distances agree\n" : "DISTANCES DIFFER\n");
  return agree ? 0 : 1;
}

int main(int argc, char **argv) {
  program_options options;
  if (!parse_options(argc, argv, options))
    return 2;
  return options.floats ? run<float>(options) : run<uint32_t>(options);
}
