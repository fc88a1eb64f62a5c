//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk.hpp: the kernel of all bulk operations: one operation on an array of keys.
//
// Each warp takes 32 keys at a time, a key a lane, as far apart as there are warps.
//
// In: keys, and values for insertions; all of them, or a list of some. Out: what was found for each
// key, or how many pairs it has; errors in the data.
// Invariant: the word of the status is changed by compare-and-swap until it says pool_full, and
// from then on by additions alone: thousands of warps may have something to count at once. It
// counts the operations that found no slab, and the number of such an operation among them, modulo
// the operations of the call, is its place in the list of those that were not done; so the list
// needs no counter of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/slab_hash/all_pairs.hpp>
#include <colonnade/detail/slab_hash/feed.hpp>
#include <colonnade/detail/slab_hash/report.hpp>
#include <colonnade/detail/slab_hash/worker.hpp>

namespace colonnade::detail {

template <class Operation> constexpr bool operation_changes() {
  if constexpr (operation_of_all_pairs<Operation>)
    return Operation::changes;
  else
    return !only_finds<Operation>;
}
template <class Operation> constexpr bool operation_inserts = may_apply<Operation>;
template <slab_operation Operation>
inline constexpr bool operation_inserts<fixed_operation<Operation>> =
    slab_operation_inserts(Operation);

/// Where the answers go. Null: nowhere. absent: the value that is found where no key is.
template <class ValuesOut, class Half> struct slab_outputs {
  ValuesOut values; // of operations on all pairs: counts
  bool *present;
  Half absent;
};

/// What was not done, and why. All may be null; where one status is given so is the other.
struct slab_reports {
  uint64_t *undone;             // indices of operations that found no slab; as many as operations
  device_status *status, *full; // of reserved keys; of a full pool; perhaps the same
};

template <class Table, class Operation, class KeysIn, class ValuesIn, class ValuesOut,
          class Items = all_items>
struct slab_bulk_arguments {
  Table table;
  Operation operation;
  KeysIn keys;
  ValuesIn values; // of insertions
  uint64_t num_items;
  slab_outputs<ValuesOut, typename Table::half> out;
  slab_reports reports;
  Items items;
};

template <class Machine, class Arguments, uint32_t Width, uint32_t InFlight> class slab_bulk {
public:
  using table_type = decltype(Arguments::table);
  using operation_type = decltype(Arguments::operation);
  using key = typename table_type::key_type;
  using value = typename table_type::value_type;
  using half = typename table_type::half;

  using worker_type = slab_worker<Machine, table_type, Width, InFlight>;

  COLONNADE_KERNEL_CODE slab_bulk(const Machine &machine, const Arguments &arguments)
      : machine_(machine), arguments_(arguments), worker_(machine, arguments.table) {}

  COLONNADE_KERNEL_CODE void run() {
    slab_feed<Machine, decltype(arguments_.keys), decltype(arguments_.items), key> feed(
        machine_, arguments_.keys, arguments_.items, arguments_.num_items);
    if constexpr (operation_of_all_pairs<operation_type>)
      run_together(feed);
    else
      run_each(feed);
  }

private:
  static constexpr bool inserts = operation_inserts<operation_type>;
  static constexpr bool writes_values =
      !std::is_same_v<decltype(decltype(Arguments::out)::values), nothing>;

  /// A lane takes another key as soon as it is done.
  template <class Feed> COLONNADE_KERNEL_CODE void run_each(Feed &feed) {
    typename worker_type::progress op;
    slab_item<key> item;
    for (;;) {
      const slab_item<key> fresh = feed.take(!item.has);
      if (fresh.has) {
        item = fresh;
        op = worker_.start(true, item.k, value_of(item.index));
      }
      if (!machine_.ballot(item.has))
        return;
      worker_.advance(arguments_.operation, op);
      const bool done = item.has && !op.waits;
      if (done)
        write(item.index, op.outcome);
      if (arguments_.reports.status)
        report(done, item.index, op.outcome.was);
      item.has = item.has && !done;
    }
  }
  /// All lanes walk their chains to the end.
  template <class Feed> COLONNADE_KERNEL_CODE void run_together(Feed &feed) {
    if (!arguments_.operation.is_wanted())
      return;
    for (;;) {
      const slab_item<key> item = feed.take(true);
      if (!machine_.ballot(item.has))
        return;
      const slab_count all =
          worker_.each_pair(item.has, item.k, arguments_.operation.pairs_of(item.has, item.index));
      if constexpr (writes_values)
        if (item.has)
          arguments_.out.values[item.index] = all.count;
      if (item.has)
        arguments_.operation.finish(machine_, item.index, all.count);
      if (arguments_.reports.status)
        report(item.has, item.index, all.was);
    }
  }

  COLONNADE_KERNEL_CODE half value_of(uint64_t i) const {
    if constexpr (inserts && !std::is_same_v<value, no_value>)
      return slab_bits(static_cast<value>(arguments_.values[i]));
    else
      return 0;
  }
  COLONNADE_KERNEL_CODE void write(uint64_t i, const slab_outcome<half> &outcome) const {
    const auto &out = arguments_.out;
    const bool present = outcome.was == slab_answer::present;
    bool writes = true;
    if constexpr (may_apply<operation_type>) // old values are not always wanted
      writes = out.values;
    if constexpr (writes_values)
      if (writes)
        out.values[i] = from_slab_bits<value>(present ? outcome.value : out.absent);
    if (out.present)
      out.present[i] = present;
  }
  /// For all lanes of the warp.
  COLONNADE_KERNEL_CODE void report(bool done, uint64_t i, slab_answer was) const {
    const uint32_t reserved = machine_.ballot(done && was == slab_answer::reserved);
    if (machine_.first_one(reserved) == machine_.lane())
      report_beside_pool_full(machine_, arguments_.reports.status, slab_error::reserved_key, i);
    if constexpr (inserts)
      if (const uint32_t refused = machine_.ballot(done && was == slab_answer::no_slab))
        list_undone(i, refused);
  }
  /// The count goes on where that of the call before ended, so the list does, too, and begins anew
  /// behind the last place: the call's own are all in it.
  COLONNADE_KERNEL_CODE void list_undone(uint64_t i, uint32_t refused) const {
    const uint32_t lane = machine_.lane(), first = machine_.first_one(refused);
    uint64_t before = 0;
    if (lane == first)
      before = report_pool_full(machine_, arguments_.reports.full, machine_.count_ones(refused));
    before = machine_.shuffle(before, first);
    if (arguments_.reports.undone && (refused >> lane & 1)) {
      const uint64_t place = before + machine_.count_ones(refused & ((1u << lane) - 1));
      arguments_.reports.undone[place % arguments_.num_items] = i;
    }
  }

  const Machine &machine_;
  const Arguments &arguments_;
  worker_type worker_;
};

} // namespace colonnade::detail
