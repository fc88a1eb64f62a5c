//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tables 3.4 to 3.8 and 3.11 of S. Ashkiani's thesis (2017) for this GPU: 2^25
// random 4-byte keys, and pairs with 4-byte values; every method beside the others and
// beside CUB. (Table 3.10, shortest paths, is shortest_paths_bench's.)
//
//   multisplit_thesis_bench [--json FILE] [--log2-items 25]
//
// Cells are medians. What differs from the thesis: speedups are against CUB's radix sort
// of today; reduced-bit sort is ours (no packing: keys and values move together); rates
// of the default stand beside those of the three methods; identity buckets are a shift
// and a mask.
//
//===----------------------------------------------------------------------===//

#include "count_bench.hpp"
#include "thesis_bench.hpp"
#include "timed_call.hpp"

#include <cmath>

using namespace bench;

namespace {

enum class input { uniform, quarter_uniform, binomial };
const char *const input_names[] = {"uniform", "0.25-uniform", "binomial"};

/// Keys whose bucket is their highest byte, or all 32 bits at random.
__global__ void fill_keys(uint32_t *keys, uint64_t n, input kind) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t random = scramble(i);
    uint32_t key = static_cast<uint32_t>(random >> 32);
    if (kind == input::quarter_uniform && random % 4)
      key = 77u << 24 | key >> 8;
    if (kind == input::binomial) { // B(255, 1/2)
      uint32_t heads = 0;
      for (uint64_t k = 1; k <= 4; ++k)
        heads += __popcll(scramble(random + k) >> (k == 4 ? 1 : 0));
      key = heads << 24 | key >> 8;
    }
    keys[i] = key;
  }
}
__global__ void fill_digits(uint32_t *keys, uint64_t n, uint32_t bits) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    keys[i] = static_cast<uint32_t>(scramble(i) >> 32) >> (32 - bits);
}
__global__ void fill_floats(float *samples, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    samples[i] = static_cast<float>(scramble(i) >> 40) / static_cast<float>(1 << 24);
}

struct workload {
  uint64_t n;
  uint32_t *keys, *keys_out, *keys_spare, *values, *values_out, *values_spare;

  explicit workload(uint64_t num_items) : n(num_items) {
    for (uint32_t **array : {&keys, &keys_out, &keys_spare, &values, &values_out, &values_spare})
      *array = static_cast<uint32_t *>(random_memory(n * 4));
  }
  arrays with(bool with_values) const {
    return {keys, keys_out, with_values ? values : nullptr, with_values ? values_out : nullptr, n};
  }
  void fill(input kind) const {
    fill_keys<<<2048, 256>>>(keys, n, kind);
    CUDA_OK(cudaDeviceSynchronize());
  }
};

const char *kind_of(const arrays &a) { return a.values_in ? "pairs" : "keys"; }
const char *unit_of(const arrays &a) { return a.values_in ? "Gpairs/s" : "Gkeys/s"; }

double median_time(const std::function<float()> &run) {
  std::vector<double> times;
  for (int i = 0; i < warm_ups + pairs; ++i) {
    const float time = run();
    if (i >= warm_ups)
      times.push_back(time);
  }
  return quantile(times, 0.5);
}
double rate(const arrays &a, double time) { return static_cast<double>(a.num_items) / time / 1e6; }

cudaError_t split(void *d_temp, size_t &bytes, const arrays &a, method m, const bucket_choice &b) {
  return a.values_in ? split_pairs(d_temp, bytes, a, m, b) : split_keys(d_temp, bytes, a, m, b);
}
double time_of(const arrays &a, method m, const bucket_choice &b) {
  timed_call call([&](void *t, size_t &bytes) { return split(t, bytes, a, m, b); });
  return median_time([&] { return call.run(); });
}
/// The faster of CUB's two.
double time_of_cub(const arrays &a, uint32_t begin, uint32_t end) {
  timed_call narrow(
      [&](void *t, size_t &b) { return radix_sort_bits(t, b, a, begin, end, false); });
  timed_call wide([&](void *t, size_t &b) { return radix_sort_bits(t, b, a, begin, end, true); });
  return median_time([&] { return std::min(narrow.run(), wide.run()); });
}

bool has(method m, uint32_t num_buckets) {
  return num_buckets <= 32 || (m != method::direct && m != method::warp_level);
}
bucket_choice delta(uint32_t bits) { return {1u << bits, 1u << (32 - bits)}; }
std::string buckets(uint32_t bits) { return "m = " + std::to_string(1u << bits); }

void stages(report &out, const arrays &a) {
  const std::string table =
      std::string("Thesis, table 3.4, ") + kind_of(a) + ": time of the stages, delta-buckets";
  for (method m : all_methods) {
    const std::string name = name_of(m);
    for (uint32_t bits : {1, 3, 5}) {
      const double total = time_of(a, m, delta(bits));
      if (m != method::look_back) {
        const stage_times t = a.values_in ? time_stages_of_pairs(a, m, delta(bits))
                                          : time_stages_of_keys(a, m, delta(bits));
        const bool sorts = m == method::reduced_bit;
        out.cell(table, name + (sorts ? ": labelling" : ": pre-scan"), buckets(bits), "ms",
                 t.pre_scan);
        if (!sorts)
          out.cell(table, name + ": scan", buckets(bits), "ms", t.scan);
        out.cell(table, name + (sorts ? ": sorting" : ": post-scan"), buckets(bits), "ms",
                 t.post_scan);
      }
      out.cell(table, name + ": total", buckets(bits), "ms", total);
    }
  }
}

void rates(report &out, const arrays &a) {
  const std::string table = std::string("Thesis, table 3.5, ") + kind_of(a) +
                            ": rate with delta-buckets (and times CUB's radix sort of 32 bits)";
  const double whole = time_of_cub(a, 0, 32);
  for (method m : all_methods)
    for (uint32_t bits = 1; bits <= 8; ++bits)
      if (has(m, 1u << bits)) {
        const double time = time_of(a, m, delta(bits));
        out.cell(table, name_of(m), buckets(bits), unit_of(a), rate(a, time), whole / time);
      }
  for (uint32_t bits = 1; bits <= 8; ++bits) {
    const double time = time_of_cub(a, 32 - bits, 32);
    out.cell(table, "CUB's radix sort over log2 m bits", buckets(bits), unit_of(a), rate(a, time),
             whole / time);
  }
}

void distributions(report &out, const workload &data, bool with_values) {
  const arrays a = data.with(with_values);
  const std::string table = std::string("Thesis, table 3.6, ") + kind_of(a) +
                            ": rate by distribution, m = 256 (and times that of uniform keys)";
  for (method m : {method::block_level, method::reduced_bit, method::look_back}) {
    double uniform = 0;
    for (input kind : {input::uniform, input::quarter_uniform, input::binomial}) {
      data.fill(kind);
      const double time = time_of(a, m, delta(8));
      uniform = kind == input::uniform ? time : uniform;
      out.cell(table, name_of(m), input_names[static_cast<int>(kind)], unit_of(a), rate(a, time),
               uniform / time);
    }
  }
  data.fill(input::uniform);
}

void identity(report &out, const workload &data, bool with_values) {
  const arrays a = data.with(with_values);
  const std::string table = std::string("Thesis, table 3.7, ") + kind_of(a) +
                            ": rate with identity buckets (and times CUB's over as many bits)";
  for (uint32_t bits = 1; bits <= 8; ++bits) {
    fill_digits<<<2048, 256>>>(data.keys, data.n, bits);
    const std::string column = std::to_string(bits) + (bits == 1 ? " bit" : " bits");
    const double cub = time_of_cub(a, 0, bits);
    for (method m : {method::warp_level, method::block_level, method::look_back})
      if (has(m, 1u << bits)) {
        const double time = time_of(a, m, {1u << bits, 0});
        out.cell(table, name_of(m), column, unit_of(a), rate(a, time), cub / time);
      }
    out.cell(table, "CUB", column, unit_of(a), rate(a, cub), 1);
  }
  data.fill(input::uniform);
}

/// A radix sort of r bits a pass, each pass a multisplit. Leaves the sorted keys' place.
class sort_by_passes {
public:
  sort_by_passes(const workload &data, bool with_values, method m, uint32_t r) : method_(m) {
    arrays a = data.with(with_values);
    for (uint32_t shift = 0; shift < 32; shift += r) {
      const uint32_t bits = std::min(r, 32 - shift);
      passes_.push_back({a, {1u << bits, 0, shift, (1u << bits) - 1}});
      const bool odd = passes_.size() % 2;
      a.keys_in = a.keys_out;
      a.keys_out = odd ? data.keys_spare : data.keys_out;
      a.values_in = with_values ? a.values_out : nullptr;
      a.values_out = !with_values ? nullptr : odd ? data.values_spare : data.values_out;
    }
    for (const pass &p : passes_) {
      size_t bytes = 0;
      CUDA_OK(split(nullptr, bytes, p.on, method_, p.buckets));
      bytes_ = std::max(bytes_, bytes);
    }
    CUDA_OK(cudaMalloc(&d_temp_, bytes_));
  }
  ~sort_by_passes() { CUDA_OK(cudaFree(d_temp_)); }
  sort_by_passes(const sort_by_passes &) = delete;

  float run() {
    return milliseconds([&] {
      for (const pass &p : passes_)
        CUDA_OK(split(d_temp_, bytes_, p.on, method_, p.buckets));
    });
  }
  const uint32_t *sorted() const { return passes_.back().on.keys_out; }

private:
  struct pass {
    arrays on;
    bucket_choice buckets;
  };
  method method_;
  std::vector<pass> passes_;
  size_t bytes_ = 0;
  void *d_temp_ = nullptr;
};

__global__ void count_falling(const uint32_t *keys, uint64_t n, unsigned long long *falling) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i + 1 < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    if (keys[i] > keys[i + 1])
      atomicAdd(falling, 1ull);
}
void expect_sorted(const uint32_t *keys, uint64_t n) {
  unsigned long long *d_falling = nullptr, falling = 0;
  CUDA_OK(cudaMalloc(&d_falling, 8));
  CUDA_OK(cudaMemset(d_falling, 0, 8));
  count_falling<<<2048, 256>>>(keys, n, d_falling);
  CUDA_OK(cudaMemcpy(&falling, d_falling, 8, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(d_falling));
  EXPECT(falling == 0, "%llu keys out of order", falling);
}

void sorts(report &out, const workload &data, bool with_values) {
  const arrays a = data.with(with_values);
  const std::string table =
      std::string("Thesis, table 3.8, ") + kind_of(a) + ": sorts of 32 bits, r bits a pass";
  const auto row = [&](const std::string &name, double time, double cub) {
    out.cell(table, name, "time", "ms", time);
    out.cell(table, name, "rate", unit_of(a), rate(a, time));
    out.cell(table, name, "times CUB", "", cub / time);
  };
  const double cub = time_of_cub(a, 0, 32);
  for (method m : {method::block_level, method::look_back})
    for (uint32_t r = 4; r <= 8; ++r) {
      sort_by_passes passes(data, with_values, m, r);
      row(std::string(name_of(m)) + ", r = " + std::to_string(r),
          median_time([&] { return passes.run(); }), cub);
      expect_sorted(passes.sorted(), data.n);
    }
  row("CUB", cub, cub);
}

void histograms(report &out, uint64_t n) {
  float *d_samples = static_cast<float *>(random_memory(n * 4));
  float *d_levels = static_cast<float *>(random_memory(1024 * 4));
  uint64_t *d_counts = static_cast<uint64_t *>(random_memory(256 * 8));
  fill_floats<<<2048, 256>>>(d_samples, n);
  for (bool range : {false, true})
    for (uint32_t bits = 1; bits <= 8; ++bits) {
      const uint32_t m = 1u << bits;
      const std::string table = std::string("Thesis, table 3.11, ") + (range ? "range" : "even") +
                                " histogram of floats (and times CUB's)";
      std::vector<float> levels = {0.0f, 1.0f}; // random ones between
      for (uint64_t i = 1; i < m; ++i)
        levels.push_back(static_cast<float>(scramble(i + m) >> 40) / static_cast<float>(1 << 24));
      std::sort(levels.begin(), levels.end());
      CUDA_OK(cudaMemcpy(d_levels, levels.data(), levels.size() * 4, cudaMemcpyHostToDevice));
      const count_arrays a{d_samples, range ? d_levels : nullptr, d_counts, n, m};
      timed_call ours([&](void *t, size_t &b) {
        return count_floats(t, b, a.samples, a.levels, d_counts, n, m);
      });
      timed_call peer([&](void *t, size_t &b) { return peer_counts(t, b, a); });
      const double time = median_time([&] { return ours.run(); });
      const double cub = median_time([&] { return peer.run(); });
      const auto samples = [&](double t) { return static_cast<double>(n) / t / 1e6; };
      out.cell(table, "ours", buckets(bits), "Gsamples/s", samples(time), cub / time);
      out.cell(table, "CUB", buckets(bits), "Gsamples/s", samples(cub), 1);
    }
  for (void *d_array : {static_cast<void *>(d_samples), static_cast<void *>(d_levels),
                        static_cast<void *>(d_counts)})
    CUDA_OK(cudaFree(d_array));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-items", "25"));
  const workload data(n);
  data.fill(input::uniform);
  for (bool with_values : {false, true})
    stages(out, data.with(with_values));
  for (bool with_values : {false, true})
    rates(out, data.with(with_values));
  for (bool with_values : {false, true})
    distributions(out, data, with_values);
  for (bool with_values : {false, true})
    identity(out, data, with_values);
  for (bool with_values : {false, true})
    sorts(out, data, with_values);
  histograms(out, n);
  return out.finish() || gpu_failures();
}
