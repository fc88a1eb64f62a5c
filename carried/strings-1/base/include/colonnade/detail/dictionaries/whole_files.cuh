//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// whole_files.cuh: a dictionary as a whole to a file of pairs, and from one.
//
// In: a dictionary that can hand out its pairs, or a way to build one from arrays of the host. Out:
// a file, or what the building returns. Invariant: if the file is what fails, `file` says how and
// the call returns cudaErrorInvalidValue; otherwise `file` is none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/dictionaries/device_pairs.cuh>
#include <colonnade/pair_file.hpp>

namespace colonnade::detail {

template <class Key, class Value, class Dictionary>
cudaError_t save_whole(const Dictionary &dictionary, const char *path, pair_file_error &file,
                       cudaStream_t stream) {
  file = pair_file_error::none;
  std::vector<Key> keys;
  std::vector<Value> values;
  if (const cudaError_t error = dictionary.to_host(keys, values, stream))
    return error;
  file = write_pairs(path, keys.data(), sizeof(Key), values.data(), bytes_of_value<Value>,
                     keys.size());
  return file == pair_file_error::none ? cudaSuccess : cudaErrorInvalidValue;
}

/// build(keys, values, n): of arrays on the host, which are gone when it returns.
template <class Key, class Value, class Build>
cudaError_t load_whole(const char *path, pair_file_error &file, const Build &build) {
  std::vector<char> keys, values;
  if (!has_host_memory(
          [&] { file = read_pairs(path, keys, sizeof(Key), values, bytes_of_value<Value>); })) {
    file = pair_file_error::none;
    return cudaErrorMemoryAllocation;
  }
  if (file != pair_file_error::none)
    return cudaErrorInvalidValue;
  return build(reinterpret_cast<const Key *>(keys.data()),
               reinterpret_cast<const Value *>(values.data()), keys.size() / sizeof(Key));
}

} // namespace colonnade::detail
