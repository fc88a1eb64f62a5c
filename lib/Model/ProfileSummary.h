//===- ProfileSummary.h - A run in which closed loops are one step *- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk behind summarize() and executionsOf(): their input, output and invariants are those of
// ClosedLoops.h and OperationCounts.h.
//
//   ClosedLoops.cpp      arrays, values, accesses
//   EnumeratedCells.cpp  accesses in closed loops whose cell is not linear
//   MergedRecords.cpp    accesses of blocks that are walked
//   SummaryLoops.cpp     branches, and loops one iteration after the other
//   LoopsAtOnce.cpp      closed loops, in blocks where values ask for them
//   LoopBorders.cpp      where their parts begin, as far as that is known before
//   TestedLoops.cpp      loops whose test loads the bound each time, as closed ones
//   OutsideValues.cpp    what loops use of what is computed before them
//   RememberedLoops.cpp  what a loop in a walked one did, done again for like values
//   SummedLoops.cpp      what a walked loop in a walked one did so far, as running totals
//   Boxes.h              nests whose counters are compared, in any order of their loops
//   Digits.h             … whose conditions have one outcome in small boxes only
//   BoundedLoops.cpp     loops that are neither closed nor walked: bounds
//   KernelSummary.cpp    what only a kernel has: instance data that decides branches, masks, parts
//
// What may still be taken back is in records_ and entries_; what is for good, in a tally: of the
// run, or of a loop that is being remembered.
//
// A certificate says what is accessed; a kernel says what is computed, so there regions are counted
// rather than accesses. Nothing of a kernel that decides an address or a uniform branch depends on
// instance data; where such data decides a branch, both arms are run.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_PROFILESUMMARY_H
#define COLONNADE_MODEL_PROFILESUMMARY_H

#include "Model/AccessProfile.h"
#include "Model/KnownIntegers.h"
#include "Model/LoopBlocks.h"
#include "Model/RememberedLoops.h"
#include "Model/SummedLoops.h"
#include "Model/TestedLoops.h"
#include "Model/ValueRanges.h"

#include <memory>

namespace colonnade::model {

/// Of a kernel: its value is computed from its operands, in each lane or for all.
constexpr bool isComputation(ir::Opcode opcode) {
  switch (opcode) {
  case ir::Opcode::AnyLane:
  case ir::Opcode::Blend:
  case ir::Opcode::MulLowHalves:
  case ir::Opcode::DivConstant:
  case ir::Opcode::RemConstant:
    return true;
  default:
    return ir::isScalarOperation(opcode);
  }
}

/// What such an operation computes, as the source says it.
constexpr ir::Opcode meantBy(ir::Opcode opcode) {
  switch (opcode) {
  case ir::Opcode::Blend:
    return ir::Opcode::Select;
  case ir::Opcode::MulLowHalves:
    return ir::Opcode::Mul;
  case ir::Opcode::DivConstant:
    return ir::Opcode::Div;
  case ir::Opcode::RemConstant:
    return ir::Opcode::Rem;
  default:
    return opcode;
  }
}

/// What became of a part of the run.
enum class Outcome : uint8_t {
  Done,
  Open,  // a value that has to be known depends on the loop `blamed_`
  Given, // up: walk() says why
};

/// "accesses", "operations"
llvm::Error tooMany(const char *what);

/// Limits for loops of which none is bounded.
WalkLimits limitsOfWalk(const WalkLimits &limits);

/// Where bounding takes too long, or fails, fewer iterations are walked before loops are bounded.
constexpr uint64_t FewerWalked = 1000;

class ProfileSummary {
public:
  ProfileSummary(const ir::Function &certificate, const std::vector<ir::ArrayData> &arrays,
                 llvm::ArrayRef<ir::Scalar> scalars, uint64_t period, const WalkLimits &limits);

  std::optional<AccessProfile> run();
  std::optional<RegionExecutions> runKernel();
  /// Why there is no result: operations are left, or not.
  bool wasTooLong() const { return left_ == 0; }
  /// Why there is no result: the numbers do not fit 64 bits.
  bool overflows() const { return tally_.sum == UINT64_MAX; }
  /// Why there is no result: an access that is made is outside its array.
  struct OutsideAccess {
    OpId access;
    int64_t cell, cells;
  };
  const std::optional<OutsideAccess> &outside() const { return outside_; }
  /// Of a kernel that cannot be counted: the array that a bound depends on, and is not given; or
  /// what else helps.
  std::string wayOut() const;
  /// From now on, loops that take too long are bounded.
  void allowBounds() { allowsBounds_ = true; }

private:
  using Values = llvm::SmallVector<LinearValue, 2>;
  struct Record;

  bool prepareArrays();
  Outcome region(RegionId id);
  Outcome operation(OpId id);
  Outcome certificateOperation(OpId id);
  Outcome plain(const ir::Op &op);
  bool plainOfKnown(OpId id);
  Outcome access(OpId id);
  Outcome transfer(const ir::Op &op, const LinearValue &cell, const ir::AccessOperands &operands);
  Outcome knownAccess(OpId id, uint32_t site, const ir::AccessOperands &operands, int64_t cell);
  Outcome isOutside(OpId id, int64_t cell);
  uint32_t siteOf(OpId id) const { return siteNumbers_.of(id, later_ == 0); }
  size_t residueOf(int64_t cell) const;
  std::optional<int64_t> knownCellOf(const ir::AccessOperands &operands);
  std::optional<LinearValue> cellOf(const ir::Op &op, const ir::AccessOperands &operands);
  LinearValue withSource(const ir::Op &op, LinearValue result,
                         llvm::ArrayRef<const LinearValue *> operands,
                         std::optional<unsigned> asked);
  std::optional<LinearValue> evaluated(const ir::Op &op, ir::ScalarType type,
                                       llvm::ArrayRef<const LinearValue *> operands);
  LinearValue loadedFrom(const ir::Op &op, const LinearValue &cell);
  std::optional<Outcome> enumeratedAccess(OpId id, uint32_t site, const LinearValue &cell);
  class Enumeration;
  Outcome branch(const ir::Op &op);
  bool isOpen(OpId id) const;
  Outcome counted(OpId id);
  std::optional<Outcome> atOnce(OpId id, const LinearValue &low, int64_t step, int64_t iterations,
                                unsigned counter = 0);
  bool isOnlyCounted(const ir::Op &op) const;
  void countRegions(const ir::Op &op, int64_t iterations);
  struct LoopRun;
  std::optional<Outcome> triedAtOnce(LoopRun &run, const LinearValue &low);
  Outcome stridedAtOnce(LoopRun &run, const LinearValue &low);
  Outcome levelAtOnce(LoopRun &run, unsigned level, Iterations part, const LinearValue &counter);
  Outcome partAtOnce(LoopRun &run, unsigned level, Iterations part, const LinearValue &counter);
  Outcome blocksAtOnce(LoopRun &run, unsigned level, Iterations part, LinearValue counter);
  Outcome bodyAtOnce(LoopRun &run, int64_t first, const LinearValue &counter);
  void splitBefore(LoopRun &run, const LinearValue &low);
  void findBorders(const LoopRun &run);
  uint64_t operationsIn(OpId id);
  bool isShort(const ir::Op &loop, const LinearValue &low, int64_t iterations) const;
  struct Least {
    uint64_t operations = 0, loops = 0;
  };
  bool isTooLong(OpId loop, uint64_t iterations);
  Least leastOf(RegionId region) const;
  bool mayWalk(uint64_t iterations = 1);
  Outcome walked(const ir::Op &op, int64_t low, int64_t high, int64_t step);
  Outcome uncounted(OpId id);
  std::optional<Outcome> testedAtOnce(OpId id);
  bool runTest(const ir::Op &loop, const TestedLoop &tested, int64_t step, int64_t iterations);
  std::optional<int64_t> testedIterations(const ir::Op &op, const TestedLoop &tested, int64_t step);
  std::optional<Outcome> byItself(OpId id);
  Outcome goesOn(RegionId part, bool &again);
  std::optional<int64_t> iterations(const ir::Op &op, const LinearValue &low,
                                    const LinearValue &high, int64_t step);

  Outcome remembered(OpId id);
  std::optional<Outcome> lookedUp(OpId id, LoopMemory &memory);
  void forgetRecordings(LoopMemory &memory);
  Outcome recorded(OpId id, LoopMemory &memory, LoopRecording &recording);
  Outcome recordedRun(const OutsideValues &outside, const std::vector<bool> &isKnown,
                      LoopRecording &recording, llvm::function_ref<Outcome()> run);
  std::vector<LinearValue> bindSymbols(const OutsideValues &outside,
                                       const std::vector<bool> &isKnown, LoopOrigin &origin,
                                       LoopCounts &symbols);
  std::optional<std::vector<uint64_t>> keyOf(const OutsideValues &outside,
                                             const std::vector<bool> &isKnown) const;
  std::optional<std::vector<LinearValue>> symbolsNow(const OutsideValues &outside,
                                                     const LoopOrigin &origin);
  bool replayed(const ir::Op &op, const LoopMemory &memory, const LoopRecording &recording);
  bool hold(llvm::ArrayRef<Guard> guards, llvm::ArrayRef<LinearValue> symbols) const;
  void count(const Replay &replay);
  LoopMemory &memoryOf(OpId id);
  std::vector<ValueId> outsideValues(const ir::Op &op, llvm::ArrayRef<ValueId> alsoUsed) const;
  OutsideValues rootsOf(llvm::ArrayRef<ValueId> outside) const;
  LinearValue sumOfRoots(ValueId id, std::vector<ValueId> &roots, unsigned depth = 0) const;
  Outcome loop(OpId id) {
    return function_.op(id).opcode == ir::Opcode::For ? counted(id) : uncounted(id);
  }

  class BoxPlanner;
  class BoxWalk;
  class DigitNest;
  std::optional<Outcome> inBoxes(OpId id);
  bool byDigits(OpId id, double boxes);

  struct SummedRun;
  std::optional<Outcome> summed(OpId id);
  bool fitsBehind(const LinearValue &low, int64_t step, int64_t iterations);
  SummedLoop &summedLoop(OpId id);
  void setOutside(SummedLoop &loop, const ir::Op &op) const;
  bool isCountedBySums(SummedLoop &loop, SummedRun &run);
  SummedIterations &sumsOf(SummedLoop &loop, const std::vector<uint64_t> &key, Iterations range);
  Outcome extended(SummedLoop &loop, SummedIterations &sums, const SummedRun &run);
  Outcome iterationAlone(const SummedLoop &loop, const SummedRun &run, int64_t iteration,
                         LoopRecording &recording);
  void haveKnown(SummedLoop &loop, const ir::Op &op, size_t root);
  std::optional<RunningTotal> totalWith(const RunningTotal &total, const LoopRecording &recording,
                                        const SummedLoop &loop, const LoopOrigin &origin) const;
  bool isReplayed(const SummedLoop &loop, const SummedIterations &sums, Iterations range);

  bool takesBounds(int64_t iterations) const {
    return allowsBounds_ && !isBounding_ && iterations > maxWalked_ / walkedTimes_;
  }
  Outcome bounded(OpId id);
  Outcome boundedPart(const ir::Op &op, Iterations part, Interval count, const LinearValue &low);
  LinearValue counterBetween(const ir::Op &op);
  bool staysInType(const ir::Op &op, ValueRange step);
  std::optional<int64_t> exactIterations(const ir::Op &op);
  std::optional<ValueRange> stepRange(const ir::Op &op) const;
  std::optional<Interval> iterationsBetween(const ir::Op &op, ValueRange step);
  Outcome boundedBranch(const ir::Op &op);
  std::optional<ValueRange> rangeOfValue(ValueId id) { return rangeOfValue(value(id), typeOf(id)); }
  std::optional<ValueRange> rangeOfValue(const LinearValue &of, ir::ScalarType type) const;
  LinearValue between(std::optional<ValueRange> range, ir::ScalarType type);
  LinearValue bounded(const ir::Op &op);
  std::optional<ValueRange> contentsOf(ArrayId array, ir::ScalarType type) const;
  ir::ScalarType typeOf(ValueId id) const { return function_.value(id).type; }
  void settle(const Record &record);
  void addBounds();

  Outcome known(const LinearValue &value, int64_t &number);
  Outcome blame(const LinearValue &value);
  /// Instance data of a kernel: lanes may differ, and all of what may follow is counted.
  bool isData(ValueId id) { return isKernel_ && value(id).kind == LinearValue::Kind::Undefined; }

  bool prepareKernel();
  void markWhatDecides();
  bool isPassedOver(const ir::Op &op) const;
  llvm::SmallVector<ValueId, 8> sourcesOf(ValueId id) const;
  Outcome kernelOperation(const ir::Op &op);
  LinearValue computedByKernel(const ir::Op &op);
  Outcome kernelAccess(const ir::Op &op);
  Outcome bothArms(const ir::Op &op);
  Outcome callPart(const ir::Op &op);
  bool carriesData(const ir::Op &op) const;
  bool carriesNothingKnown(const ir::Op &op) const;
  void defineAsData(llvm::ArrayRef<ValueId> ids);
  void enter(RegionId id);

  Values passed(RegionId id, size_t from) const;
  void pass(llvm::ArrayRef<ValueId> from, llvm::ArrayRef<ValueId> to);
  void define(llvm::ArrayRef<ValueId> ids, llvm::ArrayRef<LinearValue> values);
  LinearValue &value(ValueId id) { return values_[id.index]; }
  /// Nothing around may be taken back, and an access is one.
  bool isDirect() const { return attempts_ == 0 && !loops_.hasLoops(); }
  /// Counts what was recorded for good, if it is.
  void settle();

  const ir::Function &function_;
  llvm::ArrayRef<ir::Scalar> scalars_;
  std::vector<llvm::ArrayRef<uint64_t>> contents_; // of arrays that are given, and tables: theirs
  std::vector<int64_t> cells_;
  std::vector<bool> decides_; // by array: a value loaded from it is used
  std::vector<bool> isOnce_;  // by value: computed only once, beyond all loops
  std::vector<LinearValue> values_;
  std::vector<IntegerOperation> integers_;        // by op
  std::vector<std::optional<TestedLoop>> tested_; // by op
  SiteNumbers siteNumbers_;
  static constexpr unsigned NeverOpen = UINT_MAX;
  std::vector<unsigned> openFrom_; // by op: a loop within so many closed ones was taken back
  LoopRequests requests_;
  std::vector<std::optional<std::vector<OpId>>> borders_; // by op: comparisons that split it
  unsigned attempts_ = 0;                                 // loops around that may be taken back
  unsigned walks_ = 0;                                    // walked loops around
  const bool isKernel_;
  LoopCounts loops_; // the closed loops around
  struct Record {
    uint32_t site;
    LinearValue cell;
    LoopCounts loops;
    bool isConditional;
    const std::vector<uint64_t> *others = nullptr;   // of a recording, that the cells lie behind
    const std::vector<uint64_t> *without = nullptr;  // of these
    std::shared_ptr<std::vector<uint64_t>> own = {}; // they are this record's
  };
  std::vector<Record> records_; // not settled yet
  void record(Record made);
  void mergeRecords(size_t from);
  bool isMerged(Record &into, const Record &made);
  unsigned walkedBlocks_ = 0;          // levels of blocks around that are walked
  size_t mergeable_ = 0;               // records from it on are taken back together
  std::vector<size_t> lastRecord_;     // by site, perhaps
  std::vector<uint64_t> operationsIn_; // by op; 0: not looked at
  struct Source {
    const ir::Op *op; // an operation on integers, or a load
    ir::ScalarType type;
    llvm::SmallVector<LinearValue, 2> operands;
    unsigned operations;           // of it and what its operands are computed from
    std::optional<unsigned> asked; // a loop, some other way of running which makes it linear
  };
  std::vector<Source> sources_;       // of values in closed loops
  uint64_t enumerable_ = 500'000'000; // operations on what is not linear
  struct Entry {
    RegionId region;
    bool isConditional;
    uint64_t times;
  };
  std::vector<Entry> entries_; // likewise, of a kernel
  Tally tally_;
  unsigned conditions_ = 0; // branches around that data decides
  unsigned later_ = 0;      // loops around that data ends, in an iteration that is not their first
  std::vector<std::vector<OpId>> deciding_; // by region, of a kernel: without what is passed over
  std::vector<bool> matters_; // by value, of a kernel: a bound or a branch depends on it
  AccessProfile profile_;
  std::vector<std::unique_ptr<LoopMemory>> memories_; // by op
  std::vector<std::unique_ptr<SummedLoop>> summed_;   // likewise
  std::vector<uint8_t> boxesDeclined_;                // by op: how often in a row
  const uint64_t fewestByDigits_;                     // boxes or iterations
  uint64_t digitsLeft_ = 6'000'000;                   // steps of automata that come to nothing
  size_t memoryLeft_ = 8'000'000;                     // counts that loops may keep
  const uint64_t worthwhile_;                         // operations of a loop that is remembered
  uint64_t left_;
  uint64_t iterationsLeft_; // of walked loops
  unsigned blamed_ = 0;
  std::optional<OutsideAccess> outside_;

  bool allowsBounds_ = false, isBounding_ = false;
  const int64_t maxWalked_;        // iterations of nested loops, before they are bounded
  int64_t walkedTimes_ = 1;        // of the walked loops around
  const int64_t boundedParts_;     // of the iterations of a bounded loop
  std::vector<ValueRange> ranges_; // by number
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_PROFILESUMMARY_H
