//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// worker.hpp: the operations of a slab hash: each lane of a warp brings one, or a thread its own.
//
// Tiles read slabs for their lanes (probe.hpp); then each lane acts for itself, all of them at
// once: one atomic on the slot that was found. Where keys are unique, a slot that belongs to the
// key is simply exchanged: whatever stands there, it is the key or its tombstone. A slot that
// somebody else may take is claimed, or left, by compare-and-swap. Where a chain ends full, one
// lane of those that stand there takes a slab from the pool and links it, again by
// compare-and-swap; who comes second gives its slab back.
//
// In: an operation, a key and a value for each lane that has one. Out: what was found
// (slab_answer), and the value that was there. Invariants: slots fill in order, since the only one
// that is claimed is the first that was seen open, and those before it had been taken by then; no
// slot opens again; after a failed compare-and-swap the slab is read again. Where keys are unique,
// a tombstone keeps its key, and only this key returns there. So a key has one slot, and operations
// on it are linearisable: each takes effect at its successful atomic or, if it changes nothing, at
// the moment that probe.hpp speaks of. In a multimap a tombstone is anybody's, and each pair has a
// slot: an insertion and an erasure take effect at their atomic.
//
// Source: S. Ashkiani, thesis (2017), sections 5.3.2 and 5.4.3 (REPLACE, DELETE), where a
// replacement is compared and swapped as well, and may pass by the key's later slot.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/pairs.hpp>
#include <colonnade/detail/slab_hash/probe.hpp>

namespace colonnade::detail {

/// What one lane's operation found. value: of find what is there, of the others what was there
/// before; only where the key was present.
template <class Half> struct slab_outcome {
  slab_answer was = slab_answer::absent;
  Half value = 0;
};
/// What was done to all pairs of a key.
struct slab_count {
  slab_answer was = slab_answer::absent;
  uint32_t count = 0;
};

template <class Machine, class Table, uint32_t Width, uint32_t InFlight> class slab_worker {
public:
  using key = typename Table::key_type;
  using half = typename Table::half;
  using word = typename Table::word;
  using format = typename Table::format_type;
  using outcome_type = slab_outcome<half>;
  using claims_type = typename Table::pool_type::template claims<Machine>;

  COLONNADE_KERNEL_CODE slab_worker(const Machine &machine, const Table &table)
      : machine_(machine), table_(table), tile_{machine}, probe_(machine, table),
        claims_(machine, table.pool) {}

  /// One lane's operation under way.
  struct progress {
    key k{};
    half value = 0;
    bool waits = false;         // it is not done
    bool at_end = false;        // its chain is full and ends here
    bool found_no_slab = false; // nor was there one in the pool
    word *at = nullptr;         // the slab to be read next
    outcome_type outcome;

    COLONNADE_KERNEL_CODE void finish(slab_answer was, half before = 0) {
      waits = false;
      outcome = {was, before};
    }
  };

  /// An operation for the lanes that have one.
  COLONNADE_KERNEL_CODE progress start(bool has, const key &k, half value) const {
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
  COLONNADE_KERNEL_CODE outcome_type run(bool has, Operation operation, const key &k, half value) {
    progress op = start(has, k, value);
    while (tile_.any(op.waits))
      advance(operation, op);
    return op.outcome;
  }

  /// The same, for all pairs of the key. use: of pairs.hpp.
  template <class Use>
  COLONNADE_KERNEL_CODE slab_count each_pair(bool has, const key &k, const Use &use) const {
    bool waits = has && !table_.format.is_reserved(k);
    slab_count all;
    all.was = waits || !has ? slab_answer::absent : slab_answer::reserved;
    word *at = waits ? table_.bucket_of(k) : nullptr;
    while (tile_.any(waits)) {
      const slab_tally seen = probe_.tally(waits, k, at, all.count, use);
      if (!waits)
        continue;
      all.count += seen.count;
      waits = seen.next != no_slab;
      if (waits)
        at = table_.address(machine_, seen.next);
    }
    if (all.count)
      all.was = slab_answer::present;
    return all;
  }

private:
  COLONNADE_KERNEL_CODE void search(progress &op) const {
    const slab_hit<half> seen = probe_.search(op.waits, op.k, op.at);
    if (!op.waits)
      return;
    if (seen.found)
      op.finish(slab_answer::present, seen.value);
    else if (static_cast<uint32_t>(seen.value) == no_slab ||
             !format::may_be_behind(seen.value, table_.hash(op.k)))
      op.finish(slab_answer::absent);
    else
      op.at = table_.address(machine_, static_cast<uint32_t>(seen.value));
  }

  template <class Operation> COLONNADE_KERNEL_CODE void change(Operation operation, progress &op) {
    const slab_place<word> seen = probe_.place(op.waits, operation, op.k, op.at);
    op.at_end = false;
    if (op.waits) {
      if (table_.format.is_open(seen.word) && seen.index == format::link_word)
        follow(operation, op, seen.word);
      else if (table_.format.is_open(seen.word) || takes_free(operation, seen.word))
        change_open(operation, op, seen);
      else if constexpr (format::multiple)
        change_one(operation, op, seen);
      else
        change_own(operation, op, seen);
    }
    if constexpr (!never_links<Operation>)
      if (tile_.any(op.at_end))
        lengthen(op);
  }
  COLONNADE_KERNEL_CODE bool takes_free(slab_operation operation, word seen) const {
    return format::multiple && slab_operation_inserts(operation) &&
           table_.format.is_tombstone(seen);
  }

  /// The slot belongs to the key, live or as a tombstone, whatever happens to it meanwhile.
  template <class Operation>
  COLONNADE_KERNEL_CODE void change_own(Operation operation, progress &op,
                                        const slab_place<word> &seen) {
    word before = seen.word;
    const bool live = !table_.format.is_tombstone(seen.word);
    word *slot = op.at + seen.index;
    if constexpr (may_apply<Operation>)
      if (operation == slab_operation::insert_or_apply)
        before = apply(operation, op, slot, seen.word);
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
              high_half(before));
  }
  /// What stood in the slot when the function's value took its place. Who has to try again has met
  /// another operation on the key that did something.
  template <class Operation>
  COLONNADE_KERNEL_CODE word apply(const Operation &function, const progress &op, word *slot,
                                   word known) {
    for (uint32_t failures = 0;; ++failures) {
      const half value =
          table_.format.is_tombstone(known) ? op.value : half{function(high_half(known), op.value)};
      if (machine_.compare_exchange(slot, known, table_.format.live(op.k, value)) == known)
        return known;
      machine_.back_off(failures);
      word now[1];
      machine_.load_words(static_cast<const word *>(slot), now);
      known = now[0];
    }
  }

  /// Of a multimap: a pair of the key, which is found, or erased if it is still there.
  COLONNADE_KERNEL_CODE void change_one(slab_operation operation, progress &op,
                                        const slab_place<word> &seen) {
    if (operation == slab_operation::erase &&
        machine_.compare_exchange(op.at + seen.index, seen.word, table_.format.tombstone(op.k)) !=
            seen.word)
      return; // read again
    op.finish(slab_answer::present, high_half(seen.word));
  }

  /// The slot was open, so the key was absent; or it is one that an insertion into a multimap may
  /// take. If somebody has taken the slot since, the slab is read again.
  COLONNADE_KERNEL_CODE void change_open(slab_operation operation, progress &op,
                                         const slab_place<word> &seen) {
    if (!slab_operation_inserts(operation))
      return op.finish(slab_answer::absent);
    const word before = machine_.compare_exchange(op.at + seen.index, seen.word,
                                                  table_.format.live(op.k, op.value));
    if (before == seen.word)
      op.finish(slab_answer::absent);
  }

  COLONNADE_KERNEL_CODE void follow(slab_operation operation, progress &op, word link) const {
    const bool inserts = slab_operation_inserts(operation);
    if (const uint32_t next = format::next(link); next != no_slab) {
      if (inserts ? tell_filter(op, link) : may_be_behind(op, link)) {
        op.at = table_.address(machine_, next);
        op.found_no_slab = false;
      } else if (!inserts)
        op.finish(slab_answer::absent);
    } else if (!inserts)
      op.finish(slab_answer::absent);
    else if (op.found_no_slab)
      op.finish(slab_answer::no_slab);
    else
      op.at_end = true;
  }
  COLONNADE_KERNEL_CODE bool may_be_behind(const progress &op, word link) const {
    return format::may_be_behind(high_half(link), table_.hash(op.k));
  }
  /// Before the key is put behind the link: who looks for it then does not stop there. False: the
  /// link has changed meanwhile, and is read again.
  COLONNADE_KERNEL_CODE bool tell_filter(const progress &op, word link) const {
    return may_be_behind(op, link) ||
           machine_.compare_exchange(op.at + format::link_word, link,
                                     format::with_hash(link, table_.hash(op.k))) == link;
  }

  /// Links a slab to each chain at whose end a lane stands. The slab before it is read again: also
  /// where the pool was empty, since another warp may have linked one.
  COLONNADE_KERNEL_CODE void lengthen(progress &op) {
    const uint32_t speaker = speaker_of(op);
    const bool speaks = op.at_end && speaker == machine_.lane();
    uint32_t taken = Width == 1 ? claims_.take_alone() : claims_.take(speaks);
    if (speaks && taken != no_slab) {
      const word open = table_.format.open();
      if constexpr (Table::pool_type::grows)
        machine_.device_fence(); // who follows the link finds the slab's place
      if (machine_.compare_exchange(op.at + format::link_word, open,
                                    table_.format.link(taken, 0)) != open)
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

  kept_machine<Machine> machine_;
  const Table table_;
  const slab_tile<Machine, Width, format::words> tile_;
  const slab_probe<Machine, Table, Width, InFlight> probe_;
  claims_type claims_;
};

} // namespace colonnade::detail
