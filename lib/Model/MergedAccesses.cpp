//===- MergedAccesses.cpp - Loads that a compiler leaves out --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/MergedAccesses.h"

#include "Model/Banks.h"
#include "Model/IssuedOperations.h"
#include "Model/Sectors.h"
#include "Model/UnrolledWalk.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <list>

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Space;

double MergedAccesses::total() const {
  double sum = 0;
  for (const auto &[id, count] : loads)
    sum += count;
  return sum;
}

double MergedAccesses::of(uint32_t accessId) const {
  const auto found = loads.find(accessId);
  return found == loads.end() ? 0 : found->second;
}

namespace {

struct Cell {
  uint32_t array;
  std::vector<ValueSum> subscripts;

  friend auto operator<=>(const Cell &, const Cell &) = default;
};

/// What is in a thread's registers: the last that was used first.
class HeldCells {
public:
  explicit HeldCells(size_t most) : most_(most) {}

  void clear() { cells_.clear(); }
  /// Whether it is held where that branch was taken; it is from now on.
  bool load(const Cell &cell, unsigned guard);
  /// Of other cells only those that cannot be this one are still held.
  void store(const Cell &cell, unsigned guard);
  /// Whether a cell that was loaded is in the same stretch of so many.
  bool hasNeighbour(const Cell &cell, uint64_t cells) const;
  /// No more than what the other holds, too.
  void meet(const HeldCells &other);

private:
  struct Held {
    Cell cell;
    unsigned guard; // it is there if that branch was taken
    bool isLoaded;
    friend bool operator==(const Held &, const Held &) = default;
  };
  void hold(Held held);

  size_t most_;
  std::list<Held> cells_;
};

/// One stretch of a kernel.
class Window final : public UnrolledWalk {
public:
  explicit Window(const ir::Function &kernel);

  /// Of so many iterations of the root, or of one run of it.
  void count(const Root &root, unsigned iterations);

  /// What became of an operation's accesses.
  struct Fate {
    unsigned made = 0, left = 0;
    uint64_t waits = 0; // of those that are made to rows, for banks
  };
  std::map<OpId, Fate> fates;

private:
  void access(OpId id, llvm::ArrayRef<ValueSum> subscripts, unsigned guard) override;
  void forget() override { held_.clear(); }
  void fork(Fork at) override;
  bool isSeen(const Op &op) const;
  bool isWithNeighbour(const ir::Array &array, const Cell &cell) const;
  uint64_t waitsForBanks(const ir::Array &array, const ValueSum &cell) const;

  HeldCells held_;
  std::vector<HeldCells> others_; // of the branches around: before the first arm, or behind it
};

class Merger {
public:
  Merger(const ir::Function &kernel, const RegionExecutions &executions);

  MergedAccesses run();

private:
  using Root = UnrolledWalk::Root;
  void root(const Root &root);
  void add(const Root &root, unsigned iterations, double share);
  bool isUnrolledInPart(const Op &op) const;

  const ir::Function &kernel_;
  const RegionExecutions &executions_;
  MergedAccesses result_;
  Window window_;
  std::vector<RegionId> regionOf_, around_; // of operations, of regions
};

} // namespace

/// Whether the compiler cannot tell two cells apart.
static bool mayBeSame(const Cell &a, const Cell &b) {
  return a.array == b.array &&
         llvm::any_of(llvm::zip(a.subscripts, b.subscripts), [](const auto &pair) {
           return std::get<0>(pair).names != std::get<1>(pair).names;
         });
}

void HeldCells::hold(Held held) {
  cells_.push_front(std::move(held));
  if (cells_.size() > most_)
    cells_.pop_back();
}

bool HeldCells::load(const Cell &cell, unsigned guard) {
  const auto found = llvm::find_if(cells_, [&](const Held &held) { return held.cell == cell; });
  const bool isHeld = found != cells_.end() && (found->guard == 0 || found->guard == guard);
  Held held = isHeld ? *found : Held{cell, guard, true};
  if (found != cells_.end())
    cells_.erase(found);
  hold(std::move(held));
  return isHeld;
}

void HeldCells::store(const Cell &cell, unsigned guard) {
  cells_.remove_if(
      [&](const Held &held) { return held.cell == cell || mayBeSame(cell, held.cell); });
  hold({cell, guard, false});
}

bool HeldCells::hasNeighbour(const Cell &cell, uint64_t cells) const {
  return llvm::any_of(cells_, [&](const Held &held) {
    if (!held.isLoaded || held.cell.array != cell.array)
      return false;
    Cell neighbour = held.cell;
    uint64_t &constant = neighbour.subscripts.back().constant;
    const uint64_t own = cell.subscripts.back().constant;
    const bool isNear = constant / cells == own / cells;
    constant = own;
    return isNear && neighbour == cell;
  });
}

void HeldCells::meet(const HeldCells &other) {
  cells_.remove_if([&](const Held &held) { return !llvm::is_contained(other.cells_, held); });
}

/// As many as leave room for the blocks that an SM is to have.
static size_t registersOf(const ir::Function &kernel) {
  static constexpr unsigned OfSm = 65536, MostOfThread = 255;
  const auto &shape = std::get<ir::ThreadShape>(*kernel.launch);
  return std::min(OfSm / (shape.perBlock * std::max(1u, shape.resident)), MostOfThread);
}

Window::Window(const ir::Function &kernel) : UnrolledWalk(kernel), held_(registersOf(kernel)) {}

void Window::count(const Root &root, unsigned iterations) {
  for (bool followsLoops : {true, false}) {
    held_.clear();
    others_.clear();
    fates.clear();
    if (run(root, iterations, followsLoops))
      return;
  }
}

/// An access to memory, which a register may stand for.
bool Window::isSeen(const Op &op) const {
  const Space space = *kernel_.array(op.array).space;
  return space != Space::Registers && space != Space::Constant;
}

/// Whether it is loaded with a cell beside it, four words at once, and all of a team ask for it: so
/// that it takes no longer.
bool Window::isWithNeighbour(const ir::Array &array, const Cell &cell) const {
  static constexpr uint64_t BytesOfWide = 16;
  const ValueSum &sum = cell.subscripts.back();
  const uint64_t bytes = ir::sizeBytes(array.cell);
  const auto isAligned = [&](uint64_t cells) { return cells * bytes % BytesOfWide == 0; };
  if (array.skew || !isAligned(array.rowPitch()) ||
      !llvm::all_of(sum.names, [&](const auto &name) { return isAligned(name.second); }))
    return false;
  for (int64_t member = 1; member < kernel_.team(); ++member)
    if (sums_.ofMember(sum, member) != sums_.ofMember(sum, 0))
      return false;
  return kernel_.team() > 1 && held_.hasNeighbour(cell, BytesOfWide / bytes);
}

/// Of a warp's lanes, each with its instance's row and its member's cell.
uint64_t Window::waitsForBanks(const ir::Array &array, const ValueSum &cell) const {
  const auto bytes = static_cast<int64_t>(ir::sizeBytes(array.cell)),
             pitch = static_cast<int64_t>(array.rowPitch() * std::max<uint64_t>(1, array.spread)),
             skew = static_cast<int64_t>(array.skew);
  const int64_t team = kernel_.team();
  std::vector<int64_t> places;
  for (int64_t lane = 0; lane < LanesOfWarp; ++lane) {
    if (!isTaken(lane % team))
      continue;
    const int64_t at = std::max<int64_t>(sums_.ofMember(cell, lane % team), 0);
    places.push_back((lane / team * pitch + at + (skew ? at / skew : 0)) * bytes);
  }
  return excessWavefronts(places, bytes, LanesOfWarp);
}

void Window::access(OpId id, llvm::ArrayRef<ValueSum> subscripts, unsigned guard) {
  const Op &op = kernel_.op(id);
  if (!isSeen(op))
    return;
  const ir::Array &array = kernel_.array(op.array);
  const Cell cell{static_cast<uint32_t>(op.array.index), subscripts.vec()};
  const bool isLoad = op.opcode == Opcode::Load;
  const bool isWide = isLoad && array.isShared() && isWithNeighbour(array, cell);
  const bool isHeld = isLoad && held_.load(cell, guard);
  if (!isLoad)
    held_.store(cell, guard);
  Fate &fate = fates[id];
  ++fate.made;
  fate.left += isHeld;
  if (isHeld || !array.isShared())
    return;
  if (isWide)
    ++fate.left;
  else
    fate.waits += waitsForBanks(array, subscripts.back());
}

void Window::fork(Fork at) {
  if (at == Fork::Begin)
    return others_.push_back(held_);
  if (at == Fork::Other)
    return std::swap(held_, others_.back());
  held_.meet(others_.back());
  others_.pop_back();
}

/// `share`: of what each operation does, this root's windows.
void Merger::add(const Root &root, unsigned iterations, double share) {
  window_.count(root, iterations);
  for (const auto &[id, fate] : window_.fates) {
    const ir::Op &op = kernel_.op(id);
    const double times =
        share * static_cast<double>(executions_[regionOf_[id.index].index].all) / fate.made;
    const ir::Array &array = kernel_.array(op.array);
    result_.shared.waits += times * static_cast<double>(fate.waits);
    if (times * fate.left == 0)
      continue;
    if (!array.isShared()) {
      result_.loads[op.accessId] += times * fate.left;
      result_.iterations = std::max(result_.iterations, iterations);
      result_.ofUnrolledLoops |= window_.hasFollowedLoops();
      continue;
    }
    result_.shared.left += times * fate.left;
    result_.shared.words +=
        times * fate.left * std::max(1.0, double(ir::sizeBytes(array.cell)) / BytesOfWord);
  }
}

/// Whole windows, and what is left over one iteration after the other.
void Merger::root(const Root &root) {
  const bool isWindow = root.loop && isUnrolledInPart(kernel_.op(root.loop));
  const unsigned atOnce = isWindow ? iterationsAtOnce(kernel_.op(root.loop).unrolling) : 1;
  const auto iterations = static_cast<double>(executions_[root.region.index].all);
  const RegionId around = around_[root.region.index];
  const double entries = root.loop ? static_cast<double>(executions_[around.index].all) : 1;
  const double windows =
      atOnce > 1 && entries > 0 ? entries * std::floor(iterations / entries / atOnce) : 0;
  const double share = windows > 0 ? windows * atOnce / iterations : 0;
  if (share > 0)
    add(root, atOnce, share);
  add(root, 1, 1 - share);
}

/// By us, or, where the number of iterations is known and no loop is within, by the compiler.
bool Merger::isUnrolledInPart(const Op &op) const {
  if (op.opcode != Opcode::For || op.hasContinueFlag || !kernel_.constant(op.operands[2]))
    return false;
  const auto hasRegions = [&](OpId id) { return !kernel_.op(id).regions.empty(); };
  return op.unrolling.kind == ir::Unrolling::Kind::Times ||
         (op.unrolling.kind == ir::Unrolling::Kind::None && ir::constantIterations(kernel_, op) &&
          llvm::none_of(kernel_.region(op.regions[0]).ops, hasRegions));
}

Merger::Merger(const ir::Function &kernel, const RegionExecutions &executions)
    : kernel_(kernel), executions_(executions), window_(kernel), regionOf_(kernel.ops.size()),
      around_(kernel.regions.size()) {
  for (auto [r, region] : llvm::enumerate(kernel.regions))
    for (OpId id : region.ops) {
      regionOf_[id.index] = RegionId(r);
      for (RegionId inner : kernel.op(id).regions)
        around_[inner.index] = RegionId(r);
    }
}

MergedAccesses Merger::run() {
  std::vector<bool> isRoot(kernel_.regions.size());
  std::vector<Root> open = {{kernel_.body, {}}};
  for (const ir::Part &part : kernel_.parts)
    open.push_back({part.body, {}});
  while (!open.empty()) {
    const Root next = open.back();
    open.pop_back();
    if (isRoot[next.region.index])
      continue; // an iteration of a loop around has met it before
    isRoot[next.region.index] = true;
    root(next);
    llvm::append_range(open, window_.roots());
  }
  return std::move(result_);
}

MergedAccesses mergedAccesses(const ir::Function &kernel, const RegionExecutions &executions) {
  return Merger(kernel, executions).run();
}

} // namespace colonnade::model
