//===- Entry.cpp - Entry parameters become arrays and scalars -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds each raw parameter under the user's facts:
//   int n                 uniform scalar, a constant (--size), or an instance
//                         scalar: an array of one cell, read at entry
//   float *b, T (&r)[N]   an array per scalar leaf of the pointee
//   S s by value          slots that start with the leaves; its arrays are
//                         instance arrays, private copies if written
//   T *p within a struct  arrays of their own, "s.p"
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

using ir::MemType;
using ir::RawParam;
using ir::Sharing;

llvm::Error Walk::bindParameters() {
  const ir::Function &raw = *frame_->function;
  std::map<std::string, std::string> alias(facts_.aliases.begin(), facts_.aliases.end());
  // Aliases last: what they stand for must be there.
  for (bool aliases : {false, true})
    for (size_t i = 0; i < raw.rawParams.size(); ++i) {
      const RawParam &param = raw.rawParams[i];
      if (alias.count(param.name) != size_t(aliases))
        continue;
      AbstractValue &value = frame_->values[raw.region(raw.body).args[i].index];
      fold_.setLoc(param.loc ? param.loc : raw.loc);
      factNames_.insert(param.name);
      if (param.type != ScalarType::Pointer)
        bindScalar(param, value);
      else if (llvm::Error error = bindPointer(param, value))
        return error;
    }
  return llvm::Error::success();
}

SizeExpr Walk::withSizes(const SizeExpr &size) const {
  std::map<std::string, SizeExpr> constants;
  for (const auto &[name, value] : facts_.sizes)
    constants[name] = SizeExpr::constant(value);
  return size.substitute(constants);
}

/// The most precise statement about `name`, a leaf of `parameter`.
std::optional<Sharing> Walk::declared(llvm::StringRef name, llvm::StringRef parameter,
                                      std::optional<Sharing> fallback) const {
  for (llvm::StringRef key : {name, parameter}) {
    if (facts_.uniform.count(key.str()))
      return Sharing::Uniform;
    if (facts_.instance.count(key.str()))
      return Sharing::Instance;
  }
  return fallback;
}

void Walk::bindScalar(const RawParam &param, AbstractValue &value) {
  value = {entryScalar(param.name, param.name, param.type, param)};
}

/// A by-value scalar (or scalar field) as the walk's value of it.
ValueId Walk::entryScalar(const std::string &name, const std::string &parameter, ScalarType type,
                          const RawParam &param) {
  factNames_.insert(name);
  if (declared(name, parameter, param.declared) == Sharing::Instance) {
    ir::Array array;
    array.name = name;
    array.cell = type;
    array.extents = {SizeExpr::constant(1)};
    array.role = ir::ArrayRole::Scalar;
    array.loc = param.loc;
    array.parameter = parameter;
    ValueId v = loadCell(addArray(std::move(array)), {{zero64()}, {}});
    fold_.suggestName(v, name);
    return v;
  }
  ValueId v = fold_.addArg(out_.body, type, name);
  out_.scalars.push_back({name, v, param.loc});
  auto size = facts_.sizes.find(name);
  if (size != facts_.sizes.end() && !ir::isFloat(type)) // a float: checkSize() says so
    return fold_.constantInt(type, size->second);
  sizeNames_[v.index] = SizeExpr::name(name);
  return v;
}

llvm::Error Walk::bindPointer(const RawParam &param, AbstractValue &value) {
  if (param.byValueStruct)
    return bindStruct(param, value);
  for (const auto &[from, to] : facts_.aliases) {
    if (from != param.name)
      continue;
    auto target = parameterRoots_.find(to);
    if (target == parameterRoots_.end())
      return factError("--alias " + from + "=", to);
    Root &root = roots_[target->second.index];
    if (!param.pointee || !sameType(nodes_[root.top.index].type, param.pointee))
      return llvm::createStringError("cannot alias '%s' and '%s': they point to different types",
                                     from.c_str(), to.c_str());
    root.isConst &= param.isConst;
    forEachLeaf(root.top, [&](NodeId leaf) {
      if (ArrayId array = nodes_[leaf.index].array)
        out_.array(array).isConst = root.isConst;
    });
    value = placeValue(root.top, Digit{zero64(), {}});
    return llvm::Error::success();
  }
  Root root;
  root.kind = Root::Kind::Parameter;
  root.name = root.parameter = param.name;
  root.loc = param.loc;
  root.isConst = param.isConst;
  root.count = param.count;
  root.single = param.count.isConstant(1);
  root.declared = param.declared;
  RootId id = makeRoot(std::move(root), param.pointee);
  parameterRoots_[param.name] = id;
  value = placeValue(roots_[id.index].top, Digit{zero64(), {}});
  std::vector<MemTypeId> path;
  return param.pointee ? makeParameterArrays(id, path) : llvm::Error::success();
}

/// `void *p` is an array of what it is first accessed as.
void Walk::adoptType(NodeId top, MemTypeId type) {
  nodes_[top.index].type = type;
  std::vector<MemTypeId> path;
  if (llvm::Error error = makeParameterArrays(nodes_[top.index].root, path))
    problem_ = llvm::toString(std::move(error));
}

/// `path`: pointees on the way here; a type that contains pointers to itself is
/// followed once.
llvm::Error Walk::makeParameterArrays(RootId id, std::vector<MemTypeId> &path) {
  NodeId top = roots_[id.index].top;
  MemTypeId type = nodes_[top.index].type;
  if (std::find(path.begin(), path.end(), type) != path.end())
    return llvm::Error::success();
  path.push_back(type);
  std::vector<NodeId> leaves;
  forEachLeaf(top, [&](NodeId leaf) { leaves.push_back(leaf); });
  for (NodeId leaf : leaves)
    if (llvm::Error error = makeParameterLeaf(leaf, path))
      return error;
  path.pop_back();
  return llvm::Error::success();
}

llvm::Error Walk::makeParameterLeaf(NodeId leaf, std::vector<MemTypeId> &path) {
  const Node node = nodes_[leaf.index];
  const Root owner = roots_[node.root.index];
  const MemType &type = memType(node.type);
  factNames_.insert(node.name);
  if (type.scalar == ScalarType::Pointer) {
    if (!type.element || node.digits != 1)
      return llvm::Error::success();
    Root root = owner;
    root.kind = Root::Kind::Parameter;
    root.name = node.name;
    root.isConst = root.single = false;
    root.count = SizeExpr();
    RootId id = makeRoot(std::move(root), type.element);
    nodes_[leaf.index].pointee = id;
    parameterRoots_[node.name] = id;
    return makeParameterArrays(id, path);
  }
  auto extents = parameterExtents(leaf);
  if (!extents)
    return extents.takeError();
  ir::Array array;
  array.name = node.name;
  array.cell = type.scalar;
  array.extents = std::move(*extents);
  array.role = ir::ArrayRole::Parameter;
  array.sharing = declared(node.name, owner.parameter, owner.declared).value_or(Sharing::Instance);
  array.isConst = owner.isConst;
  array.loc = owner.loc;
  array.parameter = owner.parameter;
  ArrayId id = addArray(std::move(array));
  nodes_[leaf.index].array = id;
  if (owner.name != owner.parameter) // behind a pointer field: a parameter only if accessed
    decisions_.optionalArrays.insert(out_.array(id).name);
  return llvm::Error::success();
}

/// Declared dimensions, outermost first; "?" for what nobody said.
llvm::Expected<std::vector<SizeExpr>> Walk::parameterExtents(NodeId leaf) {
  const Node &node = nodes_[leaf.index];
  const Root &root = roots_[node.root.index];
  std::vector<SizeExpr> extents;
  for (SizeExpr &inner : innerExtents(leaf).value_or(std::vector<SizeExpr>(node.digits - 1)))
    extents.push_back(inner);
  bool single = root.kind == Root::Kind::Local || root.single;
  if (!single || extents.empty())
    extents.insert(extents.begin(), single ? SizeExpr::constant(1) : root.count);
  auto said = facts_.extents.find(node.name);
  if (said == facts_.extents.end())
    said = facts_.extents.find(root.name);
  if (said != facts_.extents.end()) {
    size_t given = said->second.size();
    if (given != 1 && extents.size() != 1 && given != extents.size())
      return llvm::createStringError("'%s' has %u dimensions, its extent gives %u",
                                     node.name.c_str(), unsigned(extents.size()), unsigned(given));
    if (given == 1)
      extents[0] = said->second[0];
    else
      extents = said->second;
  }
  for (SizeExpr &extent : extents)
    extent = withSizes(extent);
  return extents;
}

/// A struct by value: a local variable that starts with the caller's values.
llvm::Error Walk::bindStruct(const RawParam &param, AbstractValue &value) {
  Root root;
  root.name = root.parameter = param.name;
  root.loc = param.loc;
  root.present = true;
  root.serial = ++serial_;
  root.declared = param.declared;
  RootId id = makeRoot(std::move(root), param.pointee);
  NodeId top = roots_[id.index].top;
  value = placeValue(top, Digit{zero64(), {}});
  std::vector<NodeId> leaves;
  forEachLeaf(top, [&](NodeId leaf) { leaves.push_back(leaf); });
  for (NodeId leaf : leaves) {
    ScalarType type = memType(nodes_[leaf.index].type).scalar;
    std::vector<MemTypeId> path;
    if (!isSlot(leaf) || type == ScalarType::Pointer)
      if (llvm::Error error = makeParameterLeaf(leaf, path))
        return error;
    if (!isSlot(leaf)) {
      if (decisions_.privateCopies.count(nodes_[leaf.index].name))
        copyPrivate(leaf);
      continue;
    }
    ensureSlots(leaf);
    SlotId slot = nodes_[leaf.index].firstSlot;
    if (!slot || nodes_[leaf.index].cells != 1)
      continue;
    if (type != ScalarType::Pointer)
      slots_[slot.index].value = {entryScalar(nodes_[leaf.index].name, param.name, type, param)};
    else if (RootId pointee = nodes_[leaf.index].pointee)
      slots_[slot.index].value = placeValue(roots_[pointee.index].top, Digit{zero64(), {}});
  }
  return llvm::Error::success();
}

/// The callee owns its copy of an array within a by-value struct.
void Walk::copyPrivate(NodeId leaf) {
  ArrayId given = nodes_[leaf.index].array;
  ir::Array array = out_.array(given);
  array.role = ir::ArrayRole::Local;
  array.parameter.clear();
  ValueId count = fold_.constantInt(ScalarType::S64, nodes_[leaf.index].cells);
  ArrayId own = addArray(std::move(array));
  forCount(count, false,
           [&](ValueId index) { storeCell(own, loadCell(given, {{index}, {}}), {{index}, {}}); });
  nodes_[leaf.index].array = own;
}

void Walk::storeReturn(AbstractValue v) {
  if (v.isPointer() || !v.isSet())
    return unsupported("a pointer as the return value");
  ir::Array array;
  array.name = "return";
  array.cell = fold_.typeOf(v.scalar);
  array.extents = {SizeExpr::constant(1)};
  array.role = ir::ArrayRole::Return;
  array.loc = frame_->function->loc;
  storeCell(addArray(std::move(array)), fold_.refine(v.scalar), {{zero64()}, {}});
}

/// Disjointness is assumed of what is reached through different pointers, if
/// any of it is written.
void Walk::assumeDisjoint() {
  std::vector<std::string> names;
  bool anyWritten = false;
  for (const Root &root : roots_)
    if (root.kind == Root::Kind::Parameter && root.accessed) {
      names.push_back("'" + root.name + "'");
      anyWritten |= root.written;
    }
  if (names.size() < 2 || !anyWritten)
    return;
  std::string text = "parameters " + names[0];
  for (size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  assumption(text + " are disjoint");
}

llvm::Error Walk::factError(llvm::StringRef option, llvm::StringRef name) const {
  std::string known;
  for (const std::string &each : factNames_)
    known += (known.empty() ? "'" : ", '") + each + "'";
  return llvm::createStringError("%s%s: '%s' has no parameter of that name; it has %s",
                                 option.str().c_str(), name.str().c_str(),
                                 module_.function(entry_).name.c_str(),
                                 known.empty() ? "none" : known.c_str());
}

/// A size that would have no effect, or another one than the number says, is an error.
llvm::Error Walk::checkSize(const std::string &name, int64_t size) const {
  if (!factNames_.count(name))
    return factError("--size ", name);
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

llvm::Error Walk::checkFacts() {
  if (!problem_.empty())
    return llvm::createStringError(problem_);
  for (const auto &[name, ignored] : facts_.extents)
    if (!factNames_.count(name))
      return factError("--extent ", name);
  for (const std::string &name : facts_.uniform)
    if (!factNames_.count(name))
      return factError("--uniform ", name);
  for (const std::string &name : facts_.instance)
    if (!factNames_.count(name))
      return factError("--instance ", name);
  for (const auto &[name, size] : facts_.sizes)
    if (llvm::Error error = checkSize(name, size))
      return error;
  for (const auto &[from, to] : facts_.aliases)
    for (const std::string &name : {from, to})
      if (!factNames_.count(name))
        return factError("--alias ", name);
  for (const auto &[line, size] : facts_.bounds)
    if (!usedBounds_.count(line))
      return llvm::createStringError("--bound %u=%s: '%s' has no loop at line %u", line,
                                     size.str().c_str(), module_.function(entry_).name.c_str(),
                                     line);
  return llvm::Error::success();
}

} // namespace colonnade::canonical
