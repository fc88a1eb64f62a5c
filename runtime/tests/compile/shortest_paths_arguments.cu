//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What shortest_paths.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//
#include "no_gpu.hpp"

#include <colonnade/shortest_paths.cuh>

using namespace colonnade;

namespace {

some_memory<uint64_t> rows;
some_memory<uint32_t> columns, distances;
some_memory<float> weights, float_distances;
some_memory<char> temp[100];

cudaError_t paths(size_t bytes, const csr_graph<uint32_t> &graph, uint32_t source, uint32_t *to,
                  const shortest_paths_options<uint32_t> &options = {}) {
  return shortest_paths(temp, bytes, graph, source, to, options);
}

void test_integers() {
  const auto *d_weights = reinterpret_cast<const uint32_t *>(weights.in());
  const csr_graph<uint32_t> graph{100, 500, rows.in(), columns.in(), d_weights};
  shortest_paths_options<uint32_t> options;
  size_t bytes = 0;
  EXPECT(shortest_paths(nullptr, bytes, graph, 0, distances.get()) == cudaSuccess &&
             bytes > 100 * 4 * 35 && bytes < sizeof temp,
         "bytes");
  REACHES_CUDA(paths(bytes, graph, 0, distances.get()));
  REACHES_CUDA(paths(bytes, graph, 99, distances.get()));
  REFUSED(paths(bytes, graph, 100, distances.get()));
  REFUSED(paths(bytes - 1, graph, 0, distances.get()));
  REFUSED(paths(bytes, graph, 0, nullptr));
  REFUSED(paths(bytes, graph, 0, distances.at(2)));
  REFUSED(paths(bytes, graph, 0, columns.get()));
  REFUSED(paths(bytes, {100, 500, nullptr, columns.in(), d_weights}, 0, distances.get()));
  REFUSED(paths(bytes, {100, 500, rows.at(4), columns.in(), d_weights}, 0, distances.get()));
  REFUSED(paths(bytes, {100, 500, rows.in(), nullptr, d_weights}, 0, distances.get()));
  REFUSED(paths(bytes, {100, 500, rows.in(), columns.in(), nullptr}, 0, distances.get()));
  REACHES_CUDA(paths(bytes, {100, 0, rows.in(), nullptr, nullptr}, 0, distances.get()));
  REFUSED(paths(bytes, {0, 0, rows.in(), columns.in(), d_weights}, 0, distances.get()));
  REFUSED(paths(~size_t{0}, {(1u << 27) + 1, 500, rows.in(), columns.in(), d_weights}, 0,
                distances.get()));
  for (const uint32_t buckets : {0u, 2u, 33u}) {
    options.num_buckets = buckets;
    REFUSED(paths(bytes, graph, 0, distances.get(), options));
  }
  options.strategy = path_strategy::near_far;
  REACHES_CUDA(paths(bytes, graph, 0, distances.get(), options));
}

void test_floats() {
  const csr_graph<float> graph{100, 500, rows.in(), columns.in(), weights.in()};
  shortest_paths_options<float> options;
  size_t bytes = sizeof temp;
  REACHES_CUDA(shortest_paths(temp, bytes, graph, 0, float_distances.get(), options));
  options.delta = -1;
  REFUSED(shortest_paths(temp, bytes, graph, 0, float_distances.get(), options));
}

} // namespace

int main() {
  require_no_gpu();
  test_integers();
  test_floats();
  return gpu_result("shortest paths: arguments");
}
