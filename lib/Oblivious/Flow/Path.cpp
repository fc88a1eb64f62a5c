//===- Path.cpp - The steps from data to an address, in words -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Findings/Checker.h"
#include "Oblivious/Findings/Describe.h"

#include <algorithm>

namespace colonnade {

// Of a longer path the middle is left out: nobody reads it, and as many findings
// with as many steps each would take quadratic room.
static constexpr size_t StepsKept = 8; // at each end

static std::string sourceText(const ir::Function &function, const ir::Op &load) {
  const ir::Array &array = function.array(load.array);
  std::string text = "'" + describeAccess(function, load) + "'";
  if (array.role == ir::ArrayRole::Scalar)
    return text + " is declared instance data";
  return text + " is instance data, loaded here";
}

static std::string stepText(const ir::Function &function, const Step &step) {
  auto value = [&] { return "'" + function.value(ValueId(step.subject)).name + "'"; };
  auto array = [&] { return "'" + function.array(ArrayId(step.subject)).name + "'"; };
  switch (step.kind) {
  case StepKind::Source:
    return sourceText(function, function.op(OpId(step.subject)));
  case StepKind::Undefined:
    return "an uninitialised value is read here";
  case StepKind::Opaque:
    return "the result of an unsupported construct";
  case StepKind::Assigned:
    return value() + " is assigned here";
  case StepKind::Condition:
    return "under this condition on data";
  case StepKind::Chosen:
    return value() + " differs between instances after this branch";
  case StepKind::Exit:
    return "this loop ends depending on data";
  case StepKind::LeftOver:
    return value() + " keeps its value from the iteration in which the loop was left";
  case StepKind::Stored:
    return "stored in " + array() + " here";
  case StepKind::StoredUnder:
    return array() + " is written in some of the instances only";
  case StepKind::StoredAt:
    return array() + " is written at an index that depends on data";
  case StepKind::Read:
    return "read back from " + array() + " here";
  }
  return {};
}

/// The call path of a location, outermost call first.
static std::vector<LocId> callPath(const SourceMap &sources, LocId loc) {
  std::vector<LocId> calls;
  if (loc)
    for (LocId call = sources[loc].inlinedAt; call; call = sources[call].inlinedAt)
      calls.push_back(call);
  std::reverse(calls.begin(), calls.end());
  return calls;
}

/// Adds a step for each call that is left or entered between two locations.
static void addCalls(const SourceMap &sources, LocId from, LocId to, std::vector<PathStep> &steps) {
  if (!from || !to)
    return;
  std::vector<LocId> a = callPath(sources, from), b = callPath(sources, to);
  size_t common = 0;
  while (common < a.size() && common < b.size() && a[common] == b[common])
    ++common;
  for (size_t i = a.size(); i > common; --i)
    steps.push_back({a[i - 1], "comes back from this call"});
  for (size_t i = common; i < b.size(); ++i)
    steps.push_back({b[i], "passed into this call"});
}

std::vector<PathStep> explainPath(const ir::Module &module, const ir::Function &function,
                                  const Origins &origins, Label label, LocId end) {
  std::vector<PathStep> steps;
  LocId last;
  std::vector<Step> path = origins.shortestPath(label);
  // The finding itself names the branch or loop at its own location.
  if (!path.empty() && path.back().loc == end &&
      (path.back().kind == StepKind::Condition || path.back().kind == StepKind::Exit))
    path.pop_back();
  size_t leftOut = path.size() > 2 * StepsKept + 1 ? path.size() - 2 * StepsKept : 0;
  for (size_t i = 0; i < path.size(); ++i) {
    addCalls(module.sources, last, path[i].loc, steps);
    last = path[i].loc;
    if (leftOut && i == StepsKept) {
      steps.push_back({last, std::to_string(leftOut) + " steps are left out from here"});
      i += leftOut - 1;
    } else {
      steps.push_back({last, stepText(function, path[i])});
    }
  }
  addCalls(module.sources, last, end, steps);
  return steps;
}

} // namespace colonnade
