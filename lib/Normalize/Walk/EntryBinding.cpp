//===- EntryBinding.cpp - Entry parameters become arrays and scalars ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/EntryBinding.h"

#include "Normalize/Walk/MemoryCopies.h"

namespace colonnade::canonical {

using ir::RawParam;
using ir::Sharing;

llvm::Error EntryBinding::bind(std::vector<AbstractValue> &values) {
  std::map<std::string, std::string> alias(facts_.aliases.begin(), facts_.aliases.end());
  // Aliases last: what they stand for must be there.
  for (bool aliases : {false, true})
    for (size_t i = 0; i < entry_.rawParams.size(); ++i) {
      const RawParam &param = entry_.rawParams[i];
      if (alias.count(param.name) != size_t(aliases))
        continue;
      AbstractValue &value = values[entry_.region(entry_.body).args[i].index];
      fold_.setLoc(param.loc ? param.loc : entry_.loc);
      names_.insert(param.name);
      if (param.type != ScalarType::Pointer)
        value = {bindScalar(param.name, param.name, param.type, param)};
      else if (llvm::Error error =
                   param.byValueStruct ? bindStruct(param, value) : bindPointer(param, value))
        return error;
    }
  return llvm::Error::success();
}

static ir::Array oneCell(const std::string &name, ScalarType cell, ir::ArrayRole role, LocId loc) {
  ir::Array array;
  array.name = name;
  array.cell = cell;
  array.extents = {SizeExpr::constant(1)};
  array.role = role;
  array.loc = loc;
  return array;
}

/// The value of a by-value scalar, or of a scalar field of a by-value struct.
ValueId EntryBinding::bindScalar(const std::string &name, const std::string &parameter,
                                 ScalarType type, const RawParam &param) {
  names_.insert(name);
  if (declared(name, parameter, param.declared) == Sharing::Instance) {
    ir::Array array = oneCell(name, type, ir::ArrayRole::Scalar, param.loc);
    array.parameter = parameter;
    ArrayId cell = memory_.arrays.add(std::move(array));
    ValueId v = fold_.load(cell, {{fold_.index(0)}, {}});
    fold_.suggestName(v, name);
    return v;
  }
  ValueId v = fold_.addArg(out_.body, type, name);
  out_.scalars.push_back({name, v, param.loc});
  auto size = facts_.sizes.find(name);
  if (size != facts_.sizes.end() && !ir::isFloat(type)) // a float: checkSize() says so
    return fold_.constantInt(type, size->second);
  memory_.sizes.addName(v, name);
  return v;
}

llvm::Error EntryBinding::bindPointer(const RawParam &param, AbstractValue &value) {
  for (const auto &[from, to] : facts_.aliases)
    if (from == param.name)
      return bindAlias(param, to, value);
  Root root;
  root.name = param.name;
  root.loc = param.loc;
  root.kind = Pointee{param.name, param.declared, param.count, param.isConst};
  RootId id = tree_.addRoot(std::move(root), param.pointee);
  pointees_[param.name] = id;
  value = memory_.pointerTo(id);
  std::vector<MemTypeId> path;
  return param.pointee ? makeArrays(id, path) : llvm::Error::success();
}

/// A parameter that points to what parameter `to` points to.
llvm::Error EntryBinding::bindAlias(const RawParam &param, const std::string &to,
                                    AbstractValue &value) {
  auto target = pointees_.find(to);
  if (target == pointees_.end())
    return unknownName("--alias " + param.name + "=", to);
  Root &root = tree_.root(target->second);
  if (!param.pointee || !tree_.sameType(tree_.node(root.top).type, param.pointee))
    return llvm::createStringError("cannot alias '%s' and '%s': they point to different types",
                                   param.name.c_str(), to.c_str());
  bool &isConst = root.as<Pointee>()->isConst;
  isConst &= param.isConst;
  tree_.forEachLeaf(root.top, [&](NodeId leaf) {
    if (ArrayId array = tree_.node(leaf).array)
      out_.array(array).isConst = isConst;
  });
  value = memory_.pointerTo(target->second);
  return llvm::Error::success();
}

/// A struct by value: a local variable that starts with the caller's values.
llvm::Error EntryBinding::bindStruct(const RawParam &param, AbstractValue &value) {
  Root root;
  root.name = param.name;
  root.loc = param.loc;
  root.kind = StructParameter{param.name, param.declared};
  RootId id = tree_.addRoot(std::move(root), param.pointee);
  value = memory_.pointerTo(id);
  for (NodeId leaf : tree_.leaves(tree_.root(id).top))
    if (llvm::Error error = bindLeaf(param, leaf))
      return error;
  return llvm::Error::success();
}

llvm::Error EntryBinding::bindLeaf(const RawParam &param, NodeId leaf) {
  if (tree_.isCallersBitField(leaf))
    return llvm::Error::success();
  const Node &node = tree_.node(leaf);
  ScalarType type = tree_.typeOf(leaf).scalar;
  bool isSlot = tree_.isSlot(leaf);
  std::vector<MemTypeId> path;
  if (!isSlot || type == ScalarType::Pointer)
    if (llvm::Error error = makeLeaf(leaf, path))
      return error;
  if (!isSlot) {
    if (decisions_.isPrivateCopy(node.name))
      copyPrivate(leaf);
    return llvm::Error::success();
  }
  memory_.ensureSlots(leaf);
  if (!node.firstSlot || node.cells != 1)
    return llvm::Error::success();
  if (type != ScalarType::Pointer)
    memory_.slots.createWith(node.firstSlot, {bindScalar(node.name, param.name, type, param)});
  else if (node.pointee)
    memory_.slots.createWith(node.firstSlot, memory_.pointerTo(node.pointee));
  return llvm::Error::success();
}

/// The callee owns its copy of an array within a by-value struct.
void EntryBinding::copyPrivate(NodeId leaf) {
  Node &node = tree_.node(leaf);
  ArrayId given = node.array;
  ir::Array array = out_.array(given);
  array.role = ir::ArrayRole::Local;
  array.parameter.clear();
  ValueId count = fold_.index(node.cells);
  ArrayId own = memory_.arrays.add(std::move(array));
  forCount(fold_, count, false, [&](ValueId index) {
    fold_.store(own, fold_.load(given, {{index}, {}}), {{index}, {}});
  });
  node.array = own;
  privateCopies_[node.name] = own;
}

void EntryBinding::adoptType(NodeId top, MemTypeId type) {
  adopted_.insert(top);
  tree_.node(top).type = decisions_.narrowCells(tree_.node(top).name).value_or(type);
  std::vector<MemTypeId> path;
  if (llvm::Error error = makeArrays(tree_.node(top).root, path))
    problem_ = llvm::toString(std::move(error));
}

/// A type that contains pointers to itself is followed once.
llvm::Error EntryBinding::makeArrays(RootId id, std::vector<MemTypeId> &path) {
  NodeId top = tree_.root(id).top;
  MemTypeId type = tree_.node(top).type;
  if (llvm::is_contained(path, type))
    return llvm::Error::success();
  path.push_back(type);
  for (NodeId leaf : tree_.leaves(top))
    if (tree_.isCallersBitField(leaf))
      continue;
    else if (llvm::Error error = makeLeaf(leaf, path))
      return error;
  path.pop_back();
  return llvm::Error::success();
}

/// Who an array belongs to: the same words for a by-value struct and a pointee.
static StructParameter ownerOf(const Root &root) {
  if (const auto *pointee = root.as<Pointee>())
    return {pointee->parameter, pointee->declared};
  return *root.as<StructParameter>();
}

llvm::Error EntryBinding::makeLeaf(NodeId leaf, std::vector<MemTypeId> &path) {
  const Node &node = tree_.node(leaf);
  names_.insert(node.name);
  if (tree_.typeOf(leaf).scalar == ScalarType::Pointer)
    return makePointee(leaf, path);
  auto extents = extentsOf(leaf);
  if (!extents)
    return extents.takeError();
  const Root &root = tree_.rootOf(leaf);
  const StructParameter owner = ownerOf(root);
  const auto *pointee = root.as<Pointee>();
  ir::Array array;
  array.name = node.name;
  array.cell = tree_.typeOf(leaf).scalar;
  array.extents = std::move(*extents);
  array.role = ir::ArrayRole::Parameter;
  array.sharing = declared(node.name, owner.parameter, owner.declared).value_or(Sharing::Instance);
  array.isConst = pointee && pointee->isConst;
  array.loc = root.loc;
  array.parameter = owner.parameter;
  array.object = root.name;
  ArrayId id = memory_.arrays.add(std::move(array));
  tree_.node(leaf).array = id;
  if (root.name != owner.parameter) // behind a pointer field: a parameter only if accessed
    optionalArrays_.insert(out_.array(id).name);
  return llvm::Error::success();
}

/// A pointer field. One within an array is data, which is not followed.
llvm::Error EntryBinding::makePointee(NodeId leaf, std::vector<MemTypeId> &path) {
  MemTypeId type = tree_.typeOf(leaf).element;
  if (!type || tree_.node(leaf).digits != 1)
    return llvm::Error::success();
  const StructParameter owner = ownerOf(tree_.rootOf(leaf));
  Root root;
  root.name = tree_.node(leaf).name;
  root.loc = tree_.rootOf(leaf).loc;
  root.kind = Pointee{owner.parameter, owner.declared, SizeExpr(), false};
  RootId id = tree_.addRoot(std::move(root), type);
  tree_.node(leaf).pointee = id;
  pointees_[tree_.node(leaf).name] = id;
  return makeArrays(id, path);
}

/// Declared dimensions, outermost first; "?" for what nobody said.
llvm::Expected<std::vector<SizeExpr>> EntryBinding::extentsOf(NodeId leaf) {
  const Node &node = tree_.node(leaf);
  const Root &root = tree_.rootOf(leaf);
  std::vector<SizeExpr> extents =
      memory_.arrays.innerExtents(leaf).value_or(std::vector<SizeExpr>(node.digits - 1));
  bool single = tree_.hasOneElement(node.root);
  if (!single || extents.empty())
    extents.insert(extents.begin(), single ? SizeExpr::constant(1) : root.as<Pointee>()->count);
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

/// `return p;` of a pointer parameter, as it came: callers know it.
bool EntryBinding::returnsParameter(AbstractValue v) {
  const Place *place = v.isPointer() ? memory_.pointers.single(v) : nullptr;
  if (!place || !place->node)
    return false;
  const Root &root = tree_.rootOf(place->node);
  const auto *pointee = root.as<Pointee>();
  if (!pointee || root.name != pointee->parameter ||
      tree_.node(place->node).kind == Node::Kind::Field ||
      !llvm::all_of(place->digits,
                    [&](const Digit &digit) { return fold_.intConstant(digit.subscript) == 0; }))
    return false;
  fold_.addAssumption("the returned pointer, '" + root.name + "', is no output");
  fold_.account().add(Deed::Write);
  return true;
}

void EntryBinding::storeReturn(AbstractValue v) {
  if (returnsParameter(v))
    return;
  if (v.isPointer() || !v.isSet())
    return fold_.unsupported("a pointer as the return value");
  ir::Array array = oneCell("return", fold_.typeOf(v.scalar), ir::ArrayRole::Return, entry_.loc);
  ValueId refined = fold_.refine(v.scalar);
  ArrayId cell = memory_.arrays.add(std::move(array));
  fold_.store(cell, refined, {{fold_.index(0)}, {}});
}

void EntryBinding::assumeDisjoint() {
  std::vector<std::string> names;
  bool anyWritten = false;
  for (const Root &root : tree_.roots())
    if (const auto *pointee = root.as<Pointee>(); pointee && pointee->use != Pointee::Use::None) {
      names.push_back("'" + root.name + "'");
      anyWritten |= pointee->use == Pointee::Use::Written;
    }
  if (names.size() < 2 || !anyWritten)
    return;
  std::string text = "parameters " + names[0];
  for (size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  fold_.addAssumption(text + " are disjoint");
}

} // namespace colonnade::canonical
