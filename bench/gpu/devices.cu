//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// devices.cu: a whole job, from row-wise host arrays to row-wise host arrays, on one GPU and on
// all GPUs of the host.
//
// In: FUNCTION, the identifier, with its generated code; usage: devices P [SCALAR...], instances
// and the scalars' values. Out: a line `function,p,devices,one,all`, medians of interleaved runs
// in milliseconds by the clock of the host. Host arrays are pinned, random, and restored before
// each run.
// Invariant: the results of all GPUs have the bits of those of one.
//
//===----------------------------------------------------------------------===//
#include "../generated_interface.hpp"
#include "timing.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

using namespace colonnade::bulk;

namespace {

constexpr int runs = 9;

class job {
public:
  job(uint64_t p, std::vector<scalar_bits> scalars) : p_(p), scalars_(std::move(scalars)) {
    std::mt19937 random(1);
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      uint64_t cells = 1;
      for (uint32_t d = 0; d < f_.arrays[a].rank; ++d)
        cells *= static_cast<uint64_t>(f_.arrays[a].extent(d, scalars_.data()));
      cells_.push_back(cells);
      const uint64_t all = cells * (f_.arrays[a].uniform ? 1 : p);
      bytes_.push_back(all * size_bytes(f_.arrays[a].cell));
      void *pinned = nullptr;
      check(cudaMallocHost(&pinned, bytes_[a]));
      arrays_.push_back(pinned);
      given_.emplace_back(bytes_[a]);
      fill(given_[a], f_.arrays[a].cell, random);
    }
  }

  void measure() {
    int devices = 0;
    check(cudaGetDeviceCount(&devices));
    std::vector<double> one, all;
    std::vector<std::vector<char>> of_one;
    for (int i = 0; i <= runs; ++i) { // the first takes what is done once for each device
      const double first = run(1);
      of_one = results();
      const double second = run(static_cast<unsigned>(devices));
      if (results() != of_one) {
        std::fprintf(stderr, "%s: other results on %d devices\n", f_.name, devices);
        std::exit(1);
      }
      if (i > 0) {
        one.push_back(first);
        all.push_back(second);
      }
    }
    std::sort(one.begin(), one.end());
    std::sort(all.begin(), all.end());
    std::printf("%s,%llu,%d,%.2f,%.2f\n", f_.name, static_cast<unsigned long long>(p_), devices,
                one[runs / 2], all[runs / 2]);
  }

private:
  static void fill(std::vector<char> &memory, cell_type cell, std::mt19937 &random) {
    if (cell == cell_type::f32) {
      float *const cells = reinterpret_cast<float *>(memory.data());
      for (size_t k = 0; k < memory.size() / 4; ++k)
        cells[k] = 1.0f + static_cast<float>(random() >> 9) / (1 << 23);
      return;
    }
    for (char &byte : memory)
      byte = static_cast<char>(random());
  }
  /// Milliseconds.
  double run(unsigned devices) {
    for (uint32_t a = 0; a < f_.num_arrays; ++a)
      std::memcpy(arrays_[a], given_[a].data(), bytes_[a]);
    run_options options;
    options.where = target::cuda;
    options.devices = devices;
    const raw_arguments arguments{arrays_.data(), scalars_.data(), cells_.data(), p_};
    const auto begin = std::chrono::steady_clock::now();
    const status s = run_rows(f_, arguments, options);
    const auto end = std::chrono::steady_clock::now();
    if (!s) {
      std::fprintf(stderr, "%s: %s\n", f_.name, s.message.c_str());
      std::exit(1);
    }
    return std::chrono::duration<double, std::milli>(end - begin).count();
  }
  std::vector<std::vector<char>> results() const {
    std::vector<std::vector<char>> all;
    for (uint32_t a = 0; a < f_.num_arrays; ++a)
      if (f_.arrays[a].dir != direction::in)
        all.emplace_back(static_cast<const char *>(arrays_[a]),
                         static_cast<const char *>(arrays_[a]) + bytes_[a]);
    return all;
  }

  const function_info &f_ = FUNCTION::info();
  uint64_t p_;
  std::vector<scalar_bits> scalars_;
  std::vector<uint64_t> cells_, bytes_;
  std::vector<void *> arrays_; // pinned
  std::vector<std::vector<char>> given_;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: devices P [SCALAR...]\n");
    return 3;
  }
  std::vector<scalar_bits> scalars;
  for (int i = 2; i < argc; ++i)
    scalars.push_back(std::strtoull(argv[i], nullptr, 10));
  job(std::strtoull(argv[1], nullptr, 10), scalars).measure();
  return 0;
}
