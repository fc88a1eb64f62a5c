//===- SequentialObjects.cpp - Structs built from their leaves' cells -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/SequentialObjects.h"

#include "Emit/Api/SequentialMirrors.h"

using namespace colonnade;
using namespace colonnade::ir;

bool SequentialObjects::containsStructOrPointer(MemTypeId id) const {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Array)
    return containsStructOrPointer(t.element);
  return t.kind == MemType::Kind::Struct || t.scalar == ScalarType::Pointer;
}

std::string SequentialObjects::objectFor(const RawParam &param, size_t position) {
  const std::string name = "colonnade_object_" + std::to_string(position);
  if (built_.insert(position).second)
    build({&param, name, name + "_count"});
  return name;
}

void SequentialObjects::build(const Object &object) {
  const RawParam &param = *object.param;
  const std::string count = elementCount(param);
  if (names_.type(param.pointee).kind != MemType::Kind::Struct)
    return names_.fail("parameter '" + param.name + "' is an array of structs or of pointers");
  const std::string mirror = SequentialMirrors::name(param.pointee);
  out_.line("const __SIZE_TYPE__ " + object.number + " = (__SIZE_TYPE__)(" + count + ");");
  out_.line(mirror + " *" + object.name + " = (" + mirror + " *)__builtin_calloc(" + object.number +
            " + 1, sizeof *" + object.name + ");");
  objects_.push_back(object);
  copyLeaves(object, Copy::In);
}

void SequentialObjects::finish() {
  for (const Object &object : objects_)
    if (!object.param->byValueStruct)
      copyLeaves(object, Copy::Back);
  for (const Object &object : objects_)
    out_.line("__builtin_free(" + object.name + ");");
}

// How many elements lie behind a pointer to structs: 1 for a single object.
std::string SequentialObjects::elementCount(const RawParam &param) {
  if (param.byValueStruct || param.isReference || param.count.isConstant(1))
    return "1";
  SizeExpr count = param.count;
  const Array *leaf = nullptr;
  for (size_t i = 0; !leaf && i < names_.interface().arrays.size(); ++i)
    if (names_.array(i).parameter == param.name)
      leaf = &names_.array(i);
  if (!count.known() && leaf && !leaf->extents.empty())
    count = leaf->extents[0];
  if (!count.known())
    names_.fail("the number of structs behind '" + param.name + "' is unknown: give its extent");
  return names_.countText(count);
}

static std::string cursor(size_t array) { return "colonnade_cells_" + std::to_string(array); }

// Leaves are visited in the order of their cells, so one cursor per leaf will do.
void SequentialObjects::copyLeaves(const Object &object, Copy copy) {
  const RawParam &param = *object.param;
  cursors_.clear();
  out_.open("");
  collectCursors(param.pointee, param.name, copy);
  for (const auto &[name, array] : cursors_)
    out_.line("char *" + cursor(array) + " = (char *)" + names_.cells(array) + ";");
  out_.open("for (__SIZE_TYPE__ colonnade_i = 0; colonnade_i < " + object.number +
            "; ++colonnade_i)");
  copyField(param.pointee, object.name + "[colonnade_i]", param.name, copy);
  out_.close();
  out_.close();
}

void SequentialObjects::collectCursors(MemTypeId id, const std::string &path, Copy copy) {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Array)
    return collectCursors(t.element, path, copy);
  if (t.kind == MemType::Kind::Struct) {
    for (const MemType::Field &field : t.fields)
      collectCursors(field.type, path + "." + field.name, copy);
    return;
  }
  std::optional<size_t> array = names_.arrayIndex(path);
  if (!array || t.scalar == ScalarType::Pointer)
    return;
  if (copy == Copy::In || names_.interface().arrays[*array].direction != Direction::In)
    cursors_.emplace(path, *array);
}

void SequentialObjects::copyField(MemTypeId id, const std::string &text, const std::string &path,
                                  Copy copy) {
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Array) {
    const std::string index = "colonnade_i" + std::to_string(depth_++);
    out_.open("for (__SIZE_TYPE__ " + index + " = 0; " + index + " < " +
              std::to_string(t.count.asConstant().value_or(0)) + "; ++" + index + ")");
    copyField(t.element, text + "[" + index + "]", path, copy);
    out_.close();
    --depth_;
  } else if (t.kind == MemType::Kind::Struct) {
    for (size_t i = 0; i < t.fields.size(); ++i)
      copyField(t.fields[i].type, text + "." + SequentialMirrors::fieldName(i),
                path + "." + t.fields[i].name, copy);
  } else if (t.scalar != ScalarType::Pointer) {
    copyScalar(text, path, copy);
  } else if (copy == Copy::In) {
    setPointer(t, text, path);
  }
}

static std::string copyText(const std::string &to, const std::string &from,
                            const std::string &object) {
  return "__builtin_memcpy(" + to + ", " + from + ", sizeof " + object + ");";
}

void SequentialObjects::copyScalar(const std::string &text, const std::string &path, Copy copy) {
  const auto found = cursors_.find(path);
  if (found != cursors_.end()) {
    const std::string at = cursor(found->second);
    out_.line(copy == Copy::In ? copyText("&" + text, at, text) : copyText(at, "&" + text, text));
    return out_.line(at + " += sizeof " + text + ";");
  }
  if (std::optional<size_t> scalar = names_.scalarIndex(path); scalar && copy == Copy::In)
    out_.line(copyText("&" + text, names_.scalarBits(*scalar), text));
}

void SequentialObjects::setPointer(const MemType &t, const std::string &text,
                                   const std::string &path) {
  std::optional<size_t> array = names_.arrayIndex(path);
  if (!t.element.valid() || containsStructOrPointer(t.element) || !array)
    return names_.fail("the pointer field '" + path + "' does not point to scalars");
  out_.line(text + " = " + names_.cells(*array) + ";");
}
