//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tables of BGHT: bucketed cuckoo hashing with buckets of 8, 16 and 32 pairs, cuckoo hashing
// without buckets, the power of two choices, iceberg.
//
//===----------------------------------------------------------------------===//

#include "hash_peers.hpp"

#include <bght/bcht.hpp>
#include <bght/cht.hpp>
#include <bght/iht.hpp>
#include <bght/p2bht.hpp>

namespace bench {

namespace {

template <class Table> class bght_peer : public hash_peer {
public:
  explicit bght_peer(uint64_t num_slots) : table_(num_slots, ~0u, ~0u) {}
  void clear() override { table_.clear(); }
  bool insert(const key_and_value *d_pairs, uint64_t n) override {
    const auto *pairs = reinterpret_cast<const bght::pair<uint32_t, uint32_t> *>(d_pairs);
    return table_.insert(pairs, pairs + n);
  }
  void find(const uint32_t *d_keys, uint32_t *d_values, uint64_t n) override {
    table_.find(d_keys, d_keys + n, d_values);
  }

private:
  Table table_;
};

template <class Table> void add(std::vector<hash_peer_kind> &all, const char *variant) {
  all.push_back({"BGHT", variant,
                 [](uint64_t num_slots) { return std::make_unique<bght_peer<Table>>(num_slots); }});
}

template <template <class, class, class, class, cuda::thread_scope, class, int> class Table, int B>
using bucketed = Table<uint32_t, uint32_t, bght::MurmurHash3_32<uint32_t>, bght::equal_to<uint32_t>,
                       cuda::thread_scope_device, bght::cuda_allocator<char>, B>;

} // namespace

std::vector<hash_peer_kind> bght_peers() {
  std::vector<hash_peer_kind> all;
  add<bucketed<bght::bcht, 8>>(all, "bucketed cuckoo, 8");
  add<bucketed<bght::bcht, 16>>(all, "bucketed cuckoo, 16");
  add<bucketed<bght::bcht, 32>>(all, "bucketed cuckoo, 32");
  add<bght::cht<uint32_t, uint32_t>>(all, "cuckoo");
  add<bucketed<bght::p2bht, 16>>(all, "power of two choices, 16");
  add<bucketed<bght::p2bht, 32>>(all, "power of two choices, 32");
  add<bght::iht<uint32_t, uint32_t>>(all, "iceberg, 16");
  return all;
}

} // namespace bench
