//===- PartPlan.cpp - What a part takes, and what each call passes --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Calls/PartPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// What fills a hole in each of the calls.
using Column = std::vector<std::pair<uint64_t, uint64_t>>;

/// Holes of two types may have the same bits in all calls: the type is part of a constant.
static std::pair<uint64_t, uint64_t> identity(const Function &kernel, ValueId value) {
  if (const Scalar *constant = kernel.constant(value))
    return {1 + uint64_t(constant->type), constant->bits};
  return {0, value.index};
}

static void planValues(const Function &kernel, PartPlan &plan) {
  std::map<Column, uint32_t> known;
  const std::vector<ValueId> &first = plan.calls.front().shape.values;
  for (size_t hole = 0; hole < first.size(); ++hole) {
    Column column;
    for (const PlannedCall &call : plan.calls)
      column.push_back(identity(kernel, call.shape.values[hole]));
    PartPlan::Hole &planned = plan.holes.emplace_back();
    const Scalar *constant = kernel.constant(first[hole]);
    if (constant && llvm::all_equal(column)) {
      planned.constant = *constant;
      continue;
    }
    auto [found, isNew] = known.try_emplace(std::move(column), uint32_t(plan.arguments.size()));
    planned.argument = found->second;
    if (isNew)
      plan.arguments.push_back(uint32_t(hole));
  }
}

static void planArrays(const Function &kernel, PartPlan &plan) {
  std::map<Column, uint32_t> known;
  const std::vector<ArrayId> &first = plan.calls.front().shape.arrays;
  for (size_t hole = 0; hole < first.size(); ++hole) {
    if (kernel.array(first[hole]).isTable()) {
      plan.arrayOf.push_back(UINT32_MAX);
      continue;
    }
    Column column;
    for (const PlannedCall &call : plan.calls)
      column.push_back({0, call.shape.arrays[hole].index});
    auto [found, isNew] = known.try_emplace(std::move(column), uint32_t(plan.arrays.size()));
    plan.arrayOf.push_back(found->second);
    if (isNew)
      plan.arrays.push_back(uint32_t(hole));
  }
}

PartPlan colonnade::planPart(const Function &kernel, std::vector<PlannedCall> calls) {
  PartPlan plan;
  plan.calls = std::move(calls);
  planValues(kernel, plan);
  planArrays(kernel, plan);
  for (size_t i = 0; i < plan.calls.front().shape.defined.size(); ++i)
    if (llvm::any_of(plan.calls, [&](const PlannedCall &call) { return call.shape.leaves[i]; }))
      plan.results.push_back(uint32_t(i));
  return plan;
}
