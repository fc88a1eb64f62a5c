//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_digit_passes.hpp: the passes of a least-significant-digit sort on the host: the
// GPU's blocks under random schedules, the launches of digit_passes.cuh in order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/digits/digit_histogram.hpp>
#include <colonnade/detail/digits/digit_passes_plan.hpp>
#include <colonnade/detail/multisplit/many_buckets/bucket_bounds.hpp>
#include <colonnade/detail/scatter/empty_words.hpp>
#include <colonnade/detail/scatter/scatter.hpp>

namespace colonnade::testing {

struct pass_faults : faults {
  bool dirty_header = false;  // counts and tickets are not zeroed
  bool dirty_words = false;   // look-back words are not emptied
  bool unturned = false;      // words of the pass before are taken for empty as they are
  bool dirty_tickets = false; // tickets are where a call before has left them
  uint64_t lost_tail = 0;     // so many items at the end are forgotten by the scatter
};

template <class Policy, class Key, class Value> class host_digit_passes {
public:
  using tuning = detail::compiled<
      detail::multisplit_tunings<Policy, detail::digit_bits, sizeof(Key), detail::bytes_of<Value>>>;
  static constexpr uint32_t tile_items = tuning::value.threads * tuning::value.items_per_thread;

  host_digit_passes(unsigned seed, pass_faults planted, uint64_t n,
                    const detail::digit_list &digits)
      : plan(n, digits, tile_items, sizeof(Key) + detail::bytes_of<Value>), planted_(planted),
        grid_(seed, 3, planted), temp_(plan.storage.bytes() + 64, static_cast<char>(0xee)),
        d_temp_(temp_.data() + seed % 17) {
    if (!planted.dirty_header)
      std::memset(plan.counts(d_temp_), 0, plan.header_bytes);
    for (uint32_t r = 0; planted.dirty_tickets && r < digits.count; ++r)
      *plan.tickets(d_temp_, r) = 1;
  }

  template <class ItemsIn, class Ids, class WordsOut>
  void count(ItemsIn in, const Ids &ids, WordsOut words_out, device_status *status) {
    using block = detail::digit_histogram_block<ItemsIn, Ids, WordsOut, host_machine>;
    const detail::digit_histogram_arguments<ItemsIn, Ids, WordsOut> h{
        in,
        ids,
        plan.digits,
        plan.num_items,
        words_out,
        plan.counts(d_temp_),
        plan.bases(d_temp_, 0),
        at<uint64_t>(plan.kept),
        plan.done(d_temp_),
        at<uint32_t>(plan.words),
        planted_.dirty_words ? 0 : plan.num_words,
        status};
    empty_.zeroed(plan.num_words);
    grid_.run(2, block::threads, block::shared_bytes(plan.digits.count),
              [&](const host_machine &machine, char *shared) { block(machine, h, shared).run(); });
  }

  template <class Word, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
  void scatter(uint32_t pass, const Word &word, KeysIn keys_in, KeysOut keys_out,
               ValuesIn values_in, ValuesOut values_out) {
    using ids = detail::digit_ids<Word>;
    using arguments = detail::scatter_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, ids>;
    using block = detail::scatter_block<tuning, detail::ranked_bits<detail::digit_bits>, arguments,
                                        host_machine>;
    uint64_t *const bases[2] = {plan.bases(d_temp_, pass), at<uint64_t>(plan.odd_base)};
    uint32_t *words = at<uint32_t>(plan.words);
    for (uint32_t p = 0; p < plan.num_portions; ++p) {
      const uint64_t first = p * plan.portion_items;
      const uint64_t items =
          std::min(plan.portion_items, plan.num_items - first) - planted_.lost_tail;
      const uint32_t tiles = static_cast<uint32_t>((items + tile_items - 1) / tile_items);
      const uint64_t num_words = uint64_t{tiles} * plan.digits.at[pass].num_ids();
      if (empty_.have_to_be_zeroed(num_words)) {
        if (!planted_.dirty_words)
          std::memset(words, 0, num_words * sizeof(uint32_t));
        empty_.zeroed(num_words);
      }
      arguments a{{keys_in, keys_out, values_in, values_out},
                  ids(word, plan.digits.at[pass]),
                  first,
                  items,
                  tiles,
                  bases[p % 2],
                  p + 1 < plan.num_portions ? bases[(p + 1) % 2] : nullptr,
                  words,
                  plan.tickets(d_temp_, pass) + p};
      a.turn = planted_.unturned ? 0 : empty_.turn();
      grid_.run(
          tiles, block::threads, block::storage::bytes,
          [&](const host_machine &machine, char *shared) { block(machine, a, shared).run(); });
      empty_.used(num_words);
    }
  }

  template <class SortedIn, class Word>
  void bounds(SortedIn sorted, const Word &word, uint32_t num_buckets, uint64_t *offsets) {
    const detail::bucket_bounds_arguments<SortedIn, Word> a{sorted, word, at<uint64_t>(plan.kept),
                                                            num_buckets, offsets};
    grid_.run(3, 64, 0, [&](const host_machine &machine, char *) {
      detail::find_bucket_bounds(machine, a, 64);
    });
  }

  std::string complaints() const {
    std::string all = grid_.all_complaints();
    for (size_t i = plan.storage.bytes() +
                    static_cast<size_t>(static_cast<char *>(d_temp_) - temp_.data());
         i < temp_.size(); ++i)
      if (temp_[i] != static_cast<char>(0xee))
        return all + "written beyond the temporary storage\n";
    return all;
  }

  detail::digit_passes_plan plan;

private:
  template <class T> T *at(size_t place) const {
    return detail::temp_storage::at<T>(d_temp_, place);
  }

  pass_faults planted_;
  host_grid grid_;
  detail::empty_words empty_;
  std::vector<char> temp_;
  void *d_temp_;
};

} // namespace colonnade::testing
