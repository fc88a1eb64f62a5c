//===- Place.h - Where a pointer points, symbolically -----------*- C++ -*-===//
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
// A place is a node and one subscript per digit. A pointer is a place, or a
// selection among several.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_PLACE_H
#define COLONNADE_NORMALIZE_PLACE_H

#include "IR/Function.h"

#include <map>

namespace colonnade::canonical {

using RootId = Id<struct RootTag>;
using NodeId = Id<struct NodeTag>;
using SlotId = Id<struct SlotTag>;

struct Root {
  enum class Kind : uint8_t {
    Local,     // float t[4];  or a struct passed by value
    Parameter, // what a pointer or reference parameter points to
    Table      // static const float w[] = {…};
  } kind = Kind::Local;
  std::string name;
  LocId loc;
  NodeId top;
  bool promoteArrays = false; // Local: constant subscripts only, cells are slots
  bool single = false;        // one element: the first digit is dropped
  bool isConst = false;
  bool accessed = false, written = false; // Parameter
  bool present = false;                   // Local: the variable exists where the walk stands
  uint64_t serial = 0;                    // when it was last created; see Lowering::isOuter
  SizeExpr count;                         // Parameter: declared elements behind the pointer
  ArrayId table;                          // Table only
  std::string parameter;                  // source parameter it belongs to
  std::optional<ir::Sharing> declared;
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

/// One element of a place's address: the subscript within its dimension.
struct Digit {
  ValueId subscript; // S64
  ValueId radix;     // S64; invalid for the first digit
};

struct Place {
  NodeId node; // invalid: the null pointer
  llvm::SmallVector<Digit, 2> digits;
  bool flat = false; // one digit that counts cells across all dimensions
};

struct Pointer {
  llvm::SmallVector<Place, 1> places; // empty: not known
  ValueId selector;                   // S32, which place; if there are several
  bool isKnown() const { return !places.empty(); }
};

/// A raw value in canonical terms: a scalar, a pointer, or nothing yet (an
/// uninitialised slot). Pointers are indices into the walk's table.
struct AbstractValue {
  static constexpr uint32_t None = UINT32_MAX;
  ValueId scalar;
  uint32_t pointer = None;
  bool isSet() const { return scalar.valid() || pointer != None; }
  bool isPointer() const { return pointer != None; }
  friend bool operator==(const AbstractValue &, const AbstractValue &) = default;
};

/// How a pointer is carried over a join or around a loop: which places it may
/// have, and which of their digits are values of their own there. Grows only.
struct PointerShape {
  struct Candidate {
    NodeId node;
    bool flat = false;
    std::vector<Digit> fixed;  // the digits if not carried
    std::vector<bool> carried; // by digit
  };
  std::vector<Candidate> candidates;
  bool unknown = false;
  bool seen = false; // some value has been joined in
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_PLACE_H
