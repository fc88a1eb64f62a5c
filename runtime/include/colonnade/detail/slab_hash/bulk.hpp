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
// key; errors in the data.
// Invariant: the word of the status is changed by compare-and-swap alone. It counts the operations
// that found no slab, and the number of such an operation among them is its place in the list of
// those that were not done; so the list needs no counter of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/slab_hash/feed.hpp>
#include <colonnade/detail/slab_hash/worker.hpp>
#include <colonnade/slab_status.hpp>

namespace colonnade::detail {

/// `count` more operations found no slab. How many had before.
template <class Machine>
COLONNADE_KERNEL_CODE uint64_t report_pool_full(const Machine &machine, device_status *status,
                                                uint64_t count) {
  uint64_t known = machine.load_status(&status->first);
  for (;;) {
    const bool full = static_cast<data_error>(known & 0xff) == slab_error::pool_full;
    const uint64_t before = full ? known >> 8 : 0;
    const uint64_t next = (before + count) << 8 | static_cast<uint64_t>(slab_error::pool_full);
    const uint64_t found = machine.compare_exchange(&status->first, known, next);
    if (found == known)
      return before;
    known = found;
  }
}
/// The key of this index is reserved. A full pool counts for more; of several indices the smallest
/// stays.
template <class Machine>
COLONNADE_KERNEL_CODE void report_reserved_key(const Machine &machine, device_status *status,
                                               uint64_t index) {
  const uint64_t report = index << 8 | static_cast<uint64_t>(slab_error::reserved_key);
  uint64_t known = machine.load_status(&status->first);
  while (report < known && static_cast<data_error>(known & 0xff) != slab_error::pool_full) {
    const uint64_t found = machine.compare_exchange(&status->first, known, report);
    if (found == known)
      return;
    known = found;
  }
}

/// Where the answers go. Null: nowhere. absent: the value that is found where no key is.
template <class ValuesOut> struct slab_outputs {
  ValuesOut values;
  bool *present;
  uint32_t absent;
};

/// What was not done, and why. All may be null; where one status is given so is the other.
struct slab_reports {
  uint64_t *undone;             // indices of operations that found no slab
  device_status *status, *full; // of reserved keys; of a full pool; perhaps the same
};

template <class Table, class KeysIn, class ValuesIn, class ValuesOut, class Items = all_items>
struct slab_bulk_arguments {
  Table table;
  KeysIn keys;
  ValuesIn values; // of insertions
  uint64_t num_items;
  slab_outputs<ValuesOut> out;
  slab_reports reports;
  Items items;
};

template <class Machine, class Arguments, slab_operation Operation, uint32_t Width,
          uint32_t InFlight>
class slab_bulk {
public:
  using table_type = decltype(Arguments::table);
  using key = typename table_type::key_type;
  using value = typename table_type::value_type;
  using worker_type = slab_worker<Machine, table_type, Width, InFlight>;

  COLONNADE_KERNEL_CODE slab_bulk(const Machine &machine, const Arguments &arguments)
      : machine_(machine), arguments_(arguments), worker_(machine, arguments.table) {}

  COLONNADE_KERNEL_CODE void run() {
    slab_feed<Machine, decltype(arguments_.keys), decltype(arguments_.items), key> feed(
        machine_, arguments_.keys, arguments_.items, arguments_.num_items);
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
      worker_.advance(fixed_operation<Operation>{}, op);
      const bool done = item.has && !op.waits;
      if (done)
        write(item.index, op.outcome);
      if (arguments_.reports.status)
        report(done, item.index, op.outcome.was);
      item.has = item.has && !done;
    }
  }

private:
  static constexpr bool inserts =
      Operation == slab_operation::insert || Operation == slab_operation::insert_or_assign;

  COLONNADE_KERNEL_CODE uint32_t value_of(uint64_t i) const {
    if constexpr (inserts)
      return slab_bits(static_cast<value>(arguments_.values[i]));
    else
      return 0;
  }
  COLONNADE_KERNEL_CODE void write(uint64_t i, const slab_outcome &outcome) const {
    const slab_outputs<decltype(arguments_.out.values)> &out = arguments_.out;
    const bool present = outcome.was == slab_answer::present;
    if constexpr (!std::is_same_v<decltype(out.values), nothing>)
      out.values[i] = from_slab_bits<value>(present ? outcome.value : out.absent);
    if (out.present)
      out.present[i] = present;
  }
  /// For all lanes of the warp.
  COLONNADE_KERNEL_CODE void report(bool done, uint64_t i, slab_answer was) const {
    const uint32_t reserved = machine_.ballot(done && was == slab_answer::reserved);
    if (machine_.first_one(reserved) == machine_.lane())
      report_reserved_key(machine_, arguments_.reports.status, i);
    if constexpr (inserts)
      if (const uint32_t refused = machine_.ballot(done && was == slab_answer::no_slab))
        list_undone(i, refused);
  }
  COLONNADE_KERNEL_CODE void list_undone(uint64_t i, uint32_t refused) const {
    const uint32_t lane = machine_.lane(), first = machine_.first_one(refused);
    uint64_t before = 0;
    if (lane == first)
      before = report_pool_full(machine_, arguments_.reports.full, machine_.count_ones(refused));
    before = machine_.shuffle(before, first);
    if (arguments_.reports.undone && (refused >> lane & 1))
      arguments_.reports.undone[before + machine_.count_ones(refused & ((1u << lane) - 1))] = i;
  }

  const Machine &machine_;
  const Arguments &arguments_;
  worker_type worker_;
};

} // namespace colonnade::detail
