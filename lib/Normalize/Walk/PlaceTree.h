//===- PlaceTree.h - What pointers can point into ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A root is something that pointers can start from: a local variable, what a
// pointer parameter points to, a table. Below each root hangs a tree of nodes,
// one per field and per array dimension; a node whose type is a scalar is a
// leaf: an array of cells, or one or more promoted slots.
//
//   root s: S*      node s      type S            digits: [s0]
//     .m (float[4][3])  s.m     type float[4][3]  digits: [s0]
//       decay       s.m[]       type float[3]     digits: [s0, i]
//       decay       s.m[][]     type float        digits: [s0, i, j]
//
// In: roots with their memory types. Out: nodes, created when first asked for,
// with the names that arrays and messages use.
// Invariant: asked twice for the same step from a node, the tree gives the same
// node; ids and references to roots and nodes stay valid.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_PLACETREE_H
#define COLONNADE_NORMALIZE_WALK_PLACETREE_H

#include "Normalize/Walk/Place.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <variant>

namespace colonnade::canonical {

/// float t[4]; float u[n];
struct LocalVariable {
  bool promoteArrays = false;       // small, with constant subscripts only: its cells are slots
  bool isOwn = false;               // ir::Op::isOwn
  bool standsForConstant = false;   // ir::Op::standsForConstant
  bool hasEnded = false;            // the call that it was made in has returned
  std::vector<SizeExpr> sizes = {}; // of variable-length dimensions, outermost first
};
/// struct S s, passed by value: a variable that starts with the caller's values.
struct StructParameter {
  std::string parameter; // of the source
  std::optional<ir::Sharing> declared;
};
/// What a pointer or reference parameter points to, or a pointer field of one.
struct Pointee {
  enum class Use : uint8_t { None, Accessed, Written };
  std::string parameter; // of the source
  std::optional<ir::Sharing> declared;
  SizeExpr count;       // elements behind the pointer, if declared
  bool isConst = false; // the source's type forbids stores
  Use use = Use::None;  // so far
};
/// static const float w[] = {…};
struct ConstantTable {};

struct Root {
  std::string name;
  LocId loc;
  NodeId top;
  std::variant<LocalVariable, StructParameter, Pointee, ConstantTable> kind;

  template <class Kind> Kind *as() { return std::get_if<Kind>(&kind); }
  template <class Kind> const Kind *as() const { return std::get_if<Kind>(&kind); }
  /// The function has it to itself.
  bool isLocal() const { return as<LocalVariable>() || as<StructParameter>(); }
};

struct Node {
  enum class Kind : uint8_t { Top, Field, Element } kind = Kind::Top;
  RootId root;
  NodeId parent;
  MemTypeId type;
  unsigned digits = 1; // subscripts of a place at this node
  int64_t cells = 1;   // product of the radices below the root; 0: not constant
  std::string name;    // "s.m"
  std::vector<std::pair<uint32_t, NodeId>> children; // by field; Element: 0
  // Leaves only, filled when first needed.
  ArrayId array;
  SlotId firstSlot;
  RootId pointee; // a pointer field of a parameter
};

class PlaceTree {
public:
  explicit PlaceTree(const ir::Module &module) : module_(module) {}

  RootId addRoot(Root root, MemTypeId type);
  NodeId child(NodeId node, uint32_t field);
  NodeId element(NodeId node) { return child(node, 0); }

  Root &root(RootId id) { return roots_[id.index]; }
  const Root &root(RootId id) const { return roots_[id.index]; }
  const std::deque<Root> &roots() const { return roots_; }
  Node &node(NodeId id) { return nodes_[id.index]; }
  const Node &node(NodeId id) const { return nodes_[id.index]; }
  Root &rootOf(NodeId id) { return root(node(id).root); }
  const Root &rootOf(NodeId id) const { return root(node(id).root); }

  const ir::MemType &type(MemTypeId id) const { return module_.memType(id); }
  const ir::MemType &typeOf(NodeId id) const { return type(node(id).type); }
  /// Creates what is missing on the way to the leaves.
  void forEachLeaf(NodeId node, llvm::function_ref<void(NodeId)> visit);
  std::vector<NodeId> leaves(NodeId node);
  /// The leaf's values are slots, not cells of an array.
  bool isSlot(NodeId leaf) const;
  bool touchesSlots(NodeId node);
  /// Of a struct: what follows it in memory is another field, or padding.
  bool isInField(NodeId node) const;
  /// Its bytes, padding included, are those of other members of the object as well, whose base
  /// class or [[no_unique_address]] member it is.
  bool holdsOthers(NodeId node) const;
  /// A bit-field of a parameter, which no array stands for: it shares its bytes with others.
  bool isCallersBitField(NodeId node) const;
  /// Pointers into it cannot move to a second element, so the first digit is zero.
  bool hasOneElement(RootId root) const;

  bool sameType(MemTypeId a, MemTypeId b) const;
  /// How many `unit`s lie in one `type`, if it is a (nested) array of them, or of numbers
  /// that are some of them wide (two u16 in a u32); else 0.
  int64_t scalarsIn(MemTypeId type, MemTypeId unit) const;

private:
  bool isOneLayout(const ir::MemType &a, const ir::MemType &b) const;

  const ir::Module &module_;
  std::deque<Root> roots_;
  std::deque<Node> nodes_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_PLACETREE_H
