//===- SequentialObjects.h - Structs built from their leaves' cells ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct's leaves are separate arrays. For a parameter that points to structs, or is one,
// the thunk allocates objects of the mirror type (SequentialMirrors.h), fills them before the
// call and copies what may have changed back to the cells after it.
//
// In: a parameter. Out: the name of its object; the statements that build it are printed.
// Invariant: each object is built once, and freed after everything is copied back.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_SEQUENTIALOBJECTS_H
#define COLONNADE_EMIT_API_SEQUENTIALOBJECTS_H

#include "Emit/Api/SequentialNames.h"

namespace colonnade {

class SequentialObjects {
public:
  SequentialObjects(SequentialNames &names, CxxWriter &out) : names_(names), out_(out) {}

  /// Whether cells alone are not the memory that a pointer to this type needs.
  bool containsStructOrPointer(MemTypeId id) const;
  /// The object for the parameter in that position.
  std::string objectFor(const ir::RawParam &param, size_t position);
  /// Copies all objects back to cells and frees them: printed after the call.
  void finish();

private:
  enum class Copy : uint8_t { In, Back }; // from cells to objects, from objects to cells
  struct Object {
    const ir::RawParam *param;
    std::string name;
    std::string number; // the variable that holds how many elements it has
  };

  void build(const Object &object);
  std::string elementCount(const ir::RawParam &param);
  void copyLeaves(const Object &object, Copy copy);
  void collectCursors(MemTypeId id, const std::string &path, Copy copy);
  void copyField(MemTypeId id, const std::string &text, const std::string &path, Copy copy);
  void copyScalar(const std::string &text, const std::string &path, Copy copy);
  void setPointer(const ir::MemType &t, const std::string &text, const std::string &path);

  SequentialNames &names_;
  CxxWriter &out_;
  std::set<size_t> built_; // positions of parameters
  std::vector<Object> objects_;
  std::map<std::string, size_t> cursors_; // leaf path to interface array
  unsigned depth_ = 0;                    // of loops over array fields
};

} // namespace colonnade

#endif // COLONNADE_EMIT_API_SEQUENTIALOBJECTS_H
