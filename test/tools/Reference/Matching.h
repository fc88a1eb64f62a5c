//===- Matching.h - The raw IR against Clang's accesses ---------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a lowered function and what Clang emits for it. Out: the accesses for which there is
// neither an operation of its kind, width and place, nor a discard of the ledger there.
//
// Invariant: an operation stands for one access, but zeros are written once or twice: a fill
// stands for each zero at its place, and a store for a fill there. And as many accesses as possible
// have one (a maximum matching).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_REFERENCE_MATCHING_H
#define COLONNADE_TEST_TOOLS_REFERENCE_MATCHING_H

#include "Frontend/ModuleLowering.h"
#include "Reference/Places.h"

namespace colonnade::reference {

class Matching {
public:
  Matching(frontend::ModuleLowering &lowering, FunctionId id, std::vector<Access> accesses);

  std::vector<const Access *> unmatched() const;
  /// Accesses whose operations all come before the one of an access before them.
  std::vector<const Access *> misordered() const;

  enum class Drop { Unused, Replaced, Missed };
  /// What if an operation were not there: no access has it, one has and finds another, or
  /// one is left without.
  Drop drop(OpId dropped);

private:
  /// An operation, or a discard.
  struct Offer {
    OpId op;
    const frontend::ledger::Entry *discard = nullptr;
    std::set<Place> places;
    bool isOfCall = false; // it stands for a call of a library function
    size_t takenBy = 0;    // index of the access + 1
  };

  void offerOperations();
  void offerDiscards();
  void repeatFills();
  bool fits(const Access &access, const Offer &offer) const;
  bool isKind(const Access &access, const Offer &offer) const;
  bool isOfBitField(const ir::Op &op) const;
  bool isCallOf(const Access &access, const Offer &offer) const;
  bool match(size_t access, std::vector<bool> &tried);

  frontend::ModuleLowering &lowering_;
  const ir::Function &function_;
  frontend::ledger::LoweredFunction &lowered_;
  std::vector<frontend::ledger::Entry> entries_;
  std::vector<Access> accesses_;
  std::vector<Offer> offers_;                // operations in their order, then others
  std::vector<std::vector<size_t>> fitting_; // of each access
};

} // namespace colonnade::reference

#endif // COLONNADE_TEST_TOOLS_REFERENCE_MATCHING_H
