//===- JsonFields.h - Fields of a checked JSON object -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a JSON value and its path. Out: a field's value, true; or false, and the path has a report.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_JSONFIELDS_H
#define COLONNADE_TUNE_JSONFIELDS_H

#include "Tune/CheckedJson.h"

#include <cstdint>
#include <map>
#include <string>

namespace colonnade::tune {

bool require(bool holds, llvm::json::Path path, llvm::StringLiteral wanted);
bool readText(const llvm::json::Value &value, std::string &text, llvm::json::Path path);
/// A whole number from 1 on.
bool readCount(const llvm::json::Value &value, uint64_t &count, llvm::json::Path path);
bool readTime(const llvm::json::Value &value, double &microseconds, llvm::json::Path path);
/// SHA-256 in small hexadecimal digits.
bool readHash(const llvm::json::Value &value, std::string &hash, llvm::json::Path path);
/// A name that findPlan knows.
bool readPlan(const llvm::json::Value &value, std::string &plan, llvm::json::Path path);
bool readSizes(const llvm::json::Value &value, std::map<std::string, int64_t> &sizes,
               llvm::json::Path path);
void writeSizes(llvm::json::OStream &out, const std::map<std::string, int64_t> &sizes);

/// Calls `read` with a field that must be there.
template <class Into>
bool readField(const llvm::json::Object &object, llvm::StringLiteral name, llvm::json::Path path,
               bool (*read)(const llvm::json::Value &, Into &, llvm::json::Path), Into &into) {
  const llvm::json::Value *const value = object.get(name);
  return require(value, path.field(name), "missing") && read(*value, into, path.field(name));
}

/// An array, each with `read`.
template <class Element>
bool readAll(const llvm::json::Value &value, std::vector<Element> &elements, llvm::json::Path path,
             bool (*read)(const llvm::json::Value &, Element &, llvm::json::Path)) {
  const llvm::json::Array *const array = value.getAsArray();
  if (!require(array, path, "expected an array"))
    return false;
  for (const llvm::json::Value &each : *array) {
    elements.emplace_back();
    if (!read(each, elements.back(), path.index(elements.size() - 1)))
      return false;
  }
  return true;
}

/// The object that a file is, with the fields "schema", which must be 1, and `name`.
template <class Into>
llvm::Error readFile(llvm::StringRef text, llvm::StringRef file, llvm::StringLiteral name,
                     bool (*read)(const llvm::json::Value &, Into &, llvm::json::Path),
                     Into &into) {
  llvm::Expected<llvm::json::Value> parsed = parseJson(text, file);
  if (!parsed)
    return parsed.takeError();
  llvm::json::Path::Root root;
  const llvm::json::Path path(root);
  const llvm::json::Object *const object = parsed->getAsObject();
  const bool isRead = require(object, path, "expected an object") &&
                      hasOnly(*parsed, {"schema", name}, path) &&
                      require(object->getInteger("schema") == 1, path.field("schema"),
                              "expected 1: this version reads no other") &&
                      readField(*object, name, path, read, into);
  return isRead ? llvm::Error::success() : errorAt(root, file);
}

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_JSONFIELDS_H
