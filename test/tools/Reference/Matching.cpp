//===- Matching.cpp - The raw IR against Clang's accesses -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference/Matching.h"

namespace colonnade::reference {

using namespace frontend;
using ir::Opcode;
using llvm::dyn_cast;

Matching::Matching(ModuleLowering &lowering, FunctionId id, std::vector<Access> accesses)
    : lowering_(lowering), function_(lowering.module().function(id)),
      lowered_(lowering.lowered()[id.index]), entries_(lowering.ledgerOf(id)),
      accesses_(std::move(accesses)), fitting_(accesses_.size()) {
  offerOperations();
  offerDiscards();
  repeatFills();
  for (size_t access = 0; access < accesses_.size(); ++access)
    for (size_t offer = 0; offer < offers_.size(); ++offer)
      if (fits(accesses_[access], offers_[offer]))
        fitting_[access].push_back(offer);
  for (size_t access = 0; access < accesses_.size(); ++access) {
    std::vector<bool> tried(offers_.size());
    match(access, tried);
  }
}

/// All operations below a region, in the order of the source.
static void visit(const ir::Function &function, RegionId region,
                  llvm::function_ref<void(OpId)> look) {
  for (OpId id : function.region(region).ops) {
    look(id);
    for (RegionId inner : function.op(id).regions)
      visit(function, inner, look);
  }
}

void Matching::offerOperations() {
  Places places(lowered_);
  std::vector<std::optional<std::set<Place>>> known(lowered_.nodes.size());
  auto offer = [&](OpId id) {
    const ir::Op &op = function_.op(id);
    bool isAccess = op.opcode == Opcode::PtrLoad || op.opcode == Opcode::PtrStore;
    if (op.provenance == 0 || (isAccess && ledger::isOwnObject(function_, op.operands[0])))
      return;
    if (!known[op.provenance])
      known[op.provenance] = places.of(op.provenance);
    SourceNode key = ledger::keyOf(lowered_.nodes, lowered_.nodes[op.provenance]);
    const auto *stmt = llvm::dyn_cast_if_present<const clang::Stmt *>(key.node);
    Offer offer = {id, nullptr, *known[op.provenance]};
    offer.isOfCall = llvm::isa_and_nonnull<clang::CallExpr, clang::CXXConstructExpr>(stmt);
    offers_.push_back(std::move(offer));
  };
  visit(function_, function_.body, offer);
}

void Matching::offerDiscards() {
  Places places(lowered_);
  for (const ledger::Entry &entry : entries_)
    if (entry.state == ledger::EntryState::Discarded)
      offers_.push_back({{}, &entry, {places.at(entry.loc)}});
}

/// Clang may fill an object with zeros, whose parts it then writes.
void Matching::repeatFills() {
  for (size_t i = 0, end = offers_.size(); i < end; ++i) {
    if (offers_[i].discard)
      continue;
    bool isFill = function_.op(offers_[i].op).opcode == Opcode::PtrFill;
    for (const Access &access : accesses_)
      if (access.isZero && (isFill || access.kind == AccessKind::Fill) && fits(access, offers_[i]))
        offers_.push_back(Offer(offers_[i]));
  }
}

/// The very function; or an operation that does what a library function does.
bool Matching::isCallOf(const Access &access, const Offer &offer) const {
  const ir::Op &op = function_.op(offer.op);
  return op.opcode == Opcode::Call
             ? access.callee == lowering_.lowered()[op.callee.index].decl->getCanonicalDecl()
             : offer.isOfCall;
}

/// A bit-field, which Clang accesses as wide as the bytes are that it lies in.
bool Matching::isOfBitField(const ir::Op &op) const {
  const ir::Op *place = function_.definition(op.operands[0]);
  return place && place->opcode == Opcode::PtrField &&
         ir::isBitField(lowering_.module().memType(place->memType));
}

/// Clang sets up constant arrays at once, where lowering stores element by element.
bool Matching::isKind(const Access &access, const Offer &offer) const {
  const ir::Op &op = function_.op(offer.op);
  bool isStore = op.opcode == Opcode::PtrStore;
  bool isBlock = op.opcode == Opcode::PtrCopy || op.opcode == Opcode::PtrFill;
  switch (access.kind) {
  case AccessKind::Load:
    return op.opcode == Opcode::PtrLoad &&
           (sizeBytes(function_.value(op.results[0]).type) == access.bytes || isOfBitField(op));
  case AccessKind::Store:
    return (isStore && (sizeBytes(function_.value(op.operands[1]).type) == access.bytes ||
                        isOfBitField(op))) ||
           (access.isZero && op.opcode == Opcode::PtrFill);
  case AccessKind::Copy:
  case AccessKind::Fill:
    return isStore || isBlock;
  case AccessKind::Call:
    return isCallOf(access, offer);
  }
  return false;
}

static bool isKindOfDiscard(AccessKind access, ledger::EvaluationKind discarded) {
  switch (access) {
  case AccessKind::Load:
    return discarded == ledger::EvaluationKind::Read;
  case AccessKind::Store:
  case AccessKind::Copy:
  case AccessKind::Fill:
    return discarded == ledger::EvaluationKind::Write;
  case AccessKind::Call:
    return discarded == ledger::EvaluationKind::Call;
  }
  return false;
}

bool Matching::fits(const Access &access, const Offer &offer) const {
  return offer.places.count(access.place) &&
         (offer.discard ? isKindOfDiscard(access.kind, offer.discard->kind)
                        : isKind(access, offer));
}

/// Finds an augmenting path.
bool Matching::match(size_t access, std::vector<bool> &tried) {
  for (size_t each : fitting_[access]) {
    if (tried[each])
      continue;
    tried[each] = true;
    if (offers_[each].takenBy == 0 || match(offers_[each].takenBy - 1, tried)) {
      offers_[each].takenBy = access + 1;
      return true;
    }
  }
  return false;
}

std::vector<const Access *> Matching::unmatched() const {
  std::vector<bool> isMatched(accesses_.size());
  for (const Offer &offer : offers_)
    if (offer.takenBy)
      isMatched[offer.takenBy - 1] = true;
  std::vector<const Access *> left;
  for (size_t i = 0; i < accesses_.size(); ++i)
    if (!isMatched[i])
      left.push_back(&accesses_[i]);
  return left;
}

/// Each access takes the first operation that fits it behind the one taken before. What sets
/// objects up at once is left out: Clang writes all zeros and constants first.
std::vector<const Access *> Matching::misordered() const {
  std::vector<const Access *> found;
  size_t next = 0, block = 0;
  for (size_t i = 0; i < accesses_.size(); ++i) {
    const Access &access = accesses_[i];
    if (std::exchange(block, access.block) != access.block)
      next = 0;
    bool isSetUp = access.isZero || access.kind == AccessKind::Copy;
    bool hasDiscard = llvm::any_of(fitting_[i], [&](size_t each) { return offers_[each].discard; });
    if (isSetUp || access.kind == AccessKind::Fill || hasDiscard || fitting_[i].empty())
      continue;
    auto at = llvm::find_if(fitting_[i], [&](size_t each) { return each >= next; });
    if (at == fitting_[i].end())
      found.push_back(&access);
    else
      next = *at + 1;
  }
  return found;
}

Matching::Drop Matching::drop(OpId dropped) {
  std::vector<bool> isOffer(offers_.size());
  std::vector<std::pair<size_t, size_t>> taken; // offer, and its access
  for (size_t i = 0; i < offers_.size(); ++i)
    if (!offers_[i].discard && offers_[i].op == dropped) {
      isOffer[i] = true;
      if (offers_[i].takenBy)
        taken.emplace_back(i, std::exchange(offers_[i].takenBy, 0) - 1);
    }
  bool isMissed = false;
  for (auto [offer, access] : taken) {
    std::vector<bool> tried = isOffer;
    if (match(access, tried))
      continue;
    isMissed = true;
    offers_[offer].takenBy = access + 1;
  }
  return taken.empty() ? Drop::Unused : (isMissed ? Drop::Missed : Drop::Replaced);
}

} // namespace colonnade::reference
