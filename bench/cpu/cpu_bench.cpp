//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_bench.cpp: one core, the original function against its bulk version, per
// instruction set and layout. Runs are interleaved; each figure is the median of
// the ratios of neighbouring runs, by the thread's CPU time. Results are compared
// bit by bit. FUNCTION: the identifier. Usage: cpu_bench COUNT SCALAR-BITS…
// Prints table rows: | function | sequential ns | isa | row | column | tiled |
//
//===----------------------------------------------------------------------===//
#include "../compared_function.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

using namespace colonnade::bulk;

namespace {

constexpr int pairs = 15;

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

uint64_t next_random() {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

void fill(cell_type type, unsigned char *to, size_t cells) {
  for (size_t i = 0; i < cells; ++i) {
    const uint64_t r = next_random() >> 11;
    const double unit = double(r) / double(uint64_t{1} << 53);
    if (type == cell_type::f32) {
      const float value = float(unit * 4 - 2);
      std::memcpy(to + 4 * i, &value, 4);
    } else if (type == cell_type::f64) {
      const double value = unit * 4 - 2;
      std::memcpy(to + 8 * i, &value, 8);
    } else {
      std::memcpy(to + size_bytes(type) * i, &r, size_bytes(type));
    }
  }
}

struct bench {
  const function_info &f = FUNCTION::info();
  uint64_t count = 0;
  std::vector<scalar_bits> scalars;
  std::vector<uint64_t> cells;
  std::vector<std::vector<unsigned char>> input, rows, expected, work;

  size_t bytes(uint32_t a) const { return size_bytes(f.arrays[a].cell); }
  uint64_t padded() const { return (count + f.cpu_tile - 1) / f.cpu_tile * f.cpu_tile; }

  void prepare() {
    for (uint32_t a = 0; a < f.num_arrays; ++a) {
      int64_t n = 1;
      for (uint32_t d = 0; d < f.arrays[a].rank; ++d)
        n *= f.arrays[a].extent(d, scalars.data());
      cells.push_back(uint64_t(n));
      input.emplace_back((f.arrays[a].uniform ? 1 : count) * cells[a] * bytes(a));
      fill(f.arrays[a].cell, input[a].data(), input[a].size() / bytes(a));
      work.emplace_back((f.arrays[a].uniform ? 1 : padded()) * cells[a] * bytes(a));
    }
    if (!std::strcmp(f.name, "escape_time"))
      image_grid();
    rows = input;
  }

  /// Pixels of an image in scan order, as the example has them: neighbours leave
  /// the loop after similar numbers of iterations.
  void image_grid() {
    for (uint64_t j = 0; j < count; ++j) {
      const double re = -2.0 + 3.0 * double(j % 1024) / 1024;
      const double im = 0.2 + 0.001 * double(j / 1024);
      std::memcpy(&input[0][8 * j], &re, 8);
      std::memcpy(&input[1][8 * j], &im, 8);
    }
  }

  static std::vector<void *> pointers(std::vector<std::vector<unsigned char>> &from) {
    std::vector<void *> result;
    for (auto &array : from)
      result.push_back(array.data());
    return result;
  }

  uint64_t index(layout l, uint32_t a, uint64_t j, uint64_t i) const {
    if (l == layout::row_wise)
      return j * cells[a] + i;
    if (l == layout::column_wise)
      return i * count + j;
    return j / f.cpu_tile * cells[a] * f.cpu_tile + i * f.cpu_tile + j % f.cpu_tile;
  }

  void lay_out(layout l) {
    for (uint32_t a = 0; a < f.num_arrays; ++a) {
      if (f.arrays[a].uniform) {
        std::copy(input[a].begin(), input[a].end(), work[a].begin());
        continue;
      }
      for (uint64_t j = 0; j < count; ++j)
        for (uint64_t i = 0; i < cells[a]; ++i)
          std::memcpy(&work[a][index(l, a, j, i) * bytes(a)],
                      &input[a][(j * cells[a] + i) * bytes(a)], bytes(a));
    }
  }

  bool matches(layout l) const {
    for (uint32_t a = 0; a < f.num_arrays; ++a)
      for (uint64_t j = 0; !f.arrays[a].uniform && j < count; ++j)
        for (uint64_t i = 0; i < cells[a]; ++i)
          if (std::memcmp(&work[a][index(l, a, j, i) * bytes(a)],
                          &expected[a][(j * cells[a] + i) * bytes(a)], bytes(a)))
            return false;
    return true;
  }

  double time_sequential() {
    rows = input;
    const std::vector<void *> arrays = pointers(rows);
    const double start = cpu_seconds();
    sequential_all(arrays.data(), scalars.data(), cells.data(), count);
    return cpu_seconds() - start;
  }

  double time_bulk(layout l, const char *isa) {
    const std::vector<void *> arrays = pointers(work);
    cpu_launch_options options;
    options.num_threads = 1;
    options.isa = isa;
    const double start = cpu_seconds();
    const status s = f.run_cpu({arrays.data(), scalars.data(), cells.data(), count}, l, options);
    const double seconds = cpu_seconds() - start;
    if (!s.ok()) {
      std::fprintf(stderr, "%s\n", s.message.c_str());
      std::exit(1);
    }
    return seconds;
  }

  /// Median over interleaved pairs of sequential time / bulk time.
  double speedup(layout l, const char *isa, double &sequential_seconds) {
    std::vector<double> ratios, times;
    for (int k = 0; k < pairs; ++k) {
      lay_out(l);
      const double theirs = time_sequential(), ours = time_bulk(l, isa);
      if (k == 0) {
        expected = rows;
        if (!matches(l)) {
          std::fprintf(stderr, "%s: results differ (%s)\n", f.name, isa);
          std::exit(1);
        }
      }
      ratios.push_back(theirs / ours);
      times.push_back(theirs);
    }
    std::sort(ratios.begin(), ratios.end());
    std::sort(times.begin(), times.end());
    sequential_seconds = times[pairs / 2];
    return ratios[pairs / 2];
  }
};

} // namespace

int main(int argc, char **argv) {
  bench b;
  b.count = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1024;
  for (int i = 2; i < argc; ++i)
    b.scalars.push_back(std::strtoull(argv[i], nullptr, 0));
  b.prepare();
  for (const char *isa : {"avx512", "avx2", "sse2"}) {
    double sequential = 0, ratios[3];
    int k = 0;
    for (layout l : {layout::row_wise, layout::column_wise, layout::tiled})
      ratios[k++] = b.speedup(l, isa, sequential);
    std::printf("| %s | %.0f | %s | %.2f | %.2f | %.2f |\n", b.f.name,
                sequential / double(b.count) * 1e9, isa, ratios[0], ratios[1], ratios[2]);
  }
}
