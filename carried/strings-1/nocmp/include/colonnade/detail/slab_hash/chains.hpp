//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chains.hpp: walks chains of a slab hash that nobody else uses: to count what is there, to hand
// out all pairs, or to flush.
//
// Tiles of 16 lanes walk a chain each, a word a lane. A job is told of the words of each slab, and
// of the end of each chain; all tiles of a warp call it together, also those that have no chain
// left. A thread alone can flush a chain, too.
//
// In: a table, and a range of its chains, or those that lanes bring. Out: what the job makes of
// them. Invariant: a job sees every word of a chain once, slabs in order. Others may use other
// chains meanwhile, and take slabs that a flush gives back: all words of these are open by then.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/report.hpp>
#include <colonnade/detail/slab_hash/table.hpp>
#include <colonnade/detail/slab_hash/tile.hpp>
#include <colonnade/slab_statistics.hpp>

namespace colonnade::detail {

template <class Machine, class Table> struct chain_walk {
  using word = typename Table::word;
  using format = typename Table::format_type;
  static constexpr uint32_t width = 16;
  using tile_type = slab_tile<Machine, width, format::words>;

  const Machine &machine;
  const Table &table;
  const tile_type tile{machine};

  /// What a lane knows of the slab where its tile stands.
  struct place {
    word *slab;   // null: the tile has none
    word w;       // this lane's
    bool is_slot; // and not the link, or nothing
  };

  COLONNADE_KERNEL_CODE word load(word *slab) const {
    word w[1] = {table.format.open()};
    if (slab && tile.reads())
      machine.load_words(static_cast<const word *>(slab) + tile.lane(), w);
    return w[0];
  }
  COLONNADE_KERNEL_CODE word *slab_behind(word w) const {
    const uint32_t next = tile.shuffle(format::next(w), format::link_word);
    return next == no_slab ? nullptr : table.address(machine, next);
  }

  /// For all tiles of the grid.
  template <class Job>
  COLONNADE_KERNEL_CODE void run(uint32_t first, uint32_t end, Job &job) const {
    const uint64_t warps = machine.num_threads() / 32, tiles = machine.num_blocks() * warps * 2;
    const uint64_t number = (machine.block() * warps + machine.warp()) * 2 + machine.lane() / width;
    for (uint64_t b = first + number; tile.any(b < end); b += tiles)
      walk(b < end ? table.first_slab(static_cast<uint32_t>(b)) : nullptr, job);
    job.end(*this);
  }
  /// For all tiles of the warp: each a chain, or none.
  template <class Job> COLONNADE_KERNEL_CODE void walk(word *slab, Job &job) const {
    job.begin_chain(slab);
    while (tile.any(slab)) {
      const word w = load(slab);
      word *behind = slab_behind(w);
      job.see(*this, {slab, w, slab && tile.lane() < format::slots});
      slab = slab ? behind : nullptr;
    }
    job.end_chain(*this);
  }
};

/// The sum over all lanes of the warp.
template <class Machine> COLONNADE_KERNEL_CODE uint64_t sum_of_warp(const Machine &m, uint64_t n) {
  for (uint32_t distance = 16; distance; distance /= 2)
    n += m.shuffle_xor(n, distance);
  return n;
}

/// Adds to statistics that are zero before. Lane l of a tile counts chains of l + 1 slabs.
struct count_chains {
  slab_statistics *to;
  uint64_t pairs = 0, tombstones = 0, slabs = 0, chains = 0;
  uint32_t length = 0, longest = 0; // of this chain; of all chains of this tile

  template <class Word> COLONNADE_KERNEL_CODE void begin_chain(const Word *) { length = 0; }
  template <class Walk>
  COLONNADE_KERNEL_CODE void see(const Walk &walk, const typename Walk::place &at) {
    pairs += at.is_slot && walk.table.format.is_live(at.w);
    tombstones += at.is_slot && walk.table.format.is_tombstone(at.w);
    slabs += at.slab && walk.tile.lane() == 0;
    length += at.slab != nullptr;
  }
  template <class Walk> COLONNADE_KERNEL_CODE void end_chain(const Walk &walk) {
    const uint32_t most = slab_statistics::num_lengths;
    chains += walk.tile.lane() + 1 == (length < most ? length : most);
    longest = length > longest ? length : longest;
  }
  template <class Walk> COLONNADE_KERNEL_CODE void end(const Walk &walk) {
    const auto &m = walk.machine;
    const uint64_t sums[] = {sum_of_warp(m, pairs), sum_of_warp(m, tombstones),
                             sum_of_warp(m, slabs)};
    if (chains)
      m.add_global(&to->chains_of_length[walk.tile.lane()], chains);
    if (walk.tile.lane() == 0)
      raise(m, &to->longest_chain);
    if (m.lane() != 0)
      return;
    m.add_global(&to->num_pairs, sums[0]);
    m.add_global(&to->num_tombstones, sums[1]);
    m.add_global(&to->num_slabs, sums[2]);
  }

private:
  template <class Machine>
  COLONNADE_KERNEL_CODE void raise(const Machine &m, uint64_t *word) const {
    uint64_t known = m.load_status(word);
    while (known < longest) {
      const uint64_t before = m.compare_exchange(word, known, longest);
      if (before == known)
        return;
      known = before;
    }
  }
};

/// use(key, value) for every pair.
template <class Key, class Value, class Use> struct visit_pairs {
  Use use;
  template <class Word> COLONNADE_KERNEL_CODE void begin_chain(const Word *) {}
  template <class Walk>
  COLONNADE_KERNEL_CODE void see(const Walk &walk, const typename Walk::place &at) {
    if (at.is_slot && walk.table.format.is_live(at.w))
      use(from_slab_bits<Key>(low_half(at.w)), from_slab_bits<Value>(high_half(at.w)));
  }
  template <class Walk> COLONNADE_KERNEL_CODE void end_chain(const Walk &) {}
  template <class Walk> COLONNADE_KERNEL_CODE void end(const Walk &) {}
};

/// All pairs to arrays, as far as there is room; how many there are is added to num_pairs.
template <class Key, class Value, class KeysOut, class ValuesOut> struct copy_pairs {
  KeysOut keys;
  ValuesOut values; // or nothing
  uint64_t capacity;
  uint64_t *num_pairs;

  template <class Word> COLONNADE_KERNEL_CODE void begin_chain(const Word *) {}
  template <class Walk>
  COLONNADE_KERNEL_CODE void see(const Walk &walk, const typename Walk::place &at) {
    const auto &m = walk.machine;
    const bool has = at.is_slot && walk.table.format.is_live(at.w);
    const uint32_t all = m.ballot(has);
    uint64_t first = 0;
    if (m.lane() == 0 && all)
      first = m.take_global(num_pairs, m.count_ones(all));
    const uint64_t i = m.shuffle(first, 0) + m.count_ones(all & ((1u << m.lane()) - 1));
    if (!has || i >= capacity)
      return;
    keys[i] = from_slab_bits<Key>(low_half(at.w));
    if constexpr (!std::is_same_v<Value, no_value>)
      values[i] = from_slab_bits<Value>(high_half(at.w));
  }
  template <class Walk> COLONNADE_KERNEL_CODE void end_chain(const Walk &) {}
  template <class Walk> COLONNADE_KERNEL_CODE void end(const Walk &) {}
};

struct total_arguments {
  const uint64_t *total; // pairs that were copied, or would have been
  uint64_t capacity;
  device_status *status;
};
/// More than there was room for? One thread.
template <class Machine>
COLONNADE_KERNEL_CODE void report_total(const Machine &machine, const total_arguments &a) {
  if (*a.total > a.capacity)
    report_beside_pool_full(machine, a.status, data_error::buffer_too_small, *a.total);
}

/// Moves the pairs of each chain to its front, in order, opens all slots behind them, and gives
/// slabs that this leaves empty back to the pool. A pair never moves back, so what is written has
/// been read.
template <class Table> struct flush_chains {
  using word = typename Table::word;
  word *to = nullptr;    // the slab that is being filled
  uint32_t filled = 0;   // slots of it
  bool has_gaps = false; // a tombstone was seen, or a slab behind the first without pairs

  COLONNADE_KERNEL_CODE void begin_chain(word *first) {
    to = first;
    filled = 0;
    has_gaps = false;
  }
  template <class Walk>
  COLONNADE_KERNEL_CODE void see(const Walk &walk, const typename Walk::place &at) {
    constexpr uint32_t slots = Walk::format::slots;
    const auto &format = walk.table.format;
    const bool moves = at.is_slot && format.is_live(at.w);
    const uint32_t moving = walk.tile.ballot(moves), count = walk.machine.count_ones(moving);
    has_gaps |= walk.tile.ballot(at.is_slot && format.is_tombstone(at.w)) != 0;
    const bool on = at.slab && filled + count > slots;
    word *behind = walk.slab_behind(walk.load(on ? to : nullptr));
    const uint32_t slot = filled + walk.tile.rank(moving);
    if (moves) {
      word *target = slot < slots ? to + slot : behind + (slot - slots);
      if (target != at.slab + walk.tile.lane())
        walk.machine.store(target, at.w);
    }
    to = on ? behind : to;
    has_gaps |= at.slab && count == 0 && to != at.slab;
    filled += count - (on ? slots : 0);
  }
  template <class Walk> COLONNADE_KERNEL_CODE void end_chain(const Walk &walk) {
    const word open = walk.table.format.open();
    uint32_t next = walk.tile.shuffle(Walk::format::next(walk.load(has_gaps ? to : nullptr)),
                                      Walk::format::link_word);
    if (has_gaps && walk.tile.reads() && walk.tile.lane() >= filled)
      walk.machine.store(to + walk.tile.lane(), open);
    while (walk.tile.any(next != no_slab)) {
      const bool frees = next != no_slab;
      word *slab = frees ? walk.table.address(walk.machine, next) : nullptr;
      const word w = walk.load(slab);
      const uint32_t behind = walk.tile.shuffle(Walk::format::next(w), Walk::format::link_word);
      if (frees && walk.tile.reads())
        walk.machine.store(slab + walk.tile.lane(), open);
      walk.machine.warp_sync();
      if (frees && walk.tile.lane() == 0) {
        walk.machine.device_fence(); // of all lanes' words: who takes the slab finds it open
        walk.table.pool.give_back(walk.machine, next);
      }
      next = frees ? behind : no_slab;
    }
  }
  template <class Walk> COLONNADE_KERNEL_CODE void end(const Walk &) {}
};

/// For all lanes of the warp: the chains of those that have one, two at a time; each once, however
/// many lanes bring it. What the warp did before is seen, and so is this afterwards, by its lanes.
template <class Machine, class Table>
COLONNADE_KERNEL_CODE void flush_chains_of_lanes(const Machine &machine, const Table &table,
                                                 bool has, uint32_t bucket) {
  has = has && bucket < table.num_buckets;
  machine.warp_sync();
  const uint32_t peers = machine.match(bucket) & machine.ballot(has);
  uint32_t waiting = machine.ballot(has && machine.first_one(peers) == machine.lane());
  const chain_walk<Machine, Table> walk{machine, table};
  flush_chains<Table> job;
  while (waiting) {
    const uint32_t first = waiting & (~waiting + 1), others = waiting ^ first,
                   second = others & (~others + 1);
    const uint32_t owner = machine.lane() < walk.width ? first : second;
    const uint32_t chain = machine.shuffle(bucket, machine.first_one(owner) % 32);
    walk.walk(owner ? table.first_slab(chain) : nullptr, job);
    waiting = others ^ second;
  }
  machine.warp_sync();
}

/// The same chain as flush_chains leaves, by a thread alone, which reads a slab's words at once.
template <class Machine, class Table> struct flush_alone {
  using word = typename Table::word;
  using format = typename Table::format_type;

  const Machine &machine;
  const Table &table;

  COLONNADE_KERNEL_CODE void run(uint32_t bucket) const {
    word *to = table.first_slab(bucket), *last = to;
    uint32_t filled = 0;
    bool has_gaps = false;
    for (word *from = to; from; last = from, from = slab_behind(next_of(from))) {
      word w[format::words];
      machine.load_words(static_cast<const word *>(from), w);
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < format::slots; ++i) {
        has_gaps |= table.format.is_tombstone(w[i]);
        if (!table.format.is_live(w[i]))
          continue;
        if (filled == format::slots) {
          to = slab_behind(next_of(to));
          filled = 0;
        }
        if (to + filled != from + i)
          machine.store(to + filled, w[i]);
        ++filled;
      }
    }
    if (has_gaps || to != last)
      end_at(to, filled);
  }

private:
  COLONNADE_KERNEL_CODE uint32_t next_of(const word *slab) const {
    word link[1];
    machine.load_words(slab + format::link_word, link);
    return format::next(link[0]);
  }
  COLONNADE_KERNEL_CODE word *slab_behind(uint32_t next) const {
    return next == no_slab ? nullptr : table.address(machine, next);
  }
  /// Opens the words of the slab from one on, and gives those behind it back.
  COLONNADE_KERNEL_CODE void end_at(word *slab, uint32_t first_open) const {
    uint32_t next = next_of(slab);
    open_from(slab, first_open);
    while (next != no_slab) {
      word *freed = table.address(machine, next);
      const uint32_t behind = next_of(freed);
      open_from(freed, 0);
      machine.device_fence(); // as above
      table.pool.give_back(machine, next);
      next = behind;
    }
  }
  COLONNADE_KERNEL_CODE void open_from(word *slab, uint32_t first) const {
    for (uint32_t i = first; i < format::words; ++i)
      machine.store(slab + i, table.format.open());
  }
};

} // namespace colonnade::detail
