//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// paths_case.cuh: a graph on the GPU, and shortest paths on it against Dijkstra.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gpu_test.hpp"

#include <colonnade/graphs/dijkstra.hpp>
#include <colonnade/graphs/generate.hpp>
#include <colonnade/shortest_paths.cuh>

/// The graph's arrays, in memory of their exact size (at least one item).
template <class Weight> class device_graph {
public:
  explicit device_graph(const colonnade::host_graph<Weight> &graph) {
    view_.num_vertices = graph.num_vertices;
    view_.num_edges = graph.columns.size();
    view_.d_row_offsets = copy(graph.row_offsets, 0);
    view_.d_columns = copy(graph.columns, 1);
    view_.d_weights = copy(graph.weights, 2);
  }
  ~device_graph() {
    for (void *d : memory_)
      CUDA_OK(cudaFree(d));
  }
  device_graph(const device_graph &) = delete;
  const colonnade::csr_graph<Weight> &view() const { return view_; }

private:
  template <class T> T *copy(const std::vector<T> &from, int which) {
    CUDA_OK(cudaMalloc(&memory_[which], (from.size() + from.empty()) * sizeof(T)));
    CUDA_OK(
        cudaMemcpy(memory_[which], from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return static_cast<T *>(memory_[which]);
  }
  void *memory_[3] = {};
  colonnade::csr_graph<Weight> view_;
};

/// Storage for one strategy on one graph, filled with a pattern, with red zones.
template <class Weight, class Distance, class Policy = colonnade::shortest_paths_policy>
class path_run {
public:
  using options_type = colonnade::shortest_paths_options<Distance>;
  path_run(const colonnade::csr_graph<Weight> &graph, const options_type &options)
      : graph_(graph), options_(options) {
    CUDA_OK(call(nullptr, 0));
    CUDA_OK(cudaMalloc(&d_temp_, bytes_ + 1 + zone));
    CUDA_OK(cudaMemset(d_temp_, 0xab, bytes_ + 1 + zone));
    CUDA_OK(cudaMalloc(&d_distances_, graph.num_vertices * sizeof(Distance) + zone));
    CUDA_OK(cudaMemset(d_distances_, 0xab, graph.num_vertices * sizeof(Distance) + zone));
  }
  ~path_run() {
    CUDA_OK(cudaFree(d_temp_));
    CUDA_OK(cudaFree(d_distances_));
  }
  path_run(const path_run &) = delete;

  cudaError_t run(uint32_t source) { return call(static_cast<char *>(d_temp_) + 1, source); }
  cudaError_t call(void *d_temp, uint32_t source) {
    return colonnade::shortest_paths(d_temp, bytes_, graph_, source, d_distances_, options_,
                                     &report, nullptr, Policy{});
  }
  std::vector<Distance> distances() const {
    std::vector<Distance> all(graph_.num_vertices);
    CUDA_OK(cudaMemcpy(all.data(), d_distances_, all.size() * sizeof(Distance),
                       cudaMemcpyDeviceToHost));
    return all;
  }
  bool intact() const {
    return untouched(static_cast<char *>(d_temp_) + 1 + bytes_) &&
           untouched(reinterpret_cast<char *>(d_distances_ + graph_.num_vertices));
  }
  options_type &options() { return options_; }
  size_t bytes() const { return bytes_; }

  colonnade::shortest_paths_report report;

private:
  static constexpr size_t zone = 256;
  static bool untouched(const char *d_zone) {
    unsigned char bytes[zone];
    CUDA_OK(cudaMemcpy(bytes, d_zone, zone, cudaMemcpyDeviceToHost));
    bool all = true;
    for (const unsigned char byte : bytes)
      all = all && byte == 0xab;
    return all;
  }
  colonnade::csr_graph<Weight> graph_;
  options_type options_;
  void *d_temp_ = nullptr;
  size_t bytes_ = 0;
  Distance *d_distances_ = nullptr;
};
