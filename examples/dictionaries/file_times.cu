//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// file_times.cu: the stream of files on the GPU.
//
//===----------------------------------------------------------------------===//

#include "../common/gpu_example.cuh"
#include "file_times.hpp"

#include <colonnade/lsm.cuh>

namespace {

struct gpu_files {
  colonnade::lsm_map<file_key, uint64_t> tree;
  colonnade::device_status status;

  bool insert(const file_key *keys, const uint64_t *bytes, uint64_t n) {
    const gpu_array<file_key> d_keys(std::vector<file_key>(keys, keys + n));
    const gpu_array<uint64_t> d_bytes(std::vector<uint64_t>(bytes, bytes + n));
    return done(tree.insert(d_keys, d_bytes, status));
  }
  bool erase(const std::vector<file_key> &keys) {
    return done(tree.erase(gpu_array<file_key>(keys), status));
  }
  bool list(file_key first, file_key last, std::vector<file_key> &keys,
            std::vector<uint64_t> &bytes) {
    const gpu_array<file_key> d_first(std::vector<file_key>{first}),
        d_last(std::vector<file_key>{last});
    const gpu_array<uint64_t> d_offsets(2);
    std::vector<uint64_t> offsets;
    if (!done(tree.count(d_first, d_last, d_offsets)) || !d_offsets.read(offsets, 2))
      return false;
    const gpu_array<file_key> d_keys(offsets[1]);
    const gpu_array<uint64_t> d_bytes(offsets[1]);
    return done(tree.range(d_first, d_last, d_offsets, d_keys, d_bytes, status)) &&
           d_keys.read(keys, offsets[1]) && d_bytes.read(bytes, offsets[1]);
  }
};

} // namespace

int run_with_tree(const file_stream &files, int64_t window, uint64_t batch) {
  if (const int none = no_gpu())
    return none;
  colonnade::lsm_options options;
  options.batch_size = batch;
  gpu_files on_gpu;
  return done(on_gpu.tree.create(on_gpu.tree, options)) && run_stream(on_gpu, files, window, batch)
             ? 0
             : 1;
}
