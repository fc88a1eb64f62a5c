//===- Boxes.h - Nests of loops, counted box by box -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i … for j … for k …  if (k > j || k < i)  a[i*n+k] += a[k*n+j];
//
// Such a nest carries nothing from one iteration to another but its counters, so its accesses may
// be counted in any order. Its iterations are taken in boxes: of each loop a range, from an
// iteration on. In a box every comparison has one outcome and every value is linear: where that is
// not so, a range of the box is cut short, and another box begins behind it.
//
// A comparison of two counters would cut a box to a single iteration of one of them. So loops are
// walked, iteration by iteration: as few as can be, such that each comparison has at most one other
// counter. These loops come first, whatever their place in the nest (loop interchange): here it is
// k alone, and i and j have a border each, so there are 4 n boxes. Where a remainder is taken, the
// iterations of a loop that is not walked are taken by their own remainder, one class after the
// other: (i + j + k) % 3 has 27 classes.
//
//   BoxPlan.cpp      which loops are walked, in which order, and how many boxes that makes
//   BoxForms.cpp     what it asks for that: on which counters a value depends, and how
//   BoxWalk.cpp      regions, branches and loops, box by box
//   BoxAccesses.cpp  what is counted in a box
//   BoxValues.cpp    operations in a box
//   BoxCuts.cpp      where a box is cut
//
// In: a loop in which nothing known is carried but counters. Out: its profile, or, of a kernel, how
// often its regions are entered.
// Invariant: every iteration is in one box, and in it every operation is what it is in the box. If
// that cannot be had, or something is undefined, nothing is counted.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_BOXES_H
#define COLONNADE_MODEL_BOXES_H

#include "Model/ProfileSummary.h"

#include <array>

namespace colonnade::model {

/// Symbols of a loop that is remembered come first, then the loops of the nest as they are written.
constexpr unsigned MaxBoxDimensions = 8;
using BoxSteps = std::array<int64_t, MaxBoxDimensions>;

/// base + sum of step * iteration, counted from where the box begins.
struct BoxValue {
  int64_t base = 0;
  uint32_t changing = 0; // dimensions whose step is not 0, one bit each
  bool isData = false;   // nothing known may depend on it
  BoxSteps steps = {};

  static BoxValue data() {
    BoxValue value;
    value.isData = true;
    return value;
  }
  void setStep(unsigned dimension, int64_t step) {
    steps[dimension] = step;
    changing = (changing & ~(uint32_t(1) << dimension)) | uint32_t(step != 0) << dimension;
  }
};

/// Calls for each dimension in a set of them, one bit each.
template <typename Visit> void forEachDimension(uint32_t dimensions, Visit visit) {
  for (; dimensions != 0; dimensions &= dimensions - 1)
    visit(static_cast<unsigned>(llvm::countr_zero(dimensions)));
}

/// a * scale + b * otherScale, at its place: copies take longer than sums. False: beyond 64 bits.
inline bool boxSum(const BoxValue &a, int64_t scale, const BoxValue &b, int64_t otherScale,
                   BoxValue &sum) {
  const auto add = [&](int64_t x, int64_t y, int64_t &to) {
    int64_t p, q;
    return !__builtin_mul_overflow(x, scale, &p) && !__builtin_mul_overflow(y, otherScale, &q) &&
           !__builtin_add_overflow(p, q, &to);
  };
  sum = {};
  bool fits = add(a.base, b.base, sum.base);
  forEachDimension(a.changing | b.changing, [&](unsigned d) {
    int64_t step = 0;
    fits &= add(a.steps[d], b.steps[d], step);
    sum.setStep(d, step);
  });
  return fits;
}

/// What is known of a value before the nest is run.
struct BoxForm {
  enum class Kind : uint8_t {
    Data,
    Linear,    // (base + steps) / divisor; the base is known if isExact
    Piecewise, // depends on `loops`; linear in any one of them, in pieces
  };
  Kind kind = Kind::Linear;
  bool isExact = false;
  BoxValue value = {};
  int64_t divisor = 1;
  uint32_t loops = 0;       // of the nest, that it depends on
  double low = 0, high = 0; // about
};

/// Whether it is known before the nest.
bool isKnownForm(const BoxForm &form);

/// One loop of the nest.
struct BoxLoop {
  OpId id;
  int64_t step = 0;
  int64_t most = 1;    // iterations, about
  int64_t stride = 1;  // its iterations are taken by their remainder by it
  int64_t pieces = 1;  // that values are linear in, if it is not walked
  uint32_t around = 0; // the loops of the nest around it
  bool hasExactBounds = false;
  bool isInner = true;  // there is no loop in it
  bool hasFlag = false; // it may end before its bounds say so
  bool isWalked = false;
  BoxForm low = {}, high = {};

  int64_t boxes() const {
    return isWalked || (hasFlag && stride > 1) ? most : std::max(stride, pieces);
  }
};

struct BoxPlan {
  unsigned symbols = 0;
  std::vector<BoxLoop> loops;
  std::vector<unsigned> hoisted; // loops that come before those around them, in their order
  std::vector<ValueId> outside;  // values from before the nest
  double boxes = 0;

  unsigned dimensions() const { return symbols + static_cast<unsigned>(loops.size()); }
  /// No loop has two loops in it.
  bool isChain() const {
    return llvm::all_of(llvm::enumerate(loops), [](const auto &loop) {
      return loop.value().around == (uint32_t(1) << loop.index()) - 1;
    });
  }
};

/// A needed restriction of what is walked.
struct BoxDemand {
  enum class Kind : uint8_t {
    AllButOne, // of `loops` are walked: i < j
    All,       // t[i + j]
    OneSide,   // of `loops`, or of `others`: i * j
  };
  Kind kind;
  uint32_t loops, others = 0;

  bool isMet(uint32_t walked) const;
};

/// Makes a plan for a nest.
class ProfileSummary::BoxPlanner {
public:
  BoxPlanner(const ProfileSummary &summary, OpId root, int64_t maxStride)
      : summary_(summary), root_(root), maxStride_(maxStride) {}

  /// nullopt: the nest is none of these, or closed loops do as well.
  std::optional<BoxPlan> plan();

private:
  bool region(RegionId id);
  bool operation(OpId id);
  bool loop(OpId id);
  std::optional<BoxLoop> bounded(OpId id);
  BoxForm counterOf(const BoxLoop &loop) const;
  bool branch(const ir::Op &op);
  bool access(const ir::Op &op);
  void demand(BoxDemand::Kind kind, uint32_t loops, uint32_t others = 0);
  std::optional<uint32_t> bestWalked() const;
  std::optional<double> boxesOf(uint32_t walked) const;
  double iterations() const;
  std::optional<uint32_t> hoistedOf(uint32_t walked) const;

  BoxForm plain(const ir::Op &op);
  BoxForm wrapped(BoxForm form, ir::ScalarType type);
  BoxForm formOf(ValueId id);
  BoxForm scalarForm(ir::Opcode opcode, llvm::ArrayRef<ValueId> operands);
  std::optional<BoxForm> linearForm(ir::Opcode opcode, llvm::ArrayRef<BoxForm> of);
  std::optional<BoxForm> periodicForm(ir::Opcode opcode, llvm::ArrayRef<BoxForm> of);
  BoxForm sum(const BoxForm &a, int64_t scale, const BoxForm &b, int64_t otherScale) const;
  BoxForm product(const BoxForm &a, const BoxForm &b);
  BoxForm remainder(const BoxForm &x, int64_t size);
  BoxForm quotient(const BoxForm &x, int64_t size);
  BoxForm masked(const BoxForm &x, uint64_t mask);
  BoxForm maskedByOther(ir::Opcode opcode, const BoxForm &a, const BoxForm &b);
  BoxForm merged(const BoxForm &a, const BoxForm &b) const;
  BoxForm compared(const BoxForm &a, const BoxForm &b);
  void define(ValueId id, BoxForm form) { forms_[id.index] = std::move(form); }
  uint32_t loopsOf(const BoxSteps &steps) const;

  const ProfileSummary &summary_;
  OpId root_;
  const int64_t maxStride_; // of remainders; larger ones are taken in blocks
  BoxPlan plan_;
  std::map<uint32_t, BoxForm> forms_; // by value
  std::vector<BoxDemand> demands_;
  uint32_t around_ = 0;
  bool isNeeded_ = false; // something depends on several counters
};

/// Runs a nest as planned.
class ProfileSummary::BoxWalk {
public:
  BoxWalk(ProfileSummary &summary, const BoxPlan &plan);

  /// nullopt: nothing is counted. Open: a symbol has to be known.
  std::optional<Outcome> run();

private:
  /// The range of a loop that the box has.
  struct Frame {
    int64_t first = 0, count = 1; // of the iterations of the class
    int64_t remainder = 0;        // of the class
    int64_t iterations = 0;
    bool isHoisted = false;
    bool isFirst = false; // no iteration of the loop was in a box before, here
  };
  /// An access, or an entry of a region, whose box may still be cut.
  struct Pending {
    uint32_t number; // of the site, or the region
    bool isConditional;
    uint32_t dimensions; // of loops around
    BoxValue cell;
    BoxSteps counts;
  };

  bool hoist(size_t next);
  bool region(RegionId id);
  bool operation(OpId id);
  bool branch(const ir::Op &op);
  bool bothArms(const ir::Op &op);
  bool loop(OpId id);
  bool iterate(OpId id, unsigned dimension, const BoxValue &low, int64_t &iterations);
  bool goesOn(const ir::Op &op, unsigned dimension, bool &again);
  bool body(OpId id, unsigned dimension, const BoxValue &low);
  bool endPass(unsigned dimension, size_t from);
  bool access(OpId id);
  bool kernelLoad(const ir::Op &op);
  bool load(const ir::Op &op, const BoxValue &cell);
  std::optional<BoxValue> cellOf(const ir::AccessOperands &operands);
  void enter(uint32_t number, const BoxValue &cell, bool isConditional);
  bool commit(const Pending &pending);
  bool isWithinArray(uint32_t site, const Pending &pending) const;
  void addCells(const Pending &pending);
  void mergeTally();

  bool evaluate(OpId id);
  bool select(const ir::Op &op);
  bool whole(ir::Opcode opcode, const ir::Op &op);
  bool wrapped(BoxValue &value, ir::ScalarType type);
  void cutWhereBelowZero(const BoxValue &value);
  bool periodic(ir::Opcode opcode, const BoxValue &a, const BoxValue &b, int64_t least,
                BoxValue &result);
  std::optional<BoxValue> roundedToZero(ir::Opcode opcode, const BoxValue &x, int64_t constant);
  bool exact(const ir::Op &op, ir::Opcode opcode);
  bool linear(ir::Opcode opcode, const BoxValue &a, const BoxValue &b, BoxValue &result) const;
  bool compare(const ir::Op &op, ir::Opcode opcode, const BoxValue &b);
  std::optional<BoxValue> periodic(ir::Opcode opcode, const BoxValue &x, int64_t constant);
  std::optional<BoxValue> remainder(const BoxValue &x, int64_t size);
  std::optional<BoxValue> masked(const BoxValue &x, uint64_t mask);
  bool fits(const BoxValue &value, ir::ScalarType type) const;
  bool isWithin(const BoxValue &value, int64_t low, int64_t high) const;
  /// The least and the most, of the symbols as they are. False: beyond 64 bits.
  bool isBetween(const BoxValue &value, ValueRange &ends) const {
    ends = {value.base, value.base};
    for (uint32_t left = value.changing & ranged_; left != 0; left &= left - 1) {
      const auto d = static_cast<unsigned>(llvm::countr_zero(left));
      const int64_t step = value.steps[d];
      int64_t change;
      if (__builtin_mul_overflow(step, frames_[d].count - 1, &change))
        return false;
      int64_t &end = step < 0 ? ends.low : ends.high;
      if (__builtin_add_overflow(end, change, &end))
        return false;
    }
    return true;
  }
  bool isKnown(const BoxValue &value) const {
    return !value.isData && (value.changing & (ranged_ | symbols())) == 0;
  }
  /// False: a symbol has to be known.
  bool makeKnown(const BoxValue &value);
  void setCount(unsigned dimension, int64_t count) {
    frames_[dimension].count = count;
    ranged_ = (ranged_ & ~(uint32_t(1) << dimension)) | uint32_t(count > 1) << dimension;
  }
  /// Of what changes a value in the box, all but one are made single: that one, if any.
  std::optional<unsigned> onlyChanging(const BoxValue &value);
  uint32_t symbols() const { return (uint32_t(1) << plan_.symbols) - 1; }
  bool hasSymbols(const BoxValue &value) const { return value.changing & symbols(); }
  LinearValue withSymbols(const BoxValue &value, int64_t base) const;
  BoxValue &value(ValueId id) { return values_[id.index]; }

  ProfileSummary &summary_;
  const ir::Function &function_;
  const BoxPlan &plan_;
  std::vector<BoxValue> values_;
  std::array<Frame, MaxBoxDimensions> frames_;
  llvm::SmallVector<unsigned, MaxBoxDimensions> open_; // dimensions, outermost first
  std::vector<uint8_t> dimensionOf_;                   // by op: of loops
  uint32_t around_ = 0;                                // dimensions of loops around
  uint32_t ranged_ = 0;                                // of several iterations
  std::vector<Pending> pending_;
  Tally tally_;
  unsigned conditions_ = 0;
  uint64_t left_; // operations
  std::optional<unsigned> blamed_;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_BOXES_H
