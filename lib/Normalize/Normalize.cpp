//===- Normalize.cpp - Raw IR to canonical instance IR --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeats the walk until it adds no decision, then sequences the passes, and makes the
// balances of both. All of them recurse over nested regions, so everything runs on a thread of
// its own with a large stack.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Normalize.h"
#include "IR/Builder.h"
#include "Normalize/Simplify.h"
#include "Normalize/Walk/Walk.h"

#include "llvm/Support/thread.h"

namespace colonnade {

using namespace canonical;

static constexpr unsigned StackBytes = 1u << 29; // touched only as far as needed

ir::Function emptyCanonical(const ir::Function &raw) {
  ir::Function out;
  out.name = raw.name;
  out.mangledName = raw.mangledName;
  out.loc = raw.loc;
  out.stage = ir::Stage::Canonical;
  out.returnType = raw.returnType;
  out.returnTypeName = raw.returnTypeName;
  out.body = RegionId(0);
  out.regions.emplace_back();
  return out;
}

/// Appends why the function must not be accepted.
static void refuse(ir::Function &walked, LocId loc, std::string why, ir::UnsupportedKind kind) {
  std::vector<OpId> &ops = walked.region(walked.body).ops;
  OpId end = ops.back();
  ops.pop_back();
  ir::Builder builder(walked);
  builder.setRegion(walked.body);
  builder.setLoc(loc);
  builder.unsupported(std::move(why), std::nullopt, kind);
  walked.region(walked.body).ops.push_back(end);
}

/// Its walks did not come to an end: what the last one made of it may contradict what that
/// walk found out.
static void refuseUnsettled(ir::Function &walked, const Decisions::Added &last, unsigned walks) {
  refuse(walked, last.loc,
         "a function that is not settled after " + std::to_string(walks) +
             " walks over it: the last one still found " + last.what + " (split the function)",
         ir::OutsideSubset);
}

/// Calls make it too large: nothing of it is kept but its parameters.
static void refuseTooLarge(ir::Function &walked, const Decisions::Added &last) {
  std::vector<OpId> &ops = walked.region(walked.body).ops;
  ops.erase(ops.begin(), ops.end() - 1);
  refuse(walked, last.loc, last.what, ir::TooLarge);
}

/// Whatever is lost is a fault of ours: the function must not be accepted.
static void refuseLosses(ir::Function &function, llvm::ArrayRef<Loss> losses) {
  for (const Loss &loss : losses)
    refuse(function, loss.loc, loss.what, ir::LostOperation);
}

/// Decisions of earlier walks that this one does not come to again: an array that is copied
/// because it is written, but nothing that is left of the function writes it.
static void withdraw(Decisions &decisions, const Walk &walk, const ir::Function &walked) {
  std::vector<unsigned> stores(walked.arrays.size());
  std::vector<RegionId> work = {walked.body}; // regions of abandoned attempts are not below it
  while (!work.empty()) {
    RegionId region = work.back();
    work.pop_back();
    for (OpId id : walked.region(region).ops) {
      const ir::Op &op = walked.op(id);
      work.insert(work.end(), op.regions.begin(), op.regions.end());
      if (op.opcode == ir::Opcode::Store)
        ++stores[op.array.index];
    }
  }
  for (const auto &[name, array] : walk.privateCopies())
    if (stores[array.index] == 1) // the copying itself
      decisions.forbidPrivateCopy(name, walked.array(array).loc);
}

/// Walks until a walk decides nothing new. Of what it walked over, nothing is lost.
static llvm::Expected<ir::Function> settle(ir::Module &module, FunctionId entry,
                                           const EntryFacts &facts, unsigned maxWalks,
                                           std::set<std::string> &optionalArrays) {
  Decisions decisions;
  for (unsigned walks = 1;; ++walks) {
    decisions.startWalk();
    ir::Function walked = emptyCanonical(module.function(entry));
    Walk walk(module, entry, facts, decisions, walked);
    if (llvm::Error error = walk.run())
      return error;
    optionalArrays = walk.optionalArrays();
    if (decisions.tooLarge()) {
      refuseTooLarge(walked, *decisions.tooLarge());
      return walked;
    }
    if (!decisions.added())
      withdraw(decisions, walk, walked);
    if (!decisions.added()) {
      refuseLosses(walked, lostByWalk(module, entry, walk.account(), walked));
      return walked;
    }
    if (walks == maxWalks) {
      refuseUnsettled(walked, *decisions.added(), walks);
      return walked;
    }
  }
}

static llvm::Expected<ir::Function> runPasses(ir::Module &module, FunctionId entry,
                                              const EntryFacts &facts, unsigned maxWalks,
                                              ir::Function *unreduced) {
  std::set<std::string> optionalArrays;
  llvm::Expected<ir::Function> function = settle(module, entry, facts, maxWalks, optionalArrays);
  if (!function)
    return function;
  if (unreduced) {
    *unreduced = *function;
    finishAccesses(*unreduced, optionalArrays);
  }
  Inventory inventory(*function);
  LeftOut leftOut;
  for (auto pass : {simplify, countLoops, simplify, separateExits, simplify, rewriteInduction,
                    simplify, settleExits, simplify})
    *function = pass(*function, leftOut); // only two exist at a time
  refuseLosses(*function, inventory.missingFrom(*function, leftOut));
  for (ir::Op &op : function->ops)
    op.provenance = 0; // numbers of the inventory
  finishAccesses(*function, optionalArrays);
  return function;
}

llvm::Expected<ir::Function> normalize(ir::Module &module, FunctionId entry,
                                       const EntryFacts &facts, unsigned maxWalks,
                                       ir::Function *unreduced) {
  std::optional<llvm::Expected<ir::Function>> result;
  llvm::thread worker(std::optional<unsigned>(StackBytes), [&] {
    result.emplace(runPasses(module, entry, facts, maxWalks, unreduced));
  });
  worker.join();
  return std::move(*result);
}

} // namespace colonnade
