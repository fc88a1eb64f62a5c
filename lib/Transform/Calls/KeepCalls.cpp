//===- KeepCalls.cpp - Calls that stay calls ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part that saves most is made first, then the kernel is looked at anew: what is inside of
// the part may be called from elsewhere, too.
//
//===----------------------------------------------------------------------===//

#include "Transform/Calls/KeepCalls.h"

#include "Transform/Calls/MakePart.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class CallKeeper {
public:
  CallKeeper(const Function &kernel, const Module &module, const CallLimits &limits)
      : kernel_(kernel), module_(module), limits_(limits), uses_(kernel) {}

  std::optional<PartPlan> best() const {
    std::vector<Group> groups = groupsByShape();
    llvm::stable_sort(groups, [&](const Group &a, const Group &b) { return saves(a) > saves(b); });
    for (const Group &group : groups)
      if (saves(group) > 0)
        if (std::optional<PartPlan> plan = planOf(group))
          return plan;
    return std::nullopt;
  }

  std::string nameFor(const PartPlan &plan) const {
    const std::string wanted = calleeOf(plan.calls.front().segment);
    auto isUsed = [&](const std::string &name) {
      return llvm::any_of(kernel_.parts, [&](const Part &part) { return part.name == name; });
    };
    std::string name = wanted;
    for (unsigned number = 2; isUsed(name); ++number)
      name = wanted + "_" + std::to_string(number);
    return name;
  }

private:
  struct Group {
    std::vector<CallSegment> segments;
    int64_t operations = 0; // of each
  };

  int64_t saves(const Group &group) const {
    const int64_t calls = int64_t(group.segments.size());
    return (calls - 1) * group.operations - calls * int64_t(limits_.callOperations);
  }

  /// By a hash of the shape; planOf() compares.
  std::vector<Group> groupsByShape() const {
    std::map<uint64_t, size_t> byHash;
    std::vector<Group> groups;
    const CallSegment *last = nullptr;
    const std::vector<CallSegment> segments = callSegments(kernel_, module_.sources);
    for (const CallSegment &segment : segments) {
      if (last && last->region == segment.region && last->begin == segment.begin &&
          last->end == segment.end) // a function that only calls another one
        continue;
      last = &segment;
      const SegmentShape shape = shapeOf(kernel_, module_.sources, uses_, segment);
      if (!shape.mayMove || shape.operations < limits_.leastOperations)
        continue;
      const uint64_t hash =
          llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(shape.words.data()),
                                           shape.words.size() * sizeof(uint64_t)));
      auto [place, isNew] = byHash.try_emplace(hash, groups.size());
      if (isNew)
        groups.push_back({{}, int64_t(shape.operations)});
      groups[place->second].segments.push_back(segment);
    }
    return groups;
  }

  std::optional<PartPlan> planOf(const Group &group) const {
    std::vector<PlannedCall> calls;
    for (const CallSegment &segment : group.segments) {
      PlannedCall call{segment, shapeOf(kernel_, module_.sources, uses_, segment)};
      if (calls.empty() || call.shape.words == calls.front().shape.words)
        calls.push_back(std::move(call));
    }
    if (calls.size() < 2)
      return std::nullopt;
    PartPlan plan = planPart(kernel_, calls);
    return fits(plan) ? std::optional(std::move(plan)) : withEqualConstants(calls);
  }

  bool fits(const PartPlan &plan) const {
    return plan.arguments.size() <= limits_.arguments && plan.arrays.size() <= limits_.arrays &&
           plan.results.size() <= limits_.results;
  }

  /// Constants are no arguments if only calls with the same ones are taken.
  std::optional<PartPlan> withEqualConstants(llvm::ArrayRef<PlannedCall> calls) const {
    std::map<std::vector<uint64_t>, std::vector<PlannedCall>> byConstants;
    for (const PlannedCall &call : calls) {
      std::vector<uint64_t> key;
      for (ValueId value : call.shape.values)
        if (const Scalar *constant = kernel_.constant(value))
          key.insert(key.end(), {1, constant->bits});
        else
          key.push_back(0);
      byConstants[std::move(key)].push_back(call);
    }
    std::optional<PartPlan> best;
    for (const auto &[constants, equal] : byConstants) {
      if (equal.size() < 2 || (best && best->calls.size() >= equal.size()))
        continue;
      PartPlan plan = planPart(kernel_, equal);
      if (fits(plan))
        best = std::move(plan);
    }
    return best;
  }

  /// The last name of the function that the call's operations stand in.
  std::string calleeOf(const CallSegment &segment) const {
    const SourceMap &sources = module_.sources;
    const Op &first = kernel_.op(kernel_.region(segment.region).ops[segment.begin]);
    const LocId inside = locationInCallee(sources, first.loc, segment.call);
    const Function *callee = nullptr;
    for (const Function &function : module_.functions)
      if (inside && function.loc && sources[function.loc].file == sources[inside].file &&
          sources[function.loc].line <= sources[inside].line &&
          (!callee || sources[callee->loc].line < sources[function.loc].line))
        callee = &function;
    const llvm::StringRef name = callee ? llvm::StringRef(callee->name) : "";
    const llvm::StringRef last = name.take_until([](char c) { return c == '(' || c == '<'; });
    std::string word;
    for (char c : last.substr(last.rfind(':') + 1))
      word += llvm::isAlnum(c) ? c : '_';
    return word.empty() ? "part" : word;
  }

  const Function &kernel_;
  const Module &module_;
  const CallLimits &limits_;
  KernelUses uses_;
};

} // namespace

/// In the order of a walk over the function, without constants.
static uint64_t operationsOf(const Function &kernel) {
  std::vector<RegionId> work = {kernel.body};
  for (const Part &part : kernel.parts)
    work.push_back(part.body);
  uint64_t operations = 0;
  while (!work.empty()) {
    const RegionId region = work.back();
    work.pop_back();
    for (OpId id : kernel.region(region).ops) {
      operations += kernel.op(id).opcode != Opcode::Constant;
      work.insert(work.end(), kernel.op(id).regions.begin(), kernel.op(id).regions.end());
    }
  }
  return operations;
}

Function colonnade::keepCalls(Function kernel, const Module &module, const CallLimits &limits) {
  const bool isLong = operationsOf(kernel) > limits.operations;
  while (isLong && operationsOf(kernel) > limits.enough && kernel.parts.size() < limits.parts) {
    const CallKeeper keeper(kernel, module, limits);
    const std::optional<PartPlan> plan = keeper.best();
    if (!plan)
      break;
    const std::string name = keeper.nameFor(*plan);
    kernel = withPart(kernel, *plan, name);
  }
  if (!kernel.parts.empty())
    kernel.notes.emplace_back("calls are kept where inlining would make the code too long");
  return kernel;
}
