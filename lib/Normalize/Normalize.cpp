//===- Normalize.cpp - Raw IR to canonical instance IR --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeats the walk until it adds no decision, then sequences the passes. All of them
// recurse over nested regions, so everything runs on a thread of its own with a
// large stack.
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

static ir::Function makeShell(const ir::Function &raw) {
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

/// A function whose walks did not come to an end: what the last one made of it may
/// contradict what that walk found out, so it must not be accepted.
static void refuse(ir::Function &walked, const Decisions::Added &last, unsigned walks) {
  std::vector<OpId> &ops = walked.region(walked.body).ops;
  OpId end = ops.back();
  ops.pop_back();
  ir::Builder builder(walked);
  builder.setRegion(walked.body);
  builder.setLoc(last.loc);
  builder.unsupported("a function that is not settled after " + std::to_string(walks) +
                          " walks over it: the last one still found " + last.what +
                          " (split the function)",
                      std::nullopt);
  walked.region(walked.body).ops.push_back(end);
}

static llvm::Expected<ir::Function> runPasses(ir::Module &module, FunctionId entry,
                                              const EntryFacts &facts, unsigned maxWalks) {
  Decisions decisions;
  ir::Function walked;
  std::set<std::string> optionalArrays;
  for (unsigned walks = 1;; ++walks) {
    decisions.startWalk();
    walked = makeShell(module.function(entry));
    Walk walk(module, entry, facts, decisions, walked);
    if (llvm::Error error = walk.run())
      return error;
    optionalArrays = walk.optionalArrays();
    if (!decisions.added())
      break;
    if (walks == maxWalks) {
      refuse(walked, *decisions.added(), walks);
      break;
    }
  }
  ir::Function counted = simplify(countLoops(simplify(walked)));
  ir::Function result = simplify(rewriteInduction(simplify(separateExits(counted))));
  finishAccesses(result, optionalArrays);
  return result;
}

llvm::Expected<ir::Function> normalize(ir::Module &module, FunctionId entry,
                                       const EntryFacts &facts, unsigned maxWalks) {
  std::optional<llvm::Expected<ir::Function>> result;
  llvm::thread worker(std::optional<unsigned>(StackBytes),
                      [&] { result.emplace(runPasses(module, entry, facts, maxWalks)); });
  worker.join();
  return std::move(*result);
}

} // namespace colonnade
