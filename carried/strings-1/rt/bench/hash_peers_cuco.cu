//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cuCollections' static_map: one thread or four a query, windows of one slot or two, linear probing
// or double hashing.
//
//===----------------------------------------------------------------------===//

#include "hash_peers.hpp"

#include <cuco/static_map.cuh>

namespace bench {

namespace {

template <class Probing, int32_t Window> class cuco_peer : public hash_peer {
public:
  using map_type =
      cuco::static_map<uint32_t, uint32_t, cuco::extent<std::size_t>, cuda::thread_scope_device,
                       thrust::equal_to<uint32_t>, Probing,
                       cuco::cuda_allocator<cuco::pair<uint32_t, uint32_t>>, cuco::storage<Window>>;

  explicit cuco_peer(uint64_t num_slots)
      : map_(num_slots, cuco::empty_key<uint32_t>{~0u}, cuco::empty_value<uint32_t>{~0u}) {}
  void clear() override { map_.clear(); }
  bool insert(const key_and_value *d_pairs, uint64_t n) override {
    const auto *pairs = reinterpret_cast<const cuco::pair<uint32_t, uint32_t> *>(d_pairs);
    map_.insert_or_assign_async(pairs, pairs + n);
    return true;
  }
  void find(const uint32_t *d_keys, uint32_t *d_values, uint64_t n) override {
    map_.find_async(d_keys, d_keys + n, d_values);
  }

private:
  map_type map_;
};

template <int Threads, int32_t Window> void add_both(std::vector<hash_peer_kind> &all) {
  using hash = cuco::default_hash_function<uint32_t>;
  const std::string shape =
      ", " + std::to_string(Threads) + " threads, windows of " + std::to_string(Window);
  all.push_back({"cuCollections", "linear probing" + shape, [](uint64_t num_slots) {
                   return std::make_unique<cuco_peer<cuco::linear_probing<Threads, hash>, Window>>(
                       num_slots);
                 }});
  all.push_back({"cuCollections", "double hashing" + shape, [](uint64_t num_slots) {
                   return std::make_unique<cuco_peer<cuco::double_hashing<Threads, hash>, Window>>(
                       num_slots);
                 }});
}

} // namespace

std::vector<hash_peer_kind> cuco_peers() {
  std::vector<hash_peer_kind> all;
  add_both<1, 1>(all);
  add_both<1, 2>(all);
  add_both<4, 1>(all);
  add_both<4, 2>(all);
  return all;
}

} // namespace bench
