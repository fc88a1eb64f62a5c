//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash_campaign FIRST LAST: long random runs of slab hashes on the host machine, those with
// seeds FIRST to LAST: concurrent histories of maps (32 and 64 bits; keys that the user says are
// equal), of multimaps, full pools, lists of keys that others change, and flushes beside
// operations.
//
// Each complaint is a line with its seed and kind; the exit status is 1 if there is any. What runs
// for hours is a range of seeds: ranges can be given to as many processes as there are cores.
//
//===----------------------------------------------------------------------===//
#include "slab_bulk_run.hpp"
#include "slab_find_all_run.hpp"
#include "slab_flush_run.hpp"
#include "slab_hash_run.hpp"
#include "slab_multimap_run.hpp"

#include <cstdio>
#include <cstdlib>

using namespace colonnade::testing;

namespace {

struct kind {
  const char *name;
  std::string (*run)(unsigned seed);
};
constexpr kind kinds[] = {
    {"map", [](unsigned seed) { return run_random(seed, {}); }},
    {"wide map", [](unsigned seed) { return run_random<host_table_of<uint64_t>>(seed, {}); }},
    {"equal keys",
     [](unsigned seed) { return run_random<host_table_of_variants<uint32_t>>(seed, {}); }},
    {"wide equal keys",
     [](unsigned seed) { return run_random<host_table_of_variants<uint64_t>>(seed, {}); }},
    {"multimap", [](unsigned seed) { return run_multimap<uint32_t>(seed, {}); }},
    {"wide multimap", [](unsigned seed) { return run_multimap<uint64_t>(seed, {}); }},
    {"full pool", [](unsigned seed) { return bulk_run(seed, {}, seed % 3 * 100).run(); }},
    {"lists of a multimap", [](unsigned seed) { return run_list<uint32_t, true>(seed, {}); }},
    {"lists of a map", [](unsigned seed) { return run_list<uint32_t, false>(seed, {}); }},
    {"lists of a wide multimap", [](unsigned seed) { return run_list<uint64_t, true>(seed, {}); }},
    {"flushes of a map", [](unsigned seed) { return run_flushes<uint32_t, false>(seed, {}); }},
    {"flushes of a multimap", [](unsigned seed) { return run_flushes<uint32_t, true>(seed, {}); }},
    {"flushes of a wide multimap",
     [](unsigned seed) { return run_flushes<uint64_t, true>(seed, {}); }},
};

/// A number below 2^32, or false.
bool parse(const char *text, uint64_t &number) {
  char *end = nullptr;
  number = std::strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && number >> 32 == 0;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t first = 0, last = 0;
  if (argc != 3 || !parse(argv[1], first) || !parse(argv[2], last) || last < first) {
    std::fprintf(stderr, "usage: slab_hash_campaign FIRST LAST   (seeds, below 2^32)\n");
    return 2;
  }
  uint64_t wrong = 0;
  for (uint64_t seed = first; seed <= last; ++seed)
    for (const kind &k : kinds)
      if (const std::string complaints = k.run(static_cast<unsigned>(seed)); !complaints.empty()) {
        std::printf("seed %llu, %s: %s", static_cast<unsigned long long>(seed), k.name,
                    complaints.c_str());
        ++wrong;
      }
  std::printf("%llu runs, %llu with complaints\n",
              static_cast<unsigned long long>((last - first + 1) * std::size(kinds)),
              static_cast<unsigned long long>(wrong));
  return wrong != 0;
}
