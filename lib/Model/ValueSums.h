//===- ValueSums.h - What a kernel's integers are made of -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel's integer operations, in the order in which they run. Out: each value as a sum of
// others that are not looked into, and a constant; so that a compiler's way to tell two subscripts
// apart, or to see that they are one, can be followed.
//
// Invariant: values with one sum are equal. Two that are computed alike have one name.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_VALUESUMS_H
#define COLONNADE_MODEL_VALUESUMS_H

#include "IR/Function.h"

#include <map>

namespace colonnade::model {

/// Named values, each so many times, and a constant; they wrap, as addresses do.
struct ValueSum {
  uint64_t constant = 0;
  std::map<uint32_t, uint64_t> names = {};

  bool isKnown() const { return names.empty(); }
  friend bool operator==(const ValueSum &, const ValueSum &) = default;
  friend auto operator<=>(const ValueSum &, const ValueSum &) = default;
};

class ValueSums {
public:
  explicit ValueSums(const ir::Function &kernel) : kernel_(kernel) {}

  /// Nothing is set any more.
  void clear() {
    sums_.clear();
    names_.clear();
    found_.clear();
  }
  /// Of a value that was set, or was there before anything was.
  const ValueSum &of(ValueId id);
  void set(ValueId id, ValueSum sum) { sums_[id.index] = std::move(sum); }
  /// Like no other.
  ValueSum fresh() { return named({}); }
  /// What an operation computes from what its operands are now.
  ValueSum computed(const ir::Op &op);
  /// Whether the number of a team's member decides it alone.
  bool isOfMember(const ValueSum &sum) const;
  /// For that member; of what else it depends on, for 0.
  int64_t ofMember(const ValueSum &sum, int64_t member) const;

private:
  struct Name {
    std::optional<ir::Opcode> opcode; // of its operands; none: it is not looked into
    std::vector<ValueSum> operands;
    std::vector<ir::ScalarType> types; // theirs
    bool isMember = false;
    uint64_t parts = 1; // names met on all ways from it to what is not looked into

    friend bool operator<(const Name &a, const Name &b) {
      return std::tie(a.opcode, a.operands, a.types) < std::tie(b.opcode, b.operands, b.types);
    }
  };

  ValueSum named(Name name);
  uint64_t partsOf(const ValueSum &sum) const;
  std::optional<ValueSum> linear(const ir::Op &op);
  std::optional<ValueSum> alike(const ir::Op &op);
  bool isWhole(ValueId id) const;

  const ir::Function &kernel_;
  std::map<uint32_t, ValueSum> sums_; // by ValueId
  std::vector<Name> names_;
  std::map<Name, uint32_t> found_; // those that are computed
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_VALUESUMS_H
