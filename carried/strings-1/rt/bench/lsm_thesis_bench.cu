//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tables and figures on log-structured merge trees in the thesis of S. Ashkiani (2017), chapter
// 4, for this GPU; pairs of 4 + 4 bytes.
//
//   table 4.2, figures 4.2a and b   insertion of 2^27 elements, each batch timed by itself
//   table 4.3                       find: as many queries as elements, of up to 2^24
//   table 4.4                       count and range: of length 8 as many queries as elements, of
//                                   length 1024 a 64th as many
//   section 4.5.4                   a cleanup, and 2^25 queries before and after it
//
// Rates are those of each number of batches: the least, the greatest, the harmonic mean. For find
// about 64 numbers that are evenly spaced, for count and range about 16, and those with the most
// and the fewest levels. Beside it: one sorted array, into which batches are merged by CUB, or one
// level of as many elements, at the same numbers of batches: few elements mean few queries, which
// do not fill the GPU, in one level as in many.
//
//   --log2-inserted 27 --log2-queried 24
//
//===----------------------------------------------------------------------===//

#include "lsm_bench.cuh"
#include "timed_call.hpp"

#include <algorithm>

using namespace colonnade;
using namespace bench;

namespace {

struct spread_of_rates {
  double least, greatest, mean; // harmonic: all items by all time
};
/// rates: 10^9 items a second, of as many items each; or of the same call on more and more items.
spread_of_rates spread(const std::vector<double> &rates) {
  double inverse = 0;
  for (const double rate : rates)
    inverse += 1 / rate;
  return {quantile(rates, 0), quantile(rates, 1), static_cast<double>(rates.size()) / inverse};
}
/// Three columns, and how many times another mean this one is; 0: none.
void cells(report &out, const std::string &table, const std::string &row, const std::string &of,
           const std::vector<double> &rates, double against = 0) {
  const spread_of_rates s = spread(rates);
  out.cell(table, row, of + " min", "G/s", s.least);
  out.cell(table, row, of + " max", "G/s", s.greatest);
  out.cell(table, row, of + " mean", "G/s", s.mean, against ? s.mean / against : 0);
}
std::string of_batch(uint64_t batch) { return "b = " + size_name(batch); }

std::vector<double> rates_of(const std::vector<float> &times, uint64_t batch) {
  std::vector<double> rates;
  for (const float time : times)
    rates.push_back(gigas(batch, time));
  return rates;
}
/// The rate so far, at 32 numbers of elements.
void effective_rates(report &out, const std::string &row, const std::vector<float> &times,
                     uint64_t batch) {
  double sum = 0;
  const uint64_t step = std::max<uint64_t>(1, times.size() / 32);
  for (uint64_t r = 1; r <= times.size(); ++r) {
    sum += times[r - 1];
    if (r % step == 0)
      out.cell("Thesis, figure 4.2b: effective insertion rate by the number of elements", row,
               std::to_string(r * batch), "G/s", gigas(r * batch, static_cast<float>(sum)));
  }
}

void measure_insertion(report &out, uint64_t n, uint64_t batch) {
  const pair_arrays all = new_pairs(n);
  fill_uniform<<<2048, 256>>>(all.keys, n, 1);
  fill_uniform<<<2048, 256>>>(all.values, n, 2);
  std::vector<float> ours, theirs;
  {
    auto tree = new_tree<uint32_t>(batch, n);
    inserter<uint32_t> in(tree, all.keys, batch);
    for (int run = 0; run < 2; ++run) { // the first warms up
      CUDA_OK(tree.clear_async());
      ours = batch_times(in, n / batch);
    }
  }
  {
    sorted_array array(all, n, batch);
    array.insert(0);
    theirs = batch_times(array, n / batch);
  }
  free_pairs(all);
  const std::vector<double> array_rates = rates_of(theirs, batch);
  const std::string row = of_batch(batch),
                    table = "Thesis, table 4.2: insertion of batches, n = " + size_name(n) +
                            " (and times the sorted array)";
  cells(out, table, row, "LSM", rates_of(ours, batch), spread(array_rates).mean);
  cells(out, table, row, "sorted array", array_rates);
  const uint32_t log = static_cast<uint32_t>(std::stoul(size_name(batch).substr(2)));
  if (log % 2 == 1 && log <= 21)
    for (uint64_t r = 0; r < 64; ++r)
      out.cell("Thesis, figure 4.2a: time to insert a batch by the number of batches before", row,
               std::to_string(r), "ms", ours[r]);
  if (log % 2 == 0 && log <= 22) {
    effective_rates(out, "LSM, " + row, ours, batch);
    effective_rates(out, "sorted array, " + row, theirs, batch);
  }
}

/// Whether to measure at r of `most` batches: at `samples` of them, evenly spaced, and where there
/// are most levels or one.
bool is_sampled(uint64_t r, uint64_t most, uint64_t samples) {
  const uint64_t step = std::max<uint64_t>(1, most / samples);
  return r % step == 0 || (r & (r - 1)) == 0 || (r & (r + 1)) == 0;
}
/// use(r): with r batches in the tree, for each r that is sampled.
template <class Use>
void with_each_number(lsm_map<uint32_t, uint32_t> &tree, const uint32_t *keys, uint64_t batch,
                      uint64_t n, uint64_t samples, Use use) {
  inserter<uint32_t> in(tree, keys, batch);
  const uint64_t most = n / batch;
  for (uint64_t r = 1; r <= most; ++r) {
    in.insert(r - 1);
    if (is_sampled(r, most, samples))
      use(r);
  }
}
lsm_map<uint32_t, uint32_t> one_level(const uint32_t *keys, uint64_t n) {
  auto tree = new_tree<uint32_t>(n, n);
  inserter<uint32_t> in(tree, keys, n);
  in.insert(0);
  return tree;
}

void measure_find(report &out, uint64_t n, uint64_t batch) {
  uint32_t *keys = memory<uint32_t>(n), *queries = memory<uint32_t>(n),
           *found = memory<uint32_t>(n);
  fill_keys<<<2048, 256>>>(keys, n, 0, 0u);
  size_t bytes = 1;
  const auto rate = [&](const lsm_map<uint32_t, uint32_t> &tree, uint64_t count) {
    return gigas(count, milliseconds([&] {
                   CUDA_OK(tree.find_async(found, bytes, queries, found, count));
                 }));
  };
  for (const uint32_t odd : {1u, 0u}) {
    auto tree = new_tree<uint32_t>(batch, n);
    std::vector<double> ours, one;
    with_each_number(tree, keys, batch, n, 64, [&](uint64_t r) {
      const uint64_t count = r * batch;
      fill_queries<<<2048, 256>>>(queries, count, count, odd);
      rate(tree, count);
      ours.push_back(rate(tree, count));
      one.push_back(rate(one_level(keys, count), count));
    });
    const std::string table =
                          "Thesis, table 4.3: find by the number of batches, n = " + size_name(n) +
                          " (and times one level)",
                      row = of_batch(batch), of = odd ? "none existing:" : "all existing:";
    cells(out, table, row, of, ours, spread(one).mean);
    out.cell(table, row, of + " one level", "G/s", spread(one).mean);
  }
  for (uint32_t *array : {keys, queries, found})
    CUDA_OK(cudaFree(array));
}

void measure_ranges(report &out, uint64_t n, uint64_t batch, uint64_t per_query, uint32_t length) {
  uint32_t *keys = memory<uint32_t>(n);
  fill_uniform<<<2048, 256>>>(keys, n, 3);
  auto tree = new_tree<uint32_t>(batch, n);
  range_calls calls(tree, n / per_query, n / per_query * length * 5 / 4);
  std::vector<double> counts, lists, counts_one, lists_one;
  with_each_number(tree, keys, batch, n, 16, [&](uint64_t r) {
    const uint64_t in_all = r * batch, queries = in_all / per_query;
    calls.ask(queries, length, in_all);
    if (r == 1)
      calls.count(tree);
    counts.push_back(gigas(queries, calls.count(tree)));
    lists.push_back(gigas(queries, calls.list(tree)));
    const auto one = one_level(keys, in_all);
    counts_one.push_back(gigas(queries, calls.count(one)));
    lists_one.push_back(gigas(queries, calls.list(one)));
  });
  const auto write = [&](const char *what, const auto &ours, const auto &one) {
    const std::string table = std::string("Thesis, table 4.4: ") + what +
                              " by the number of batches, n = " + size_name(n) +
                              " (and times one level)",
                      of = "L = " + std::to_string(length) + ":";
    cells(out, table, of_batch(batch), of, ours, spread(one).mean);
    out.cell(table, of_batch(batch), of + " one level", "G/s", spread(one).mean);
  };
  write("count", counts, counts_one);
  write("range", lists, lists_one);
  CUDA_OK(cudaFree(keys));
}

/// All levels full; so many percent of the elements are of keys that come again.
void measure_cleanup(report &out, uint64_t batch, uint64_t batches, uint32_t stale_percent) {
  const uint64_t n = batches * batch, different = n - n * stale_percent / 100;
  constexpr uint64_t num_queries = 1u << 25;
  uint32_t *keys = memory<uint32_t>(n), *queries = memory<uint32_t>(num_queries),
           *found = memory<uint32_t>(num_queries);
  fill_keys<<<2048, 256>>>(keys, different, 0, 0u);
  fill_keys<<<2048, 256>>>(keys + different, n - different, 0, 0u);
  fill_queries<<<2048, 256>>>(queries, num_queries, different, 0u);
  auto tree = new_tree<uint32_t>(batch, n);
  inserter<uint32_t> in(tree, keys, batch);
  size_t bytes = 0, none = 1;
  CUDA_OK(tree.cleanup_async(nullptr, bytes));
  char *d_temp = memory<char>(bytes);
  const auto find = [&] {
    return milliseconds(
        [&] { CUDA_OK(tree.find_async(found, none, queries, found, num_queries)); });
  };
  std::vector<double> cleanups, befores, afters;
  for (int run = 0; run < 6; ++run) {
    CUDA_OK(tree.clear_async());
    for (uint64_t i = 0; i < batches; ++i)
      in.insert(i);
    const float before = find();
    const float cleanup = milliseconds([&] { CUDA_OK(tree.cleanup_async(d_temp, bytes)); });
    const float after = find();
    if (run == 0) // warms up
      continue;
    befores.push_back(before);
    cleanups.push_back(cleanup);
    afters.push_back(after);
  }
  const double before = quantile(befores, 0.5), cleanup = quantile(cleanups, 0.5),
               after = quantile(afters, 0.5);
  const std::string table = "Thesis, section 4.5.4: cleanup, and 2^25 queries before and after",
                    row = std::to_string(batches) + " batches of " + size_name(batch) + ", " +
                          std::to_string(stale_percent) + " % stale";
  out.cell(table, row, "cleanup, ms", "", cleanup);
  out.cell(table, row, "elements cleaned up, G/s", "", gigas(n, static_cast<float>(cleanup)));
  out.cell(table, row, "queries before, ms", "", before);
  out.cell(table, row, "queries after, ms", "", after);
  out.cell(table, row, "times as fast, the cleanup included", "", before / (after + cleanup));
  for (void *array : {static_cast<void *>(keys), static_cast<void *>(queries),
                      static_cast<void *>(found), static_cast<void *>(d_temp)})
    CUDA_OK(cudaFree(array));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const auto log2 = [&](const char *name, const char *otherwise) {
    return static_cast<uint32_t>(std::stoul(option(argc, argv, name, otherwise)));
  };
  const uint32_t inserted = log2("--log2-inserted", "27"), queried = log2("--log2-queried", "24");
  const uint64_t n = uint64_t{1} << queried;
  for (uint32_t log = inserted; log >= 15; --log)
    measure_insertion(out, uint64_t{1} << inserted, uint64_t{1} << log);
  for (uint32_t log = queried; log >= 16; --log)
    measure_find(out, n, uint64_t{1} << log);
  for (uint32_t log = 20; log >= 16; --log) {
    measure_ranges(out, n, uint64_t{1} << log, 1, 8);
    measure_ranges(out, n, uint64_t{1} << log, 64, 1024);
  }
  for (const uint32_t percent : {10, 50}) {
    measure_cleanup(out, 1u << 20, 63, percent);
    measure_cleanup(out, 1u << 19, 127, percent);
  }
  measure_cleanup(out, 1u << 18, 127, 10); // the thesis' example
  return out.finish() + (gpu_failures() != 0);
}
