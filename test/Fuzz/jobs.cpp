//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes one entry's inputs and sequential outputs as JSON, for colonnade-interpret. Cells are
// their bits as decimal numbers.
//
//===----------------------------------------------------------------------===//
#include "harness.hpp"

#include <cstdio>

namespace fuzz {

static void write_cells(std::FILE *file, const entry &e, const char *key,
                        const std::vector<std::vector<char>> &arrays) {
  std::fprintf(file, "\"%s\":{", key);
  for (size_t a = 0; a < arrays.size(); a++) {
    const size_t size = size_bytes(e.arrays[a].cell);
    std::fprintf(file, "%s\"%s\":[", a ? "," : "", e.arrays[a].name);
    for (uint64_t i = 0; i < e.arrays[a].cells; i++)
      std::fprintf(file, "%s%llu", i ? "," : "",
                   (unsigned long long)load_bits(e.arrays[a].cell, &arrays[a][i * size]));
    std::fprintf(file, "]");
  }
  std::fprintf(file, "}");
}

void write_jobs(std::FILE *file, const entry &e, uint64_t count, uint64_t seed) {
  std::fprintf(file, "{\"name\":\"%s\",\"scalars\":{", e.name);
  std::vector<uint64_t> scalars;
  for (size_t s = 0; s < e.scalars.size(); s++) {
    std::fprintf(file, "%s\"%s\":%llu", s ? "," : "", e.scalars[s].name,
                 (unsigned long long)e.scalars[s].bits);
    scalars.push_back(e.scalars[s].bits);
  }
  std::fprintf(file, "},\"arrays\":[");
  for (size_t a = 0; a < e.arrays.size(); a++)
    std::fprintf(file, "%s\"%s\"", a ? "," : "", e.arrays[a].name);
  std::fprintf(file, "],\"instances\":[");
  for (uint64_t j = 0; j < count; j++) {
    auto data = make_inputs(e, j, seed);
    std::fprintf(file, "%s\n {", j ? "," : "");
    write_cells(file, e, "before", data);
    std::vector<void *> pointers;
    for (auto &bytes : data)
      pointers.push_back(bytes.data());
    e.sequential(pointers.data(), scalars.data());
    std::fprintf(file, ",");
    write_cells(file, e, "after", data);
    std::fprintf(file, "}");
  }
  std::fprintf(file, "]}");
}

} // namespace fuzz
