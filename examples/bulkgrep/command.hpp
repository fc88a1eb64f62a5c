//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// command.hpp: the command line of bulkgrep.
//
// In: words. Out: what is looked for, where, and what is printed. Invariant: a pattern has no end
// of a line in it, as each line of an argument and of a file of patterns is one; no pattern is
// there twice.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct command {
  std::vector<std::string> patterns; // the empty one selects every line
  std::vector<std::string> files;    // "-": standard input
  bool fold_case = false;
  // What is printed.
  bool counts = false, names_alone = false, only_matches = false;
  bool with_names = false, with_numbers = false, with_offsets = false;
  int64_t context = -1; // lines before and behind; -1: none, and no separators
  bool overlapping = false;
  bool stats = false;
  std::string positions; // where they are written as .npy; empty: nowhere
};

/// False: the programme ends, with this exit code.
bool parse_command(int argc, char **argv, command &result, int &exit_code);
