//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// probe.hpp: the lanes of a tile read slabs for each other and say what stands there.
//
// Each lane may have one operation: a key, and the slab where it looks for it. The tile serves its
// lanes one after the other, several at a time: the loads of InFlight slabs are issued before the
// first is looked at. All lanes of the tile read a part of the slab and vote.
//
// In: a key and a slab for each lane that has an operation. Out, for a search: the value, or the
// next slab. Out, for a change: the word that matters and where it stands, which is the slot that
// belongs to the key, else the first open word, which in a full slab is the link.
// Invariant: a word is read once, by one access. So a key that is not seen was absent at some
// moment of the reading: slots fill in order and never open again, so if a slot was seen open, the
// key was absent then; and if none was, the key was in none of them when the link was read.
//
// Source: S. Ashkiani, thesis (2017), section 5.4.1 (warp-cooperative work sharing), with one
// warp and one slab at a time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/table.hpp>
#include <colonnade/detail/slab_hash/tile.hpp>

namespace colonnade::detail {

/// What a search sees of a slab.
struct slab_hit {
  bool found;
  uint32_t value; // or the next slab
};
/// What a change sees of a slab.
struct slab_place {
  uint64_t word;
  uint32_t index; // of the word in the slab
};

template <class Machine, class Table, uint32_t Width, uint32_t InFlight> class slab_probe {
public:
  using key = typename Table::key_type;
  using tile_type = slab_tile<Machine, Width>;

  COLONNADE_KERNEL_CODE slab_probe(const Machine &machine, const Table &table)
      : machine_(machine), table_(table), tile_{machine} {}

  /// For each lane with an operation.
  COLONNADE_KERNEL_CODE slab_hit search(bool has, const key &k, uint64_t *at) const {
    return look<slab_hit>(has, k, at);
  }
  COLONNADE_KERNEL_CODE slab_place place(bool has, const key &k, uint64_t *at) const {
    return look<slab_place>(has, k, at);
  }

private:
  static constexpr uint32_t words = tile_type::words;

  template <class Seen>
  COLONNADE_KERNEL_CODE Seen look(bool has, const key &own_key, uint64_t *own_at) const {
    Seen own{};
    uint32_t left = tile_.ballot(has); // lanes of the tile that wait
    while (tile_.any(left != 0)) {
      uint32_t from[InFlight];
      uint32_t keys[InFlight];
      uint64_t read[InFlight][words];
      COLONNADE_UNROLL
      for (uint32_t u = 0; u < InFlight; ++u) {
        from[u] = machine_.first_one(left);
        left &= left - 1;
        keys[u] = tile_.shuffle(slab_bits(own_key), from[u]);
        load(from[u] < Width, tile_.shuffle(reinterpret_cast<uint64_t>(own_at), from[u]), read[u]);
      }
      COLONNADE_UNROLL
      for (uint32_t u = 0; u < InFlight; ++u) {
        const Seen seen = examine(read[u], from_slab_bits<key>(keys[u]), Seen{});
        if (from[u] == tile_.lane())
          own = seen;
      }
    }
    return own;
  }

  /// This lane's words of a slab. Nothing is read if nobody asks: links that end a chain.
  COLONNADE_KERNEL_CODE void load(bool asked, uint64_t at, uint64_t (&to)[words]) const {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < words; ++i)
      to[i] = table_.format.open();
    if (asked && tile_.reads())
      machine_.load_words(reinterpret_cast<const uint64_t *>(at) + tile_.lane() * words, to);
  }

  COLONNADE_KERNEL_CODE slab_hit examine(const uint64_t (&read)[words], const key &k,
                                         slab_hit) const {
    bool hit = false;
    uint64_t word = read[words - 1]; // the last reader's is the link
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < words; ++i)
      if (table_.format.is_live(read[i], k)) {
        hit = true;
        word = read[i];
      }
    const uint32_t hits = tile_.ballot(hit);
    const uint32_t from = hits ? machine_.first_one(hits) : tile_type::readers - 1;
    return {hits != 0, tile_.shuffle(high_half(word), from)};
  }

  COLONNADE_KERNEL_CODE slab_place examine(const uint64_t (&read)[words], const key &k,
                                           slab_place) const {
    bool open = false, belongs = false;
    uint32_t index = 0;
    uint64_t word = 0;
    COLONNADE_UNROLL
    for (uint32_t i = words; i-- > 0;)
      if (table_.format.is_open(read[i])) {
        open = true;
        index = i;
        word = read[i];
      }
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < words; ++i)
      if (table_.format.belongs(read[i], k)) {
        belongs = true;
        index = i;
        word = read[i];
      }
    const uint32_t owners = tile_.ballot(belongs), opens = tile_.ballot(open && tile_.reads());
    const uint32_t from = machine_.first_one(owners ? owners : opens);
    return {tile_.shuffle(word, from),
            from * words + (words == 1 ? 0 : tile_.shuffle(index, from))};
  }

  const Machine &machine_;
  const Table &table_;
  const tile_type tile_;
};

} // namespace colonnade::detail
