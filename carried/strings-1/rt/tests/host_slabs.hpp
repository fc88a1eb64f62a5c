//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slabs.hpp: what device_slab_machine does, on the host: accesses to slabs under random
// schedules, with planted faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/slab_hash/bulk.hpp>

#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace colonnade::testing {

struct slab_faults {
  bool torn_pairs = false;      // the halves of a pair are read one after the other
  bool cached_loads = false;    // a word that was read before may be read as it was then
  bool out_of_order = false;    // not the first open slot is filled, but the one behind
  bool erase_opens = false;     // an erased slot is open again
  bool forgetful = false;       // a tombstone does not keep its key
  bool anyone_returns = false;  // a tombstone is taken by whichever key
  bool no_second_look = false;  // a compare-and-swap that failed counts as done
  bool split_swap = false;      // a compare-and-swap in two steps
  bool split_exchange = false;  // an exchange in two steps
  bool split_claim = false;     // bits of a bitmap are set in two steps
  bool lost_filter = false;     // that a key is behind a link is not said there
  bool link_anyway = false;     // a link that is there already is overwritten
  bool keeps_lost_slab = false; // a slab that lost the race to be linked is not given back
  bool refuses_early = false;   // bitmaps look full
  bool count_first = false;     // a pool has grown before it is known where to
  bool old_count = false;       // that a pool has grown is not seen
  bool split_status = false;    // a status is changed in two steps
  bool split_count = false;     // a status is counted up in two steps
  uint32_t lost_tail = 0;       // operations at the end of an array that are left out
};

constexpr uint32_t host_empty_key = ~0u, host_tombstone_key = ~0u - 1;

/// device_slab_machine on the host: others run before each access, none within it.
class host_slab_machine : public host_machine {
public:
  host_slab_machine(const host_machine &machine, const slab_faults &planted)
      : host_machine(machine), planted_(planted) {}

  template <class Word, uint32_t Count> void load_words(const Word *from, Word (&to)[Count]) const {
    for (uint32_t i = 0; i < Count; ++i)
      to[i] = seen(load(from + i));
  }
  uint64_t load_status(const uint64_t *word) const {
    others();
    status_word_ = word;
    return *word;
  }
  uint32_t load_word(const uint32_t *word) const {
    const uint32_t value = host_machine::load_word(word) | (planted_.refuses_early ? ~0u : 0);
    if (!first_word_) { // of a pool that grows this is its size
      first_word_ = word;
      first_value_ = value;
    }
    return planted_.old_count && word == first_word_ ? first_value_ : value;
  }
  uint64_t load_place(const uint64_t *word) const { return others(), *word; }
  void store_place(uint64_t *word, uint64_t value) const {
    others();
    if (planted_.count_first)
      late_.push_back({word, value});
    else
      *word = value;
  }
  void store_word(uint32_t *word, uint32_t value) const {
    others();
    *word = value;
    others();
    for (const auto &[place, late] : late_)
      *place = late;
  }
  template <class Word> void store(Word *word, std::type_identity_t<Word> value) const {
    others();
    *word = value;
  }
  template <class Word>
  Word compare_exchange(Word *word, std::type_identity_t<Word> expected,
                        std::type_identity_t<Word> desired) const {
    others();
    constexpr uint32_t link = sizeof(detail::slab) / sizeof(Word) - 1;
    if (planted_.out_of_order && is_open(expected) && is_open(*word) && index_of(word) + 1 < link &&
        is_open(word[1]))
      ++word;
    const Word before = *word;
    const bool matches =
        seen(before) == expected || (planted_.link_anyway && index_of(word) == link);
    if (planted_.lost_filter && index_of(word) == link && !is_end(expected))
      return expected;
    if (planted_.split_swap)
      others();
    if (planted_.split_status && static_cast<const void *>(word) == status_word_)
      for (int i = 0; i < 50; ++i) // few warps report, each once
        others();
    if (matches)
      *word = desired;
    return matches || planted_.no_second_look ? expected : before;
  }
  uint64_t take_global(uint64_t *counter, uint64_t value) const {
    others();
    const uint64_t before = *counter;
    if (planted_.split_count)
      for (int i = 0; i < 50; ++i) // as above
        others();
    *counter = before + value;
    return before;
  }
  template <class Word> Word exchange(Word *word, std::type_identity_t<Word> value) const {
    others();
    const Word before = *word;
    if (planted_.split_exchange)
      others();
    const bool erases = is_tombstone(value);
    if (erases && planted_.erase_opens)
      value = ~Word{0};
    if (erases && planted_.forgetful)
      value = detail::low_half(value);
    *word = value;
    return before;
  }
  void back_off(uint32_t) const {}
  uint32_t fetch_or(uint32_t *word, uint32_t bits) const {
    others();
    const uint32_t before = *word;
    if (planted_.split_claim)
      others();
    *word = before | bits;
    return before;
  }
  uint32_t fetch_and(uint32_t *word, uint32_t bits) const {
    others();
    const uint32_t before = *word;
    *word = planted_.keeps_lost_slab ? before : before & bits;
    return before;
  }

protected:
  const void *status_word() const { return status_word_; }

private:
  void others() const { host_machine::load_word(&nothing_); }
  template <class Word> static uint32_t index_of(const Word *word) {
    return reinterpret_cast<uintptr_t>(word) % sizeof(detail::slab) / sizeof(Word);
  }
  // The two largest keys are reserved.
  template <class Word> static bool is_open(Word word) {
    return detail::low_half(word) == static_cast<decltype(detail::low_half(word))>(-1);
  }
  template <class Word> static bool is_end(Word link) {
    return static_cast<uint32_t>(detail::high_half(link)) == detail::no_slab;
  }
  template <class Word> static bool is_tombstone(Word word) {
    return detail::low_half(word) == static_cast<decltype(detail::low_half(word))>(-2);
  }
  template <class Word> Word load(const Word *word) const {
    others();
    if (planted_.torn_pairs) {
      const auto low = detail::low_half(*word);
      others();
      return detail::both_halves(low, detail::high_half(*word));
    }
    if (!planted_.cached_loads)
      return *word;
    const auto [cached, fresh] = cache_.try_emplace(word, *word, 0);
    if (!fresh && ++cached->second.second > 3)
      cached->second = {*word, 0};
    return static_cast<Word>(cached->second.first);
  }
  template <class Word> Word seen(Word word) const {
    return planted_.anyone_returns && is_tombstone(word) ? ~Word{0} : word;
  }

  const slab_faults &planted_;
  mutable std::map<const void *, std::pair<detail::wide_word, int>> cache_;
  mutable std::vector<std::pair<uint64_t *, uint64_t>> late_;
  mutable const uint32_t *first_word_ = nullptr;
  mutable uint32_t first_value_ = 0;
  mutable const void *status_word_ = nullptr;
  uint32_t nothing_ = 0;
};

} // namespace colonnade::testing
