//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// record SEED JOBS.json INSTANCES: runs every entry, compiled from its original
// source with clang -O0 -fsanitize-coverage=func,trace-pc,trace-loads,trace-stores,
// and writes the sequence of accesses to its arrays beside inputs and outputs.
// An access is [array, cell, 1 if a store]; one of another width than the cell
// has cell -1. This file itself is compiled without instrumentation.
//
//===----------------------------------------------------------------------===//
#include "../Fuzz/harness.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

struct region {
  const char *first;
  size_t bytes, cell_bytes;
};

std::vector<region> regions;
std::string recorded;
uint64_t num_recorded = 0;
bool recording = false;

void record(const void *address, size_t width, bool store) {
  if (!recording)
    return;
  const char *at = static_cast<const char *>(address);
  for (size_t a = 0; a < regions.size(); a++) {
    const region &r = regions[a];
    if (at < r.first || at >= r.first + r.bytes)
      continue;
    const size_t offset = size_t(at - r.first);
    const bool whole = width == r.cell_bytes && offset % width == 0;
    char text[64];
    std::snprintf(text, sizeof text, "%s[%zu,%lld,%d]", num_recorded++ ? "," : "", a,
                  whole ? (long long)(offset / width) : -1ll, int(store));
    recorded += text;
    return;
  }
}

} // namespace

extern "C" {
void __sanitizer_cov_trace_pc() {}
#define COLONNADE_RECORD(width)                                                                    \
  void __sanitizer_cov_load##width(void *address) { record(address, width, false); }               \
  void __sanitizer_cov_store##width(void *address) { record(address, width, true); }
COLONNADE_RECORD(1)
COLONNADE_RECORD(2)
COLONNADE_RECORD(4)
COLONNADE_RECORD(8)
COLONNADE_RECORD(16)
}

namespace fuzz {

void trace_array(unsigned array, const void *first, size_t bytes) {
  regions[array].first = static_cast<const char *>(first);
  regions[array].bytes = bytes;
}
void trace_begin() { recording = true; }
void trace_end() { recording = false; }
void write_jobs(std::FILE *file, const entry &e, uint64_t count, uint64_t seed,
                const std::vector<std::string> &traces);

static std::string record_instance(const entry &e, uint64_t instance, uint64_t seed) {
  auto data = make_inputs(e, instance, seed);
  std::vector<void *> pointers;
  std::vector<uint64_t> scalars;
  regions.clear();
  for (size_t a = 0; a < data.size(); a++) {
    pointers.push_back(data[a].data());
    regions.push_back({data[a].data(), data[a].size(), size_bytes(e.arrays[a].cell)});
  }
  for (const scalar &s : e.scalars)
    scalars.push_back(s.bits);
  recorded.clear();
  num_recorded = 0;
  e.sequential(pointers.data(), scalars.data());
  recording = false;
  return recorded;
}

} // namespace fuzz

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: record SEED JOBS.json INSTANCES\n");
    return 3;
  }
  const uint64_t seed = std::strtoull(argv[1], nullptr, 0);
  const uint64_t count = std::strtoull(argv[3], nullptr, 0);
  std::FILE *file = std::fopen(argv[2], "w");
  if (!file)
    return 3;
  std::fprintf(file, "{\"entries\":[");
  bool first = true;
  for (const fuzz::entry &e : fuzz::entries()) {
    std::vector<std::string> traces;
    for (uint64_t j = 0; j < count; j++)
      traces.push_back(fuzz::record_instance(e, j, seed));
    std::fprintf(file, "%s\n", first ? "" : ",");
    first = false;
    fuzz::write_jobs(file, e, count, seed, traces);
  }
  std::fprintf(file, "]}\n");
  std::fclose(file);
  return 0;
}
