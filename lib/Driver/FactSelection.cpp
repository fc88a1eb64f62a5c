//===- FactSelection.cpp - Facts by parameter name ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/FactSelection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace colonnade {
namespace {

/// The parameter of "s", "s.field", "s->field" and "s[0].field".
llvm::StringRef parameterOf(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '.' || c == '-' || c == '['; });
}

class Selector {
public:
  explicit Selector(const EntryFacts &all) : all_(all) {}

  EntryFacts select(const ir::Function &entry) {
    EntryFacts own;
    own.bounds = all_.bounds; // by line: those in other functions match no loop
    auto has = [&](const std::string &name) {
      bool found = llvm::any_of(entry.rawParams, [&](const ir::RawParam &parameter) {
        return parameter.name == parameterOf(name);
      });
      if (found)
        used_.insert(name);
      return found;
    };
    for (const auto &[name, extents] : all_.extents)
      if (has(name))
        own.extents[name] = extents;
    for (const auto &[name, value] : all_.sizes)
      if (has(name))
        own.sizes[name] = value;
    for (const std::string &name : all_.uniform)
      if (has(name))
        own.uniform.insert(name);
    for (const std::string &name : all_.instance)
      if (has(name))
        own.instance.insert(name);
    for (const auto &alias : all_.aliases)
      if (bool out = has(alias.first), in = has(alias.second); out && in)
        own.aliases.push_back(alias);
    return own;
  }

  llvm::Error unused() const {
    auto check = [&](const std::string &name) -> llvm::Error {
      if (used_.count(name))
        return llvm::Error::success();
      return llvm::createStringError("none of the functions has a parameter '" + name + "'");
    };
    llvm::Error error = llvm::Error::success();
    auto all = [&](const std::string &name) {
      if (!error)
        error = check(name);
    };
    for (const auto &[name, extents] : all_.extents)
      all(name);
    for (const auto &[name, value] : all_.sizes)
      all(name);
    llvm::for_each(all_.uniform, all);
    llvm::for_each(all_.instance, all);
    for (const auto &[out, in] : all_.aliases)
      all(out), all(in);
    return error;
  }

private:
  const EntryFacts &all_;
  std::set<std::string> used_;
};

} // namespace

llvm::Expected<std::vector<EntryFacts>> selectFacts(const ir::Module &module,
                                                    const std::vector<FunctionId> &entries,
                                                    const EntryFacts &facts) {
  if (entries.size() == 1)
    return std::vector{facts};
  Selector selector(facts);
  std::vector<EntryFacts> selected;
  for (FunctionId entry : entries)
    selected.push_back(selector.select(module.function(entry)));
  if (llvm::Error error = selector.unused())
    return error;
  return selected;
}

} // namespace colonnade
