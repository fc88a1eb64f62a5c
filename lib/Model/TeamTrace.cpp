//===- TeamTrace.cpp - What the threads of a team do together -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a step is, is a number of 64 bits: that of the region's entry around it and the
// operation, mixed. Two places with one number would be taken for one; among 10^7 places that is
// one case in 10^5.
//
//===----------------------------------------------------------------------===//

#include "Model/TeamTrace.h"

#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

/// The finaliser of SplitMix64.
static uint64_t mixed(uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}
static uint64_t mixed(uint64_t place, uint64_t next) {
  return mixed(place + 0x9e3779b97f4a7c15 * (next + 1));
}

namespace {

/// Of one member; what it touches is an operation, or a region that it enters.
struct PlacedStep {
  uint64_t place;
  uint32_t touched;
  uint32_t order; // among the member's
  MemberStep of;
};

class MemberWalk final : public ir::KnownWalk {
public:
  MemberWalk(const ir::Function &kernel, const std::vector<ir::ArrayData> &contents,
             unsigned member, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), contents_(contents), member_(member),
        entries_(kernel.regions.size()) {}

  llvm::Error run(llvm::ArrayRef<ir::Scalar> scalars);

  std::vector<PlacedStep> done, entered;

private:
  bool walk(RegionId region) override;
  bool visit(OpId id) override;
  bool access(OpId id, std::optional<int64_t> cell) override;
  bool unknownLoop(OpId) override { return refuse("data decides when a loop ends"); }
  bool place(const Op &op, int64_t number);
  bool refuse(const char *why) {
    refusal_ = why;
    return false;
  }
  void add(OpId id, int64_t value) {
    done.push_back({mixed(place_, id.index),
                    static_cast<uint32_t>(id.index),
                    static_cast<uint32_t>(done.size()),
                    {member_, value}});
  }
  Known loaded(const Op &op, int64_t cell) const;

  /// How often a region has been entered in the last entry of the one around it.
  struct Entries {
    uint64_t around = 0;
    int64_t number = 0;
  };
  const std::vector<ir::ArrayData> &contents_;
  unsigned member_;
  std::vector<Entries> entries_; // by region
  uint64_t place_ = 0;           // of the region's entry that the walk is in
  const char *refusal_ = "its threads take too many steps to walk";
};

} // namespace

llvm::Error MemberWalk::run(llvm::ArrayRef<ir::Scalar> scalars) {
  for (auto [parameter, scalar] : llvm::zip_equal(function_.scalars, scalars))
    set(parameter.value, scalar);
  return walk(function_.body) ? llvm::Error::success() : llvm::createStringError(refusal_);
}

bool MemberWalk::walk(RegionId region) {
  const uint64_t around = place_;
  Entries &entries = entries_[region.index];
  if (entries.around != around)
    entries = {around, 0};
  ++entries.number;
  place_ = mixed(mixed(around, region.index), static_cast<uint64_t>(entries.number));
  entered.push_back({place_, static_cast<uint32_t>(region.index), 0, {member_, 0}});
  const bool goesOn = KnownWalk::walk(region);
  place_ = around;
  return goesOn;
}

bool MemberWalk::visit(OpId id) {
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::Member:
    return place(op, member_);
  case Opcode::Lane: // the first instance's team is the first of its block
    return place(op, member_ % ir::LanesPerWarp);
  case Opcode::Warp:
    return place(op, member_ / ir::LanesPerWarp);
  case Opcode::HasInstance:
    return place(op, 1);
  case Opcode::CallPart:
    return refuse("it calls a function of its own");
  case Opcode::If:
    if (const Known &condition = value(op.operands[0]))
      add(id, condition->bits != 0);
    return KnownWalk::visit(id);
  case Opcode::For:
  case Opcode::Loop: {
    const bool goesOn = KnownWalk::visit(id);
    const Entries &body = entries_[op.regions.back().index];
    add(id, body.around == place_ ? body.number : 0);
    return goesOn;
  }
  default:
    return KnownWalk::visit(id);
  }
}

bool MemberWalk::place(const Op &op, int64_t number) {
  set(op.results[0], ir::makeInt(function_.value(op.results[0]).type, number));
  return true;
}

bool MemberWalk::access(OpId id, std::optional<int64_t> cell) {
  const Op &op = function_.op(id);
  const ir::Space space = *function_.array(op.array).space;
  if (cell && op.opcode == Opcode::Load)
    set(op.results[0], loaded(op, *cell));
  if (space == ir::Space::Registers || space == ir::Space::Constant)
    return true;
  if (!cell)
    return refuse("data decides an address");
  add(id, *cell);
  return true;
}

/// Of tables and given uniform arrays.
ir::KnownWalk::Known MemberWalk::loaded(const Op &op, int64_t cell) const {
  const ir::Array &array = function_.array(op.array);
  if (!array.isSharedInput())
    return std::nullopt;
  const bool isGiven = !array.isTable() && op.array.index < contents_.size();
  const std::vector<uint64_t> &cells = isGiven ? contents_[op.array.index].cells : array.contents;
  if (cell < 0 || static_cast<uint64_t>(cell) >= cells.size())
    return std::nullopt;
  return ir::Scalar{array.cell, cells[static_cast<size_t>(cell)]};
}

/// Those of one place are neighbours then, by member.
static void sortByPlace(std::vector<PlacedStep> &steps) {
  llvm::sort(steps, [](const PlacedStep &a, const PlacedStep &b) {
    return std::tie(a.place, a.of.member, a.order) < std::tie(b.place, b.of.member, b.order);
  });
}

/// Calls `visit` with the steps of each place, of a warp each time.
static void forEachPlace(llvm::ArrayRef<PlacedStep> steps,
                         llvm::function_ref<void(llvm::ArrayRef<PlacedStep>)> visit) {
  const auto of = [](const PlacedStep &step) {
    return std::pair(step.place, step.of.member / ir::LanesPerWarp);
  };
  while (!steps.empty()) {
    const auto first = of(steps.front());
    const auto same = steps.take_while([&](const PlacedStep &step) { return of(step) == first; });
    visit(same);
    steps = steps.drop_front(same.size());
  }
}

static void addEntries(std::vector<PlacedStep> entered, TeamTrace &trace) {
  sortByPlace(entered);
  forEachPlace(entered, [&](llvm::ArrayRef<PlacedStep> members) {
    ++trace.ofTeam[members.front().touched].all;
    trace.ofMembers[members.front().touched].all += members.size();
  });
}

static void addSteps(std::vector<PlacedStep> steps, TeamTrace &trace) {
  sortByPlace(steps);
  std::vector<llvm::ArrayRef<PlacedStep>> places;
  forEachPlace(steps, [&](llvm::ArrayRef<PlacedStep> members) { places.push_back(members); });
  llvm::sort(places, [](llvm::ArrayRef<PlacedStep> a, llvm::ArrayRef<PlacedStep> b) {
    const PlacedStep &first = a.front(), &other = b.front();
    return std::tie(first.order, first.of.member) < std::tie(other.order, other.of.member);
  });
  for (llvm::ArrayRef<PlacedStep> place : places) {
    trace.steps.emplace_back(OpId(place.front().touched), place.size());
    for (const PlacedStep &step : place)
      trace.members.push_back(step.of);
  }
}

void TeamTrace::forEachStep(
    llvm::function_ref<void(OpId, llvm::ArrayRef<MemberStep>)> visit) const {
  llvm::ArrayRef<MemberStep> left = members;
  for (auto [op, number] : steps) {
    visit(op, left.take_front(number));
    left = left.drop_front(number);
  }
}

llvm::Expected<TeamTrace> teamTrace(const ir::Function &kernel,
                                    const std::vector<ir::ArrayData> &contents,
                                    llvm::ArrayRef<ir::Scalar> scalars, uint64_t maxSteps) {
  std::vector<PlacedStep> steps, entered;
  for (unsigned member = 0; member < kernel.team(); ++member) {
    MemberWalk walk(kernel, contents, member, maxSteps);
    if (llvm::Error error = walk.run(scalars))
      return error;
    maxSteps -= std::min(maxSteps, walk.steps());
    llvm::append_range(steps, walk.done);
    llvm::append_range(entered, walk.entered);
  }
  TeamTrace trace;
  trace.ofTeam.resize(kernel.regions.size());
  trace.ofMembers.resize(kernel.regions.size());
  addEntries(std::move(entered), trace);
  addSteps(std::move(steps), trace);
  return trace;
}

} // namespace colonnade::model
