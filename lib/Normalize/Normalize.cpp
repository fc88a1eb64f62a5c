//===- Normalize.cpp - Raw IR to canonical instance IR --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sequences the passes. The walk recurses over nested regions, so everything
// runs on a thread of its own with a large stack.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Normalize.h"
#include "Normalize/Simplify.h"
#include "Normalize/Walk.h"

#include "llvm/Support/thread.h"

namespace colonnade {

using namespace canonical;

static constexpr unsigned StackBytes = 1u << 29; // touched only as far as needed
static constexpr unsigned MaxWalks = 64;

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

static llvm::Expected<ir::Function> runPasses(ir::Module &module, FunctionId entry,
                                              const EntryFacts &facts) {
  Decisions decisions;
  ir::Function walked;
  for (unsigned i = 0; i < MaxWalks; ++i) {
    decisions.changed = false;
    decisions.optionalArrays.clear();
    walked = makeShell(module.function(entry));
    Walk walk(module, entry, facts, decisions, walked);
    if (llvm::Error error = walk.run())
      return error;
    if (!decisions.changed)
      break;
  }
  ir::Function counted = simplify(countLoops(simplify(walked)));
  ir::Function result = simplify(rewriteInduction(simplify(separateExits(counted))));
  finishAccesses(result, decisions.optionalArrays);
  return result;
}

llvm::Expected<ir::Function> normalize(ir::Module &module, FunctionId entry,
                                       const EntryFacts &facts) {
  std::optional<llvm::Expected<ir::Function>> result;
  llvm::thread worker(std::optional<unsigned>(StackBytes),
                      [&] { result.emplace(runPasses(module, entry, facts)); });
  worker.join();
  return std::move(*result);
}

} // namespace colonnade
