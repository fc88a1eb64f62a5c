//===- DigitNest.h - A nest of loops, counted by digits ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop in which nothing known is carried but counters. Out: its profile, or, of a kernel, how
// often its regions are entered, by way of the counters' digits (Digits.h).
//
// Invariant: all is counted, or nothing. What is undefined, wraps in a type with a sign, lies
// outside its array or is loaded from a table is left to the other ways.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_DIGITNEST_H
#define COLONNADE_MODEL_DIGITNEST_H

#include "Model/Digits.h"
#include "Model/ProfileSummary.h"

#include <map>

namespace colonnade::model {

class ProfileSummary::DigitNest {
public:
  /// `budget`: steps of automata.
  DigitNest(ProfileSummary &summary, uint64_t budget) : summary_(summary), budget_(budget) {}

  /// Whether there are so many iterations and conditions on counters, and it was counted. Those on
  /// one counter alone have other ways (LoopBlocks.h), so little is tried for them.
  bool run(OpId root, uint64_t fewest);
  uint64_t left() const { return budget_; }

private:
  /// What is known of an operation's result.
  struct Value {
    enum class Kind : uint8_t {
      Other, // nothing that is followed here
      Data,  // of a kernel: lanes may differ
      Number,
      Truth,
    };
    Kind kind = Kind::Other;
    uint32_t id = 0;
  };
  /// A loop around.
  struct Frame {
    DigitNumberId digits; // of its counter, or iteration
    DigitNumberId counter;
    DigitTruthId isWithin;
    DigitTruthId isFirst;             // its first iteration
    std::optional<uint64_t> constant; // iterations, if no counter changes them
    double most;                      // of them
    bool endsByData;
  };
  struct Bounds {
    DigitNumberId low, high;
    int64_t step;
    bool isClosed; // `high` is one of its values
  };
  /// Where something is counted: all of `truths` hold, in all of these loops.
  struct Place {
    std::vector<DigitTruthId> truths;
    std::vector<uint32_t> loops; // outermost first
    friend auto operator<=>(const Place &, const Place &) = default;
  };
  struct Access {
    OpId id;
    DigitNumberId cell;
  };
  struct Visits {
    std::vector<Access> accesses;
    std::vector<uint32_t> regions, conditionalRegions;
    std::vector<DigitTruthId> mustNotBe; // else something is undefined
  };

  bool region(RegionId id);
  bool operation(OpId id);
  bool branch(const ir::Op &op);
  bool bothArms(const ir::Op &op);
  bool arm(RegionId id, DigitTruthId truth);
  bool loop(OpId id);
  std::optional<Bounds> boundsOf(const ir::Op &op);
  std::optional<Frame> frameOf(const ir::Op &op, const Bounds &bounds);
  std::optional<ValueRange> valuesOf(const ir::Op &op, const Bounds &bounds);
  bool setConditions(Frame &frame, const ir::Op &op, const Bounds &bounds);
  bool body(const ir::Op &op, Frame &frame);
  void defineBehind(const ir::Op &op, const Bounds &bounds, const Frame &frame);
  bool access(OpId id);
  std::optional<Value> cellOf(const ir::AccessOperands &operands);
  Place here() const;

  Value plain(const ir::Op &op);
  Value outside(ValueId id);
  Value value(ValueId id);
  Value ofTruths(ir::Opcode opcode, llvm::ArrayRef<Value> of);
  Value ofNumbers(ir::Opcode opcode, llvm::ArrayRef<Value> of);
  Value compared(ir::Opcode opcode, DigitNumberId a, DigitNumberId b);
  Value chosen(DigitTruthId truth, Value a, Value b);
  Value number(std::optional<DigitNumberId> id) const {
    return id ? Value{Value::Kind::Number, *id} : Value();
  }
  Value truth(DigitTruthId id) const { return {Value::Kind::Truth, id}; }
  Value fitted(Value of, ir::ScalarType type);
  void noteLoops(uint32_t loops) {
    dependsOnOne_ |= loops != 0;
    dependsOnSeveral_ |= llvm::popcount(loops) > 1;
  }
  void define(ValueId id, Value value) { values_[id.index] = value; }

  struct Count {
    DigitCounts digits;
    uint64_t times; // of loops that nothing depends on
  };
  /// Of iterations, or only of those in which loops that data ends are in their first.
  std::optional<Count> countOf(const Place &place, llvm::ArrayRef<DigitTruthId> also,
                               llvm::ArrayRef<DigitNumberId> outputs, bool isOnlyFirst);
  bool count(const Place &place, const Visits &visits);
  llvm::SmallVector<DigitNumber::Term, 4> termsOf(DigitNumberId cell) const;
  void countAccess(const Access &access, const Count &all, const std::optional<Count> &first);
  void countRegions(const Visits &visits, const Count &all, const std::optional<Count> &first);
  void commit();
  void defineResults(const ir::Op &root);

  ProfileSummary &summary_;
  DigitSystem system_;
  uint64_t budget_;
  bool dependsOnOne_ = false, dependsOnSeveral_ = false; // counters: a condition or a cell
  double iterations_ = 0;
  std::map<uint32_t, Value> values_; // by ValueId
  std::vector<Frame> frames_;        // by number of the loop
  std::vector<uint32_t> around_;     // loops
  std::vector<DigitTruthId> path_;
  unsigned conditions_ = 0; // branches around that data decides
  std::map<Place, Visits> visits_;
  struct Row {
    uint32_t site;
    std::vector<uint64_t> counts;
  };
  std::vector<Row> rows_;
  std::map<uint32_t, Executions> executions_; // by region
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_DIGITNEST_H
