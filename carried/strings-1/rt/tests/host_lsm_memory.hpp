//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_lsm_memory.hpp: the memory of a log-structured merge tree on the host, and how kernels run
// on it.
//
// In: sizes, a seed, faults to plant. Out: a table of empty levels; complaints. Invariant: what is
// staged, and levels that are new, hold what nobody has written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_lsm_machine.hpp"

#include <colonnade/detail/lsm/plan.hpp>

#include <algorithm>

namespace colonnade::testing {

template <class Key, class Value_, class Tuning> class host_tree_memory {
public:
  using sorted = detail::sorted_as<Key>;
  using table_type =
      detail::lsm_table<typename sorted::raw, Value_, sorted::kind == detail::key_kind::floating>;
  using raw = typename table_type::raw;
  using value = typename table_type::value;
  using plan_type = detail::lsm_plan<raw, value>;
  static constexpr lsm_tuning tuning = Tuning::value;

  host_tree_memory(uint64_t batch_size, uint32_t levels, unsigned seed,
                   const lsm_faults &planted = {})
      : planted_(planted), seed_(seed) {
    table_.state = &state_;
    table_.batch_size = batch_size;
    table_.format.flip =
        static_cast<raw>(sorted::kind == detail::key_kind::floating ? 0 : sorted::flip(false));
    for (char *&buffer : table_.buffers)
      buffer = room(batch_size);
    reserve(levels);
  }
  void reserve(uint32_t levels) {
    for (uint32_t i = table_.num_levels; i < levels; ++i)
      table_.levels[i] = room(table_.level_size(i));
    table_.num_levels = levels;
  }
  /// What a graph keeps that was captured before a tree grew.
  const table_type &table() const { return table_; }
  void replay_with(const table_type &table) { table_ = table; }

  /// From now on.
  void plant(const lsm_faults &planted) { planted_ = planted; }
  const detail::lsm_state &state() const { return state_; }
  const std::string &complaints() const { return complaints_; }
  /// Of the last change.
  device_status status;

protected:
  static raw bits(Key key) {
    raw r;
    std::memcpy(&r, &key, sizeof r);
    return r;
  }
  template <class Kernel>
  void run(uint32_t blocks, uint32_t threads, size_t shared_bytes, Kernel kernel,
           uint32_t team = 1) {
    host_grid grid(seed_++, 3, planted_.machine);
    bool read_unset = false;
    grid.run(
        blocks, threads, shared_bytes,
        [&](const host_machine &machine, char *shared) {
          const host_lsm_machine m(machine, planted_, &read_unset);
          kernel(m, shared);
        },
        team);
    complaints_ += grid.all_complaints();
    if (read_unset)
      complaints_ += "tombstones that nobody has written are read\n";
  }
  /// As the owner makes it: there are no tombstones.
  char *room(uint64_t count) {
    const detail::lsm_layout<raw, value> at(count);
    memory_.emplace_back(at.bytes + 256, lsm_poison);
    char *begin = aligned(memory_.back());
    std::fill_n(begin + at.tombstones, at.tombstone_bytes(), char{0});
    return begin;
  }
  static char *aligned(std::vector<char> &memory) {
    return memory.data() + (256 - reinterpret_cast<uintptr_t>(memory.data()) % 256) % 256;
  }
  static typename table_type::slice slice_of(std::vector<char> &memory, uint64_t count) {
    const detail::lsm_layout<raw, value> at(count);
    memory.assign(at.bytes + 256, lsm_poison);
    char *begin = aligned(memory);
    typename table_type::slice slice;
    slice.keys = reinterpret_cast<raw *>(begin);
    slice.values = reinterpret_cast<value *>(begin + at.values);
    slice.tombstones = reinterpret_cast<uint32_t *>(begin + at.tombstones);
    return slice;
  }

  std::string complaints_;
  lsm_faults planted_;
  detail::lsm_state state_{};
  table_type table_{};

private:
  unsigned seed_; // of the next kernel's schedule
  std::vector<std::vector<char>> memory_;
};

} // namespace colonnade::testing
