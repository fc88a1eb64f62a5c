//===- SequentialObjects.cpp - Structs built from their leaves' cells -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/SequentialObjects.h"

#include "Oblivious/Findings/Remedies.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static bool isPointer(const MemType &t) {
  return t.kind == MemType::Kind::Scalar && t.scalar == ScalarType::Pointer;
}

/// As Normalize names leaves (PlaceTree.cpp).
static std::string fieldPath(const std::string &path, const MemType::Field &field) {
  return field.name.empty() ? path : path + "." + field.name;
}

bool SequentialObjects::containsStructOrPointer(MemTypeId id) const {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Array)
    return containsStructOrPointer(t.element);
  return t.kind == MemType::Kind::Struct || isPointer(t);
}

void SequentialObjects::collectLeaves(MemTypeId id, const std::string &path,
                                      std::map<std::string, MemTypeId> &leaves) const {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Array)
    return collectLeaves(t.element, path, leaves);
  if (isBitField(t)) // never passed
    return;
  if (t.kind != MemType::Kind::Struct) {
    leaves.emplace(path, id);
    return;
  }
  for (const MemType::Field &field : t.fields)
    collectLeaves(field.type, fieldPath(path, field), leaves);
}

MemTypeId SequentialObjects::structWithLeaves(const std::string &path) const {
  std::set<std::string> wanted;
  for (size_t i = 0; i < names_.interface().arrays.size(); ++i)
    if (names_.array(i).parameter == path)
      wanted.insert(names_.array(i).name);
  for (size_t i = 0; i < names_.numTypes(); ++i) {
    if (names_.type(MemTypeId(i)).kind != MemType::Kind::Struct)
      continue;
    std::map<std::string, MemTypeId> leaves;
    collectLeaves(MemTypeId(i), path, leaves);
    const bool same =
        leaves.size() == wanted.size() && llvm::all_of(leaves, [&](const auto &leaf) {
          const std::optional<size_t> array = names_.arrayIndex(leaf.first);
          return array && names_.array(*array).cell == names_.type(leaf.second).scalar;
        });
    if (same)
      return MemTypeId(i);
  }
  return {};
}

uint64_t SequentialObjects::sizeBytes(MemTypeId id) const {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Struct)
    return t.sizeBytes;
  if (t.kind == MemType::Kind::Scalar)
    return isPointer(t) ? 8 : ir::sizeBytes(t.scalar);
  if (!t.count.asConstant())
    names_.fail("an array field of variable length");
  return sizeBytes(t.element) * static_cast<uint64_t>(t.count.asConstant().value_or(0));
}

std::string SequentialObjects::objectFor(const PointedTo &pointed, size_t position) {
  const std::string name = "colonnade_object_" + std::to_string(position);
  if (built_.insert(position).second)
    build(pointed, name);
  return name;
}

void SequentialObjects::build(const PointedTo &pointed, const std::string &name) {
  buildPointees(pointed.type, pointed.path, name);
  const Object object{pointed, name, name + "_count"};
  out_.line("__INT64_TYPE__ " + name + "_most = 0;");
  for (const std::string &count : elementCounts(pointed)) {
    const std::string most = name + "_most";
    out_.line(most + " = colonnade_max(" + most + ", " + count + ");");
  }
  out_.line("const __SIZE_TYPE__ " + object.number + " = (__SIZE_TYPE__)" + name + "_most;");
  // Aligned as any type may ask, which calloc() alone is not.
  const std::string bytes = std::to_string(sizeBytes(pointed.type));
  out_.line("char *" + name + "_memory = (char *)__builtin_calloc(" + object.number + " + 1, " +
            bytes + " + 128);");
  out_.line("char *" + name + " = " + name + "_memory + (128 - (__UINTPTR_TYPE__)" + name +
            "_memory % 128);");
  objects_.push_back(object);
  copyLeaves(object, Copy::In);
}

// Objects for what pointer fields of a single object point to, if that holds pointers itself or is
// a struct, before its own. One within an array is data, which is not followed. What a pointer to a
// pointer leads to has the name of the pointer: its type tells the levels apart.
void SequentialObjects::buildPointees(MemTypeId id, const std::string &path,
                                      const std::string &name) {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Struct)
    for (const MemType::Field &field : t.fields)
      buildPointees(field.type, fieldPath(path, field), name);
  if (!isPointer(t) || !t.element.valid() || !containsStructOrPointer(t.element) ||
      pointees_.count({path, id.index}))
    return;
  bool used = isPointer(names_.type(t.element)) && names_.arrayIndex(path);
  for (size_t i = 0; i < names_.interface().arrays.size(); ++i)
    used |= llvm::StringRef(names_.array(i).name).starts_with(path + ".");
  if (!used) // also a list that points back to its own type
    return;
  const std::string pointee = name + "_" + std::to_string(pointees_.size());
  pointees_[{path, id.index}] = pointee;
  build({path, t.element, SizeExpr(), true}, pointee);
}

void SequentialObjects::finish() {
  for (const Object &object : objects_)
    if (object.pointed.comesBack)
      copyLeaves(object, Copy::Back);
  for (const Object &object : objects_)
    out_.line("__builtin_free(" + object.name + "_memory);");
}

// How many elements lie behind a pointer to structs: as many as the largest of these. One, if
// none of their leaves is passed.
std::set<std::string> SequentialObjects::elementCounts(const PointedTo &pointed) {
  if (pointed.count.known())
    return {names_.countText(pointed.count)};
  std::map<std::string, MemTypeId> leaves;
  collectLeaves(pointed.type, pointed.path, leaves);
  std::set<std::string> counts;
  bool isPassed = false;
  for (const auto &[name, type] : leaves) {
    const std::optional<size_t> array = names_.arrayIndex(name);
    if (!array || isPointer(names_.type(type))) // behind that pointer there is another array
      continue;
    isPassed = true;
    const auto &extents = names_.array(*array).extents;
    if (!extents.empty() && extents[0].known())
      counts.insert(names_.countText(extents[0]));
  }
  if (isPassed && counts.empty()) {
    const std::string option = optionText("--extent", pointed.path + "=1000");
    names_.fail("the number of structs behind '" + pointed.path +
                    "' is unknown: give one that holds for every instance, such as " + option,
                {option});
  }
  if (!isPassed)
    counts.insert("1");
  return counts;
}

bool SequentialObjects::isCopied(const std::string &path, Copy copy) const {
  const std::optional<size_t> array = names_.arrayIndex(path);
  return array &&
         (copy == Copy::In || names_.interface().arrays[*array].direction != Direction::In);
}

static std::string cursor(size_t array) { return "colonnade_cells_" + std::to_string(array); }
static std::string cellsEnd(size_t array) { return cursor(array) + "_end"; }

// Leaves are visited in the order of their cells, so one cursor per leaf will do.
void SequentialObjects::copyLeaves(const Object &object, Copy copy) {
  const PointedTo &pointed = object.pointed;
  std::map<std::string, MemTypeId> leaves;
  collectLeaves(pointed.type, pointed.path, leaves);
  out_.open("");
  for (const auto &[name, type] : leaves)
    if (!isPointer(names_.type(type)) && isCopied(name, copy)) {
      const size_t array = *names_.arrayIndex(name);
      out_.line("char *" + cursor(array) + " = (char *)" + names_.cells(array) + ";");
      std::string cells = "1";
      for (const SizeExpr &extent : names_.array(array).extents)
        cells += " * " + (extent.known() ? names_.countText(extent) : object.number);
      out_.line("char *" + cellsEnd(array) + " = " + cursor(array) + " + " +
                std::to_string(ir::sizeBytes(names_.type(type).scalar)) + " * (" + cells + ");");
    }
  out_.open("for (__SIZE_TYPE__ colonnade_i = 0; colonnade_i < " + object.number +
            "; ++colonnade_i)");
  copyField(pointed.type,
            object.name + " + colonnade_i * " + std::to_string(sizeBytes(pointed.type)),
            pointed.path, copy);
  out_.close();
  out_.close();
}

void SequentialObjects::copyField(MemTypeId id, const std::string &at, const std::string &path,
                                  Copy copy) {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Array) {
    const std::string index = "colonnade_i" + std::to_string(depth_++);
    out_.open("for (__SIZE_TYPE__ " + index + " = 0; " + index + " < " +
              std::to_string(t.count.asConstant().value_or(0)) + "; ++" + index + ")");
    copyField(t.element, at + " + " + index + " * " + std::to_string(sizeBytes(t.element)), path,
              copy);
    out_.close();
    --depth_;
  } else if (isBitField(t)) {
    return; // never passed
  } else if (t.kind == MemType::Kind::Struct) {
    for (const MemType::Field &field : t.fields)
      copyField(field.type,
                field.offsetBytes == 0 ? at : at + " + " + std::to_string(field.offsetBytes),
                fieldPath(path, field), copy);
  } else if (!isPointer(t)) {
    copyScalar(t, at, path, copy);
  } else if (copy == Copy::In) {
    setPointer(id, at, path);
  }
}

void SequentialObjects::copyScalar(const MemType &t, const std::string &at, const std::string &path,
                                   Copy copy) {
  const std::string bytes = std::to_string(ir::sizeBytes(t.scalar));
  const auto copied = [&](const std::string &to, const std::string &from) {
    return "__builtin_memcpy(" + to + ", " + from + ", " + bytes + ");";
  };
  if (isCopied(path, copy)) {
    const size_t array = *names_.arrayIndex(path);
    out_.open("if (" + cursor(array) + " < " + cellsEnd(array) + ")");
    out_.line(copy == Copy::In ? copied(at, cursor(array)) : copied(cursor(array), at));
    if (isRecorded_ && copy == Copy::In)
      out_.line("colonnade_recorder_cell(" + std::to_string(array) + ", " + at + ", " + bytes +
                ");");
    out_.line(cursor(array) + " += " + bytes + ";");
    return out_.close();
  }
  if (const std::optional<size_t> scalar = names_.scalarIndex(path); scalar && copy == Copy::In)
    out_.line(copied(at, names_.scalarBits(*scalar)));
}

void SequentialObjects::setPointer(MemTypeId id, const std::string &at, const std::string &path) {
  const MemType &t = names_.type(id);
  const auto object = pointees_.find({path, id.index});
  const std::optional<size_t> array = names_.arrayIndex(path);
  const bool isToCells = array && !(t.element.valid() && containsStructOrPointer(t.element));
  const std::string to = object != pointees_.end() ? object->second
                         : isToCells               ? names_.cells(*array)
                                                   : "";
  if (to.empty())
    return; // never accessed: null
  out_.open("");
  out_.line("void *colonnade_to = " + to + ";");
  out_.line("__builtin_memcpy(" + at + ", &colonnade_to, sizeof colonnade_to);");
  out_.close();
}
