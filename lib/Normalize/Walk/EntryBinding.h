//===- EntryBinding.h - Entry parameters become arrays and scalars -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the raw entry function, and what the user states about it (EntryFacts). Out:
// a value for each parameter, and the arrays and scalars of the canonical function:
//
//   int n                 uniform scalar, a constant (--size), or an instance
//                         scalar: an array of one cell, read at entry
//   float *b, T (&r)[N]   an array per scalar leaf of the pointee
//   S s by value          slots that start with the leaves; its arrays are
//                         instance arrays, private copies if written
//   T *p within a struct  arrays of their own, "s.p"
//
// Invariant: a fact that names nothing, or contradicts the source, is an error.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_ENTRYBINDING_H
#define COLONNADE_NORMALIZE_WALK_ENTRYBINDING_H

#include "Normalize/Normalize.h"
#include "Normalize/Walk/Decisions.h"
#include "Normalize/Walk/Memory.h"

namespace colonnade::canonical {

class EntryBinding {
public:
  EntryBinding(Memory &memory, const ir::Function &entry, const EntryFacts &facts,
               const Decisions &decisions)
      : memory_(memory), fold_(memory.fold), tree_(memory.tree), out_(memory.fold.out()),
        entry_(entry), facts_(facts), decisions_(decisions) {}

  /// Sets `values` of the entry's parameters, by raw value.
  llvm::Error bind(std::vector<AbstractValue> &values);
  /// What a node without a type (`void *p`) points to: it is accessed as `type`.
  void adoptType(NodeId top, MemTypeId type);
  bool isAdopted(NodeId node) const { return adopted_.count(node) != 0; }
  /// The user's bound for a loop at `loc`, if one is stated.
  const SizeExpr *boundAt(const SourceMap &sources, LocId loc);
  /// Instance data or an array is named in `size`.
  bool namesData(const SizeExpr &size) const;
  /// The bound `size`, which is stated `where` ("at line 12"), is no size: an error.
  void refuseBound(const SizeExpr &size, const std::string &where);

  // After the last operation.
  void storeReturn(AbstractValue v);
  /// Disjointness is assumed of what is reached through different pointers, if
  /// any of it is written.
  void assumeDisjoint();
  llvm::Error checkFacts(const ir::Module &module) const;
  /// Arrays that are parameters only if something accesses them.
  const std::set<std::string> &optionalArrays() const { return optionalArrays_; }
  /// The function's own copies of arrays, by the name of the caller's.
  const std::map<std::string, ArrayId> &privateCopies() const { return privateCopies_; }

private:
  ValueId bindScalar(const std::string &name, const std::string &parameter, ScalarType type,
                     const ir::RawParam &param);
  llvm::Error bindStruct(const ir::RawParam &param, AbstractValue &value);
  llvm::Error bindLeaf(const ir::RawParam &param, NodeId leaf);
  llvm::Error bindPointer(const ir::RawParam &param, AbstractValue &value);
  llvm::Error bindAlias(const ir::RawParam &param, const std::string &to, AbstractValue &value);
  void copyPrivate(NodeId leaf);
  bool returnsParameter(AbstractValue v);

  // `path`: pointees on the way here.
  llvm::Error makeArrays(RootId root, std::vector<MemTypeId> &path);
  llvm::Error makeLeaf(NodeId leaf, std::vector<MemTypeId> &path);
  llvm::Error makePointee(NodeId leaf, std::vector<MemTypeId> &path);
  llvm::Expected<std::vector<SizeExpr>> extentsOf(NodeId leaf);
  std::optional<ir::Sharing> declared(llvm::StringRef name, llvm::StringRef parameter,
                                      std::optional<ir::Sharing> fallback) const;
  SizeExpr withSizes(const SizeExpr &size) const;

  void addProblem(std::string text) {
    if (problem_.empty())
      problem_ = std::move(text);
  }
  bool isScalar(const std::string &name) const;
  std::string whyNoSize(const std::string &name) const;
  bool isLoopOfSource(const ir::Module &module, const LoopPlace &place) const;
  llvm::Error checkExtents() const;
  llvm::Error checkExtent(const std::string &of, const SizeExpr &extent) const;
  llvm::Error checkSize(const std::string &name, int64_t size) const;
  llvm::Error unknownName(llvm::StringRef option, llvm::StringRef name) const;

  Memory &memory_;
  Folder &fold_;
  PlaceTree &tree_;
  ir::Function &out_;
  const ir::Function &entry_;
  const EntryFacts &facts_;
  const Decisions &decisions_;
  std::map<std::string, RootId> pointees_; // of pointer parameters and fields, by name
  std::set<std::string> names_;            // that a fact may name
  std::set<LoopPlace> usedBounds_;
  std::set<std::string> optionalArrays_;
  std::map<std::string, ArrayId> privateCopies_;
  std::set<NodeId> adopted_; // a `void *p` that has a type by now
  std::string problem_;      // a wrong fact, found in the middle of the walk
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_ENTRYBINDING_H
