//===- TeamTrace.h - What the threads of a team do together -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel in which a team of threads runs an instance, and what decides its addresses and
// branches. Out: each operation that touches memory or may part the team, with its members and
// what each has of it; and how often its regions are entered.
//
//   member 0 ─ walk ─▶ steps ─┐
//   member 1 ─ walk ─▶ steps ─┼▶ sorted by where they are ─▶ steps of the team
//   …                         ┘
//
// Invariant: members do together what is one operation in the same iterations of the loops around
// it: so a warp's lanes go on that come together behind each branch. Every instance does the same.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_TEAMTRACE_H
#define COLONNADE_MODEL_TEAMTRACE_H

#include "Model/OperationCounts.h"

namespace colonnade::model {

/// What a member has of a step: of a Load or Store, the cell; of an If, whether its condition
/// holds; of a loop, its iterations.
struct MemberStep {
  unsigned member;
  int64_t value;
};

struct TeamTrace {
  /// By region: how often a team enters it, each warp of it if it has several, and its members in
  /// all.
  RegionExecutions ofTeam, ofMembers;

  /// In the order of the first member that does each; those of a warp together.
  void forEachStep(llvm::function_ref<void(OpId, llvm::ArrayRef<MemberStep>)> visit) const;

  std::vector<std::pair<OpId, size_t>> steps; // how many members do each
  std::vector<MemberStep> members;            // of one step after the other
};

/// About a second.
constexpr uint64_t MaxTeamSteps = uint64_t(1) << 25;

/// `contents`: of uniform arrays that decide, by ArrayId. Error: data decides an address or the end
/// of a loop, or all members take more than so many steps.
llvm::Expected<TeamTrace> teamTrace(const ir::Function &kernel,
                                    const std::vector<ir::ArrayData> &contents,
                                    llvm::ArrayRef<ir::Scalar> scalars,
                                    uint64_t maxSteps = MaxTeamSteps);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_TEAMTRACE_H
