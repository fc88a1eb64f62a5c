//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// options.hpp: the command line of the shortest-paths programme.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>

struct program_options {
  const char *file = nullptr;
  uint32_t rmat = 0, road = 0; // vertices; width
  uint32_t edges_per_vertex = 6, source = 1, seed = 1, delta = 0;
  bool random_weights = false, floats = false;
};

inline bool usage() {
  std::fprintf(stderr,
               "usage: shortest_paths FILE.mtx | --rmat VERTICES | --road WIDTH\n"
               "  --source V          from this vertex, counted from 1 (1)\n"
               "  --edges-per-vertex  of an R-MAT graph, each both ways (6)\n"
               "  --random-weights    0 to 1000, instead of the file's; files without always\n"
               "  --float             weights and distances are floats\n"
               "  --delta D           width of a bucket (chosen from the weights)\n"
               "  --seed S            of generated graphs and weights (1)\n");
  return false;
}

/// False, having said why, if the arguments make no sense.
inline bool parse_options(int argc, char **argv, program_options &options) {
  const struct {
    const char *name;
    uint32_t *value, most;
  } numbers[] = {{"--rmat", &options.rmat, 1u << 27},
                 {"--road", &options.road, 11585}, // squared: 2^27
                 {"--edges-per-vertex", &options.edges_per_vertex, 1000},
                 {"--source", &options.source, ~0u},
                 {"--seed", &options.seed, ~0u},
                 {"--delta", &options.delta, 1u << 30}};
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    bool known = false;
    for (const auto &number : numbers) {
      if (std::strcmp(argument, number.name) != 0)
        continue;
      known = true;
      const char *text = ++i < argc ? argv[i] : "";
      const char *last = text + std::strlen(text);
      const auto [end, code] = std::from_chars(text, last, *number.value);
      if (code != std::errc{} || end != last || *number.value > number.most) {
        std::fprintf(stderr, "error: %s needs a whole number up to %u, not '%s'\n", argument,
                     number.most, text);
        return usage();
      }
    }
    if (std::strcmp(argument, "--random-weights") == 0)
      options.random_weights = known = true;
    else if (std::strcmp(argument, "--float") == 0)
      options.floats = known = true;
    else if (argument[0] != '-' && !known && !options.file)
      options.file = argument, known = true;
    if (!known) {
      std::fprintf(stderr, "error: what is '%s'?\n", argument);
      return usage();
    }
  }
  if ((options.file != nullptr) + (options.rmat != 0) + (options.road != 0) != 1) {
    std::fprintf(stderr, "error: one graph is needed\n");
    return usage();
  }
  return true;
}
