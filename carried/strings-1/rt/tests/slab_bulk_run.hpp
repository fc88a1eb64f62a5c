//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_bulk_run.hpp: the kernel of bulk operations on the host machine, on a pool that gets full,
// and a second launch over the list of what was not done.
//
// In: a seed, and what the status had counted before. Out: complaints. Invariant: the same seed
// gives the same run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_dictionary.hpp"

namespace colonnade::testing {

/// Tells of words that say pool_full and are compared and swapped all the same: a count of
/// thousands of warps that fail each other takes longer than all that they do.
class watched_machine : public host_slab_machine {
public:
  watched_machine(const host_machine &machine, const slab_faults &planted, bool &compares_counts)
      : host_slab_machine(machine, planted), compares_counts_(compares_counts) {}
  template <class Word>
  Word compare_exchange(Word *word, std::type_identity_t<Word> expected,
                        std::type_identity_t<Word> desired) const {
    compares_counts_ |=
        status_word() == word && static_cast<data_error>(expected & 0xff) == slab_error::pool_full;
    return host_slab_machine::compare_exchange(word, expected, desired);
  }

private:
  bool &compares_counts_;
};

/// Keys i * 5, but one that is reserved; the value of each is its index. counted_before: 0, or what
/// a status that is never fresh says.
class bulk_run {
public:
  static constexpr uint32_t num_keys = 150, reserved_at = 77, num_slabs = 40, kept_back = 37;

  bulk_run(unsigned seed, const slab_faults &planted, uint64_t counted_before = 0)
      : seed_(seed), planted_(planted) {
    if (counted_before)
      full_.first = counted_before << 8 | static_cast<uint64_t>(slab_error::pool_full);
    stays_ = counted_before != 0;
    for (uint32_t i = 0; i < num_keys; ++i) {
      keys_.push_back(i == reserved_at ? host_tombstone_key : i * 5);
      values_.push_back(i);
    }
    map_.table.pool.bitmaps[0] |= (1u << 30) - 1; // as if they were taken
    map_.table.pool.bitmaps[1] |= (1u << (kept_back - 30)) - 1;
  }

  std::string run() {
    std::vector<uint64_t> first = insert(detail::all_items{}, num_keys);
    if (status_.error() != slab_error::reserved_key || status_.detail() != reserved_at)
      complaints_.push_back("the reserved key is not reported");
    map_.table.pool.bitmaps[0] &= ~((1u << 30) - 1);
    map_.table.pool.bitmaps[1] &= ~((1u << (kept_back - 30)) - 1);
    if (!insert(detail::listed_items{first.data()}, first.size()).empty())
      complaints_.push_back("refused, though there are slabs");
    if (compares_counts_)
      complaints_.push_back("a full pool is counted by compare-and-swap");
    const std::map<uint32_t, uint32_t> pairs = map_.check(complaints_);
    for (uint32_t i = 0; i < num_keys; ++i)
      if (const auto at = pairs.find(keys_[i]);
          i != reserved_at && (at == pairs.end() || at->second != i))
        complaints_.push_back("a key is not there");
    return joined(complaints_);
  }

private:
  /// The list of what was not done, which is checked against what is there.
  template <class Items> std::vector<uint64_t> insert(Items items, uint64_t count) {
    using operation_type = detail::fixed_operation<slab_operation::insert>;
    using arguments_type =
        detail::slab_bulk_arguments<host_slab_table, operation_type, const uint32_t *,
                                    const uint32_t *, detail::nothing, Items>;
    if (!stays_)
      full_ = {};
    const uint64_t before = full_.ok() ? 0 : full_.detail();
    std::vector<uint64_t> undone(count + 2 * num_keys, ~uint64_t{0});
    status_ = {};
    const arguments_type arguments{map_.table,
                                   {},
                                   keys_.data(),
                                   values_.data(),
                                   count - std::min<uint64_t>(planted_.lost_tail, count),
                                   {{}, nullptr, 0},
                                   {undone.data(), &status_, &full_},
                                   items};
    host_grid grid(seed_);
    grid.run(3, 32, 0, [&](const host_machine &m, char *) {
      const watched_machine machine(m, planted_, compares_counts_);
      detail::slab_bulk<watched_machine, arguments_type, 8, 2>(machine, arguments).run();
    });
    const uint64_t new_ones = full_.ok() ? 0 : std::min(full_.detail() - before, count);
    std::vector<uint64_t> list;
    for (uint64_t k = 0; k < new_ones; ++k)
      list.push_back(std::exchange(undone[(before + k) % count], ~uint64_t{0}));
    for (const uint64_t left : undone)
      if (left != ~uint64_t{0})
        complaints_.push_back("written behind the list, or more than is counted");
    undone = list;
    std::vector<std::string> unfinished; // slabs that are kept back are in no chain
    const std::map<uint32_t, uint32_t> pairs = map_.check(unfinished);
    std::set<uint64_t> listed(undone.begin(), undone.end());
    for (uint32_t i = 0; i < num_keys; ++i)
      if (i != reserved_at && listed.count(i) == pairs.count(keys_[i]))
        complaints_.push_back("an operation is neither done nor listed, or both");
    if (listed.size() != undone.size() || (!full_.ok() && full_.error() != slab_error::pool_full))
      complaints_.push_back("the list is not what the status says");
    return undone;
  }

  unsigned seed_;
  slab_faults planted_;
  host_slab_map map_{2, num_slabs};
  std::vector<uint32_t> keys_, values_;
  device_status status_, full_;
  bool stays_; // the status of a full pool is never reset
  bool compares_counts_ = false;
  std::vector<std::string> complaints_;
};

inline std::string run_bulk(unsigned seed, slab_faults planted) {
  return bulk_run(seed, planted).run();
}

} // namespace colonnade::testing
