//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter.hpp: the second pass of a multisplit: one block moves one tile.
//
//   load       items come in rows of 32, one contiguous stretch a warp, in order
//   count      per warp and bucket          (or: rank, which counts as well)
//   publish    the tile's counts, at once, for the tiles behind
//   stage      every item goes to its place in the tile, sorted by bucket, stable
//   look back  how many items of each bucket are in the tiles before
//   write      neighbours in the tile are neighbours in the output
//   in turn    (optional) values then take the keys' room: stage, write
//
// In: base[b], the index of the first item of bucket b of this portion; look-back
// words empty; ticket zero. Every output index is written once. The last tile may
// be partial: what is missing counts as items of the last bucket, which come last
// in the tile and are not written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/block_scan.hpp>
#include <colonnade/detail/look_back.hpp>
#include <colonnade/detail/multisplit/bucket_id.hpp>
#include <colonnade/detail/multisplit/tile_storage.hpp>
#include <colonnade/detail/warp_rank.hpp>

#include <cstring>
#include <iterator>

namespace colonnade::detail {

/// The compiler no longer knows what it computed from `item`: ids and addresses cost
/// a few instructions again, but kept for all rows they push the keys to local memory.
/// Scatter grids are one-dimensional, which compilers do not know.
template <class Item> COLONNADE_KERNEL_CODE void forget([[maybe_unused]] Item &item) {
#if defined(__CUDA_ARCH__)
  using word = std::conditional_t<
      sizeof(Item) % 4 == 0, uint32_t,
      std::conditional_t<sizeof(Item) % 2 == 0, uint16_t, unsigned char>>;
  word words[sizeof(Item) / sizeof(word)];
  memcpy(words, &item, sizeof(Item));
  words[0] = static_cast<word>(words[0] ^ blockIdx.y);
  memcpy(&item, words, sizeof(Item));
#endif
}

/// Adds number k to a register that starts at zero and holds `Count`.
template <uint32_t Count>
COLONNADE_KERNEL_CODE void pack(uint32_t &packed, uint32_t number, uint32_t k) {
  packed |= number << k % Count * (32 / Count);
  if (k % Count == Count - 1)
    forget(packed); // or the compiler keeps them apart
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct scatter_arguments {
  using key = typename std::iterator_traits<KeysIn>::value_type;
  using value = typename std::iterator_traits<ValuesIn>::value_type;
  static constexpr bool has_values = !std::is_same_v<value, nothing>;
  static constexpr bool writes_keys = !std::is_same_v<KeysOut, nothing>;

  KeysIn keys_in;
  KeysOut keys_out;
  ValuesIn values_in;
  ValuesOut values_out;
  Ids ids;
  uint64_t first;        // of this portion
  uint64_t num_items;    // of this portion, below 2^30
  uint32_t num_tiles;
  const uint64_t *base;
  uint64_t *next_base;   // of the next portion; null if this is the last
  uint32_t *words;       // num_tiles * ids.count()
  uint32_t *ticket;
  const uint64_t *d_num_items = nullptr; // of the whole input; null: as num_items says
};

template <class Tuning, uint32_t Bits, class Offset, class Arguments, class Machine>
class scatter_block {
public:
  using key = typename Arguments::key;
  using value = typename Arguments::value;
  using storage = tile_storage<Tuning, Bits, Offset, key, value>;
  static constexpr uint32_t threads = Tuning::value.threads, items = Tuning::value.items_per_thread;
  static constexpr uint32_t warps = storage::warps, buckets = storage::buckets;
  static constexpr uint32_t tile_items = storage::tile_items;
  /// Places that lead to shared memory are kept scaled; ranks of 16 bits are not.
  static constexpr uint32_t scale = storage::scale;
  static constexpr bool in_turn = storage::in_turn;
  static constexpr uint32_t batch = Tuning::value.write_batch;
  static constexpr uint32_t rank_scale = Tuning::value.rank_first ? 1 : scale;
  static_assert(buckets <= threads, "one thread a bucket");
  static_assert(tile_items <= 65536, "places have 16 bits");

  COLONNADE_KERNEL_CODE scatter_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), s_{shared}, others_(machine.lane()) {}

  COLONNADE_KERNEL_CODE void run() {
    tile_ = machine_.block();
    uint32_t valid;
    if constexpr (Tuning::value.ticket) {
      if (machine_.thread() == 0) {
        s_.ticket()[0] = machine_.take_ticket(a_.ticket);
        s_.ticket()[1] = items_of_tile(s_.ticket()[0]);
      }
      machine_.block_sync();
      tile_ = s_.ticket()[0];
      valid = s_.ticket()[1];
    } else {
      valid = items_of_tile(tile_);
    }
    index_ = a_.first + uint64_t{tile_} * tile_items + machine_.warp() * (32 * items) +
             machine_.lane();
    if (valid == tile_items)
      move_tile<true>(tile_items);
    else if (valid > 0) // or nobody looks back here
      move_tile<false>(valid);
  }

private:
  COLONNADE_KERNEL_CODE uint32_t items_of_tile(uint32_t tile) const {
    const uint64_t first = uint64_t{tile} * tile_items;
    uint64_t there = a_.num_items; // of this portion
    if (a_.d_num_items) {
      const uint64_t all = *a_.d_num_items, behind = all > a_.first ? all - a_.first : 0;
      there = behind < there ? behind : there;
    }
    return there <= first                ? 0
           : there - first < tile_items ? static_cast<uint32_t>(there - first)
                                        : tile_items;
  }
  template <bool Full> COLONNADE_KERNEL_CODE void move_tile(uint32_t valid) {
    constexpr bool rank_first = Tuning::value.rank_first;
    constexpr uint32_t ahead = (rank_first && !in_turn) || Tuning::value.value_rows_ahead > items
                                   ? items
                                   : Tuning::value.value_rows_ahead;
    valid_ = valid;
    rows_ = rows_of_lane();
    key keys[items];
    value values[Arguments::has_values ? items : 1];
    load<Full, items>(a_.keys_in, keys);
    if constexpr (Tuning::value.values_early && !in_turn)
      load_values<Full, ahead>(values);
    uint32_t places[in_turn ? (items + 1) / 2 : 1] = {};   // two 16-bit places a register
    uint32_t ids[in_turn ? (items + 3) / 4 : 1] = {};      // four ids a register
    uint32_t ranks[rank_first ? (items + 1) / 2 : 1] = {}; // two 16-bit ranks a register
    if constexpr (rank_first) {
      clear_counters();
      rank<Full, items>(keys, values, [&](uint32_t k, uint32_t place) {
        ranks[k / 2] |= place << k % 2 * 16;
      });
    } else {
      count<Full>(keys);
    }
    publish_counts();
    if constexpr (!Tuning::value.values_early && !in_turn)
      load_values<Full, ahead>(values);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      forget(keys[k]);
    const auto stage = [&](uint32_t k, uint32_t place) {
      *s_.key_at(place) = keys[k];
      if constexpr (in_turn)
        pack<2>(places[k / 2], place / scale, k);
      else if constexpr (Arguments::has_values)
        *s_.value_at(place) = values[k];
    };
    if constexpr (rank_first) {
      const uint32_t *start = s_.counters(machine_.warp());
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        stage(k, start[id_of<Full>(keys[k], k)] + (ranks[k / 2] >> k % 2 * 16 & 0xffff) * scale);
    } else {
      rank<Full, in_turn ? items : ahead>(keys, values, stage);
    }
    if constexpr (in_turn) // the keys' registers are free
      load_values<Full, ahead>(values);
    look_back();
    machine_.block_sync(); // staged, and targets known
    write<Full>(ids);
    if constexpr (in_turn) {
      machine_.block_sync(); // the keys' room is free
      stage_values<Full, ahead>(places, values);
      machine_.block_sync();
      write_values<Full>(ids);
    }
  }

  /// How many of this lane's items exist in a partial tile.
  COLONNADE_KERNEL_CODE uint32_t rows_of_lane() const {
    const uint32_t first = machine_.warp() * (32 * items) + machine_.lane();
    return valid_ > first ? (valid_ - first + 31) / 32 : 0;
  }
  /// The first rows.
  template <bool Full, uint32_t Rows, class In, class Item>
  COLONNADE_KERNEL_CODE void load(In in, Item (&out)[items]) const {
    const In from = in + static_cast<std::ptrdiff_t>(index_);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k)
      out[k] = Full || k < rows_ ? Item(from[k * 32]) : Item{};
  }
  template <bool Full, uint32_t Rows, size_t N>
  COLONNADE_KERNEL_CODE void load_values(value (&values)[N]) const {
    if constexpr (Arguments::has_values && Rows > 0)
      load<Full, Rows>(a_.values_in, values);
  }
  template <bool Full, size_t N>
  COLONNADE_KERNEL_CODE void load_value_row(uint32_t k, value (&values)[N]) const {
    if constexpr (Arguments::has_values)
      if (k < items)
        values[k] = Full || k < rows_ ? value(a_.values_in[static_cast<std::ptrdiff_t>(index_) + k * 32])
                                      : value{};
  }
  template <bool Full>
  COLONNADE_KERNEL_CODE uint32_t id_of(const key &item, uint32_t k) const {
    if (!Full && k >= rows_)
      return a_.ids.last();
    return a_.ids(item, index_ + k * 32);
  }

  COLONNADE_KERNEL_CODE void clear_counters() const {
    uint32_t *mine = s_.counters(machine_.warp());
    COLONNADE_UNROLL
    for (uint32_t b = 0; b < buckets; b += 32)
      if (b + machine_.lane() < buckets)
        mine[b + machine_.lane()] = 0;
    machine_.warp_sync();
  }
  template <bool Full> COLONNADE_KERNEL_CODE void count(const key (&keys)[items]) const {
    if constexpr (Bits <= Tuning::value.packed_count_bits && items < 256)
      return count_packed<Full>(keys);
    clear_counters();
    uint32_t *mine = s_.counters(machine_.warp());
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      machine_.add_shared(mine + id_of<Full>(keys[k], k), 1);
  }

  /// Few buckets: a thread counts in bytes of one register (two for eight buckets).
  template <bool Full> COLONNADE_KERNEL_CODE void count_packed(const key (&keys)[items]) const {
    using bytes = std::conditional_t<Bits <= 2, uint32_t, uint64_t>;
    constexpr bytes even_bytes = static_cast<bytes>(0x00ff00ff00ff00ff);
    bytes counts = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      counts += bytes{1} << 8 * id_of<Full>(keys[k], k);
    bytes even = counts & even_bytes, odd = counts >> 8 & even_bytes; // 16 bits: up to 32 * 255
    COLONNADE_UNROLL
    for (uint32_t mask = 16; mask > 0; mask /= 2) {
      even += machine_.shuffle_xor(even, mask);
      odd += machine_.shuffle_xor(odd, mask);
    }
    uint32_t *mine = s_.counters(machine_.warp());
    COLONNADE_UNROLL
    for (uint32_t b = 0; b < buckets; ++b)
      if (machine_.lane() == b)
        mine[b] = static_cast<uint32_t>((b % 2 ? odd : even) >> b / 2 * 16 & 0xffff);
  }

  /// From counts per warp to places; ends with the whole block knowing them.
  COLONNADE_KERNEL_CODE void publish_counts() const {
    machine_.block_sync();
    const uint32_t b = machine_.thread();
    uint32_t total = 0;
    if (b < buckets) {
      COLONNADE_UNROLL
      for (uint32_t w = 0; w < warps; ++w)
        total += s_.counters(w)[b];
      if (b < a_.ids.count())
        publish(b, tile_ == 0 ? look_back_inclusive : look_back_aggregate, total);
    }
    uint32_t place = block_exclusive_sum(machine_, total, s_.scratch());
    if (b <= buckets)
      s_.tile_start()[b] = place;
    if (threads == buckets && b == 0)
      s_.tile_start()[buckets] = tile_items;
    if (b < buckets) {
      COLONNADE_UNROLL
      for (uint32_t w = 0; w < warps; ++w) {
        const uint32_t count = s_.counters(w)[b];
        s_.counters(w)[b] = place * scale;
        place += count;
      }
    }
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE void publish(uint32_t b, uint32_t state, uint32_t count) const {
    machine_.store_word(a_.words + uint64_t{tile_} * a_.ids.count() + b,
                        look_back_word(state, count));
  }

  /// use(k, place) for every item, in rows; several rows' ballots at once. Values
  /// are loaded `Ahead` rows before their turn; those before row `Ahead` are there.
  template <bool Full, uint32_t Ahead, size_t N, class Use>
  COLONNADE_KERNEL_CODE void rank(const key (&keys)[items], value (&values)[N], Use use) const {
    if constexpr (Bits == 1 && Tuning::value.two_way && !Tuning::value.rank_first)
      return rank_two_ways<Full, Ahead>(keys, values, use);
    constexpr uint32_t rows = Tuning::value.rows_at_once;
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < items; first += rows) {
      uint32_t *next[rows], same[rows];
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < rows; ++r)
        if (first + r < items) {
          load_value_row<Full>(first + r + Ahead, values);
          const uint32_t id = id_of<Full>(keys[first + r], first + r);
          next[r] = s_.counters(machine_.warp()) + id;
          same[r] = match_lanes<Bits, Tuning::value.match>(machine_, id);
        }
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < rows; ++r)
        if (first + r < items)
          use(first + r, rank_row<rank_scale>(machine_, others_, same[r], next[r]));
    }
  }
  /// Two buckets: one ballot says both ranks, and the next places stay in registers.
  template <bool Full, uint32_t Ahead, size_t N, class Use>
  COLONNADE_KERNEL_CODE void rank_two_ways(const key (&keys)[items], value (&values)[N],
                                           Use use) const {
    const uint32_t *next = s_.counters(machine_.warp());
    uint32_t ones_next = next[1];
    const uint32_t both = next[0] + next[1] + machine_.lane() * scale;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k) {
      load_value_row<Full>(k + Ahead, values);
      const bool one = id_of<Full>(keys[k], k) != 0;
      const uint32_t ones = machine_.ballot(one);
      const uint32_t place = ones_next + Machine::count_ones(ones & others_.below) * scale;
      use(k, one ? place : both + k * 32 * scale - place);
      ones_next += Machine::count_ones(ones) * scale;
    }
  }
  /// Values take the places their keys had.
  template <bool Full, uint32_t Ahead, size_t P, size_t N>
  COLONNADE_KERNEL_CODE void stage_values(const uint32_t (&places)[P], value (&values)[N]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k) {
      load_value_row<Full>(k + Ahead, values);
      s_.values()[places[k / 2] >> k % 2 * 16 & 0xffff] = values[k];
    }
  }

  COLONNADE_KERNEL_CODE void look_back() const {
    constexpr uint32_t room = threads / buckets, most = Tuning::value.look_back_lanes;
    constexpr uint32_t lanes = room >= most ? most : room >= 16 ? 16 : room >= 8 ? 8 : room >= 4 ? 4
                               : room >= 2 ? 2 : 1;
    const uint32_t b = machine_.thread() / lanes;
    const bool active = b < a_.ids.count();
    if (machine_.warp() * (32 / lanes) >= a_.ids.count()) // the whole warp has none
      return;
    const uint64_t base = active ? a_.base[b] : 0;
    const look_back_column column{a_.words + b, a_.ids.count()};
    uint32_t before = 0;
    if constexpr (lanes > 1)
      before = look_back_together<lanes>(machine_, column, tile_, active);
    else if (active)
      before = look_back_alone<Tuning::value.look_back_window>(machine_, column, tile_);
    if (!active || machine_.lane() % lanes != 0)
      return;
    const uint32_t start = s_.tile_start()[b], count = s_.tile_start()[b + 1] - start;
    if (tile_ != 0)
      publish(b, look_back_inclusive, before + count);
    s_.target()[b] = static_cast<Offset>(base + before - start);
    if (a_.next_base && tile_ == a_.num_tiles - 1)
      a_.next_base[b] = base + before + count;
  }

  /// The bucket of the item at a place of the tile.
  COLONNADE_KERNEL_CODE uint32_t id_at(const key &item, uint32_t place) const {
    if constexpr (takes_index<decltype(a_.ids.bucket), key>) {
      const uint32_t *start = s_.tile_start(); // its index is not known any more: search
      uint32_t b = 0;
      COLONNADE_UNROLL
      for (uint32_t step = buckets / 2; step > 0; step /= 2)
        if (start[b + step] <= place)
          b += step;
      return b;
    } else {
      return a_.ids(item, 0);
    }
  }
  /// take(slot, k, place), then put(slot, place), for a batch of this thread's places
  /// that hold an item to write.
  template <bool Full, class Take, class Put>
  COLONNADE_KERNEL_CODE void for_each_place(Take take, Put put) const {
    constexpr bool all = Full && !decltype(a_.ids)::discards;
    const uint32_t kept = s_.tile_start()[a_.ids.num_buckets];
    const uint32_t end = Full || kept < valid_ ? kept : valid_;
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < items; first += batch) {
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k) {
        const uint32_t place = (first + k) * threads + machine_.thread();
        if (first + k < items && (all || place < end))
          take(k, first + k, place);
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k) {
        const uint32_t place = (first + k) * threads + machine_.thread();
        if (first + k < items && (all || place < end))
          put(k, place);
      }
    }
  }
  /// In turn: the keys, whose ids stay in `ids`. Otherwise the values as well.
  template <bool Full, size_t N> COLONNADE_KERNEL_CODE void write(uint32_t (&ids)[N]) const {
    key moved[batch] = {};
    Offset to[batch] = {};
    for_each_place<Full>(
        [&](uint32_t slot, uint32_t k, uint32_t place) {
          moved[slot] = s_.keys()[place];
          const uint32_t id = id_at(moved[slot], place);
          if constexpr (in_turn)
            pack<4>(ids[k / 4], id, k);
          to[slot] = static_cast<Offset>(s_.target()[id] + place);
        },
        [&](uint32_t slot, uint32_t place) {
          if constexpr (Arguments::writes_keys)
            a_.keys_out[to[slot]] = moved[slot];
          if constexpr (Arguments::has_values && !in_turn)
            a_.values_out[to[slot]] = s_.values()[place];
        });
  }
  template <bool Full, size_t N>
  COLONNADE_KERNEL_CODE void write_values(const uint32_t (&ids)[N]) const {
    value moved[batch] = {};
    Offset to[batch] = {};
    for_each_place<Full>(
        [&](uint32_t slot, uint32_t k, uint32_t place) {
          moved[slot] = s_.values()[place];
          to[slot] = static_cast<Offset>(s_.target()[ids[k / 4] >> k % 4 * 8 & 0xff] + place);
        },
        [&](uint32_t slot, uint32_t) { a_.values_out[to[slot]] = moved[slot]; });
  }

  const Machine &machine_;
  const Arguments &a_;
  storage s_;
  const other_lanes others_;
  uint32_t tile_ = 0, valid_ = 0, rows_ = 0;
  uint64_t index_ = 0;
};

} // namespace colonnade::detail
