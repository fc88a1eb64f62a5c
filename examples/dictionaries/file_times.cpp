//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// file_times.cpp: the stream of files on the CPU.
//
//===----------------------------------------------------------------------===//

#include "file_times.hpp"

#include <colonnade/host_lsm.hpp>

namespace {

struct host_files {
  colonnade::host_lsm_map<file_key, uint64_t> tree;

  bool insert(const file_key *keys, const uint64_t *bytes, uint64_t n) {
    return tree.insert(keys, bytes, n).ok();
  }
  bool erase(const std::vector<file_key> &keys) {
    return tree.erase(keys.data(), keys.size()).ok();
  }
  bool list(file_key first, file_key last, std::vector<file_key> &keys,
            std::vector<uint64_t> &bytes) const {
    uint64_t offsets[2];
    const uint64_t count = tree.count(&first, &last, offsets, 1);
    keys.resize(count);
    bytes.resize(count);
    tree.range(&first, &last, 1, offsets, keys.data(), bytes.data(), count);
    return true;
  }
};

} // namespace

int run_with_tree(const file_stream &files, int64_t window, uint64_t batch) {
  colonnade::lsm_options options;
  options.batch_size = batch;
  host_files on_host{colonnade::host_lsm_map<file_key, uint64_t>(options)};
  return run_stream(on_host, files, window, batch) ? 0 : 1;
}
