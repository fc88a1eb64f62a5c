//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_sorter.hpp: sorts one tile of rows: loads it, sorts it in registers, stores it.
//
//   load     coalesced, to shared memory; keys become words
//   sort     every thread takes its piece of its row, places beyond the row's end being missing
//            items, which come after all others; then row_network.hpp
//   store    sorted pieces to shared memory, and from there, coalesced, to the output
//
// In: the rows of a tile, which belongs to a warp or, if rows cross warps, to a block. Out: the
// sorted rows in the output. Invariant: nothing is read or written outside the rows.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/segmented_sort/row_network.hpp>
#include <colonnade/detail/segmented_sort/row_outputs.hpp>
#include <colonnade/detail/segmented_sort/row_walks.hpp>

namespace colonnade::detail {

/// Output: word_output or placed_output.
template <class Output, uint32_t E, bool CrossesWarps, class Machine> class row_sorter {
public:
  using items = typename Output::items;
  using raw = typename items::raw;
  using staged = typename items::staged;
  using item = typename items::item;
  using sorted = typename items::sorted;
  using network = row_network<item, E, CrossesWarps, Machine>;
  using staged_tile = row_tile<staged, E>;
  using sorted_tile = row_tile<sorted, E>;

  /// Shared memory of a tile of so many threads.
  static constexpr COLONNADE_HOST_DEVICE size_t shared_bytes(uint32_t threads) {
    const size_t staged_bytes = staged_tile::bytes(threads),
                 sorted_bytes = sorted_tile::bytes(threads);
    const size_t exchanged = CrossesWarps ? row_tile<item, E>::bytes(threads) : 0;
    const size_t most = staged_bytes > sorted_bytes ? staged_bytes : sorted_bytes;
    return CrossesWarps ? (most > exchanged ? most : exchanged) : most + 32 * sizeof(row_span);
  }

  /// thread: this thread's number in the tile. shared: the tile's own shared memory.
  COLONNADE_KERNEL_CODE row_sorter(const Machine &machine, uint32_t thread, const raw *keys_in,
                                   const Output &output, char *shared)
      : machine_(machine), thread_(thread), keys_in_(keys_in), output_(output), shared_(shared) {}

  /// Sorts num_rows consecutive rows of one length, from row `first` on. For the tiles of warps.
  COLONNADE_KERNEL_CODE void sort_contiguous(uint64_t first, uint32_t num_rows, uint32_t length,
                                             bool in_packs, small_divisor by_length,
                                             small_divisor by_packs, uint32_t log2_threads) const {
    const uint32_t row = thread_ >> log2_threads;
    const uint64_t base = first * length;
    const row_span own{base + row * length, row < num_rows ? length : 0};
    if constexpr (can_pack)
      if (in_packs) {
        const contiguous_walk<E, pack::count> walk{base, num_rows * by_packs.divisor, thread_,
                                                   log2_threads, by_packs};
        load_packs(walk);
        sort_tile(own, log2_threads);
        store_packs(walk); // it takes few registers, so it is not computed anew
        return sync();
      }
    const contiguous_walk<E, 1> walk{base, num_rows * length, thread_, log2_threads, by_length};
    load(walk);
    sort_tile(own, log2_threads);
    store(walk.anew());
    sync();
  }
  /// Sorts rows that may be anywhere; `own` is this thread's row. Called by all threads of a tile.
  COLONNADE_KERNEL_CODE void sort_rows(row_span own, uint32_t log2_threads) const {
    if constexpr (!CrossesWarps && (E & (E - 1)) == 0)
      if (log2_threads < 3) {
        row_span *rows = reinterpret_cast<row_span *>(shared_ + shared_bytes(32)) - 32;
        rows[thread_] = own;
        machine_.warp_sync();
        return sort_walked(spread_walk<E>{rows, thread_, log2_threads}, own, log2_threads);
      }
    sort_walked(own_row_walk<E>{own, thread_, log2_threads}, own, log2_threads);
  }

  using pack = pack_of<raw>;
  static constexpr bool can_pack = !items::placed && E % pack::count == 0;

private:
  COLONNADE_KERNEL_CODE void sync() const {
    if constexpr (CrossesWarps)
      machine_.block_sync();
    else
      machine_.warp_sync();
  }
  COLONNADE_KERNEL_CODE staged_tile words() const { return {reinterpret_cast<staged *>(shared_)}; }
  COLONNADE_KERNEL_CODE sorted_tile results() const {
    return {reinterpret_cast<sorted *>(shared_)};
  }

  template <class Walk>
  COLONNADE_KERNEL_CODE void sort_walked(const Walk &walk, row_span own,
                                         uint32_t log2_threads) const {
    load(walk);
    sort_tile(own, log2_threads);
    store(walk.anew());
    sync();
  }

  template <class Walk> COLONNADE_KERNEL_CODE void load(const Walk &walk) const {
    constexpr uint32_t batch = E < 16 ? E : 16; // in flight
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < E; first += batch) {
      raw keys[batch];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (first + k < E) {
          const visited_item v = walk.at(first + k);
          keys[k] = v.valid ? keys_in_[v.begin + v.place] : raw{};
        }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (first + k < E && walk.exists(first + k))
          words().at(walk.item(first + k)) = output_.order.word(keys[k]);
    }
  }
  template <class Walk> COLONNADE_KERNEL_CODE void load_packs(const Walk &walk) const {
    const auto place_of = [&](const visited_item &v) {
      return reinterpret_cast<const pack *>(keys_in_ + v.begin + v.place);
    };
    pack keys[Walk::count];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Walk::count; ++k) {
      const visited_item v = walk.at(k);
      keys[k] = v.valid ? *place_of(v) : pack{};
    }
    constexpr uint32_t words_a_pack = staged_tile::pack::count;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Walk::count; ++k) {
      const visited_item v = walk.at(k);
      if (!v.valid)
        continue;
      COLONNADE_UNROLL
      for (uint32_t p = 0; p < pack::count; p += words_a_pack) {
        typename staged_tile::pack write;
        COLONNADE_UNROLL
        for (uint32_t i = 0; i < words_a_pack; ++i)
          write.item[i] = output_.order.word(keys[k].item[p + i]);
        words().pack_at(v.item + p) = write;
      }
    }
  }

  COLONNADE_KERNEL_CODE void sort_tile(row_span own, uint32_t log2_threads) const {
    sync();
    const uint32_t first = (thread_ & ((1u << log2_threads) - 1)) * E; // in the row
    staged word[E];
    item x[E];
    words().read_piece(thread_, word);
    sync();
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < E; ++i)
      x[i] = first + i < own.length ? items::make(word[i], first + i) : items::missing(first + i);
    network(machine_, {reinterpret_cast<item *>(shared_)}).sort(x, log2_threads);
    sorted out[E];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < E; ++i)
      out[i] = items::out(x[i]);
    results().write_piece(thread_, out);
    sync();
  }

  template <class Walk> COLONNADE_KERNEL_CODE void store(const Walk &walk) const {
    constexpr uint32_t batch = E < 8 ? E : 8; // fetched before they are written
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < E; first += batch) {
      typename Output::payload moved[batch];
      uint64_t to[batch];
      uint32_t valid = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (first + k < E) {
          const visited_item v = walk.at(first + k);
          to[k] = v.begin + v.place;
          if (v.valid) {
            valid |= 1u << k;
            moved[k] = output_.fetch(v.begin, results().at(v.item));
          }
        }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < batch; ++k)
        if (valid >> k & 1)
          output_.put(to[k], moved[k]);
    }
  }
  template <class Walk> COLONNADE_KERNEL_CODE void store_packs(const Walk &walk) const {
    constexpr uint32_t words_a_pack = sorted_tile::pack::count;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Walk::count; ++k) {
      const visited_item v = walk.at(k);
      if (!v.valid)
        continue;
      pack write;
      COLONNADE_UNROLL
      for (uint32_t p = 0; p < pack::count; p += words_a_pack) {
        const typename sorted_tile::pack read = results().pack_at(v.item + p);
        COLONNADE_UNROLL
        for (uint32_t i = 0; i < words_a_pack; ++i)
          write.item[p + i] = output_.order.key(read.item[i]);
      }
      *reinterpret_cast<pack *>(output_.keys_out + v.begin + v.place) = write;
    }
  }

  const Machine &machine_;
  const uint32_t thread_;
  const raw *keys_in_;
  const Output &output_;
  char *shared_;
};

} // namespace colonnade::detail
