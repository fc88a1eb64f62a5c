//===- RowPlan.cpp - How row-wise instances are run -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/RowPlan.h"

#include "Transform/Teams/TeamPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace colonnade;

std::vector<RowPlan> colonnade::rowPlans() {
  using Kind = RowPlan::Kind;
  std::vector<RowPlan> plans = {{Kind::Thread}, {Kind::Staged}, {Kind::Streamed}};
  for (unsigned team : llvm::reverse(TeamSizes))
    plans.push_back({Kind::Team, team});
  for (TeamGrid grid : llvm::reverse(TeamGrids))
    plans.push_back({Kind::Team, grid.rows * grid.columns, grid.columns});
  return plans;
}

static const RowPlan AnyTeam = {RowPlan::Kind::Team};

std::optional<RowPlan> colonnade::parseRowPlan(llvm::StringRef text) {
  std::vector<RowPlan> all = rowPlans();
  all.push_back(AnyTeam);
  const auto found = llvm::find_if(all, [&](const RowPlan &plan) { return name(plan) == text; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

std::string colonnade::name(const RowPlan &plan) {
  switch (plan.kind) {
  case RowPlan::Kind::Best:
    return "";
  case RowPlan::Kind::Thread:
    return "thread";
  case RowPlan::Kind::Staged:
    return "staged";
  case RowPlan::Kind::Streamed:
    return "streamed";
  case RowPlan::Kind::Team:
    if (plan.columns)
      return "team=" + std::to_string(plan.team / plan.columns) + "x" +
             std::to_string(plan.columns);
    return plan.team ? "team=" + std::to_string(plan.team) : "team";
  }
  return "";
}

std::string colonnade::rowPlanNames() {
  std::string names;
  for (const RowPlan &plan : rowPlans()) {
    if (plan.kind == RowPlan::Kind::Team && names.find("team") == std::string::npos)
      names += ", " + name(AnyTeam);
    names += (names.empty() ? "" : ", ") + name(plan);
  }
  return names;
}
