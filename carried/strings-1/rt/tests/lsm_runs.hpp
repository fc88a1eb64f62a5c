//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_runs.hpp: random runs of log-structured merge trees on the host, beside a std::map.
//
// In: sizes and a seed. Out: what is wrong, or nothing. Invariant: the same for the same seed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_lsm.hpp"

#include <map>
#include <type_traits>

namespace colonnade::testing {

using detail::lsm_query;

template <class Key> using model = std::map<Key, uint32_t>;

template <class Key> struct batch {
  std::vector<Key> keys;
  std::vector<uint32_t> values;
  std::vector<char> erases;
};
/// Unsigned ones of 64 bits lie in groups that are far apart, so that a merge's cells have less
/// than all of a key.
template <class Key> Key key_of(uint32_t number) {
  const Key key = static_cast<Key>(static_cast<Key>(number) - static_cast<Key>(7)) * Key(3);
  if constexpr (std::is_same_v<Key, uint64_t>)
    return uint64_t{number % 4} << 62 | (key & 0xffffff);
  else
    return key;
}
template <class Key>
batch<Key> random_batch(uint64_t n, uint32_t different, uint32_t erased_of_8,
                        std::mt19937 &random) {
  batch<Key> b;
  for (uint64_t i = 0; i < n; ++i) {
    b.keys.push_back(key_of<Key>(random() % different));
    b.values.push_back(random());
    b.erases.push_back(random() % 8 < erased_of_8);
  }
  return b;
}
template <class Key> void apply(model<Key> &m, const batch<Key> &b, bool deletions_win) {
  for (size_t i = 0; i < b.keys.size(); ++i)
    if (!b.erases[i])
      m[b.keys[i]] = b.values[i];
    else if (!deletions_win)
      m.erase(b.keys[i]);
  for (size_t i = 0; deletions_win && i < b.keys.size(); ++i)
    if (b.erases[i])
      m.erase(b.keys[i]);
}

/// What is wrong with find, successor, predecessor of keys that are there or nearly; empty if
/// nothing.
template <class Key, class Tuning>
std::string wrong_answers(host_tree<Key, uint32_t, Tuning> &tree, const model<Key> &m,
                          uint32_t different, uint32_t step) {
  std::vector<Key> asked;
  std::vector<uint32_t> there;
  constexpr uint32_t absent = 0xabcdef01u;
  for (uint32_t i = 0; i < different + 2; i += step) {
    for (const int off : {0, 1}) {
      const Key key = static_cast<Key>(key_of<Key>(i) + static_cast<Key>(off));
      const auto right = m.find(key);
      const auto found = tree.template ask<lsm_query::find>(key);
      if (found.has_value() != (right != m.end()) || (found && found->second != right->second))
        return "find " + std::to_string(key);
      asked.push_back(key);
      there.push_back(found ? found->second : absent);
      if (tree.template ask<lsm_query::find, lsm_search::binary>(key) != found)
        return "find without index " + std::to_string(key);
      const auto next = m.upper_bound(key);
      const auto after = tree.template ask<lsm_query::successor>(key);
      if (after.has_value() != (next != m.end()) ||
          (after && *after != std::pair<Key, uint32_t>(*next)))
        return "successor of " + std::to_string(key);
      auto last = m.lower_bound(key);
      const auto before = tree.template ask<lsm_query::predecessor>(key);
      if (before.has_value() != (last != m.begin()) ||
          (before && *before != std::pair<Key, uint32_t>(*--last)))
        return "predecessor of " + std::to_string(key);
    }
  }
  return tree.find_all(asked, absent) == there ? "" : "find of an array";
}

/// The same of some of these keys by tiles of lanes, against what a thread says.
template <lsm_query Query, class Key, class Tuning>
bool few_agree(host_tree<Key, uint32_t, Tuning> &tree, const std::vector<Key> &keys) {
  const auto answers = tree.template ask_few<Query>(keys);
  for (size_t i = 0; i < keys.size(); ++i)
    if (answers[i] != tree.template ask<Query>(keys[i]))
      return false;
  return true;
}
/// Of so many, with both ends of what may be there.
template <class Key, class Tuning>
std::string wrong_few_answers(host_tree<Key, uint32_t, Tuning> &tree, uint32_t different,
                              uint32_t count, std::mt19937 &random) {
  std::vector<Key> keys;
  for (uint32_t i = 0; i < count; ++i)
    keys.push_back(static_cast<Key>(key_of<Key>(i == 3   ? 0
                                                : i == 4 ? different
                                                         : random() % (different + 2)) +
                                    static_cast<Key>(random() % 4 == 0)));
  if (!few_agree<lsm_query::find>(tree, keys))
    return "find of few";
  if (!few_agree<lsm_query::successor>(tree, keys))
    return "successors of few";
  return few_agree<lsm_query::predecessor>(tree, keys) ? "" : "predecessors of few";
}

/// Random ranges, with room for most of what is in them. team: see host_tree::list.
template <class Key, class Tuning>
std::string wrong_ranges(host_tree<Key, uint32_t, Tuning> &tree, const model<Key> &m,
                         uint32_t different, uint32_t count, std::mt19937 &random,
                         uint32_t team = 0) {
  std::vector<Key> first, last;
  std::vector<uint64_t> offsets{0};
  std::vector<std::pair<Key, uint32_t>> all;
  for (uint32_t i = 0; i < count; ++i) {
    Key a = key_of<Key>(random() % (different + 2)), b = key_of<Key>(random() % (different + 2));
    if (i % 8 != 3 && b < a)
      std::swap(a, b);
    if (i % 8 == 5)
      a = std::numeric_limits<Key>::lowest(), b = std::numeric_limits<Key>::max();
    first.push_back(a);
    last.push_back(b);
    for (auto at = m.lower_bound(a); at != m.end() && at->first <= b; ++at)
      all.push_back(*at);
    offsets.push_back(all.size());
  }
  const uint64_t capacity = all.size() - all.size() / 8;
  const auto got = tree.list(first, last, capacity, team);
  if (got.offsets != offsets)
    return "offsets";
  for (uint64_t i = 0; i < capacity; ++i) {
    Key key;
    std::memcpy(&key, &got.keys[i], sizeof key);
    if (key != all[i].first || got.values[i] != all[i].second)
      return "element " + std::to_string(i);
  }
  return got.keys[capacity] || got.values[capacity] ? "written beyond its end" : "";
}

/// All elements, in order, and the number of all where there is no room for them.
template <class Key, class Tuning>
std::string wrong_export(host_tree<Key, uint32_t, Tuning> &tree, const model<Key> &m) {
  uint64_t count = 0;
  if (tree.export_all(m.size(), count) !=
          std::vector<std::pair<Key, uint32_t>>(m.begin(), m.end()) ||
      count != m.size() || !tree.status.ok())
    return "all elements";
  if (m.empty())
    return "";
  const auto few = tree.export_all(m.size() - 1, count);
  const bool said =
      tree.status.error() == data_error::buffer_too_small && tree.status.detail() == m.size();
  tree.status = {};
  return said && few.size() == m.size() - 1 ? "" : "all elements but one";
}

struct plan_of_run {
  uint64_t batch_size;
  uint32_t levels, different, num_calls, most_batches, cleanup_every;
  bool deletions_win;
};

/// Empty if right.
template <class Key, class Tuning = small_lsm_tuning>
std::string random_run(const plan_of_run &p, unsigned seed, const lsm_faults &planted = {}) {
  std::mt19937 random(seed);
  host_tree<Key, uint32_t, Tuning> tree(p.batch_size, p.levels, seed, planted);
  model<Key> m;
  for (uint32_t call = 0; call < p.num_calls; ++call) {
    const uint64_t whole =
        p.most_batches == 0 ? p.batch_size : 1 + random() % (p.most_batches * p.batch_size);
    const auto b = random_batch<Key>(whole, p.different, call % 3, random);
    tree.update(b.keys, b.values, b.erases, p.deletions_win);
    if (!tree.status.ok())
      return "no room";
    apply(m, b, p.deletions_win);
    if (p.cleanup_every && call % p.cleanup_every == p.cleanup_every - 1) {
      tree.cleanup();
      if (tree.state().batches * p.batch_size + tree.state().buffered != m.size())
        return "not clean";
    }
    const std::string at = " after call " + std::to_string(call);
    const bool last = call + 1 == p.num_calls;
    if (const auto wrong = wrong_answers(tree, m, p.different, last ? 1 : 13); !wrong.empty())
      return wrong + at;
    if (last || call % 8 == 3)
      if (const auto wrong = wrong_few_answers(tree, p.different, 1 + random() % 20, random);
          !wrong.empty())
        return wrong + at;
    if (last || call % 32 == 31)
      if (const auto wrong = wrong_ranges(tree, m, p.different, 72, random); !wrong.empty())
        return wrong + at;
    if (last || call % 16 == 9)
      for (const uint32_t team : {1u, 2u, 8u})
        if (const auto wrong =
                wrong_ranges(tree, m, p.different, 1 + random() % (7 * team), random, team);
            !wrong.empty())
          return "few ranges: " + wrong + at;
    if (last)
      if (const auto wrong = wrong_export(tree, m); !wrong.empty())
        return wrong + at;
  }
  return tree.complaints();
}

/// Of ranges alone: all levels full, so that windows are, too.
std::string long_ranges(uint32_t different, uint32_t queries, unsigned seed,
                        const lsm_faults &planted = {}, uint32_t team = 0) {
  std::mt19937 random(seed);
  host_tree<uint32_t> tree(40, 5, seed);
  model<uint32_t> m;
  for (uint32_t i = 0; i < 31; ++i) {
    const auto b = random_batch<uint32_t>(40, different, i % 3, random);
    tree.update(b.keys, b.values, b.erases, false);
    apply(m, b, false);
  }
  tree.plant(planted);
  const std::string wrong = wrong_ranges(tree, m, different, queries, random, team);
  return wrong.empty() ? tree.complaints() : wrong;
}

} // namespace colonnade::testing
