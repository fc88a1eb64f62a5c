//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hash_peers.hpp: hash tables of others, for pairs of 4 + 4 bytes: cuCollections' static_map and
// the tables of BGHT, each in several variants. Neither is part of this project: their headers are
// given when this is compiled, which is why they are in files of their own.
//
// In: a number of pairs and a load. Out: tables, which are filled and asked. Invariant: all keys of
// an insertion are different, and none is ~0.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

struct key_and_value {
  alignas(8) uint32_t key;
  uint32_t value;
};

class hash_peer {
public:
  virtual ~hash_peer() = default;
  virtual void clear() = 0;
  /// Into an empty table; false: not all found a place.
  virtual bool insert(const key_and_value *d_pairs, uint64_t n) = 0;
  /// ~0 for keys that are not there.
  virtual void find(const uint32_t *d_keys, uint32_t *d_values, uint64_t n) = 0;
};
struct hash_peer_kind {
  const char *library;
  std::string variant;
  std::function<std::unique_ptr<hash_peer>(uint64_t num_slots)> make;
};

std::vector<hash_peer_kind> cuco_peers();
std::vector<hash_peer_kind> bght_peers();

} // namespace bench
