//===- TeamRequests.cpp - What a warp of teams asks of memory -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/TeamRequests.h"

#include "Model/Banks.h"
#include "Model/KModel.h"
#include "Model/Sectors.h"
#include "Model/TeamTrace.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

namespace colonnade::model {

using ir::Array;
using ir::Op;
using ir::Opcode;
using ir::Space;

double TeamLanes::efficiency() const {
  return latency == 0 ? 1
                      : static_cast<double>(length) / static_cast<double>(latency) / LanesOfWarp;
}

uint64_t TeamRequests::ofAll(uint64_t counted, int64_t otherCount) const {
  if (otherCount == count)
    return counted;
  return static_cast<uint64_t>(static_cast<double>(counted) * static_cast<double>(otherCount) /
                               static_cast<double>(count));
}

namespace {

class RequestCounter {
public:
  RequestCounter(const ir::Function &kernel, llvm::ArrayRef<ModelArray> arrays, Layout layout,
                 int64_t count)
      : kernel_(kernel), arrays_(arrays), layout_(layout), count_(count),
        instances_(instancesOfWarp(kernel)), full_(count / instances_), rest_(count % instances_) {}

  void step(OpId id, llvm::ArrayRef<MemberStep> members);
  TeamRequests take();

private:
  void access(const Op &op, llvm::ArrayRef<MemberStep> members);
  void shared(TeamSite &site, const Array &array, llvm::ArrayRef<MemberStep> members) const;
  void memory(TeamSite &site, const Op &op, llvm::ArrayRef<MemberStep> members) const;
  Arrangement arrangementOf(const Op &op) const;
  int64_t period(const Op &op) const;
  int64_t byteOf(const Op &op, int64_t instance, const MemberStep &step) const;

  const ir::Function &kernel_;
  llvm::ArrayRef<ModelArray> arrays_;
  Layout layout_;
  int64_t count_;
  int64_t instances_;   // of a warp
  int64_t full_, rest_; // warps whose lanes all have an instance; instances of one more
  std::map<uint32_t, TeamSite> sites_; // by accessId
  uint64_t partings_ = 0;
};

} // namespace

static bool areSame(llvm::ArrayRef<MemberStep> members) {
  return llvm::all_of(members,
                      [&](const MemberStep &one) { return one.value == members[0].value; });
}

static size_t distinctValues(llvm::ArrayRef<MemberStep> members) {
  llvm::SmallVector<int64_t, 32> values;
  for (const MemberStep &one : members)
    values.push_back(one.value);
  llvm::sort(values);
  return static_cast<size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

void RequestCounter::step(OpId id, llvm::ArrayRef<MemberStep> members) {
  const Op &op = kernel_.op(id);
  switch (op.opcode) {
  case Opcode::If:
    partings_ += !areSame(members) && !isChoice(kernel_, op);
    break;
  case Opcode::For:
  case Opcode::Loop:
    partings_ += distinctValues(members) - 1;
    break;
  default:
    access(op, members);
  }
}

void RequestCounter::access(const Op &op, llvm::ArrayRef<MemberStep> members) {
  TeamSite &site = sites_[op.accessId];
  site.accessId = op.accessId;
  site.array = op.array;
  site.isStore = op.opcode == Opcode::Store;
  ++site.requests;
  if (const Array &array = kernel_.array(op.array); array.isShared())
    shared(site, array, members);
  else
    memory(site, op, members);
}

/// A cell is a word.
static void addStages(BankStages &sum, llvm::ArrayRef<int64_t> bytes, int64_t bytesOfCell) {
  std::vector<int64_t> words;
  for (int64_t byte : bytes)
    words.push_back(byte / bytesOfCell);
  MemoryMachine machine{MemoryModel::Dmm, LanesOfWarp, LanesOfWarp, 1, false};
  sum.apart += stages(machine, words);
  machine.broadcast = true;
  sum.broadcast += stages(machine, words);
}

void RequestCounter::shared(TeamSite &site, const Array &array,
                            llvm::ArrayRef<MemberStep> members) const {
  const auto bytes = static_cast<int64_t>(ir::sizeBytes(array.cell)),
             pitch = static_cast<int64_t>(array.rowPitch() * std::max<uint64_t>(1, array.spread)),
             skew = static_cast<int64_t>(array.skew);
  const int64_t together = bytes > BytesOfWord ? LanesOfWarp / 2 : LanesOfWarp;
  const auto add = [&](int64_t instances, uint64_t warps, BankStages &stages) {
    std::vector<int64_t> places;
    for (int64_t row = 0; row < instances; ++row)
      for (const MemberStep &one : members)
        places.push_back((row * pitch + one.value + (skew ? one.value / skew : 0)) * bytes);
    const auto lanes = static_cast<int64_t>(places.size());
    addStages(stages, places, bytes);
    const uint64_t excess = excessWavefronts(places, bytes, LanesOfWarp);
    site.excessWavefronts += warps * excess;
    site.wavefronts += warps * (excess + static_cast<uint64_t>((lanes + together - 1) / together));
  };
  add(instances_, static_cast<uint64_t>(full_), site.stages);
  if (rest_ > 0)
    add(rest_, 1, site.stagesOfLast);
}

Arrangement RequestCounter::arrangementOf(const Op &op) const {
  const ModelArray &array = arrays_[op.array.index];
  return {layout_, array.cells, count_, LanesOfWarp, array.base};
}

/// Warps after which another one begins alike in a line and in as many cells as it has lanes.
int64_t RequestCounter::period(const Op &op) const {
  if (kernel_.array(op.array).space != Space::Memory)
    return 1;
  const ModelArray &array = arrays_[op.array.index];
  const bool isTiled = layout_ == Layout::Tiled;
  const int64_t longest = std::lcm(BytesOfLine, LanesOfWarp * array.bytes),
                step = layout_ == Layout::Row ? instances_ * array.cells
                       : isTiled              ? LanesOfWarp * array.cells
                                              : instances_;
  return (isTiled ? LanesOfWarp / instances_ : 1) *
         (longest / std::gcd(longest, step * array.bytes));
}

/// For an instance. A thread's own cells lie a word of each lane apart.
int64_t RequestCounter::byteOf(const Op &op, int64_t instance, const MemberStep &step) const {
  const Array &array = kernel_.array(op.array);
  const auto bytes = static_cast<int64_t>(ir::sizeBytes(array.cell));
  const int64_t lane = instance % instances_ * kernel_.team() + step.member;
  switch (*array.space) {
  case Space::Local:
    return step.value * LanesOfWarp * std::max(bytes, BytesOfWord) +
           lane * std::max(bytes, BytesOfWord);
  case Space::Scratch:
    return (step.value * LanesOfWarp + lane) * bytes;
  case Space::Memory:
    return arrangementOf(op).address(step.value, instance) * bytes;
  default:
    return (arrays_[op.array.index].base + step.value) * bytes;
  }
}

static uint64_t groupsOf(llvm::ArrayRef<int64_t> bytes, int64_t groupBytes) {
  llvm::SmallVector<int64_t, 32> found;
  for (int64_t byte : bytes)
    found.push_back(byte / groupBytes);
  llvm::sort(found);
  return static_cast<uint64_t>(std::unique(found.begin(), found.end()) - found.begin());
}

/// Warps that begin alike at once. Of an array that all instances share, one asks for what all do.
void RequestCounter::memory(TeamSite &site, const Op &op,
                            llvm::ArrayRef<MemberStep> members) const {
  const int64_t alike = period(op), ofGroup = LanesOfWarp * arrays_[op.array.index].bytes;
  const bool isOfAll = arrays_[op.array.index].isShared;
  const auto add = [&](int64_t instances, int64_t warp, uint64_t warps) {
    llvm::SmallVector<int64_t, 32> bytes;
    for (int64_t row = 0; row < (isOfAll ? 1 : instances); ++row)
      for (const MemberStep &one : members)
        bytes.push_back(byteOf(op, warp * instances_ + row, one));
    site.sectors += warps * groupsOf(bytes, BytesOfSector);
    site.lines += warps * groupsOf(bytes, BytesOfLine);
    site.groups += warps * groupsOf(bytes, ofGroup);
  };
  for (int64_t warp = 0; warp < std::min(alike, full_); ++warp)
    add(instances_, warp, static_cast<uint64_t>((full_ - warp + alike - 1) / alike));
  if (rest_ > 0)
    add(rest_, full_, 1);
}

/// Where a team is several warps, what one of them does is the mean.
static int64_t warpsOfTeam(const ir::Function &kernel) {
  return std::max<int64_t>(1, kernel.team() / LanesOfWarp);
}

TeamRequests RequestCounter::take() {
  TeamRequests result;
  const auto warps = static_cast<uint64_t>(warpsOfTeam(kernel_));
  const auto ofWarp = [&](uint64_t ofTeam) { return (ofTeam + warps - 1) / warps; };
  for (auto &[id, site] : sites_) {
    result.sites.push_back(site);
    TeamSite &last = result.sites.back();
    for (uint64_t *each : {&last.requests, &last.stages.apart, &last.stages.broadcast})
      *each = ofWarp(*each);
  }
  result.partings = ofWarp(partings_);
  return result;
}

/// Accesses to memory are instructions, too.
static uint64_t instructions(const ir::Function &kernel, const RegionExecutions &executions) {
  const InstructionCounts counts = instructionCounts(kernel, executions);
  return counts.plain.all + counts.shared.all + counts.external.all;
}

llvm::Expected<TeamRequests> teamRequests(const ir::Function &kernel,
                                          llvm::ArrayRef<ModelArray> arrays, Layout layout,
                                          int64_t count, const std::vector<ir::ArrayData> &contents,
                                          llvm::ArrayRef<ir::Scalar> scalars) {
  auto trace = teamTrace(kernel, contents, scalars);
  if (!trace)
    return trace.takeError();
  RequestCounter counter(kernel, arrays, layout, count);
  trace->forEachStep(
      [&](OpId id, llvm::ArrayRef<MemberStep> members) { counter.step(id, members); });
  TeamRequests result = counter.take();
  result.count = count;
  const int64_t instances = instancesOfWarp(kernel);
  const auto warps = static_cast<uint64_t>((count + instances - 1) / instances);
  result.lanes = {warps * instructions(kernel, trace->ofTeam),
                  static_cast<uint64_t>(count) * instructions(kernel, trace->ofMembers)};
  return result;
}

} // namespace colonnade::model
