//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// build.hpp: the tables of a set, on the host.
//
// In: patterns that a set may have (valid_set). Out: the tables. Invariant: the same patterns give
// the same tables; a list has at most 10,000 numbers, all lists together 5 * 10^7.
//
// Source: E. Myers, An applicative random-access stack (1983): jumps along a chain of parents.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/folding.hpp>
#include <colonnade/detail/string_matching/sets/filters.hpp>
#include <colonnade/detail/string_matching/sets/tables.hpp>
#include <colonnade/string_matching_sets_options.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

namespace colonnade::detail {

class set_builder {
public:
  std::vector<uint8_t> bytes;
  std::vector<set_member> members;
  std::vector<uint16_t> lists;
  std::vector<set_key> keys;
  std::vector<set_step> steps;
  set_tables tables{}; // without its pointers
  bool has_long = false, has_short = false;
  uint32_t shortest = 0, longest = 0;
  uint32_t most_at_position = 0; // matches: patterns that are prefixes of one another, or equal

  set_builder(const set_pattern *patterns, uint32_t num_patterns, bool fold_case) {
    tables.fold = fold_case ? case_bits : 0;
    tables.num_patterns = num_patterns;
    fold(patterns, num_patterns);
    add_members();
    link();
    add_lists();
    choose_masks();
    add_keys();
    measure();
  }

  template <class Filters> std::vector<uint32_t> filters() const {
    static_assert(sizeof(Filters) == 4 * Filters::words);
    std::vector<uint32_t> words(Filters::words);
    Filters &all = *reinterpret_cast<Filters *>(words.data());
    for (const set_member &m : members) {
      if constexpr (Filters::has_long)
        if (m.length() >= least_long) {
          for (uint32_t i = 0; i < 4; ++i)
            all.units.add(word(m, i) | tables.fold);
          all.beginnings.add(
              mixed(word(m, 0) | tables.fold, (word(m, 4) | tables.fold) & tables.beginning_mask));
        }
      if constexpr (Filters::has_short)
        if (m.length() < least_long)
          all.shorts.add_one((word(m, 0) | tables.fold) & tables.short_mask);
    }
    return words;
  }

  /// Of a member.
  std::string_view view(uint32_t member) const {
    const set_member &m = members[member];
    return {reinterpret_cast<const char *>(bytes.data()) + 16u * uint64_t{m.place}, m.length()};
  }
  /// Up to eight bytes of a member; 0 behind its end.
  uint64_t eight(const set_member &m, uint32_t from) const {
    const uint32_t length = std::min(m.length() - from, 8u);
    uint64_t found = 0;
    std::memcpy(&found, bytes.data() + 16u * uint64_t{m.place} + from, length);
    return found;
  }

private:
  uint32_t word(const set_member &m, uint32_t from) const {
    uint32_t word;
    std::memcpy(&word, bytes.data() + 16u * uint64_t{m.place} + from, 4);
    return word;
  }

  void fold(const set_pattern *patterns, uint32_t num_patterns) {
    for (uint32_t i = 0; i < num_patterns; ++i) {
      const auto *const from = static_cast<const uint8_t *>(patterns[i].bytes);
      folded_.emplace_back(from, from + patterns[i].length);
      if (tables.fold)
        for (uint8_t &b : folded_.back())
          b = static_cast<uint8_t>(folded(b, tables.fold));
    }
  }
  void add_members() {
    std::vector<uint16_t> order(folded_.size());
    for (uint32_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<uint16_t>(i);
    std::stable_sort(order.begin(), order.end(),
                     [this](uint16_t a, uint16_t b) { return folded_[a] < folded_[b]; });
    for (const uint16_t number : order) {
      std::vector<uint8_t> &pattern = folded_[number];
      if (members.empty() || pattern != folded_[numbers_.back()[0]]) {
        set_member m{};
        m.place = static_cast<uint32_t>(bytes.size() / 16);
        m.length_less = static_cast<uint16_t>(pattern.size() - 1);
        bytes.insert(bytes.end(), pattern.begin(), pattern.end());
        bytes.resize((bytes.size() + 15) / 16 * 16 + 16);
        members.push_back(m);
        numbers_.emplace_back();
      }
      numbers_.back().push_back(number);
    }
    tables.num_members = static_cast<uint32_t>(members.size());
    folded_.clear();
  }
  /// Prefixes come before what they begin.
  void link() {
    std::vector<uint32_t> depths(members.size());
    const auto depth = [&](uint16_t m) { return m == no_member ? 0 : depths[m]; };
    const auto jump = [&](uint16_t m) {
      return m == no_member ? static_cast<uint16_t>(no_member) : members[m].jump;
    };
    uint16_t above = no_member;
    for (uint32_t i = 0; i < members.size(); ++i) {
      while (above != no_member && !view(i).starts_with(view(above)))
        above = members[above].parent;
      set_member &m = members[i];
      m.parent = above;
      depths[i] = depth(above) + 1;
      const uint16_t far = jump(above);
      m.jump = depth(above) - depth(far) == depth(far) - depth(jump(far)) ? jump(far) : above;
      above = static_cast<uint16_t>(i);
    }
  }
  void add_lists() {
    for (uint32_t i = 0; i < members.size(); ++i) {
      set_member &m = members[i];
      m.list = static_cast<uint32_t>(lists.size());
      const size_t inherited = m.parent == no_member ? 0 : members[m.parent].count;
      lists.resize(m.list + inherited + numbers_[i].size());
      const auto from = lists.begin() +
                        (m.parent == no_member ? 0 : static_cast<int64_t>(members[m.parent].list));
      std::merge(from, from + static_cast<int64_t>(inherited), numbers_[i].begin(),
                 numbers_[i].end(), lists.begin() + m.list);
      m.count = static_cast<uint16_t>(inherited + numbers_[i].size());
    }
  }
  void add_keys() {
    std::vector<set_key> all;
    for (uint32_t i = 0; i < members.size(); ++i) {
      const set_member &m = members[i];
      const uint32_t length = std::min(m.length(), 8u);
      const uint64_t first = eight(m, 0);
      const uint16_t number = static_cast<uint16_t>(i);
      tables.key_lengths |= bit_of_length(length);
      if (length == 8 && !all.empty() && all.back().length == 8 && all.back().bytes == first) {
        all.back().last = number;
        all.back().count = 0;
      } else {
        all.push_back({first, number, number, static_cast<uint8_t>(length), 0,
                       m.length() <= 8 ? m.count : uint16_t{0}});
      }
    }
    std::vector<set_step> all_steps;
    for (set_key &key : all)
      if (key.first != key.last)
        key.follow = add_steps(key.first, key.last, 8, all_steps);
    if (has_short)
      add_openings(all);
    tables.key_shift = shift_for(all.size());
    keys = hashed(
        all, tables.key_shift, [](const set_key &k) { return hash_of_key(k.bytes, k.length); },
        [](const set_key &k) { return k.length == 0; });
    tables.step_shift = shift_for(all_steps.size());
    steps = hashed(
        all_steps, tables.step_shift,
        [](const set_step &s) { return hash_of_key(s.bytes, s.parent << 8 | s.length_depth); },
        [](const set_step &s) { return s.length_depth == 0; });
  }
  /// Of members that agree in depth bytes, several; which lengths these steps have.
  uint8_t add_steps(uint32_t first, uint32_t last, uint32_t depth,
                    std::vector<set_step> &all) const {
    uint32_t lengths = 0;
    const size_t begin = all.size();
    for (uint32_t i = first; i <= last && depth < deepest_step; ++i) {
      const set_member &m = members[i];
      if (m.length() == depth) // the first one
        continue;
      const uint32_t length = std::min(m.length() - depth, 8u);
      const uint16_t number = static_cast<uint16_t>(i);
      const uint64_t bytes = eight(m, depth);
      lengths |= bit_of_length(length);
      if (length == 8 && all.size() > begin && all.back().length() == 8 &&
          all.back().bytes == bytes)
        all.back().last = number;
      else
        all.push_back({bytes, static_cast<uint16_t>(first), number, number,
                       length_and_depth(length, depth), 0});
    }
    for (size_t i = begin, end = all.size(); i < end; ++i)
      if (all[i].first != all[i].last) {
        const uint8_t follow = add_steps(all[i].first, all[i].last, depth + 8, all);
        all[i].follow = follow;
      }
    return static_cast<uint8_t>(lengths);
  }
  /// Of all keys, which have no fewer bytes.
  void add_openings(std::vector<set_key> &all) {
    tables.opening_mask = tables.short_mask;
    std::map<uint64_t, uint32_t> lengths;
    for (const set_key &key : all)
      lengths[key.bytes & tables.opening_mask] |= bit_of_length(key.length);
    for (const auto &[bytes, of_keys] : lengths)
      all.push_back({bytes, static_cast<uint16_t>(of_keys), 0, set_key::opening, 0, 0});
  }
  /// A table with so many entries is at most a third full.
  static uint32_t shift_for(size_t entries) {
    uint32_t log2 = 2;
    while (size_t{1} << log2 < 3 * entries)
      ++log2;
    return 32 - log2;
  }
  template <class Entry, class Hash, class IsFree>
  static std::vector<Entry> hashed(const std::vector<Entry> &all, uint32_t shift, Hash hash,
                                   IsFree is_free) {
    std::vector<Entry> table(size_t{1} << (32 - shift));
    for (const Entry &entry : all) {
      uint32_t at = hash(entry) >> shift;
      while (!is_free(table[at]))
        at = (at + 1) % static_cast<uint32_t>(table.size());
      table[at] = entry;
    }
    return table;
  }
  void choose_masks() {
    bool seven = false;
    uint32_t shortest = 4;
    for (const set_member &m : members) {
      (m.length() < least_long ? has_short : has_long) = true;
      seven |= m.length() == 7;
      shortest = std::min(shortest, m.length());
    }
    tables.beginning_mask = seven ? 0x00ffffffu : ~0u;
    tables.short_mask = shortest == 4 ? ~0u : (1u << 8 * shortest) - 1;
  }

  void measure() {
    shortest = ~0u;
    for (const set_member &m : members) {
      shortest = std::min(shortest, m.length());
      longest = std::max(longest, m.length());
      most_at_position = std::max<uint32_t>(most_at_position, m.count);
    }
  }

  std::vector<std::vector<uint8_t>> folded_;
  std::vector<std::vector<uint16_t>> numbers_; // of each member, ascending
};

} // namespace colonnade::detail
