//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// layouts.cu: the generated kernel in each layout, beside a copy of as many bytes.
//
// In: a function's generated code, with bench/compared_function.cpp and bench/sequential.cpp;
// usage: layouts P INPUTS [SCALAR...], instances, what floating-point cells hold
// (bench/inputs.hpp), and the scalars' values. Out: a line `function,p,copy,unit,row,column,tiled`,
// medians of interleaved runs in microseconds by events; unit: what as many bytes take at the speed
// of a copy of 1 GiB in a grid-stride loop. Invariant: for 1,000 instances each layout's results
// are the sequential function's, bit by bit (a NaN is a NaN; of functions that call exp and the
// like within the bound of --verify); inputs are random and new for each run.
//
//===----------------------------------------------------------------------===//
#include "../compared_function.hpp"
#include "../inputs.hpp"
#include "timing.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

using namespace colonnade::bulk;

namespace {

constexpr uint64_t compared = 1000;
constexpr int runs = 15;
constexpr layout layouts[] = {layout::row_wise, layout::column_wise, layout::tiled};

__host__ __device__ uint32_t scrambled(uint64_t k) {
  uint32_t x = static_cast<uint32_t>(k ^ k >> 32) * 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ x >> 13;
}

/// What an array holds; of each instance as many cells, which lie in such a layout.
struct contents {
  size_t bytes; // of a cell
  bool is_float;
  uint64_t cells, side, count;
  layout order;
  inputs kind;

  /// Of what lies in place k, where tiles are full.
  __host__ __device__ uint64_t cell(uint64_t k) const {
    return order == layout::row_wise      ? k % cells
           : order == layout::column_wise ? k / count
                                          : k / 32 % cells;
  }
};

/// Random bytes, or a number of the kind.
__host__ __device__ void fill_cell(void *memory, uint64_t k, contents of, uint32_t seed) {
  const size_t bytes = of.bytes;
  const uint32_t x = scrambled(k + seed * 0x100000001ull);
  const double fraction = static_cast<double>(x) / 4294967296.0;
  const double number = number_of(of.kind, fraction, of.cell(k), of.cells, of.side);
  if (of.is_float && bytes == 4)
    static_cast<float *>(memory)[k] = static_cast<float>(number);
  else if (of.is_float)
    static_cast<double *>(memory)[k] = number;
  else if (bytes == 1)
    static_cast<uint8_t *>(memory)[k] = static_cast<uint8_t>(x);
  else if (bytes == 2)
    static_cast<uint16_t *>(memory)[k] = static_cast<uint16_t>(x);
  else if (bytes == 4)
    static_cast<uint32_t *>(memory)[k] = x;
  else
    static_cast<uint64_t *>(memory)[k] = x * 0x9e3779b97f4a7c15ull;
}

__global__ void fill(void *memory, uint64_t num_cells, contents of, uint32_t seed) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num_cells;
       k += uint64_t{gridDim.x} * blockDim.x)
    fill_cell(memory, k, of, seed);
}

__global__ void copy(const uint4 *from, uint4 *to, uint64_t num) {
  const uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  if (k < num)
    to[k] = from[k];
}

__global__ void copy_by_strides(const float4 *from, float4 *to, uint64_t num) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num;
       k += uint64_t{gridDim.x} * blockDim.x)
    to[k] = from[k];
}

class job {
public:
  job(uint64_t p, inputs kind, std::vector<scalar_bits> scalars)
      : p_(p), kind_(kind), scalars_(std::move(scalars)) {
    const uint64_t most = std::max((p + 31) / 32 * 32, (compared + 31) / 32 * 32);
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      uint64_t cells = 1;
      for (uint32_t d = 0; d < f_.arrays[a].rank; ++d)
        cells *= static_cast<uint64_t>(f_.arrays[a].extent(d, scalars_.data()));
      cells_.push_back(cells);
      d_arrays_.push_back(nullptr);
      check(cudaMalloc(&d_arrays_[a], storage(a, most)));
      const uint64_t bytes = f_.arrays[a].uniform ? 0 : p * cells * cell_bytes(a);
      moved_ += f_.arrays[a].dir != direction::out ? bytes : 0;
      moved_ += f_.arrays[a].dir != direction::in ? bytes : 0;
    }
    check(cudaMalloc(&d_from_, moved_ / 2 + 16));
    check(cudaMalloc(&d_to_, moved_ / 2 + 16));
    check(cudaMalloc(&d_unit_, uint64_t{2} << 30));
    check(cudaMemset(d_from_, 0x5a, moved_ / 2 + 16));
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }

  void compare() {
    std::vector<std::vector<char>> given = rows(), expected = given;
    std::vector<void *> arrays;
    std::vector<uint64_t> steps;
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      arrays.push_back(expected[a].data());
      steps.push_back(f_.arrays[a].uniform ? 0 : cells_[a] * cell_bytes(a));
    }
    sequential_all(arrays.data(), scalars_.data(), steps.data(), compared);
    for (layout l : layouts) {
      for (uint32_t a = 0; a < f_.num_arrays; ++a) {
        const std::vector<char> in = laid_out(given[a], a, l);
        check(cudaMemcpy(d_arrays_[a], in.data(), in.size(), cudaMemcpyHostToDevice));
      }
      launch(l, compared);
      for (uint32_t a = 0; a < f_.num_arrays; ++a) {
        const std::vector<char> wanted = laid_out(expected[a], a, l);
        std::vector<char> got(wanted.size());
        check(cudaMemcpy(got.data(), d_arrays_[a], got.size(), cudaMemcpyDeviceToHost));
        if (!same(a, got, wanted)) {
          std::fprintf(stderr, "%s, layout %d: %s differs\n", f_.name, static_cast<int>(l),
                       f_.arrays[a].name);
          std::exit(1);
        }
      }
    }
  }

  void measure() {
    std::vector<double> times[5]; // of a copy, the unit, each layout
    for (int run = 0; run < runs; ++run) {
      times[0].push_back(timed([&] {
        const uint64_t num = moved_ / 2 / sizeof(uint4);
        copy<<<static_cast<unsigned>((num + 255) / 256), 256>>>(static_cast<uint4 *>(d_from_),
                                                                static_cast<uint4 *>(d_to_), num);
        check(cudaGetLastError());
      }));
      times[1].push_back(unit());
      for (int l = 0; l < 3; ++l) {
        for (uint32_t a = 0; a < f_.num_arrays; ++a)
          fill<<<1024, 256>>>(d_arrays_[a], (f_.arrays[a].uniform ? 1 : p_) * cells_[a],
                              held(a, p_, layouts[l]), static_cast<uint32_t>(run));
        times[l + 2].push_back(timed([&] { launch(layouts[l], p_); }));
      }
    }
    std::printf("%s,%llu", f_.name, static_cast<unsigned long long>(p_));
    for (std::vector<double> &of : times) {
      std::sort(of.begin(), of.end());
      std::printf(",%.2f", of[of.size() / 2]);
    }
    std::printf("\n");
  }

private:
  uint64_t cell_bytes(uint32_t a) const { return size_bytes(f_.arrays[a].cell); }
  bool is_float(uint32_t a) const {
    return f_.arrays[a].cell == cell_type::f32 || f_.arrays[a].cell == cell_type::f64;
  }
  contents held(uint32_t a, uint64_t count, layout order) const {
    return {cell_bytes(a), is_float(a), cells_[a], side_of(cells_[a]), count, order, kind_};
  }
  uint64_t storage(uint32_t a, uint64_t count) const {
    return (f_.arrays[a].uniform ? 1 : count) * cells_[a] * cell_bytes(a);
  }

  template <class Work> double timed(Work work) {
    check(cudaEventRecord(begin_));
    work();
    check(cudaEventRecord(end_));
    check(cudaEventSynchronize(end_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return static_cast<double>(milliseconds) * 1e3;
  }

  double unit() {
    constexpr uint64_t bytes = uint64_t{1} << 30;
    constexpr unsigned blocks_of_each = 16, threads = 256;
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const double time = timed([&] {
      copy_by_strides<<<static_cast<unsigned>(multiprocessors) * blocks_of_each, threads>>>(
          static_cast<float4 *>(d_unit_), static_cast<float4 *>(d_unit_) + bytes / sizeof(float4),
          bytes / sizeof(float4));
      check(cudaGetLastError());
    });
    return time * static_cast<double>(moved_) / (2.0 * bytes);
  }

  void launch(layout l, uint64_t p) {
    const raw_arguments arguments{d_arrays_.data(), scalars_.data(), cells_.data(), p};
    if (const status s = f_.run_cuda(arguments, l, nullptr, nullptr); !s.ok()) {
      std::fprintf(stderr, "%s\n", s.message.c_str());
      std::exit(1);
    }
  }

  bool same(uint32_t a, const std::vector<char> &got, const std::vector<char> &wanted) const {
    const bool is_inexact = f_.inexact_math != nullptr;
    const size_t bytes = cell_bytes(a);
    for (size_t k = 0; k < got.size(); k += bytes)
      if (std::memcmp(&got[k], &wanted[k], bytes) != 0 &&
          !agree(f_, is_inexact, number_in(f_.arrays[a].cell, &got[k]),
                 number_in(f_.arrays[a].cell, &wanted[k])))
        return false;
    return true;
  }

  std::vector<std::vector<char>> rows() const {
    std::vector<std::vector<char>> memory;
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      memory.emplace_back(storage(a, compared));
      for (uint64_t k = 0; k < memory[a].size() / cell_bytes(a); ++k)
        fill_cell(memory[a].data(), k, held(a, compared, layout::row_wise), 12345 + a);
    }
    return memory;
  }

  /// Tiled: the cells of instances that there are not are 0.
  std::vector<char> laid_out(const std::vector<char> &from, uint32_t a, layout l) const {
    if (l == layout::row_wise || f_.arrays[a].uniform)
      return from;
    const uint64_t cells = cells_[a], bytes = cell_bytes(a);
    const bool is_tiled = l == layout::tiled;
    std::vector<char> to(storage(a, is_tiled ? (compared + 31) / 32 * 32 : compared));
    for (uint64_t j = 0; j < compared; ++j) {
      const instance_view view = is_tiled ? tiled_layout<32>::view(j, cells, compared)
                                          : column_wise_layout::view(j, cells, compared);
      for (uint64_t i = 0; i < cells; ++i)
        std::memcpy(&to[(view.base + i * view.stride) * bytes], &from[(j * cells + i) * bytes],
                    bytes);
    }
    return to;
  }

  const function_info &f_ = compared_function();
  uint64_t p_, moved_ = 0;
  inputs kind_;
  std::vector<scalar_bits> scalars_;
  std::vector<uint64_t> cells_;
  std::vector<void *> d_arrays_;
  void *d_from_ = nullptr, *d_to_ = nullptr, *d_unit_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  const std::optional<inputs> kind = argc > 2 ? inputs_named(argv[2]) : std::nullopt;
  if (!kind) {
    std::fprintf(stderr, "usage: layouts P signed|positive|dominant [SCALAR...]\n");
    return 2;
  }
  std::vector<scalar_bits> scalars;
  for (int i = 3; i < argc; ++i)
    scalars.push_back(std::strtoull(argv[i], nullptr, 0));
  job of(std::strtoull(argv[1], nullptr, 0), *kind, scalars);
  of.compare();
  of.measure();
}
