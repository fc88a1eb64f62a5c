//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Long random runs of log-structured merge trees on the host, one for each seed: the kernels' code
// under random schedules against std::map.
//
//   lsm_campaign FIRST LAST
//
// Seed s: batches of (s - 1) % 64 + 1 elements, so 64 seeds have every size to 64. First 64 whole
// batches one after the other, then calls of any size; with repeated keys, tombstones and cleanups.
// Takes a second or two a seed.
//
//===----------------------------------------------------------------------===//

#include "lsm_runs.hpp"

#include <cstdio>
#include <cstdlib>

using namespace colonnade::testing;

namespace {

/// Empty if right.
template <class Key> std::string runs_of(unsigned seed) {
  std::mt19937 random(seed);
  const uint64_t batch_size = (seed - 1) % 64 + 1;
  const uint32_t b = static_cast<uint32_t>(batch_size),
                 different = 1 + static_cast<uint32_t>(random() % (40 * b)),
                 cleanup_every = random() % 2 ? 0 : 1 + static_cast<uint32_t>(random() % 30);
  const bool deletions_win = random() % 2;
  std::string wrong =
      random_run<Key>({batch_size, 7, different, 64, 0, cleanup_every, deletions_win}, seed);
  if (!wrong.empty())
    return "whole batches: " + wrong;
  const uint32_t most_batches = 1 + static_cast<uint32_t>(random() % 8);
  wrong = random_run<Key>({batch_size, 8, different, 30, most_batches,
                           1 + static_cast<uint32_t>(random() % 10), !deletions_win},
                          seed + 1);
  return wrong.empty() ? "" : "calls of any size: " + wrong;
}
std::string run(unsigned seed) {
  switch (seed / 64 % 4) {
  case 1:
    return runs_of<int64_t>(seed);
  case 2:
    return runs_of<float>(seed);
  case 3:
    return runs_of<uint64_t>(seed);
  default:
    return runs_of<uint32_t>(seed);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "lsm_campaign FIRST LAST\n");
    return 2;
  }
  const unsigned first = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)),
                 last = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  unsigned failures = 0;
  for (unsigned seed = std::max(first, 1u); seed <= last; ++seed)
    if (const std::string wrong = run(seed); !wrong.empty()) {
      std::printf("seed %u: %s\n", seed, wrong.c_str());
      ++failures;
    }
  std::printf("seeds %u to %u: %u failed\n", first, last, failures);
  return failures != 0;
}
