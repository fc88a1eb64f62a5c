//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_lsm.hpp: a log-structured merge tree on the host: the kernels' code under random schedules,
// with planted faults. Its changes: host_lsm_changes.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_lsm_changes.hpp"

#include <colonnade/detail/lsm/find_few.hpp>
#include <colonnade/detail/lsm/range_few.hpp>

#include <memory>
#include <optional>

namespace colonnade::testing {

template <class Key, class Value_ = uint32_t, class Tuning = small_lsm_tuning>
class host_tree : public host_tree_changes<Key, Value_, Tuning> {
  using changes = host_tree_changes<Key, Value_, Tuning>;
  using changes::complaints_;
  using changes::planted_;
  using changes::run;
  using changes::state_;
  using changes::table_;

public:
  using changes::changes;
  using changes::status;
  using typename changes::raw;
  using typename changes::table_type;
  using typename changes::value;
  using answer = detail::lsm_answer<raw, value>;

  template <detail::lsm_query Query, lsm_search Search = lsm_search::index>
  std::optional<std::pair<Key, value>> ask(Key key) const {
    const answer found = detail::lsm_finder<Search, table_type>{table_, state_}.template ask<Query>(
        changes::bits(key));
    if (!found.present)
      return std::nullopt;
    return std::pair<Key, value>(from_bits(found.key), found.value);
  }

  /// Of an array of keys, by the kernel: the values, `absent` where there is none.
  std::vector<value> find_all(const std::vector<Key> &keys, value absent) {
    std::vector<value> values(keys.size());
    const detail::lsm_find_arguments<table_type> a{
        table_,        reinterpret_cast<const raw *>(keys.data()),
        keys.size(),   nullptr,
        values.data(), nullptr,
        absent,        &status};
    run(2, 64, 0, [&](const auto &machine, char *) {
      detail::answer_queries<lsm_search::index, detail::lsm_query::find>(machine, a);
    });
    return values;
  }

  /// Of an array of keys, by a tile of lanes each: what ask() says of each.
  template <detail::lsm_query Query>
  std::vector<std::optional<std::pair<Key, value>>> ask_few(const std::vector<Key> &keys) {
    const uint64_t n = keys.size();
    constexpr value absent = static_cast<value>(0xabcdef01u);
    std::vector<raw> next(n);
    std::vector<value> values(n);
    const std::unique_ptr<bool[]> present(new bool[n]());
    const detail::lsm_find_arguments<table_type> a{table_,
                                                   reinterpret_cast<const raw *>(keys.data()),
                                                   n,
                                                   next.data(),
                                                   values.data(),
                                                   present.get(),
                                                   absent,
                                                   &status};
    const uint64_t lanes = n << detail::lsm_log2_query_lanes(table_.num_levels);
    run(static_cast<uint32_t>((lanes + 63) / 64), 64, 0, [&](const auto &machine, char *) {
      if (planted_.oldest_wins)
        detail::answer_few_queries<lsm_search::index, Query>(oldest_first_machine(machine), a);
      else
        detail::answer_few_queries<lsm_search::index, Query>(machine, a);
    });
    std::vector<std::optional<std::pair<Key, value>>> answers(n);
    for (uint64_t i = 0; i < n; ++i) {
      if (present[i])
        answers[i].emplace(from_bits(next[i]), values[i]);
      else if (values[i] != absent)
        complaints_ += "a value of a key that is not there\n";
    }
    return answers;
  }

  struct ranges {
    std::vector<uint64_t> offsets;
    std::vector<raw> keys;
    std::vector<value> values;
  };
  /// team: of so many blocks, in one launch; 0: in three.
  ranges list(const std::vector<Key> &first, const std::vector<Key> &last, uint64_t capacity,
              uint32_t team = 0) {
    const uint64_t n = first.size();
    ranges all{std::vector<uint64_t>(n + 1), std::vector<raw>(capacity + 1),
               std::vector<value>(capacity + 1)};
    std::vector<uint64_t> sums(detail::lsm_num_range_tiles(n));
    const range_arguments a{table_,
                            reinterpret_cast<const raw *>(first.data()),
                            reinterpret_cast<const raw *>(last.data()),
                            n,
                            all.offsets.data(),
                            sums.data(),
                            all.keys.data(),
                            all.values.data(),
                            capacity,
                            &status};
    if (team)
      list_few(a, team);
    else
      list_in_three(a);
    return all;
  }

private:
  static Key from_bits(raw bits) {
    Key key;
    std::memcpy(&key, &bits, sizeof key);
    return key;
  }
  using range_arguments = detail::lsm_range_arguments<table_type>;
  void list_few(const range_arguments &a, uint32_t team) {
    using ranges_type =
        detail::lsm_few_ranges<lsm_search::index, range_arguments, host_lsm_machine, 2>;
    using storage = typename ranges_type::storage;
    run(
        team, 64, sizeof(storage),
        [&](const auto &machine, char *shared) {
          ranges_type(machine, a, *reinterpret_cast<storage *>(shared)).run();
        },
        team);
  }
  void list_in_three(const range_arguments &a) {
    constexpr uint32_t warps = 3;
    using counting = detail::lsm_range_storage<table_type, warps>;
    run(2, 32 * warps, sizeof(counting), [&](const auto &machine, char *shared) {
      detail::count_ranges<lsm_search::index>(machine, a, *reinterpret_cast<counting *>(shared));
    });
    run(1, detail::lsm_scan_threads, 256, [&](const auto &machine, char *shared) {
      const uint64_t total = detail::add_up(machine, static_cast<const uint64_t *>(a.tile_sums),
                                            a.tile_sums, detail::lsm_num_range_tiles(a.num_queries),
                                            reinterpret_cast<uint64_t *>(shared));
      if (machine.thread() == 0)
        a.offsets[a.num_queries] = total;
    });
    using windows = detail::lsm_list_window<raw>[warps];
    run(2, 32 * warps, sizeof(windows), [&](const auto &machine, char *shared) {
      detail::list_ranges<lsm_search::index>(machine, a, *reinterpret_cast<windows *>(shared));
    });
  }
};

} // namespace colonnade::testing
