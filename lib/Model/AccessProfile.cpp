//===- AccessProfile.cpp - The accesses of one instance, summed up --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/AccessProfile.h"

#include "Model/Stages.h"

#include "IR/AlwaysMade.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace colonnade::model {

uint64_t Site::total() const { return std::accumulate(counts.begin(), counts.end(), anywhere); }

void forEachResidue(const Site &site, bool isLeast,
                    llvm::function_ref<uint64_t(uint32_t residue)> cost,
                    llvm::function_ref<void(uint32_t residue, uint64_t times)> visit) {
  for (uint32_t residue = 0; residue < site.counts.size(); ++residue)
    if (const uint64_t times = site.counts[residue])
      visit(residue, times);
  if (site.anywhere == 0)
    return;
  uint32_t extreme = 0;
  for (uint32_t residue = 1; residue < site.counts.size(); ++residue) {
    const uint64_t of = cost(residue), before = cost(extreme);
    if (isLeast ? of < before : of > before)
      extreme = residue;
  }
  visit(extreme, site.anywhere);
}

static constexpr int64_t MaxLookedAt = 65'536; // cells of an array

bool AccessProfile::doesMatter(ArrayId array, int64_t cell) const {
  if (matters.empty() || cell >= MaxLookedAt)
    return true;
  const std::vector<bool> &cells = matters[array.index];
  return static_cast<size_t>(cell) < cells.size() && cells[static_cast<size_t>(cell)];
}

bool AccessProfile::leavesOut(uint32_t accessId) const {
  return isLeast && llvm::any_of(sites, [&](const Site &site) {
           return site.accessId == accessId && site.isConditional;
         });
}

uint64_t AccessProfile::total() const {
  uint64_t total = 0;
  for (const Site &site : sites)
    total += site.total();
  return total;
}

AccessProfile unconditional(const AccessProfile &profile) {
  AccessProfile made = profile;
  made.isLeast = true;
  for (Site &site : made.sites) {
    if (!site.isConditional)
      continue;
    std::fill(site.counts.begin(), site.counts.end(), 0);
    site.anywhere = 0;
  }
  if (made.steps)
    llvm::erase_if(*made.steps,
                   [&](const Step &step) { return made.sites[step.site].isConditional; });
  return made;
}

std::vector<Site> sitesOf(const ir::Function &certificate, uint64_t period) {
  std::vector<Site> sites;
  for (size_t o = 0; o < certificate.ops.size(); ++o) {
    const ir::Op &op = certificate.ops[o];
    if (op.opcode == ir::Opcode::Load || op.opcode == ir::Opcode::Store)
      sites.push_back({OpId(o), op.array, op.opcode == ir::Opcode::Store, op.speculative,
                       std::vector<uint64_t>(period), 0, op.accessId});
  }
  for (size_t s = 0, all = sites.size(); s < all; ++s)
    if (certificate.op(sites[s].op).atFirst) {
      sites.push_back(sites[s]);
      sites.back().isConditional = false;
    }
  return sites;
}

SiteNumbers::SiteNumbers(const ir::Function &certificate, llvm::ArrayRef<Site> sites)
    : others_(certificate.ops.size()), always_(certificate.ops.size()) {
  for (auto [number, site] : llvm::enumerate(sites)) {
    always_[site.op.index] = static_cast<uint32_t>(number); // its own, if it has one, comes last
    if (site.isConditional || !certificate.op(site.op).atFirst)
      others_[site.op.index] = static_cast<uint32_t>(number);
  }
}

llvm::Error tooLongToWalk(const llvm::Twine &what) {
  return llvm::createStringError("one instance takes more than " + what +
                                 " at these sizes: too many to walk one by one. Give smaller "
                                 "sizes, or compute the end of a loop before it");
}

/// In words of this stage: the interpreter speaks of its own steps.
static llvm::Error explained(llvm::Error error, const WalkLimits &limits) {
  return llvm::handleErrors(std::move(error), [&](const ir::InterpreterError &e) -> llvm::Error {
    if (e.kind != ir::InterpreterError::Kind::StepLimit)
      return llvm::make_error<ir::InterpreterError>(e);
    return tooLongToWalk(llvm::Twine(limits.operations) + " operations");
  });
}

llvm::Expected<std::vector<CellAccess>>
walkCells(const ir::Module &module, const ir::Function &certificate,
          std::vector<ir::ArrayData> &arrays, llvm::ArrayRef<ir::Scalar> scalars,
          const AccessProfile &profile, const WalkLimits &limits) {
  if (profile.total() > limits.kept)
    return llvm::createStringError("one instance makes " + std::to_string(profile.total()) +
                                   " accesses, more than the " + std::to_string(limits.kept) +
                                   " whose order is kept");
  std::vector<CellAccess> accesses;
  ir::InterpreterOptions options;
  options.maxSteps = limits.operations;
  const ir::AlwaysMade isAlways(certificate);
  options.onAccess = [&](const ir::AccessEvent &event) {
    accesses.push_back({event.array, event.cell, event.op, !isAlways(event)});
    if (!event.iterations.empty()) {
      const auto others = event.iterations.drop_back();
      accesses.back().iteration = event.iterations.back();
      accesses.back().around = llvm::hash_combine_range(others.begin(), others.end());
    }
  };
  if (llvm::Error error = ir::interpret(module, certificate, arrays, scalars, options))
    return explained(std::move(error), limits);
  return accesses;
}

namespace {

/// Which cells are loaded before they are surely stored to, in the order of a run.
class CellsBefore {
public:
  explicit CellsBefore(size_t arrays) : isStored_(arrays), matters_(arrays) {}

  void add(const ir::AccessEvent &event, bool isAlways) {
    const int64_t cell = event.cell;
    if (cell < 0 || cell >= MaxLookedAt) // of a masked lane, or of an array for no registers
      return;
    const auto at = static_cast<size_t>(cell);
    std::vector<bool> &isStored = isStored_[event.array.index],
                      &matters = matters_[event.array.index];
    if (at >= isStored.size()) {
      isStored.resize(at + 1);
      matters.resize(at + 1);
    }
    if (event.isStore && isAlways)
      isStored[at] = true;
    else if (!isStored[at])
      matters[at] = true;
  }
  std::vector<std::vector<bool>> take() { return std::move(matters_); }

private:
  std::vector<std::vector<bool>> isStored_, matters_; // by array
};

} // namespace

llvm::Expected<AccessProfile> walk(const ir::Module &module, const ir::Function &certificate,
                                   std::vector<ir::ArrayData> &arrays,
                                   llvm::ArrayRef<ir::Scalar> scalars, uint64_t period,
                                   const WalkLimits &limits) {
  AccessProfile profile;
  profile.period = period;
  profile.sites = sitesOf(certificate, period);
  profile.steps.emplace();
  const SiteNumbers numbers(certificate, profile.sites);
  const ir::AlwaysMade alwaysMade(certificate);
  CellsBefore before(arrays.size());
  ir::InterpreterOptions options;
  options.maxSteps = limits.operations;
  options.onAccess = [&](const ir::AccessEvent &event) {
    const bool isAlways = alwaysMade(event);
    before.add(event, isAlways);
    const uint32_t site = numbers.of(event.op, isAlways);
    const auto residue =
        static_cast<uint32_t>(floorRemainder(event.cell, static_cast<int64_t>(period)));
    ++profile.sites[site].counts[residue];
    if (profile.steps && profile.steps->size() == limits.kept)
      profile.steps.reset();
    if (profile.steps)
      profile.steps->push_back({site, residue});
  };
  if (llvm::Error error = ir::interpret(module, certificate, arrays, scalars, options))
    return explained(std::move(error), limits);
  profile.matters = before.take();
  return profile;
}

} // namespace colonnade::model
