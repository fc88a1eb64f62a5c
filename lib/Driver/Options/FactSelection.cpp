//===- FactSelection.cpp - Facts by parameter name ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/FactSelection.h"

#include "Support/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace colonnade {
namespace {

/// The parameter of "s", "s.field", "s->field" and "s[0].field".
llvm::StringRef parameterOf(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '.' || c == '-' || c == '['; });
}

/// The entry and all that it calls, as far as there are bodies.
std::vector<FunctionId> reachedFrom(const ir::Module &module, FunctionId entry) {
  std::vector<FunctionId> reached = {entry};
  for (size_t i = 0; i < reached.size(); ++i)
    for (const ir::Op &op : module.function(reached[i]).ops)
      if (op.opcode == ir::Opcode::Call && !llvm::is_contained(reached, op.callee))
        reached.push_back(op.callee);
  return reached;
}

class Selector {
public:
  Selector(const ir::Module &module, const EntryFacts &all) : module_(module), all_(all) {}

  EntryFacts select(FunctionId id) {
    const ir::Function &entry = module_.function(id);
    EntryFacts own;
    for (const auto &[place, size] : all_.bounds)
      if (hasLoopAt(id, place)) {
        own.bounds[place] = size;
        usedBounds_.insert(place);
      }
    auto has = [&](const std::string &name) {
      bool found = llvm::any_of(entry.rawParams, [&](const ir::RawParam &parameter) {
        names_.insert(parameter.name);
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
    for (const auto &[name, values] : all_.sizeLists)
      if (has(name))
        own.sizeLists[name] = values;
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
      return llvm::createStringError("none of the functions has a parameter '" + name + "'" +
                                     didYouMean(name, names_));
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
    for (const auto &[name, values] : all_.sizeLists)
      all(name);
    llvm::for_each(all_.uniform, all);
    llvm::for_each(all_.instance, all);
    for (const auto &[out, in] : all_.aliases)
      all(out), all(in);
    for (const auto &[place, size] : all_.bounds)
      if (!error && !usedBounds_.count(place))
        error = llvm::createStringError("--bound " + place.str() + "=" + size.str() +
                                        ": none of the functions has a loop there");
    return error;
  }

private:
  /// A loop, or the call of a library function that may have it.
  bool hasLoopAt(FunctionId entry, const LoopPlace &place) const {
    LocId from = module_.function(entry).loc;
    return llvm::any_of(reachedFrom(module_, entry), [&](FunctionId id) {
      return llvm::any_of(module_.function(id).ops, [&](const ir::Op &op) {
        return (op.opcode == ir::Opcode::Loop || op.opcode == ir::Opcode::Call) &&
               place.isAt(module_.sources, op.loc, from);
      });
    });
  }

  const ir::Module &module_;
  const EntryFacts &all_;
  std::set<std::string> used_;
  std::set<std::string> names_; // of all parameters
  std::set<LoopPlace> usedBounds_;
};

} // namespace

llvm::Expected<std::vector<EntryFacts>> selectFacts(const ir::Module &module,
                                                    const std::vector<FunctionId> &entries,
                                                    const EntryFacts &facts) {
  if (entries.size() == 1)
    return std::vector{facts};
  Selector selector(module, facts);
  std::vector<EntryFacts> selected;
  for (FunctionId entry : entries)
    selected.push_back(selector.select(entry));
  if (llvm::Error error = selector.unused())
    return error;
  return selected;
}

} // namespace colonnade
