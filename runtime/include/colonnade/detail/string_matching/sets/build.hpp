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
#include <string_view>
#include <vector>

namespace colonnade::detail {

class set_builder {
public:
  std::vector<uint8_t> bytes;
  std::vector<set_member> members;
  std::vector<uint16_t> lists;
  std::vector<set_key> keys;
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
    add_keys();
    choose_masks();
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

private:
  std::string_view view(uint32_t member) const {
    const set_member &m = members[member];
    return {reinterpret_cast<const char *>(bytes.data()) + 16u * uint64_t{m.place}, m.length()};
  }
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
      const uint64_t first = word(m, 0) | uint64_t{word(m, 4)} << 32;
      const uint16_t number = static_cast<uint16_t>(i);
      tables.key_lengths |= bit_of_length(length);
      if (length == 8 && !all.empty() && all.back().length == 8 && all.back().bytes == first) {
        all.back().last = number;
        all.back().count = 0;
      } else {
        all.push_back({first, number, number, static_cast<uint16_t>(length),
                       m.length() <= 8 ? m.count : uint16_t{0}});
      }
    }
    uint32_t log2 = 2;
    while (1u << log2 < 3 * all.size())
      ++log2;
    tables.key_shift = 32 - log2;
    keys.resize(size_t{1} << log2);
    for (const set_key &key : all) {
      uint32_t at = hash_of_key(key.bytes, key.length) >> tables.key_shift;
      while (keys[at].length != 0)
        at = (at + 1) % static_cast<uint32_t>(keys.size());
      keys[at] = key;
    }
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
