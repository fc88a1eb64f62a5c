//===- CheckedJson.cpp - JSON of files that users may edit ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune/CheckedJson.h"

#include "Model/RepeatedKeys.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace colonnade::tune {

namespace json = llvm::json;

/// More than a file of ours has.
static constexpr unsigned MostNested = 16;

/// The line of the bracket that is one too deep; 0: none is.
static size_t lineOfDeepBracket(llvm::StringRef text) {
  unsigned depth = 0;
  size_t line = 1;
  bool isQuoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    line += c == '\n';
    if (isQuoted && c == '\\')
      ++i;
    else if (c == '"')
      isQuoted = !isQuoted;
    else if (!isQuoted && (c == '[' || c == '{') && ++depth > MostNested)
      return line;
    else if (!isQuoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return 0;
}

/// "[3:7, byte=40]: Expected ..." as compilers write it.
static std::string placed(llvm::StringRef name, llvm::StringRef message) {
  const auto [place, what] = message.split("]: ");
  if (!place.starts_with("[") || what.empty())
    return (name + ": " + message).str();
  return (name + ":" + place.drop_front().split(',').first + ": " + what.take_front(1).lower() +
          what.drop_front())
      .str();
}

llvm::Expected<json::Value> parseJson(llvm::StringRef text, llvm::StringRef name) {
  if (const size_t line = lineOfDeepBracket(text))
    return llvm::createStringError(name + ":" + llvm::Twine(line) + ": nested too deep");
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    return llvm::createStringError(placed(name, llvm::toString(parsed.takeError())));
  if (const std::optional<model::RepeatedKey> twice = model::repeatedKey(text))
    return llvm::createStringError(name + ":" + llvm::Twine(twice->line) + ": '" + twice->name +
                                   "' is there a second time");
  return parsed;
}

bool hasOnly(const json::Value &value, llvm::ArrayRef<llvm::StringLiteral> fields,
             json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return true; // said by whoever maps it
  for (const auto &field : *object)
    if (!llvm::is_contained(fields, llvm::StringRef(field.first))) {
      path.field(field.first).report("unknown field");
      return false;
    }
  return true;
}

/// LLVM says "expected string at (root).entries[3].plan", "expected object when parsing (root)".
llvm::Error errorAt(const json::Path::Root &root, llvm::StringRef name) {
  static constexpr llvm::StringLiteral Root = "(root)";
  std::string text = llvm::toString(root.getError());
  if (const size_t at = text.find(" when parsing " + Root.str()); at != std::string::npos)
    text.resize(at);
  else if (const size_t path = text.find(" at " + Root.str() + "."); path != std::string::npos)
    text.erase(path + std::strlen(" at "), Root.size() + 1);
  return llvm::createStringError(name + ": " + text);
}

} // namespace colonnade::tune
