//===- SequentialObjects.h - Structs built from their leaves' cells ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct's leaves are separate arrays. For a parameter that points to structs, or is one,
// the thunk allocates memory as the source lays it out, byte by byte (fields may be private,
// structs packed or aligned, bases empty), fills it before the call and copies what may have
// changed back to the cells after it. A pointer field to structs gets such memory of its own.
//
// In: a parameter. Out: the name of its memory; the statements that build it are printed.
// Invariant: each object is built once, and freed after everything is copied back; no cell
// outside a leaf's array is touched, also where leaves have different extents.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_SEQUENTIALOBJECTS_H
#define COLONNADE_EMIT_API_SEQUENTIALOBJECTS_H

#include "Emit/Api/SequentialNames.h"

namespace colonnade {

/// What a parameter points to, as the sequential function sees it.
struct PointedTo {
  std::string path; // "s": leaves are named "s.x"
  MemTypeId type;   // of one element
  SizeExpr count;   // elements, if known; else the leaves' extents say it
  bool comesBack = true;
};

class SequentialObjects {
public:
  /// `isRecorded`: the recorder is told where each cell lies, in the order of its array.
  SequentialObjects(SequentialNames &names, CxxWriter &out, bool isRecorded)
      : names_(names), out_(out), isRecorded_(isRecorded) {}

  /// Whether cells alone are not the memory that a pointer to this type needs.
  bool containsStructOrPointer(MemTypeId id) const;
  /// The struct type whose leaves are the arrays of a `void *` parameter; invalid: there is none.
  MemTypeId structWithLeaves(const std::string &path) const;
  uint64_t sizeBytes(MemTypeId id) const;
  /// The memory for the parameter in that position.
  std::string objectFor(const PointedTo &pointed, size_t position);
  /// Copies all objects back to cells and frees them: printed after the call.
  void finish();

private:
  enum class Copy : uint8_t { In, Back }; // from cells to objects, from objects to cells
  struct Object {
    PointedTo pointed;
    std::string name;
    std::string number; // the variable that holds how many elements it has
  };

  void build(const PointedTo &pointed, const std::string &name);
  void buildPointees(MemTypeId id, const std::string &path, const std::string &name);
  std::set<std::string> elementCounts(const PointedTo &pointed);
  void copyLeaves(const Object &object, Copy copy);
  void collectLeaves(MemTypeId id, const std::string &path,
                     std::map<std::string, MemTypeId> &leaves) const;
  bool isCopied(const std::string &path, Copy copy) const;
  void copyField(MemTypeId id, const std::string &at, const std::string &path, Copy copy);
  void copyScalar(const ir::MemType &t, const std::string &at, const std::string &path, Copy copy);
  void setPointer(MemTypeId id, const std::string &at, const std::string &path);

  SequentialNames &names_;
  CxxWriter &out_;
  const bool isRecorded_;
  std::set<size_t> built_; // positions of parameters
  std::vector<Object> objects_;
  /// From a pointer field's path, and the pointer's type, to the object.
  std::map<std::pair<std::string, uint32_t>, std::string> pointees_;
  unsigned depth_ = 0; // of loops over array fields
};

} // namespace colonnade

#endif // COLONNADE_EMIT_API_SEQUENTIALOBJECTS_H
