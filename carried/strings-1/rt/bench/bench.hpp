//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bench.hpp: device timings by events, medians, and results as JSON.
//
// Every figure is a share of what the same run measures as the limit: device
// copy bandwidth, or the slowest of the stages that overlap. Ours and the limit
// alternate; each line quotes the median of the ratios with its quartiles. Data
// are never zeros. The JSON holds every run of both besides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../tests/cuda/gpu_test.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// For so many nanoseconds a stream is busy.
static __global__ void keep_busy(uint64_t nanoseconds) {
  uint64_t first, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - first < nanoseconds);
}

/// Milliseconds of one run of `work` on the default stream. All of it is queued while the stream is
/// busy with something else: an idle GPU would begin at once, and the time that the host takes from
/// there to the first launch would be part of what is measured.
inline float milliseconds(const std::function<void()> &work) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) {
    CUDA_OK(cudaEventCreate(&begin));
    CUDA_OK(cudaEventCreate(&end));
  }
  keep_busy<<<1, 1>>>(50'000);
  CUDA_OK(cudaEventRecord(begin));
  work();
  CUDA_OK(cudaEventRecord(end));
  CUDA_OK(cudaEventSynchronize(end));
  float time = 0;
  CUDA_OK(cudaEventElapsedTime(&time, begin, end));
  return time;
}

inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

/// Collects results; writes them to the file of `--json FILE` at the end.
class report {
public:
  report(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; ++i)
      if (std::strcmp(argv[i], "--json") == 0)
        path_ = argv[i + 1];
  }

  /// Rates per pair of runs: ours and the limit's, in `unit`.
  void add(const std::string &name, const char *unit, const char *limit_name,
           const std::vector<double> &ours, const std::vector<double> &limit) {
    std::vector<double> ratios;
    for (size_t i = 0; i < ours.size(); ++i)
      ratios.push_back(ours[i] / limit[i]);
    char line[512];
    std::snprintf(line, sizeof line,
                  "{\"name\": \"%s\", \"unit\": \"%s\", \"ours\": %.5g, \"limit\": \"%s\", "
                  "\"limit_value\": %.5g, \"ratio\": %.4f, \"quartiles\": [%.4f, %.4f], "
                  "\"runs\": %zu",
                  name.c_str(), unit, quantile(ours, 0.5), limit_name, quantile(limit, 0.5),
                  quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75),
                  ours.size());
    std::printf("%s}\n", line);
    std::fflush(stdout);
    lines_.push_back(line + (", \"samples\": " + list(ours)) +
                     ", \"limit_samples\": " + list(limit) + "}");
  }

  /// One cell of a table of a publication, in `unit`; against: how many times the rate
  /// that the table compares with, 0 for none. Tables have a page of their own.
  void cell(const std::string &table, const std::string &row, const std::string &column,
            const char *unit, double value, double against = 0) {
    char line[512];
    std::snprintf(line, sizeof line,
                  "{\"table\": \"%s\", \"row\": \"%s\", \"column\": \"%s\", \"unit\": \"%s\", "
                  "\"value\": %.5g, \"against\": %.4g}",
                  table.c_str(), row.c_str(), column.c_str(), unit, value, against);
    std::printf("%s\n", line);
    std::fflush(stdout);
    lines_.push_back(line);
  }

  /// The same for a small input: million calls a second, ours and the peer's.
  void add_small(const std::string &job, const char *mode, uint64_t n,
                 const std::vector<double> &ours, const std::vector<double> &peer) {
    std::vector<double> ratios;
    for (size_t i = 0; i < ours.size(); ++i)
      ratios.push_back(ours[i] / peer[i]);
    char line[512];
    std::snprintf(line, sizeof line,
                  "{\"small\": \"%s\", \"mode\": \"%s\", \"n\": %llu, \"microseconds\": %.4g, "
                  "\"peer_microseconds\": %.4g, \"ratio_to_peer\": %.4f",
                  job.c_str(), mode, static_cast<unsigned long long>(n), 1 / quantile(ours, 0.5),
                  1 / quantile(peer, 0.5), quantile(ratios, 0.5));
    std::printf("%s}\n", line);
    lines_.push_back(line + (", \"samples\": " + list(ours)) + ", \"peer_samples\": " + list(peer) +
                     "}");
  }

  int finish() const {
    if (path_.empty())
      return 0;
    FILE *file = std::fopen(path_.c_str(), "w");
    if (!file)
      return 1;
    std::fputs("[\n", file);
    for (size_t i = 0; i < lines_.size(); ++i)
      std::fprintf(file, "%s%s\n", lines_[i].c_str(), i + 1 < lines_.size() ? "," : "");
    std::fputs("]\n", file);
    return std::fclose(file) ? 1 : 0;
  }

private:
  static std::string list(const std::vector<double> &values) {
    std::string text = "[";
    for (double v : values) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%.5g", text.size() > 1 ? ", " : "", v);
      text += number;
    }
    return text + "]";
  }

  std::string path_;
  std::vector<std::string> lines_;
};

static __global__ void fill_words(uint32_t *words, uint64_t num_words) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num_words;
       k += uint64_t{gridDim.x} * blockDim.x)
    words[k] = 0x3f800000u | static_cast<uint32_t>(scramble(k) >> 41); // floats in [1, 2)
}

inline void *random_memory(uint64_t bytes) {
  void *d_memory = nullptr;
  CUDA_OK(cudaMalloc(&d_memory, (bytes + 255) / 256 * 256));
  fill_words<<<2048, 256>>>(static_cast<uint32_t *>(d_memory), (bytes + 255) / 256 * 64);
  CUDA_OK(cudaDeviceSynchronize());
  return d_memory;
}

constexpr int warm_ups = 3;
constexpr int pairs = 15;

/// Words of which every bit is as often one as zero.
template <class Word> __global__ void fill_uniform(Word *words, uint64_t num_words, uint64_t seed) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num_words;
       k += uint64_t{gridDim.x} * blockDim.x)
    words[k] = static_cast<Word>(scramble(k + seed * 0x9e3779b97f4a7c15u) >> 16);
}

/// Alternates ours with a limit. ours(), limit(): milliseconds of one run over so many
/// items; unit: of 10^9 items a second.
template <class Ours, class Limit>
void alternate(report &out, const std::string &name, const char *unit, uint64_t num_items,
               const char *limit_name, Ours ours, Limit limit) {
  std::vector<double> rates, limits;
  for (int i = 0; i < warm_ups + pairs; ++i) {
    const float time = ours(), other = limit();
    if (i < warm_ups)
      continue;
    rates.push_back(static_cast<double>(num_items) / 1e6 / time);
    limits.push_back(static_cast<double>(num_items) / 1e6 / other);
  }
  out.add(name, unit, limit_name, rates, limits);
}

/// Alternates `work`, which moves `bytes` in all, with a device copy of as many.
inline void against_copy(report &out, const std::string &name, double bytes,
                         const std::function<void()> &work) {
  const uint64_t half = static_cast<uint64_t>(bytes / 2) / 16 * 16;
  void *d_from = random_memory(half), *d_to = random_memory(half);
  std::vector<double> ours, limit;
  for (int i = 0; i < warm_ups + pairs; ++i) {
    const float time = milliseconds(work);
    const float copy = milliseconds(
        [&] { CUDA_OK(cudaMemcpyAsync(d_to, d_from, half, cudaMemcpyDeviceToDevice, nullptr)); });
    if (i < warm_ups)
      continue;
    ours.push_back(bytes / time / 1e6);
    limit.push_back(2.0 * static_cast<double>(half) / copy / 1e6);
  }
  CUDA_OK(cudaFree(d_from));
  CUDA_OK(cudaFree(d_to));
  out.add(name, "GB/s", "device copy, read + write", ours, limit);
}

} // namespace bench
