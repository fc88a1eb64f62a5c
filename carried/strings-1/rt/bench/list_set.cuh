//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// list_set.cuh: a hash table of lock-free linked lists, one thread an operation: what slab hashes
// are compared with in figure 5.7b of the thesis.
//
// Each bucket is a sorted list of nodes of 8 bytes, a key and the index of the next node; its
// highest bit says that the node is erased. A search for a place unlinks erased nodes that it
// meets. Nodes are allocated beforehand, one for each insertion, and never used again.
//
// In: keys. Out: whether they were there. Invariant: a node that is marked stays as it is; who
// changes a link has seen it unmarked, since link and mark are one word.
//
// Source: P. Misra and M. Chaudhuri, Performance evaluation of concurrent lock-free data structures
// on GPUs (2012); the lists are those of M. Michael (2002).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace bench {

class list_set {
public:
  static constexpr uint32_t none = 0x7fffffffu;

  /// nodes: num_buckets heads, then the nodes of insertions.
  __host__ __device__ list_set(unsigned long long *nodes, uint32_t num_buckets)
      : nodes_(nodes), num_buckets_(num_buckets) {}
  __host__ __device__ uint32_t num_buckets() const { return num_buckets_; }
  __device__ void clear_bucket(uint32_t bucket) const { nodes_[bucket] = node(0, none); }

  __device__ bool contains(uint32_t key) const {
    for (uint32_t at = next_of(load(bucket_of(key))); at != none;) {
      const unsigned long long word = load(at);
      if (key_of_node(word) >= key)
        return key_of_node(word) == key && !is_erased(word);
      at = next_of(word);
    }
    return false;
  }
  /// number: of this insertion; its node is used if the key was absent.
  __device__ bool insert(uint32_t key, uint32_t number) const {
    const uint32_t own = num_buckets_ + number;
    for (;;) {
      const place p = find(key);
      if (p.found)
        return true;
      nodes_[own] = node(key, next_of(p.before_word));
      __threadfence(); // the node is there before the link
      if (change(p.before, p.before_word, with_next(p.before_word, own)))
        return false;
    }
  }
  __device__ bool erase(uint32_t key) const {
    for (;;) {
      const place p = find(key);
      if (!p.found)
        return false;
      const uint32_t at = next_of(p.before_word);
      if (!change(at, p.word, p.word | erased))
        continue;
      change(p.before, p.before_word, with_next(p.before_word, next_of(p.word)));
      return true;
    }
  }

private:
  static constexpr unsigned long long erased = 1ull << 63;
  struct place {
    bool found;
    uint32_t before; // the last node below the key, or the head
    unsigned long long before_word, word;
  };
  static __device__ unsigned long long node(uint32_t key, uint32_t next) {
    return static_cast<unsigned long long>(next) << 32 | key;
  }
  static __device__ uint32_t key_of_node(unsigned long long word) {
    return static_cast<uint32_t>(word);
  }
  static __device__ uint32_t next_of(unsigned long long word) {
    return static_cast<uint32_t>(word >> 32) & none;
  }
  static __device__ bool is_erased(unsigned long long word) { return (word & erased) != 0; }
  static __device__ unsigned long long with_next(unsigned long long word, uint32_t next) {
    return node(key_of_node(word), next);
  }
  __device__ uint32_t bucket_of(uint32_t key) const {
    return static_cast<uint32_t>(uint64_t{key * 0x9e3779b1u} * num_buckets_ >> 32);
  }
  __device__ unsigned long long load(uint32_t at) const {
    return *static_cast<volatile unsigned long long *>(nodes_ + at);
  }
  __device__ bool change(uint32_t at, unsigned long long from, unsigned long long to) const {
    return atomicCAS(nodes_ + at, from, to) == from;
  }
  /// Where the key is, or belongs; erased nodes before it are unlinked.
  __device__ place find(uint32_t key) const {
    for (;;) {
      uint32_t before = bucket_of(key);
      unsigned long long before_word = load(before);
      for (;;) {
        const uint32_t at = next_of(before_word);
        if (at == none)
          return {false, before, before_word, 0};
        const unsigned long long word = load(at);
        if (is_erased(word)) {
          const unsigned long long without = with_next(before_word, next_of(word));
          if (!change(before, before_word, without))
            break; // from the head again
          before_word = without;
        } else if (key_of_node(word) >= key) {
          return {key_of_node(word) == key, before, before_word, word};
        } else {
          before = at;
          before_word = word;
        }
      }
    }
  }

  unsigned long long *nodes_;
  uint32_t num_buckets_;
};

} // namespace bench
