//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multisplits of 4-byte keys and pairs, the bucket a shift, against the faster of
// CUB's two radix sorts over as many bits; both are timed with all their memsets
// and kernels, alternating. Random data come from a seed that is printed.
//
//   multisplit_bench [--json FILE] [--seed S] [--log2-items 28]
//   multisplit_sweep [--log2-items 28] [--only NAME]   tunings side by side
//
// Targets at 2^28: keys 1.35 (m <= 32) and 1.10 (m <= 256) of the peer, pairs 1.15
// and 1.05; skewed and sorted keys 0.9 of uniform ones; at 2^25 keys 1.25 and 1.05.
//
//===----------------------------------------------------------------------===//

#include "bench.hpp"
#include "multisplit_bench.hpp"
#include "timed_call.hpp"

using namespace bench;

namespace {

enum class input { uniform, one_bucket, sorted, reversed, quarter_uniform, binomial };

/// The binomial of 32 coins: its highest bits are what a shift looks at.
__device__ uint32_t binomial_key(uint64_t random, uint32_t bits) {
  const uint32_t heads = __popc(static_cast<uint32_t>(random)); // 0 to 32
  const uint32_t bucket = (heads << bits) / 33;
  return bucket << (32 - bits) | static_cast<uint32_t>(random >> 32) >> bits;
}

__global__ void fill_keys(uint32_t *keys, uint64_t n, input kind, uint32_t bits, uint64_t seed) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t random = scramble(i + seed * 0x9e3779b97f4a7c15u);
    const uint32_t key = static_cast<uint32_t>(random >> 32);
    const uint32_t in_one = key >> bits | 1u << 31;
    const uint32_t rising = static_cast<uint32_t>((static_cast<unsigned __int128>(i) << 32) / n);
    switch (kind) {
    case input::uniform:
      keys[i] = key;
      break;
    case input::one_bucket:
      keys[i] = in_one;
      break;
    case input::sorted:
      keys[i] = rising;
      break;
    case input::reversed:
      keys[i] = ~rising;
      break;
    case input::quarter_uniform:
      keys[i] = random % 4 ? in_one : key;
      break;
    case input::binomial:
      keys[i] = binomial_key(random, bits);
      break;
    }
  }
}

/// Device memory for one size, and the seed.
class workload {
public:
  workload(uint64_t num_items, bool pairs, uint64_t seed) : seed_(seed) {
    a_.num_items = num_items;
    keys_ = allocate(num_items);
    a_.keys_in = keys_;
    a_.keys_out = allocate(num_items);
    a_.values_in = pairs ? static_cast<uint32_t *>(random_memory(num_items * 4)) : nullptr;
    a_.values_out = pairs ? allocate(num_items) : nullptr;
  }
  ~workload() {
    for (const uint32_t *d_array : {a_.keys_in, static_cast<const uint32_t *>(a_.keys_out),
                                    a_.values_in, static_cast<const uint32_t *>(a_.values_out)})
      CUDA_OK(cudaFree(const_cast<uint32_t *>(d_array)));
  }
  workload(const workload &) = delete;

  const arrays &get() const { return a_; }
  void fill(input kind, uint32_t bits) {
    fill_keys<<<2048, 256>>>(keys_, a_.num_items, kind, bits, seed_);
    CUDA_OK(cudaDeviceSynchronize());
  }

private:
  static uint32_t *allocate(uint64_t num_items) {
    void *d_array = nullptr;
    CUDA_OK(cudaMalloc(&d_array, num_items * 4));
    return static_cast<uint32_t *>(d_array);
  }
  arrays a_{};
  uint32_t *keys_;
  uint64_t seed_;
};

timed_call ours(split_function f, const arrays &a, uint32_t bits) {
  return timed_call([=](void *d_temp, size_t &bytes) { return f(d_temp, bytes, a, bits); });
}
timed_call peer(const arrays &a, uint32_t bits, bool wide) {
  return timed_call(
      [=](void *d_temp, size_t &bytes) { return radix_sort(d_temp, bytes, a, bits, wide); });
}

#ifdef COLONNADE_BENCH_SWEEP
constexpr uint32_t swept_bits[] = {1, 3, 5, 6, 7, 8};

__global__ void add_scrambled(const uint32_t *words, uint64_t n, unsigned long long *sum) {
  unsigned long long mine = 0;
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    mine += scramble(i << 32 | words[i]);
  atomicAdd(sum, mine);
}

/// Of the output and its order.
unsigned long long fingerprint(const arrays &a) {
  unsigned long long *d_sum = nullptr, sum = 0;
  CUDA_OK(cudaMalloc(&d_sum, sizeof sum));
  CUDA_OK(cudaMemset(d_sum, 0, sizeof sum));
  add_scrambled<<<1024, 256>>>(a.keys_out, a.num_items, d_sum);
  if (a.values_out)
    add_scrambled<<<1024, 256>>>(a.values_out, a.num_items, d_sum);
  CUDA_OK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(d_sum));
  return sum;
}

/// Tunings side by side: medians of nine runs; outputs are compared with the peer's.
class sweep {
public:
  sweep(workload &data, std::string only) : data_(data), only_(std::move(only)) {
    const arrays &a = data_.get();
    std::printf("%s, n = %llu, G/s: m = 2, 8, 32, 64, 128, 256; then 256 skewed\n",
                a.values_in ? "pairs" : "keys", static_cast<unsigned long long>(a.num_items));
    data_.fill(input::uniform, 1);
    for (bool wide : {false, true}) {
      std::printf("%-16s", wide ? "CUB 64-bit" : "CUB 32-bit");
      for (uint32_t bits : swept_bits) {
        timed_call t = peer(a, bits, wide);
        std::printf(" %7.1f", rate(t));
        right_[bits] = fingerprint(a);
      }
      std::printf("\n");
    }
  }
  void run(const std::vector<candidate> &all, bool checked) {
    const arrays &a = data_.get();
    for (const candidate &c : all) {
      if (!only_.empty() && only_ != c.name)
        continue;
      std::printf("%-16s", c.name);
      data_.fill(input::uniform, 1);
      bool wrong = false;
      for (uint32_t bits : swept_bits) {
        CUDA_OK(cudaMemset(a.keys_out, 0, a.num_items * 4));
        timed_call t = ours(c.run, a, bits);
        std::printf(" %7.1f", rate(t));
        wrong |= checked && fingerprint(a) != right_[bits];
      }
      data_.fill(input::one_bucket, 8);
      timed_call t = ours(c.run, a, 8);
      std::printf(" %7.1f  %s%s\n", rate(t), wrong ? "WRONG " : "", c.about);
      std::fflush(stdout);
    }
  }

private:
  double rate(timed_call &t) const {
    std::vector<double> rates;
    for (int i = 0; i < 11; ++i)
      rates.push_back(static_cast<double>(data_.get().num_items) / 1e6 / t.run());
    return quantile({rates.begin() + 2, rates.end()}, 0.5);
  }
  workload &data_;
  std::string only_;
  unsigned long long right_[9] = {};
};
#else
const char *const input_names[] = {"uniform",  "one bucket",      "sorted",
                                   "reversed", "quarter uniform", "binomial"};

std::string title(const char *what, const arrays &a, uint32_t bits) {
  return std::string("multisplit ") + what + ", n = " + std::to_string(a.num_items) +
         ", m = " + std::to_string(1u << bits);
}

void against_peer(report &out, split_function f, const arrays &a, uint32_t bits) {
  timed_call mine = ours(f, a, bits), narrow = peer(a, bits, false), wide = peer(a, bits, true);
  alternate(
      out, title(a.values_in ? "pairs" : "keys", a, bits), a.values_in ? "Gpairs/s" : "Gkeys/s",
      a.num_items, "the faster CUB radix sort over the same bits", [&] { return mine.run(); },
      [&] { return std::min(narrow.run(), wide.run()); });
}

/// Against `plain` on uniform keys.
void against_uniform(report &out, const char *what, split_function f, split_function plain,
                     workload &data, uint32_t bits, input kind) {
  workload uniform(data.get().num_items, data.get().values_in != nullptr, 7);
  uniform.fill(input::uniform, bits);
  data.fill(kind, bits);
  timed_call mine = ours(f, data.get(), bits), other = ours(plain, uniform.get(), bits);
  alternate(
      out, title(what, data.get(), bits), "Gkeys/s", data.get().num_items,
      "uniform keys, by a shift", [&] { return mine.run(); }, [&] { return other.run(); });
}

void keys_report(report &out, uint64_t n, uint64_t seed) {
  workload data(n, false, seed);
  const split_function split = keys_candidates()[0].run;
  data.fill(input::uniform, 1);
  for (uint32_t bits : {1, 2, 3, 4, 5, 6, 7, 8})
    against_peer(out, split, data.get(), bits);
  for (uint32_t bits : {1, 5, 8}) { // 12 bytes a key, and 4
    timed_call mine = ours(split, data.get(), bits);
    timed_call counts = ours(counts_candidates()[0].run, data.get(), bits);
    against_copy(out, title("keys", data.get(), bits), 12.0 * static_cast<double>(n),
                 [&] { mine.queue(); });
    against_copy(out, title("counts", data.get(), bits), 4.0 * static_cast<double>(n),
                 [&] { counts.queue(); });
  }
  for (uint32_t bits : {1, 3, 5, 8})
    for (input kind : {input::one_bucket, input::sorted, input::reversed, input::quarter_uniform,
                       input::binomial})
      against_uniform(out, (std::string("keys ") + input_names[static_cast<int>(kind)]).c_str(),
                      split, split, data, bits, kind);
  for (uint32_t bits : {1, 2, 3, 4, 5, 6, 7, 8})
    against_uniform(out, "keys by division_bucket", divide_keys, split, data, bits, input::uniform);
  for (uint32_t bits : {1, 3, 5, 8})
    against_uniform(out, "keys by key / d", divide_keys_plainly, split, data, bits, input::uniform);
}

void pairs_report(report &out, uint64_t n, uint64_t seed) {
  workload data(n, true, seed);
  data.fill(input::uniform, 1);
  for (uint32_t bits : {1, 3, 5, 6, 8})
    against_peer(out, pairs_candidates()[0].run, data.get(), bits);
}

#endif

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t seed = std::stoull(option(argc, argv, "--seed", "1"));
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-items", "28"));
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
#ifdef COLONNADE_BENCH_SWEEP
  for (const bool with_values : {false, true}) {
    workload data(n, with_values, seed);
    sweep s(data, option(argc, argv, "--only", ""));
    if (!with_values)
      s.run(counts_candidates(), false);
    s.run(with_values ? pairs_candidates() : keys_candidates(), true);
  }
  return 0;
#else
  report out(argc, argv);
  keys_report(out, n, seed);
  pairs_report(out, n, seed);
  workload small(n / 8, false, seed);
  small.fill(input::uniform, 1);
  for (uint32_t bits : {1, 3, 5, 6, 8})
    against_peer(out, keys_candidates()[0].run, small.get(), bits);
  return out.finish();
#endif
}
