//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// file_times.hpp: files as a stream by the time when they were changed last, of which only those
// within a window of time are kept: all but the tree, which file_times.cpp has on the CPU and
// file_times.cu on the GPU.
//
// In: lines "seconds bytes", in order of time. Out: a line for each batch (how many files there
// are, how many have expired so far, how many are of the last tenth of the window), then the window
// in twelve parts, with the bytes of each; file_times.awk makes the same. Invariant: after each
// batch the tree holds what is younger than the window.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Files that were changed in the same second differ in their number, the low 24 bits.
using file_key = int64_t;
inline file_key first_of(int64_t second) { return second * (int64_t{1} << 24); }
inline file_key last_of(int64_t second) { return first_of(second) + 0xffffff; }

struct file_stream {
  std::vector<file_key> keys;
  std::vector<uint64_t> bytes;
  static int64_t second_of(file_key key) { return key >> 24; }
};

/// False, having said why, if a line is not right.
inline bool read_stream(const char *path, file_stream &files) {
  std::FILE *in = std::fopen(path, "r");
  if (!in) {
    std::fprintf(stderr, "error: %s: cannot open\n", path);
    return false;
  }
  long long second = 0, bytes = 0, before = INT64_MIN;
  int fields;
  while ((fields = std::fscanf(in, "%lld %lld", &second, &bytes)) == 2 && before <= second) {
    before = second;
    files.keys.push_back(first_of(second) + static_cast<int64_t>(files.keys.size() & 0xffffff));
    files.bytes.push_back(static_cast<uint64_t>(bytes));
  }
  std::fclose(in);
  if (fields != EOF)
    std::fprintf(stderr, "error: %s:%zu: needs \"seconds bytes\", in order of time\n", path,
                 files.keys.size() + 1);
  return fields == EOF;
}

/// Tree: insert(keys, values, n); erase(keys); list(first, last, keys, values); each false, having
/// said why, if it fails.
template <class Tree>
bool run_stream(Tree &tree, const file_stream &files, int64_t window, uint64_t batch) {
  std::vector<file_key> keys;
  std::vector<uint64_t> bytes;
  uint64_t expired = 0;
  int64_t newest = 0;
  for (uint64_t begin = 0, number = 1; begin < files.keys.size(); begin += batch, ++number) {
    const uint64_t n = std::min(batch, files.keys.size() - begin);
    if (!tree.insert(&files.keys[begin], &files.bytes[begin], n))
      return false;
    newest = file_stream::second_of(files.keys[begin + n - 1]);
    if (!tree.list(INT64_MIN, last_of(newest - window), keys, bytes) || !tree.erase(keys))
      return false;
    expired += keys.size();
    if (!tree.list(first_of(newest - window + 1), INT64_MAX, keys, bytes))
      return false;
    const uint64_t there = keys.size();
    if (!tree.list(first_of(newest - window / 10 + 1), INT64_MAX, keys, bytes))
      return false;
    std::printf("batch %llu newest %lld files %llu expired %llu recent %zu\n",
                static_cast<unsigned long long>(number), static_cast<long long>(newest),
                static_cast<unsigned long long>(there), static_cast<unsigned long long>(expired),
                keys.size());
  }
  for (int64_t part = 0; part < 12; ++part) {
    const int64_t from = newest - window + window * part / 12 + 1,
                  to = newest - window + window * (part + 1) / 12;
    if (!tree.list(first_of(from), last_of(to), keys, bytes))
      return false;
    uint64_t sum = 0;
    for (const uint64_t b : bytes)
      sum += b;
    std::printf("from %lld to %lld files %zu bytes %llu\n", static_cast<long long>(from),
                static_cast<long long>(to), keys.size(), static_cast<unsigned long long>(sum));
  }
  return true;
}

/// In file_times.cpp or file_times.cu: the exit code.
int run_with_tree(const file_stream &files, int64_t window, uint64_t batch);

int main(int argc, char **argv) {
  const int64_t window = argc > 2 ? std::atoll(argv[2]) : 0;
  const int64_t batch = argc > 3 ? std::atoll(argv[3]) : 4096;
  file_stream files;
  if (window < 12 || batch < 1) {
    std::fprintf(stderr,
                 "usage: %s FILE WINDOW_SECONDS [FILES_OF_A_BATCH]\n"
                 "FILE: find FOLDER -type f -printf '%%Ts %%s\\n' | sort -n\n",
                 argv[0]);
    return 2;
  }
  return read_stream(argv[1], files) ? run_with_tree(files, window, static_cast<uint64_t>(batch))
                                     : 2;
}
