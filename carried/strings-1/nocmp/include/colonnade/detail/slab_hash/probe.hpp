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
// belongs to the key, else the first open word, which in a full slab is the link; for an insertion
// into a multimap it is the first free one. Out, for all pairs of a key: how many, and the next
// slab. Invariant: a word is read once, by one access. So a key that is not seen was absent at some
// moment of the reading, if it is unique: slots fill in order and never open again, so if a slot
// was seen open, the key was absent then; and if none was, the key was in none of them when the
// link was read. (A multimap fills slots again: a pair that is not seen was not there all the
// time.)
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
template <class Half> struct slab_hit {
  bool found;
  Half value; // or the next slab
};
/// What a change sees of a slab.
template <class Word> struct slab_place {
  Word word;
  uint32_t index; // of the word in the slab
};
/// What is seen of all pairs of a key in a slab.
struct slab_tally {
  uint32_t count;
  uint32_t next; // slab
};

template <class Machine, class Table, uint32_t Width, uint32_t InFlight> class slab_probe {
public:
  using key = typename Table::key_type;
  using word = typename Table::word;
  using format = typename Table::format_type;
  using tile_type = slab_tile<Machine, Width, format::words>;
  using hit = slab_hit<typename Table::half>;
  using place_type = slab_place<word>;

  COLONNADE_KERNEL_CODE slab_probe(const Machine &machine, const Table &table)
      : machine_(machine), table_(table), tile_{machine} {}

  /// For each lane with an operation.
  COLONNADE_KERNEL_CODE hit search(bool has, const key &k, word *at) const {
    return look<hit>(has, k, at, [&](const reading &r, const key &own) { return find(r, own); });
  }
  template <class Operation>
  COLONNADE_KERNEL_CODE place_type place(bool has, Operation operation, const key &k,
                                         word *at) const {
    return look<place_type>(has, k, at, [&](const reading &r, const key &own) {
      return find_place(r, own, takes_free(operation, r.from));
    });
  }
  /// use: see pairs.hpp. before: pairs of the key in the slabs before this one.
  template <class Use>
  COLONNADE_KERNEL_CODE slab_tally tally(bool has, const key &k, word *at, uint32_t before,
                                         const Use &use) const {
    return look<slab_tally>(has, k, at, [&](const reading &r, const key &own) {
      return each_pair(r, own, before, use);
    });
  }

private:
  static constexpr uint32_t words = tile_type::words;

  /// This lane's part of a slab, and for whom it is read.
  struct reading {
    word part[words];
    word *at;      // the slab
    uint32_t from; // the lane of the tile; from Width on: nobody
  };

  template <class Seen, class Examine>
  COLONNADE_KERNEL_CODE Seen look(bool has, const key &own_key, word *own_at,
                                  Examine examine) const {
    Seen own{};
    uint32_t left = tile_.ballot(has); // lanes of the tile that wait
    while (tile_.any(left != 0)) {
      decltype(slab_bits(own_key)) keys[InFlight];
      reading read[InFlight];
      COLONNADE_UNROLL
      for (uint32_t u = 0; u < InFlight; ++u) {
        read[u].from = machine_.first_one(left);
        left &= left - 1;
        keys[u] = tile_.shuffle(slab_bits(own_key), read[u].from);
        read[u].at = reinterpret_cast<word *>(
            tile_.shuffle(reinterpret_cast<uint64_t>(own_at), read[u].from));
        load(read[u]);
      }
      COLONNADE_UNROLL
      for (uint32_t u = 0; u < InFlight; ++u) {
        const Seen seen = examine(read[u], from_slab_bits<key>(keys[u]));
        if (read[u].from == tile_.lane())
          own = seen;
      }
    }
    return own;
  }

  /// Nothing is read if nobody asks: links that end a chain.
  COLONNADE_KERNEL_CODE void load(reading &r) const {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < words; ++i)
      r.part[i] = table_.format.open();
    if (r.from < Width && tile_.reads())
      machine_.load_words(static_cast<const word *>(r.at) + tile_.lane() * words, r.part);
  }

  COLONNADE_KERNEL_CODE hit find(const reading &r, const key &k) const {
    bool found = false;
    word w = r.part[words - 1]; // the last reader's is the link
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < words; ++i)
      if (table_.format.is_live(r.part[i], k)) {
        found = true;
        w = r.part[i];
      }
    const uint32_t hits = tile_.ballot(found);
    const uint32_t from = hits ? machine_.first_one(hits) : tile_type::readers - 1;
    return {hits != 0, tile_.shuffle(high_half(w), from)};
  }

  /// Whether it is an insertion into a multimap: any free slot will do, and no other.
  template <class Operation>
  COLONNADE_KERNEL_CODE bool takes_free(Operation operation, uint32_t from) const {
    if constexpr (!format::multiple)
      return false;
    else if constexpr (is_fixed<Operation>)
      return slab_operation_inserts(operation);
    else
      return tile_.shuffle(uint32_t{slab_operation_inserts(operation)}, from) != 0;
  }
  COLONNADE_KERNEL_CODE place_type find_place(const reading &r, const key &k, bool free) const {
    bool open = false, belongs = false;
    uint32_t index = 0;
    word w = 0;
    COLONNADE_UNROLL
    for (uint32_t i = words; i-- > 0;)
      if (table_.format.is_open(r.part[i]) || (free && table_.format.is_tombstone(r.part[i]))) {
        open = true;
        index = i;
        w = r.part[i];
      }
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < words; ++i)
      if (!free && table_.format.belongs(r.part[i], k)) {
        belongs = true;
        index = i;
        w = r.part[i];
      }
    const uint32_t owners = tile_.ballot(belongs), opens = tile_.ballot(open && tile_.reads());
    const uint32_t from = machine_.first_one(owners ? owners : opens);
    return {tile_.shuffle(w, from), from * words + (words == 1 ? 0 : tile_.shuffle(index, from))};
  }

  template <class Use>
  COLONNADE_KERNEL_CODE slab_tally each_pair(const reading &r, const key &k, uint32_t own_before,
                                             const Use &use) const {
    const auto owner = use.of_lane(tile_, r.from, own_before);
    uint32_t count = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < words; ++i) {
      bool is = r.from < Width && tile_.reads() && table_.format.is_live(r.part[i], k);
      if (is)
        is = use.take(machine_, table_.format, r.at + tile_.lane() * words + i, r.part[i], k);
      const uint32_t all = tile_.ballot(is);
      const auto number = use.number(tile_, is);
      if (is)
        use.put(owner, number, count + tile_.rank(all), high_half(r.part[i]));
      count += machine_.count_ones(all);
    }
    return {count, tile_.shuffle(format::next(r.part[words - 1]), tile_type::readers - 1)};
  }

  kept_machine<Machine> machine_;
  const Table table_;
  const tile_type tile_;
};

} // namespace colonnade::detail
