//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// build_anchors.hpp: the tables of anchors.hpp, on the host.
//
// In: a set that is built. Out: the tables, or none: if a member has less than 4 bytes, if none has
// 8, if more members have one anchor than are compared one after the other, or if there is no room.
// Invariant: the same set gives the same tables.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/anchor_choice.hpp>
#include <colonnade/detail/string_matching/sets/anchors.hpp>
#include <colonnade/detail/string_matching/sets/build.hpp>
#include <colonnade/detail/string_matching/sets/build_resident.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace colonnade::detail {

class anchor_builder {
public:
  std::vector<set_anchor> anchors;    // empty: there are no tables
  std::vector<short_patterns> shorts; // one, if there are any
  std::vector<uint32_t> beginnings;   // the words of first_fours, if there are short ones
  run_patterns runs;
  resident_builder keys;
  anchor_kind kind = anchor_kind::longer;
  bool are_few = false; // keys

  static constexpr uint32_t most_few = 2500;

  /// few: as many anchors, from which on tables are large.
  explicit anchor_builder(const set_builder &built, uint32_t few = most_few) : set_(built) {
    if (built.shortest < 4 || built.longest < 8)
      return;
    if (built.shortest < 8)
      kind = anchor_kind::mixed;
    add_runs();
    if ((has_short() && !add_shorts()) || !add_chains())
      return;
    are_few = by_anchor_.size() < few && num_chains_ < anchor_is_all(few_keys::layout()) &&
              (has_short() || built.longest > 8);
    const key_layout layout = are_few ? few_keys::layout() : resident_keys::layout();
    const std::vector<resident_item> items = resident_keys_of_chains(layout);
    if (!are_few && !has_short() && built.longest == 8 &&
        std::all_of(items.begin(), items.end(),
                    [&](const resident_item &item) { return item.count >= anchor_is_all(layout); }))
      kind = anchor_kind::eights;
    keys = resident_builder(items, built.tables.fold, layout);
    if (keys.displacements.empty())
      anchors.clear();
  }
  bool has_short() const { return kind == anchor_kind::mixed; }

private:
  static constexpr uint32_t most_with_one_anchor = 16;

  uint32_t eldest_count(uint16_t member) const {
    return member == no_member ? 0 : set_.members[member].count;
  }
  uint32_t own_count(const set_member &m) const { return m.count - eldest_count(m.parent); }
  /// Whether a member is one byte again and again.
  static bool is_run(std::string_view bytes) {
    return bytes.find_first_not_of(bytes[0]) == bytes.npos;
  }
  bool is_counted_by_runs(uint32_t member) const {
    const std::string_view bytes = set_.view(member);
    return runs.word && static_cast<uint8_t>(bytes[0]) == (runs.word & 0xff) && is_run(bytes);
  }
  /// Of a byte of which there are patterns, none longer than can be counted: of the one that
  /// members have most often twice in a row. Letters have two cases.
  void add_runs() {
    std::vector<uint32_t> twice(256);
    std::vector<bool> has(256), refused(256);
    for (uint32_t i = 0; i < set_.members.size(); ++i) {
      const std::string_view bytes = set_.view(i);
      const auto byte = static_cast<uint8_t>(bytes[0]);
      for (size_t k = 1; k < bytes.size(); ++k)
        twice[static_cast<uint8_t>(bytes[k])] += bytes[k - 1] == bytes[k];
      if (is_run(bytes)) {
        has[byte] = true;
        if (bytes.size() > run_patterns::longest || byte == 0 ||
            (set_.tables.fold && byte >= 'A' && byte <= 'z'))
          refused[byte] = true;
      }
    }
    uint32_t best = 0;
    for (uint32_t byte = 1; byte < 256; ++byte)
      if (has[byte] && !refused[byte] && twice[byte] > (best ? twice[best] : 0))
        best = byte;
    runs.word = best * 0x01010101u;
    uint32_t shorter[run_patterns::longest + 1] = {};
    for (uint32_t i = 0; i < set_.members.size(); ++i)
      if (is_counted_by_runs(i)) {
        shorter[set_.members[i].length()] += own_count(set_.members[i]);
        runs.number += own_count(set_.members[i]);
      }
    for (uint32_t r = 1; r <= run_patterns::longest; ++r) {
      shorter[r] += shorter[r - 1];
      runs.ended[r] = runs.ended[r - 1] + shorter[r];
    }
  }
  void add_beginning(uint32_t low) {
    if (has_short())
      reinterpret_cast<first_fours *>(beginnings.data())->add(low | set_.tables.fold);
  }
  bool add_shorts() {
    shorts.resize(1);
    beginnings.resize(sizeof(first_fours) / 4);
    std::map<uint32_t, std::vector<short_pattern>> by_slot;
    for (uint32_t i = 0; i < set_.members.size(); ++i) {
      const set_member &m = set_.members[i];
      if (m.length() >= 8 || is_counted_by_runs(i))
        continue;
      const uint64_t bytes = set_.eight(m, 0);
      const auto low = static_cast<uint32_t>(bytes), high = static_cast<uint32_t>(bytes >> 32);
      add_beginning(low);
      by_slot[short_patterns::slot_of(low)].push_back(
          {low, high, (1u << 8 * (m.length() - 4)) - 1, own_count(m)});
    }
    uint32_t first = 0;
    for (const auto &[slot, patterns] : by_slot) {
      const auto count = static_cast<uint32_t>(patterns.size());
      if (count > short_patterns::most_together || first + count > short_patterns::capacity)
        return false;
      shorts[0].slots[slot] = first | count << 16;
      std::copy(patterns.begin(), patterns.end(), shorts[0].patterns + first);
      first += count;
    }
    return true;
  }

  /// Members come behind their parents.
  bool add_chains() {
    const byte_weights weights(set_);
    std::vector<anchor_choice> chosen(set_.members.size());
    std::vector<uint32_t> chain_of(set_.members.size());
    std::vector<set_anchor> chains;
    for (uint32_t i = 0; i < set_.members.size(); ++i) {
      const set_member &m = set_.members[i];
      if (m.length() < 8 || is_counted_by_runs(i))
        continue;
      chosen[i] = best_anchor(set_.view(i), weights, runs.word);
      const bool inherits = m.parent != no_member && set_.members[m.parent].length() >= 8 &&
                            !is_counted_by_runs(m.parent) &&
                            chosen[m.parent].score <= chosen[i].score;
      if (inherits)
        chosen[i] = chosen[m.parent];
      // A chain goes on with one child of its longest.
      const auto number = static_cast<uint16_t>(i);
      if (inherits && chains[chain_of[m.parent]].member == m.parent) {
        chain_of[i] = chain_of[m.parent];
        chains[chain_of[i]].member = number;
        chains[chain_of[i]].length = 0;
        continue;
      }
      chain_of[i] = static_cast<uint32_t>(chains.size());
      chains.push_back({{number, static_cast<uint16_t>(eldest_count(m.parent)),
                         static_cast<uint16_t>(chosen[i].offset), 0, 0, 0},
                        {}});
      add_bytes(chains.back());
    }
    num_chains_ = chains.size();
    for (const set_anchor &chain : chains)
      by_anchor_[set_.eight(set_.members[chain.member], chain.offset)].push_back(chain);
    return std::all_of(by_anchor_.begin(), by_anchor_.end(),
                       [](const auto &of) { return of.second.size() <= most_with_one_anchor; });
  }
  /// Of its only member, if they are few.
  void add_bytes(set_anchor &chain) const {
    const set_member &m = set_.members[chain.member];
    if (m.length() > set_anchor::most_bytes)
      return;
    chain.length = static_cast<uint16_t>(m.length());
    chain.count = static_cast<uint16_t>(m.count - chain.above);
    const std::string_view bytes = set_.view(chain.member);
    std::copy(bytes.begin(), bytes.end(), chain.bytes);
  }
  std::vector<resident_item> resident_keys_of_chains(key_layout layout) {
    const uint32_t is_all_from = anchor_is_all(layout);
    std::vector<resident_item> items;
    for (auto &[bytes, chains] : by_anchor_) {
      for (set_anchor &chain : chains)
        chain.follows = &chain != &chains.back();
      const set_member &m = set_.members[chains[0].member];
      add_beginning(static_cast<uint32_t>(bytes));
      const uint32_t count = m.count - chains[0].above;
      const bool is_all =
          chains.size() == 1 && m.length() == 8 && count < layout.undecided() - is_all_from;
      items.push_back(
          {bytes, is_all ? is_all_from + count : static_cast<uint32_t>(anchors.size()), 0});
      anchors.insert(anchors.end(), chains.begin(), chains.end());
    }
    return items;
  }

  const set_builder &set_;
  std::map<uint64_t, std::vector<set_anchor>> by_anchor_;
  size_t num_chains_ = 0;
};

} // namespace colonnade::detail
