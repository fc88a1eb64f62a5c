//===- EntryFacts.cpp - What the user states, looked up and checked -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/EntryBinding.h"

namespace colonnade::canonical {

using ir::Sharing;

/// An extent with the sizes that are constants (--size) in it.
SizeExpr EntryBinding::withSizes(const SizeExpr &size) const {
  std::map<std::string, SizeExpr> constants;
  for (const auto &[name, value] : facts_.sizes)
    constants[name] = SizeExpr::constant(value);
  return size.substitute(constants);
}

/// The most precise statement about `name`, a leaf of `parameter`.
std::optional<Sharing> EntryBinding::declared(llvm::StringRef name, llvm::StringRef parameter,
                                              std::optional<Sharing> fallback) const {
  for (llvm::StringRef key : {name, parameter}) {
    if (facts_.uniform.count(key.str()))
      return Sharing::Uniform;
    if (facts_.instance.count(key.str()))
      return Sharing::Instance;
  }
  return fallback;
}

const SizeExpr *EntryBinding::boundAt(const SourceMap &sources, LocId loc) {
  if (!loc || (entry_.loc && sources[entry_.loc].file != sources[loc].file))
    return nullptr;
  auto it = facts_.bounds.find(sources[loc].line);
  if (it == facts_.bounds.end())
    return nullptr;
  usedBounds_.insert(it->first);
  return &it->second;
}

llvm::Error EntryBinding::unknownName(llvm::StringRef option, llvm::StringRef name) const {
  std::string known;
  for (const std::string &each : names_)
    known += (known.empty() ? "'" : ", '") + each + "'";
  return llvm::createStringError("%s%s: '%s' has no parameter of that name; it has %s",
                                 option.str().c_str(), name.str().c_str(), entry_.name.c_str(),
                                 known.empty() ? "none" : known.c_str());
}

/// A size that would have no effect, or another one than the number says, is an error.
llvm::Error EntryBinding::checkSize(const std::string &name, int64_t size) const {
  if (!names_.count(name))
    return unknownName("--size ", name);
  auto wrong = [&](const std::string &why) {
    return llvm::createStringError("--size " + name + "=" + std::to_string(size) + ": '" + name +
                                   "' " + why);
  };
  auto scalar =
      llvm::find_if(out_.scalars, [&](const ir::ScalarParam &each) { return each.name == name; });
  if (scalar == out_.scalars.end())
    return wrong("is no uniform scalar");
  const ScalarType type = out_.value(scalar->value).type;
  if (ir::isFloat(type))
    return wrong("is a floating-point value; pass it at run time");
  if (!ir::exactInt(type, size))
    return wrong("cannot hold it: its type is " + std::string(ir::cxxName(type)));
  return llvm::Error::success();
}

llvm::Error EntryBinding::checkFacts() const {
  if (!problem_.empty())
    return llvm::createStringError(problem_);
  for (const auto &[name, ignored] : facts_.extents)
    if (!names_.count(name))
      return unknownName("--extent ", name);
  for (const std::string &name : facts_.uniform)
    if (!names_.count(name))
      return unknownName("--uniform ", name);
  for (const std::string &name : facts_.instance)
    if (!names_.count(name))
      return unknownName("--instance ", name);
  for (const auto &[name, size] : facts_.sizes)
    if (llvm::Error error = checkSize(name, size))
      return error;
  for (const auto &[from, to] : facts_.aliases)
    for (const std::string &name : {from, to})
      if (!names_.count(name))
        return unknownName("--alias ", name);
  for (const auto &[line, size] : facts_.bounds)
    if (!usedBounds_.count(line))
      return llvm::createStringError("--bound %u=%s: '%s' has no loop at line %u", line,
                                     size.str().c_str(), entry_.name.c_str(), line);
  return llvm::Error::success();
}

} // namespace colonnade::canonical
