//===- Traces.h - Recorded, interpreted and certified accesses --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three views of one run, over the arrays that a caller passes, by address or by value (tables,
// local arrays and what is returned by value lie where no caller knows):
//
//   recorded     the steps of the original source, as executed; a copy is one step
//   interpreted  the accesses of our IR, each with its name
//   certified    a(i): the certificate's accesses, each with its name
//
// In: these. Out: the first difference. Recorded and interpreted must be the same access by
// access; the cells of one step are a set. Interpreted and certified must be the same access by
// access in class A; in class P each interpreted access must have its name and its address in
// the certificate (docs/decisions/0005).
//
// Invariant: a store of a part of a cell may be interpreted as a store alone, or as a load and
// a store of the whole; nothing else is forgiven.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_TRACES_H
#define COLONNADE_RECORD_TRACES_H

#include "IR/Interpreter.h"
#include "Record/Recorder.h"
#include "Support/VerdictClass.h"

namespace colonnade::record {

/// The arrays of a function's interface, and which of them are compared.
class TracedArrays {
public:
  TracedArrays(const ir::Function &raw, const ir::Function &canonical);

  const std::vector<ir::ScalarType> &cellTypes() const { return cellTypes_; }
  const std::vector<std::string> &names() const { return names_; }
  bool isTraced(uint32_t array) const { return isTraced_[array]; }
  bool anyTraced() const { return llvm::is_contained(isTraced_, true); }
  /// Positions in the interface of a function's arrays (canonical, certificate); nullopt: it is
  /// not compared.
  std::vector<std::optional<uint32_t>> positionsIn(const ir::Function &function) const;
  /// One of the accesses that copy what is passed by value, which the caller makes.
  bool isOfCopying(uint32_t accessId) const { return ofCopying_.count(accessId) != 0; }

private:
  bool findCopy(const ir::Function &canonical, ArrayId value);

  std::vector<std::string> names_;
  std::vector<ir::ScalarType> cellTypes_;
  std::vector<bool> isTraced_;
  std::map<std::string, uint32_t> copies_; // local arrays, with the position of what they copy
  std::set<uint32_t> ofCopying_;           // accesses
};

struct TracedAccess {
  uint32_t array; // position in the interface
  int64_t cell;
  bool isStore;
  friend auto operator<=>(const TracedAccess &, const TracedAccess &) = default;
};

struct AccessName {
  uint32_t accessId;
  std::vector<int64_t> iterations;
  friend auto operator<=>(const AccessName &, const AccessName &) = default;
};

struct NamedTrace {
  std::vector<AccessName> names;
  std::vector<TracedAccess> accesses; // as many
};

/// Collects the accesses of one function's interpretation.
class TraceCollector {
public:
  TraceCollector(const TracedArrays &arrays, const ir::Function &function)
      : arrays_(arrays), positions_(arrays.positionsIn(function)) {}
  void add(const ir::AccessEvent &event);
  const NamedTrace &trace() const { return trace_; }

private:
  const TracedArrays &arrays_;
  std::vector<std::optional<uint32_t>> positions_;
  NamedTrace trace_;
};

struct TraceDifference {
  std::string text;                 // "access 7: recorded load b[3], interpreted load b[2]"
  std::optional<uint32_t> accessId; // where: an access of ours,
  std::optional<uint32_t> site;     // or else one of the original's
};

/// nullopt: they agree as the class demands. `recorded` may be null: then only interpreted and
/// certified are compared.
std::optional<TraceDifference> compareTraces(const TracedArrays &arrays, VerdictClass verdict,
                                             const NamedTrace &interpreted,
                                             const NamedTrace &certified,
                                             const std::vector<RecordedStep> *recorded);

/// Whether two recordings are the same, cell by cell: for planted leaks.
bool sameSteps(const TracedArrays &arrays, const std::vector<RecordedStep> &a,
               const std::vector<RecordedStep> &b);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_TRACES_H
