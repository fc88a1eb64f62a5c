//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_lsm_machine.hpp: what the kernels of a log-structured merge tree run on on the host.
//
// In: faults to plant. Out: a machine, and tunings with small tiles. Invariant: what changes a word
// in part that nobody has written is seen.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/lsm_tuning.hpp>

namespace colonnade::testing {

struct lsm_faults {
  faults machine;
  bool split_bits = false;      // bits of a word are changed in two steps
  bool whole_words = false;     // the other bits of the word are changed, too
  bool newest_first = false;    // a change merges its batch before what is older
  bool unstaged = false;        // levels are written while they are read
  bool same_buffer = false;     // the buffer is written while it is read
  bool lost_state = false;      // a change does not say that it has been
  bool lost_erased = false;     // nor that there may be tombstones
  bool unset_bits = false;      // the staged tombstones are not set to 0 before
  bool nobody_loses = false;    // a bit is set, and others of its word are not kept
  bool always_to_level = false; // a batch is sorted to the lowest level when that is full, too
  bool left_unsorted = false;   // a batch is not sorted again where runs are not in order
  bool oldest_wins = false;     // of the runs that have a key, in a tile of lanes
  uint32_t lost_tail = 0;       // elements at the end of a batch that are left out

  bool of_plan() const { return newest_first || same_buffer || lost_state || lost_erased; }
};

/// What memory holds that nobody has written yet.
constexpr char lsm_poison = static_cast<char>(0xa5);
constexpr uint32_t lsm_poison_word = 0xa5a5a5a5u;

class host_lsm_machine : public host_machine {
public:
  /// read_unset: set if a word that nobody has written is changed in part.
  host_lsm_machine(const host_machine &machine, const lsm_faults &planted,
                   bool *read_unset = nullptr)
      : host_machine(machine), planted_(planted), read_unset_(read_unset) {}
  void set_bits(uint32_t *word, uint32_t mask, uint32_t bits) const {
    load_word(word); // others run
    if (read_unset_ && *word == lsm_poison_word)
      *read_unset_ = true;
    if (planted_.whole_words)
      mask = ~0u;
    const uint32_t changed = (*word & ~mask) | bits;
    if (planted_.split_bits)
      for (int i = 0; i < 20; ++i)
        load_word(word);
    *word = planted_.split_bits ? changed : (*word & ~mask) | bits;
  }

  template <class T> T load_once(const T *from) const { return *from; }
  template <class T> void store_past(T *to, T value) const { *to = value; }

  uint32_t or_shared(uint32_t *word, uint32_t bits) const {
    const uint32_t before = *word;
    *word = planted_.nobody_loses ? bits : before | bits;
    return before;
  }

private:
  lsm_faults planted_;
  bool *read_unset_;
};

/// Of several lanes the last one counts.
struct oldest_first_machine : host_lsm_machine {
  explicit oldest_first_machine(const host_lsm_machine &machine) : host_lsm_machine(machine) {}
  static uint32_t first_one(uint32_t x) {
    return x ? 31 - static_cast<uint32_t>(__builtin_clz(x)) : 32;
  }
};

/// Small tiles, so that few elements are several.
struct small_lsm_tuning {
  static constexpr lsm_tuning value{lsm_search::index, 64, 0, 16, 4, 64, 3, 1, 4};
};
/// The same; and all elements are samples, and more rows copied at once.
struct other_lsm_tuning {
  static constexpr lsm_tuning value = [] {
    lsm_tuning t = small_lsm_tuning::value;
    t.partition_lanes = 1 << 17;
    t.copied_rows = 8;
    return t;
  }();
};

} // namespace colonnade::testing
