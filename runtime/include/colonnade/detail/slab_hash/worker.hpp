//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// worker.hpp: the operations of a slab map: each lane of a warp brings one, or a thread its own.
//
// Tiles read slabs for their lanes (probe.hpp); then each lane acts for itself, all of them at
// once: one atomic on the slot that was found. A slot that belongs to the key is simply
// exchanged: whatever stands there, it is the key or its tombstone. An open slot is claimed by
// compare-and-swap. Where a chain ends full, one lane of those that stand there takes a slab from
// the pool and links it, again by compare-and-swap; who comes second gives its slab back.
//
// In: an operation, a key and a value for each lane that has one. Out: what was found
// (slab_answer), and the value that was there. Invariants: slots fill in order, since the only one
// that is claimed is the first that was seen open, and those before it had been taken by then; no
// slot opens again; a tombstone keeps its key, and only this key returns there; after a failed
// compare-and-swap the slab is read again. So a key has one slot, and operations on it are
// linearisable: each takes effect at its successful atomic or, if it changes nothing, at the moment
// that probe.hpp speaks of.
//
// Source: S. Ashkiani, thesis (2017), sections 5.3.2 and 5.4.3 (REPLACE, DELETE), where a
// replacement is compared and swapped as well, and may pass by the key's later slot.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/probe.hpp>

namespace colonnade::detail {

/// What one lane's operation found. value: of find what is there, of the others what was there
/// before; only where the key was present.
struct slab_outcome {
  slab_answer was = slab_answer::absent;
  uint32_t value = 0;
};

template <class Machine, class Table, uint32_t Width, uint32_t InFlight> class slab_worker {
public:
  using key = typename Table::key_type;
  using claims_type = typename Table::pool_type::template claims<Machine>;

  COLONNADE_KERNEL_CODE slab_worker(const Machine &machine, const Table &table)
      : machine_(machine), table_(table), tile_{machine}, probe_(machine, table),
        claims_(machine, table.pool) {}

  /// One lane's operation under way.
  struct progress {
    key k{};
    uint32_t value = 0;
    bool waits = false;         // it is not done
    bool at_end = false;        // its chain is full and ends here
    bool found_no_slab = false; // nor was there one in the pool
    uint64_t *at = nullptr;     // the slab to be read next
    slab_outcome outcome;

    COLONNADE_KERNEL_CODE void finish(slab_answer was, uint64_t before = 0) {
      waits = false;
      outcome = {was, high_half(before)};
    }
  };

  /// An operation for the lanes that have one.
  COLONNADE_KERNEL_CODE progress start(bool has, const key &k, uint32_t value) const {
    progress op;
    op.k = k;
    op.value = value;
    op.waits = has && !table_.format.is_reserved(k);
    op.outcome.was = op.waits || !has ? slab_answer::absent : slab_answer::reserved;
    op.at = op.waits ? table_.bucket_of(k) : nullptr;
    return op;
  }
  /// One step of every operation that waits: its slab is read and, where that suffices, the
  /// operation done. Width > 1: for all lanes of the warp.
  template <class Operation> COLONNADE_KERNEL_CODE void advance(Operation operation, progress &op) {
    if constexpr (only_finds<Operation>)
      search(op);
    else
      change(operation, op);
  }
  /// From start to end. Width > 1: for all lanes of the warp, of which those that have an operation
  /// say so.
  template <class Operation>
  COLONNADE_KERNEL_CODE slab_outcome run(bool has, Operation operation, const key &k,
                                         uint32_t value) {
    progress op = start(has, k, value);
    while (tile_.any(op.waits))
      advance(operation, op);
    return op.outcome;
  }

private:
  COLONNADE_KERNEL_CODE void search(progress &op) const {
    const slab_hit seen = probe_.search(op.waits, op.k, op.at);
    if (!op.waits)
      return;
    if (seen.found)
      op.finish(slab_answer::present, both_halves(0, seen.value));
    else if (seen.value == no_slab)
      op.finish(slab_answer::absent);
    else
      op.at = table_.pool.address(machine_, seen.value);
  }

  template <class Operation> COLONNADE_KERNEL_CODE void change(Operation operation, progress &op) {
    const slab_place seen = probe_.place(op.waits, op.k, op.at);
    op.at_end = false;
    if (op.waits) {
      if (!table_.format.is_open(seen.word))
        change_own(operation, op, seen);
      else if (seen.index == link_word)
        follow(operation, op, high_half(seen.word));
      else
        change_open(operation, op, seen);
    }
    if constexpr (!never_links<Operation>)
      if (tile_.any(op.at_end))
        lengthen(op);
  }

  /// The slot belongs to the key, live or as a tombstone, whatever happens to it meanwhile.
  COLONNADE_KERNEL_CODE void change_own(slab_operation operation, progress &op,
                                        const slab_place &seen) {
    uint64_t before = seen.word;
    const bool live = !table_.format.is_tombstone(seen.word);
    uint64_t *slot = op.at + seen.index;
    if (operation == slab_operation::insert_or_assign)
      before = machine_.exchange(slot, table_.format.live(op.k, op.value));
    else if (operation == slab_operation::insert && !live)
      before = machine_.compare_exchange(slot, seen.word, table_.format.live(op.k, op.value));
    else if (operation == slab_operation::erase && live)
      before = machine_.exchange(slot, table_.format.tombstone(op.k));
    if (operation == slab_operation::insert && before != seen.word &&
        table_.format.is_tombstone(before))
      return; // of an equal key with other bits: read again
    op.finish(table_.format.is_tombstone(before) ? slab_answer::absent : slab_answer::present,
              before);
  }

  /// The slot was open, so the key was absent. If another key has taken the slot since, the slab is
  /// read again.
  COLONNADE_KERNEL_CODE void change_open(slab_operation operation, progress &op,
                                         const slab_place &seen) {
    if (operation == slab_operation::find || operation == slab_operation::erase)
      return op.finish(slab_answer::absent);
    const uint64_t before = machine_.compare_exchange(op.at + seen.index, seen.word,
                                                      table_.format.live(op.k, op.value));
    if (before == seen.word)
      op.finish(slab_answer::absent);
  }

  COLONNADE_KERNEL_CODE void follow(slab_operation operation, progress &op, uint32_t next) const {
    if (next != no_slab) {
      op.at = table_.pool.address(machine_, next);
      op.found_no_slab = false;
    } else if (operation == slab_operation::find || operation == slab_operation::erase)
      op.finish(slab_answer::absent);
    else if (op.found_no_slab)
      op.finish(slab_answer::no_slab);
    else
      op.at_end = true;
  }

  /// Links a slab to each chain at whose end a lane stands. The slab before it is read again: also
  /// where the pool was empty, since another warp may have linked one.
  COLONNADE_KERNEL_CODE void lengthen(progress &op) {
    const uint32_t speaker = speaker_of(op);
    const bool speaks = op.at_end && speaker == machine_.lane();
    uint32_t taken = Width == 1 ? claims_.take_alone() : claims_.take(speaks);
    if (speaks && taken != no_slab) {
      const uint64_t open = table_.format.open();
      if constexpr (Table::pool_type::grows)
        machine_.device_fence(); // who follows the link finds the slab's place
      if (machine_.compare_exchange(op.at + link_word, open, table_.format.link(taken)) != open)
        table_.pool.give_back(machine_, taken);
    }
    if constexpr (Width > 1)
      taken = machine_.shuffle(taken, speaker);
    op.found_no_slab = op.at_end && taken == no_slab;
  }
  /// Of the lanes of the warp that stand at the end of the same chain the first; 0 if at none.
  COLONNADE_KERNEL_CODE uint32_t speaker_of(const progress &op) const {
    if constexpr (Width == 1)
      return machine_.lane();
    const uint32_t slab_number = static_cast<uint32_t>(reinterpret_cast<uint64_t>(op.at) >> 7);
    const uint32_t peers = machine_.match(slab_number) & machine_.ballot(op.at_end);
    return machine_.first_one(peers) % 32;
  }

  const Machine &machine_;
  const Table &table_;
  const slab_tile<Machine, Width> tile_;
  const slab_probe<Machine, Table, Width, InFlight> probe_;
  claims_type claims_;
};

} // namespace colonnade::detail
