//===- FusePasses.cpp - Passes over cells that stay in registers ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cell's number is made of the unit's and of the slot's in the unit, whose bits lie between each
// other: cell = spread(unit) | spread(slot). A counter is computed from both in the same way.
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/FusePasses.h"

#include "IR/Clone.h"
#include "Transform/BlockBuilder.h"
#include "Transform/Teams/MapBits.h"
#include "Transform/Teams/PassGroups.h"
#include "Transform/UnusedValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

// One for each thread of the smallest team.
static constexpr unsigned BitsOfLeastUnits = 2;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {

class PassFuser {
public:
  PassFuser(const Function &from, std::vector<PassesOfOperation> found, unsigned bits)
      : from_(from), found_(std::move(found)), bits_(bits), builder_(result_.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  std::optional<FusedPasses> run();

private:
  const PassesOfOperation *passesOf(OpId operation) const;
  bool isMoved(OpId old) const;
  bool hook(OpId old);
  void flush();
  void group(const PassGroup &group);
  enum class Copy : uint8_t { In, Out };
  void standFor(const PassGroup &group, uint32_t array, Op &copy) const;
  void copies(const PassGroup &group, ValueId unit, Copy copy);
  void turn(const PassGroup &group, ValueId unit, Copy copy);
  void pass(const PassGroup &group, const Pass &pass, ValueId unit);
  ValueId beforeSlot(const PassGroup &group, const BitMap &counter, ValueId unit, ScalarType type);
  void access(OpId old);
  bool branch(OpId old);
  ArrayId ownArray(uint32_t of);
  void count(const char *name, uint64_t iterations, bool isUnrolled,
             llvm::function_ref<void(ValueId)> body);
  ValueId linear(ValueId from, llvm::ArrayRef<uint64_t> images, ScalarType type) {
    return builder_.cast(mapBits(builder_, from, images), type);
  }
  ValueId joined(ValueId a, uint64_t ofA, ValueId b, uint64_t ofB) {
    return joinBits(builder_, a, ofA, b, ofB);
  }

  const Function &from_;
  std::vector<PassesOfOperation> found_;
  unsigned bits_;
  FusedPasses result_;
  BlockBuilder builder_;
  Cloner cloner_;
  std::vector<const PassesOfOperation *> pending_;
  std::map<uint32_t, ArrayId> own_; // by array
  // Of the iteration that is emitted.
  const PassGroup *group_ = nullptr;
  const Pass *pass_ = nullptr;
  ValueId slot_;
};

} // namespace

const PassesOfOperation *PassFuser::passesOf(OpId operation) const {
  for (const PassesOfOperation &each : found_)
    if (each.operation == operation)
      return &each;
  return nullptr;
}

std::optional<FusedPasses> PassFuser::run() {
  llvm::erase_if(found_, [&](const PassesOfOperation &each) {
    return each.numBits < bits_ + BitsOfLeastUnits ||
           llvm::any_of(
               each.passes,
               [&](const Pass &pass) {
                 return static_cast<unsigned>(llvm::popcount(pass.bits)) > bits_;
               });
  });
  if (found_.empty())
    return std::nullopt;
  cloner_.copyShell();
  cloner_.cloneBody();
  if (result_.groups == result_.passes)
    return std::nullopt;
  dropUnusedValues(result_.kernel);
  return std::move(result_);
}

/// What is pure comes before passes that wait to be fused with others.
bool PassFuser::isMoved(OpId old) const {
  const Op &op = from_.op(old);
  return op.regions.empty() && op.opcode != Opcode::Load && op.opcode != Opcode::Store &&
         op.results.size() == 1;
}

bool PassFuser::hook(OpId old) {
  if (pass_) {
    const Op &op = from_.op(old);
    if (op.opcode == Opcode::If)
      return branch(old);
    if (op.opcode == Opcode::For) { // of the nest
      cloner_.cloneOpsButTerminator(op.regions[0]);
      return true;
    }
    if ((op.opcode != Opcode::Load && op.opcode != Opcode::Store) ||
        !llvm::is_contained(group_->arrays, op.array.index))
      return false;
    access(old);
    return true;
  }
  if (const PassesOfOperation *passes = passesOf(old)) {
    pending_.push_back(passes);
    for (const auto &[value, known] : passes->results)
      cloner_.set(ValueId(value), builder_.constant(known));
    return true;
  }
  if (builder_.insertionRegion() == result_.kernel.body && !isMoved(old))
    flush();
  return false;
}

void PassFuser::flush() {
  const std::vector<PassGroup> groups = passGroups(from_, pending_, bits_);
  pending_.clear();
  for (const PassGroup &each : groups) {
    group(each);
    ++result_.groups;
    result_.passes += static_cast<unsigned>(each.passes.size());
    result_.mirrored += each.mirror.kind == Mirror::Kind::Bit;
    result_.units = std::max(result_.units, uint64_t(1) << (each.numBits - bits_));
  }
}

void PassFuser::count(const char *name, uint64_t iterations, bool isUnrolled,
                      llvm::function_ref<void(ValueId)> body) {
  const ValueId low = builder_.number(0), high = builder_.number(iterations),
                step = builder_.number(1);
  const OpId loop = builder_.createFor(low, high, step, Predicate::Lt, false, {});
  if (isUnrolled)
    result_.kernel.op(loop).unrolling.kind = Unrolling::Kind::Fully;
  const RegionId region = result_.kernel.op(loop).regions[0];
  const ValueId counter = result_.kernel.region(region).args[0];
  result_.kernel.value(counter).name = name;
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  body(counter);
  builder_.yield({});
}

/// Registers for as many cells as a unit has.
ArrayId PassFuser::ownArray(uint32_t of) {
  ArrayId &own = own_[of];
  if (own)
    return own;
  Array array;
  array.name = from_.arrays[of].name + "_own";
  array.cell = from_.arrays[of].cell;
  array.extents = {SizeExpr::constant(int64_t(1) << bits_)};
  array.space = Space::Registers;
  array.reads = array.writes = true;
  result_.kernel.arrays.push_back(std::move(array));
  return own = ArrayId(result_.kernel.arrays.size() - 1);
}

static std::vector<uint64_t> imagesOf(llvm::ArrayRef<unsigned> bits) {
  std::vector<uint64_t> images;
  for (unsigned bit : bits)
    images.push_back(uint64_t(1) << bit);
  return images;
}

void PassFuser::group(const PassGroup &group) {
  count("unit", uint64_t(1) << (group.numBits - bits_), false, [&](ValueId unit) {
    copies(group, unit, Copy::In);
    turn(group, unit, Copy::In);
    for (const Pass *each : group.passes)
      pass(group, *each, unit);
    turn(group, unit, Copy::Out);
    copies(group, unit, Copy::Out);
  });
}

/// The number of a bit of a cell among those of the slot, or of the unit.
static unsigned numberOf(unsigned bit, uint64_t bits) {
  return static_cast<unsigned>(llvm::popcount(bits & ((uint64_t(1) << bit) - 1)));
}

/// What its cells hold before the group does not matter.
static bool isWrittenFirst(const PassGroup &group, uint32_t array) {
  return group.passes.front()->written.count(array) != 0;
}

/// A copy of cells is told by an access of the group that it stands for.
void PassFuser::standFor(const PassGroup &group, uint32_t array, Op &copy) const {
  for (const Pass *pass : group.passes)
    for (const auto &[access, apart] : pass->apart) {
      const Op &op = from_.ops[access];
      if (op.array.index != array || op.opcode != copy.opcode)
        continue;
      copy.accessId = op.accessId;
      copy.loc = op.loc;
      return;
    }
}

void PassFuser::copies(const PassGroup &group, ValueId unit, Copy copy) {
  const uint64_t others = ((uint64_t(1) << group.numBits) - 1) & ~group.bits;
  const ValueId first = linear(unit, imagesOf(bitsOf(others)), ScalarType::S64);
  count("slot", uint64_t(1) << bits_, true, [&](ValueId slot) {
    const ValueId behind = linear(slot, imagesOf(bitsOf(group.bits)), ScalarType::S64);
    const ValueId cell = joined(first, others, behind, group.bits);
    for (uint32_t array : group.arrays) {
      const ArrayId own = ownArray(array);
      if (copy == Copy::In && isWrittenFirst(group, array))
        continue;
      if (copy == Copy::In) {
        const ValueId loaded = builder_.varying(builder_.load(ArrayId(array), {cell}));
        standFor(group, array, result_.kernel.op(result_.kernel.value(loaded).def));
        builder_.store(own, loaded, {slot});
      } else {
        const ValueId kept = builder_.varying(builder_.load(own, {slot}));
        const OpId stored = builder_.store(ArrayId(array), kept, {cell});
        standFor(group, array, result_.kernel.op(stored));
      }
    }
  });
}

/// Cells of a unit change places, from the first with the last on, if its bit says so. To load and
/// store them in another order takes longer: each address is computed, or what lies between is
/// there twice.
void PassFuser::turn(const PassGroup &group, ValueId unit, Copy copy) {
  if (group.mirror.kind != Mirror::Kind::Bit)
    return;
  const unsigned bit = numberOf(group.mirror.bit, ~group.bits);
  const ValueId own = builder_.binary(Opcode::And, unit, builder_.number(uint64_t(1) << bit));
  const ValueId isTurned = builder_.binary(Opcode::Ne, own, builder_.number(0));
  count("pair", uint64_t(1) << (bits_ - 1), true, [&](ValueId slot) {
    const ValueId last = builder_.number((uint64_t(1) << bits_) - 1);
    const ValueId other = builder_.binary(Opcode::Xor, slot, last);
    for (uint32_t array : group.arrays) {
      if (copy == Copy::In && isWrittenFirst(group, array))
        continue;
      const ArrayId cells = ownArray(array);
      const ValueId a = builder_.varying(builder_.load(cells, {slot}));
      const ValueId b = builder_.varying(builder_.load(cells, {other}));
      const ValueId first = builder_.varying(builder_.select(isTurned, b, a));
      const ValueId second = builder_.varying(builder_.select(isTurned, a, b));
      builder_.store(cells, first, {slot});
      builder_.store(cells, second, {other});
    }
  });
}

/// A counter of the pass: what the unit makes of it.
ValueId PassFuser::beforeSlot(const PassGroup &group, const BitMap &counter, ValueId unit,
                              ScalarType type) {
  std::vector<uint64_t> images;
  for (unsigned bit = 0; bit < group.numBits; ++bit)
    if (!(group.bits >> bit & 1))
      images.push_back(counter.images[bit]);
  const ValueId before = linear(unit, images, type);
  const ValueId first = builder_.constantInt(type, static_cast<int64_t>(counter.first));
  return counter.first ? builder_.binary(Opcode::Xor, before, first) : before;
}

static uint64_t bitsOf(const BitMap &counter, uint64_t cells, bool isFirst) {
  uint64_t bits = isFirst ? counter.first : 0;
  for (size_t bit = 0; bit < counter.images.size(); ++bit)
    bits |= cells >> bit & 1 ? counter.images[bit] : 0;
  return bits;
}

void PassFuser::pass(const PassGroup &group, const Pass &pass, ValueId unit) {
  for (const auto &[value, known] : pass.known)
    cloner_.set(ValueId(value), builder_.constant(known));
  std::vector<ValueId> counters, before;
  for (auto [loop, map] : llvm::zip_equal(pass.nest, pass.counters)) {
    counters.push_back(from_.region(from_.op(loop).regions[0]).args[0]);
    before.push_back(beforeSlot(group, map, unit, from_.value(counters.back()).type));
  }
  const std::vector<unsigned> own = bitsOf(group.bits & ~pass.bits); // of the lowest slots
  count("number", uint64_t(1) << own.size(), true, [&](ValueId number) {
    std::vector<uint64_t> slots;
    for (unsigned bit : own)
      slots.push_back(uint64_t(1) << numberOf(bit, group.bits));
    slot_ = linear(number, slots, ScalarType::S64);
    for (auto [old, map, unitsPart] : llvm::zip_equal(counters, pass.counters, before)) {
      std::vector<uint64_t> images;
      for (unsigned bit : own)
        images.push_back(map.images[bit]);
      const ValueId slotsPart = linear(number, images, from_.value(old).type);
      const ValueId counter = joined(unitsPart, bitsOf(map, ~group.bits, true), slotsPart,
                                     bitsOf(map, group.bits & ~pass.bits, false));
      result_.kernel.value(counter).name = from_.value(old).name;
      cloner_.set(old, counter);
    }
    group_ = &group;
    pass_ = &pass;
    cloner_.cloneOpsButTerminator(from_.op(pass.nest.front()).regions[0]);
    pass_ = nullptr;
  });
}

/// The slot's bits of a cell's number.
static uint64_t gathered(uint64_t cell, uint64_t bits) {
  uint64_t slot = 0;
  unsigned to = 0;
  for (unsigned bit : bitsOf(bits))
    slot |= (cell >> bit & 1) << to++;
  return slot;
}

void PassFuser::access(OpId old) {
  const Op &op = from_.op(old);
  const uint64_t beyond = gathered(pass_->apart.at(old.index), group_->bits);
  const ValueId slot =
      beyond ? builder_.binary(Opcode::Xor, slot_, builder_.number(beyond)) : slot_;
  if (op.opcode == Opcode::Store) {
    builder_.store(ownArray(op.array.index), cloner_.map(accessOperands(op).stored), {slot});
    return;
  }
  const ValueId loaded = builder_.varying(builder_.load(ownArray(op.array.index), {slot}));
  result_.kernel.value(loaded).name = from_.value(op.results[0]).name;
  cloner_.set(op.results[0], loaded);
}

/// A branch that all iterations take in the same way is none. Nor is one that says in which
/// direction to go, where cells lie in this direction.
bool PassFuser::branch(OpId old) {
  const Decision decision = pass_->branches.at(old.index);
  const bool isOfDirection = decision == Decision::ThenAtZero || decision == Decision::ElseAtZero;
  const Op &op = from_.op(old);
  if (isOfDirection && (group_->bits >> *pass_->direction & 1)) {
    const unsigned bit = numberOf(*pass_->direction, group_->bits);
    const ValueId own = builder_.binary(Opcode::And, slot_, builder_.number(uint64_t(1) << bit));
    const ValueId isThen = builder_.binary(
        decision == Decision::ThenAtZero ? Opcode::Eq : Opcode::Ne, own, builder_.number(0));
    cloner_.copy(old, isThen);
    return true;
  }
  const bool isTurned = isOfDirection && group_->mirror.kind == Mirror::Kind::Bit;
  if (decision != Decision::Then && decision != Decision::Else && !isTurned)
    return false;
  const bool isThen = decision == Decision::Then || decision == Decision::ThenAtZero;
  const RegionId arm = op.regions[isThen ? 0 : 1];
  cloner_.cloneOpsButTerminator(arm);
  for (auto [result, yielded] : llvm::zip_equal(op.results, from_.terminator(arm).operands))
    cloner_.set(result, cloner_.map(yielded));
  return true;
}

std::optional<FusedPasses> colonnade::fusePasses(const Function &kernel, unsigned bits,
                                                 WalkBudget &budget) {
  return PassFuser(kernel, findPasses(kernel, budget), bits).run();
}
