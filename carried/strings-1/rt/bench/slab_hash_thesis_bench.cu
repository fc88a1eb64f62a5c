//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The figures on slab hashes in the thesis of S. Ashkiani (2017), chapter 5, for this GPU; pairs of
// 4 + 4 bytes. (Figure 5.7b is in slab_hash_dynamic_bench.)
//
//   figures 5.4a and b   2^22 pairs: insertion into an empty map, build, and find, by utilisation
//   figures 5.5a and b   the same by the number of pairs, utilisation 0.60
//   figure 5.6           2^21 pairs in batches, utilisation 0.65 at the end: time so far; beside it
//                        a new table of all pairs so far after each batch. The one map is there
//                        before; new ones allocate, from a pool that keeps its memory
//   figure 5.7a          2^22 pairs, 2^20 operations of mixed kinds, one a thread, by utilisation
//                        before
//
// The thesis compares with a cuckoo hash table that is built from scratch; here that part has
// build(). Medians of five runs.
//
//===----------------------------------------------------------------------===//

#include "slab_bench.cuh"

using namespace colonnade;
using namespace bench;

namespace {

/// Milliseconds: the median of five runs, after one that warms up.
template <class Run> double median_time(Run run) {
  std::vector<double> times;
  for (int i = 0; i < 6; ++i) {
    const double time = run();
    if (i > 0)
      times.push_back(time);
  }
  return quantile(times, 0.5);
}
template <class Run> double rate(uint64_t num_items, Run run) {
  return static_cast<double>(num_items) / 1e6 / median_time(run);
}
std::string two_digits(double value) {
  char text[16];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}
float time_build(const workload &w, uint32_t n, double utilisation) {
  word_map map; // given back after the timing
  const auto options = slab_map_options_for<uint32_t, uint32_t>(n, utilisation);
  return milliseconds([&] { CUDA_OK(word_map::build(map, options, w.keys, w.keys, n)); });
}

/// One column of figures 5.4 or 5.5.
void measure_static(report &out, const std::string &figure, const std::string &by,
                    const std::string &column, uint32_t n, double utilisation) {
  const workload w(n);
  bench_map m(n, utilisation);
  const slab_hash_policy policy;
  const std::string building = "Thesis, figure " + figure + "a: from empty, by " + by,
                    finding = "Thesis, figure " + figure + "b: find, by " + by;
  out.cell(building, "insert_or_assign", column, "G/s",
           rate(n, [&] { return m.fill(w.keys, policy); }));
  out.cell(building, "build", column, "G/s",
           rate(n, [&] { return time_build(w, n, utilisation); }));
  out.cell(finding, "all existing", column, "G/s",
           rate(n, [&] { return m.find(w.hits, w.found, policy); }));
  out.cell(finding, "none existing", column, "G/s",
           rate(n, [&] { return m.find(w.misses, w.found, policy); }));
}

/// Milliseconds after each batch: all batches so far in one map, and in a new one each time.
void measure_incremental(report &out, uint32_t n, uint32_t batch) {
  const std::string figure = "Thesis, figure 5.6: time so far by the number of pairs",
                    of = ", batches of " + std::to_string(batch >> 10) + "K";
  const workload w(n);
  const uint32_t calls = n / batch, step = std::max(1u, calls / 16);
  void *d_temp;
  size_t bytes = 1;
  CUDA_OK(cudaMalloc(&d_temp, bytes));
  const auto in_one_map = [&](uint32_t all) {
    return median_time([&] {
      word_map map;
      CUDA_OK(word_map::create(map, slab_map_options_for<uint32_t, uint32_t>(n, 0.65)));
      return milliseconds([&] {
        for (uint32_t first = 0; first < all; first += batch)
          CUDA_OK(map.insert_or_assign_async(d_temp, bytes, w.keys + first, w.keys + first, batch));
      });
    });
  };
  const auto afresh = [&](uint32_t all) {
    return median_time([&] { return time_build(w, all, 0.65); });
  };
  double sum = 0;
  for (uint32_t i = 1; i <= calls; ++i) {
    sum += afresh(i * batch);
    if (i % step)
      continue;
    const std::string column = std::to_string(i * batch);
    out.cell(figure, "one map" + of, column, "ms", in_one_map(i * batch));
    out.cell(figure, "a new table each time" + of, column, "ms", sum);
  }
  CUDA_OK(cudaFree(d_temp));
}

/// One column of figure 5.7a.
void measure_mixed(report &out, const workload &w, double utilisation, const mix &m) {
  constexpr uint32_t batch = 1u << 20;
  uint8_t *kinds;
  uint32_t *keys;
  CUDA_OK(cudaMalloc(&kinds, batch));
  CUDA_OK(cudaMalloc(&keys, batch * sizeof(uint32_t)));
  write_mix<<<1056, 256>>>(kinds, keys, batch, w.n, m);
  bench_map map(w.n, utilisation, 0.25);
  char row[64];
  std::snprintf(row, sizeof row, "(%.1f, %.1f, %.1f, %.1f)", m.insert, m.erase, m.hit,
                1 - m.insert - m.erase - m.hit);
  out.cell("Thesis, figure 5.7a: (insert, erase, present, absent), by the utilisation before", row,
           two_digits(utilisation), "G/s", rate(batch, [&] {
             map.fill(w.keys, slab_hash_policy{});
             return milliseconds([&] {
               mixed_operations<<<132 * 16, 256>>>(map.map.ref(), kinds, keys, w.found, batch);
             });
           }));
  CUDA_OK(cudaFree(kinds));
  CUDA_OK(cudaFree(keys));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  keep_memory_of_pools();
  const double utilisations[] = {0.1,  0.2, 0.3,  0.4, 0.5,  0.55, 0.6,
                                 0.65, 0.7, 0.75, 0.8, 0.85, 0.9};
  for (const double u : utilisations)
    measure_static(out, "5.4", "utilisation, 2^22 pairs", two_digits(u), 1u << 22, u);
  for (uint32_t log = 16; log <= 27; ++log)
    measure_static(out, "5.5", "the number of pairs, utilisation 0.60",
                   std::to_string(uint64_t{1} << log), 1u << log, 0.6);
  for (const uint32_t batch : {1u << 15, 1u << 16, 1u << 17})
    measure_incremental(out, 1u << 21, batch);
  const workload w(1u << 22);
  for (const mix &m : {mix{0.5, 0.5, 0}, mix{0.2, 0.2, 0.3}, mix{0.1, 0.1, 0.4}})
    for (const double u : utilisations)
      measure_mixed(out, w, u, m);
  return out.finish() + (gpu_failures() != 0);
}
