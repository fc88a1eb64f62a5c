//===- EntryFacts.cpp - What the user states, looked up and checked -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/EntryBinding.h"

#include "Support/Spelling.h"

namespace colonnade {

bool LoopPlace::isAt(const SourceMap &sources, LocId loc, LocId entry) const {
  loc = sources.inUserCode(loc);
  if (!loc || sources[loc].line != line)
    return false;
  if (file.empty())
    return !entry || sources[entry].file == sources[loc].file;
  llvm::StringRef path = sources.fileName(sources[loc].file);
  return path == file || path.ends_with("/" + file);
}

} // namespace colonnade

namespace colonnade::canonical {

using ir::RawParam;
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
  for (const auto &[place, size] : facts_.bounds)
    if (place.isAt(sources, loc, entry_.loc)) {
      usedBounds_.insert(place);
      return &size;
    }
  return nullptr;
}

void EntryBinding::refuseBound(const SizeExpr &size, const std::string &where) {
  for (const std::string &name : size.names())
    if (std::string reason = whyNoSize(name); !reason.empty())
      return addProblem("the bound '" + size.str() + "' " + where + ": " + reason);
  addProblem("the bound '" + size.str() + "' " + where +
             " is not made of the parameters of the function with the loop");
}

bool EntryBinding::namesData(const SizeExpr &size) const {
  return llvm::any_of(size.names(), [&](const std::string &name) {
    return names_.count(name) && !whyNoSize(name).empty();
  });
}

/// Why a name does not stand for a size; empty if it does.
std::string EntryBinding::whyNoSize(const std::string &name) const {
  if (facts_.sizes.count(name))
    return {};
  std::set<std::string> sizes;
  for (const ir::ScalarParam &scalar : out_.scalars)
    if (ir::isInteger(out_.value(scalar.value).type))
      sizes.insert(scalar.name);
  if (sizes.count(name))
    return {};
  if (names_.count(name))
    return "'" + name + "' is " +
           (facts_.instance.count(name) ? "instance data" : "no uniform integer");
  return "'" + entry_.name + "' has no parameter '" + name + "'" + didYouMean(name, sizes);
}

llvm::Error EntryBinding::checkExtent(const std::string &of, const SizeExpr &extent) const {
  for (const std::string &name : extent.names())
    if (std::string reason = whyNoSize(name); !reason.empty())
      return llvm::createStringError("the extent '" + extent.str() + "' of '" + of +
                                     "': " + reason);
  return llvm::Error::success();
}

bool EntryBinding::isScalar(const std::string &name) const {
  auto isNamed = [&](const auto &each) { return each.name == name; };
  return llvm::any_of(out_.scalars, isNamed) ||
         llvm::any_of(out_.arrays, [&](const ir::Array &array) {
           return array.role == ir::ArrayRole::Scalar && isNamed(array);
         });
}

/// Of the command line, and of declarations: `float *b COLONNADE_EXTENT(n)`.
llvm::Error EntryBinding::checkExtents() const {
  for (const auto &[name, extents] : facts_.extents) {
    if (!names_.count(name))
      return unknownName("--extent ", name);
    if (isScalar(name))
      return llvm::createStringError("--extent " + name + ": '" + name + "' is no array");
    for (const SizeExpr &extent : extents)
      if (llvm::Error error = checkExtent(name, extent))
        return error;
  }
  for (const RawParam &param : entry_.rawParams)
    if (!facts_.extents.count(param.name)) {
      if (!param.problem.empty())
        return llvm::createStringError(param.problem);
      if (llvm::Error error = checkExtent(param.name, param.count))
        return error;
    }
  return llvm::Error::success();
}

llvm::Error EntryBinding::unknownName(llvm::StringRef option, llvm::StringRef name) const {
  std::string known;
  for (const std::string &each : names_)
    known += (known.empty() ? "'" : ", '") + each + "'";
  return llvm::createStringError("%s%s: '%s' has no parameter of that name; it has %s%s",
                                 option.str().c_str(), name.str().c_str(), entry_.name.c_str(),
                                 known.empty() ? "none" : known.c_str(),
                                 didYouMean(name, names_).c_str());
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

/// Also where --size leaves the loop out.
bool EntryBinding::isLoopOfSource(const ir::Module &module, const LoopPlace &place) const {
  std::vector<const ir::Function *> reached = {&entry_};
  for (size_t i = 0; i < reached.size(); ++i)
    for (const ir::Op &op : reached[i]->ops) {
      if (op.opcode == ir::Opcode::Loop && place.isAt(module.sources, op.loc, entry_.loc))
        return true;
      if (op.opcode == ir::Opcode::Call)
        if (const ir::Function *callee = &module.function(op.callee);
            !llvm::is_contained(reached, callee))
          reached.push_back(callee);
    }
  return false;
}

llvm::Error EntryBinding::checkFacts(const ir::Module &module) const {
  if (!problem_.empty())
    return llvm::createStringError(problem_);
  if (llvm::Error error = checkExtents())
    return error;
  for (const std::string &name : facts_.uniform)
    if (!names_.count(name))
      return unknownName("--uniform ", name);
  for (const std::string &name : facts_.instance)
    if (!names_.count(name))
      return unknownName("--instance ", name);
  for (const auto &[name, size] : facts_.sizes)
    if (llvm::Error error = checkSize(name, size))
      return error;
  for (const auto &[name, range] : facts_.sizeRanges)
    for (const int64_t size : {range.least, range.most})
      if (llvm::Error error = checkSize(name, size))
        return error;
  for (const auto &[from, to] : facts_.aliases)
    for (const std::string &name : {from, to})
      if (!names_.count(name))
        return unknownName("--alias ", name);
  for (const auto &[place, size] : facts_.bounds)
    if (!usedBounds_.count(place) && !isLoopOfSource(module, place))
      return llvm::createStringError("--bound " + place.str() + "=" + size.str() + ": '" +
                                     entry_.name + "' has no loop at line " +
                                     std::to_string(place.line) +
                                     (place.file.empty() ? "" : " of " + place.file));
  return llvm::Error::success();
}

} // namespace colonnade::canonical
