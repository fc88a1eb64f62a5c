//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slab maps of 2^26 pairs of 4 + 4 bytes beside hash tables of others (hash_peers.hpp) at a load
// that is the map's utilisation: find of keys that are all there, and of none; insertion into an
// empty table, creation not counted. In each round every table runs once, ours first. A job's peer
// is the fastest variant of each library by its median; ratios are those of the rounds.
//
//   --log2-pairs 26
//   --rounds 5
//
//===----------------------------------------------------------------------===//

#include "hash_peers.hpp"
#include "slab_bench.cuh"

#include <map>

using namespace colonnade;
using namespace bench;

namespace {

__global__ void write_pairs(key_and_value *pairs, const uint32_t *keys, uint32_t n) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    pairs[i] = {keys[i], keys[i]};
}
__global__ void count_wrong(const uint32_t *keys, const uint32_t *found, uint32_t n, bool present,
                            unsigned long long *wrong) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (found[i] != (present ? keys[i] : ~0u))
      atomicAdd(wrong, 1ull);
}

/// Milliseconds of each job, a round each.
struct times {
  std::vector<double> insert, hit, miss;
};
constexpr std::vector<double> times::*all_jobs[] = {&times::insert, &times::hit, &times::miss};
constexpr const char *job_names[] = {"insertion into an empty table", "find, present",
                                     "find, absent"};

class comparison {
public:
  comparison(uint32_t n, int rounds) : w_(n), rounds_(rounds) {
    CUDA_OK(cudaMalloc(&pairs_, uint64_t{n} * sizeof *pairs_));
    CUDA_OK(cudaMalloc(&wrong_, sizeof *wrong_));
    write_pairs<<<1056, 256>>>(pairs_, w_.keys, n);
  }
  ~comparison() {
    CUDA_OK(cudaFree(pairs_));
    CUDA_OK(cudaFree(wrong_));
  }
  comparison(const comparison &) = delete;

  void run(report &out, double utilisation) {
    bench_map ours(w_.n, utilisation);
    times of_ours;
    std::map<std::string, std::map<std::string, times>> of_peers;
    ours.fill(w_.keys, slab_hash_policy{});
    const double load =
        w_.n * 8.0 / (128.0 * static_cast<double>(ours.slabs())); // of the slabs in chains
    for (int round = 0; round < rounds_; ++round) {
      time_ours(ours, of_ours);
      for (const auto &kinds : {cuco_peers(), bght_peers()})
        for (const hash_peer_kind &kind : kinds)
          time_peer(*kind.make(static_cast<uint64_t>(w_.n / load)),
                    of_peers[kind.library][kind.variant]);
    }
    for (const auto &[library, variants] : of_peers)
      for (int job = 0; job < 3; ++job)
        add(out, library, variants, of_ours, job, utilisation);
  }

private:
  void time_ours(bench_map &ours, times &t) {
    t.insert.push_back(ours.fill(w_.keys, slab_hash_policy{}));
    t.hit.push_back(ours.find(w_.hits, w_.found, slab_hash_policy{}));
    t.miss.push_back(ours.find(w_.misses, w_.found, slab_hash_policy{}));
  }
  /// Nothing is noted of one that does not get all pairs in, or that answers wrongly.
  void time_peer(hash_peer &peer, times &t) {
    peer.clear();
    bool complete = true;
    const double insert = milliseconds([&] { complete = peer.insert(pairs_, w_.n); });
    if (!complete)
      return;
    const auto find = [&](const uint32_t *keys) {
      return milliseconds([&] { peer.find(keys, w_.found, w_.n); });
    };
    const double hit = find(w_.hits);
    bool right = answers_are_right(w_.hits, true);
    const double miss = find(w_.misses);
    right = right && answers_are_right(w_.misses, false);
    if (!right)
      return;
    t.insert.push_back(insert);
    t.hit.push_back(hit);
    t.miss.push_back(miss);
  }
  bool answers_are_right(const uint32_t *keys, bool present) const {
    unsigned long long wrong;
    CUDA_OK(cudaMemset(wrong_, 0, sizeof wrong));
    count_wrong<<<1056, 256>>>(keys, w_.found, w_.n, present, wrong_);
    CUDA_OK(cudaMemcpy(&wrong, wrong_, sizeof wrong, cudaMemcpyDeviceToHost));
    return wrong == 0;
  }
  void add(report &out, const std::string &library, const std::map<std::string, times> &variants,
           const times &of_ours, int job, double utilisation) const {
    const std::vector<double> *best = nullptr;
    std::string name;
    for (const auto &[variant, t] : variants) {
      const std::vector<double> &of_job = t.*all_jobs[job];
      if (of_job.size() == of_ours.hit.size() &&
          (!best || quantile(of_job, 0.5) < quantile(*best, 0.5))) {
        best = &of_job;
        name = variant;
      }
    }
    if (!best)
      return;
    char title[128];
    std::snprintf(title, sizeof title, "%s, load %.2f", job_names[job], utilisation);
    out.add(title, "G/s", (library + ": " + name).c_str(), rates(of_ours.*all_jobs[job]),
            rates(*best));
  }
  std::vector<double> rates(std::vector<double> milliseconds) const {
    for (double &one : milliseconds)
      one = w_.n / 1e6 / one;
    return milliseconds;
  }

  workload w_;
  int rounds_;
  key_and_value *pairs_ = nullptr;
  unsigned long long *wrong_ = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  comparison all(1u << std::stoul(option(argc, argv, "--log2-pairs", "26")),
                 std::stoi(option(argc, argv, "--rounds", "5")));
  for (const double utilisation : {0.5, 0.55, 0.65, 0.7, 0.8, 0.9})
    all.run(out, utilisation);
  return out.finish() + (gpu_failures() != 0);
}
