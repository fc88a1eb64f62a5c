//===- LeafArrays.cpp - The arrays of the canonical function --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/LeafArrays.h"

namespace colonnade::canonical {

std::string LeafArrays::uniqueName(const std::string &name) {
  std::string base = name.empty() ? "array" : name;
  unsigned &count = names_[base];
  std::string unique = count == 0 ? base : base + "_" + std::to_string(count + 1);
  ++count;
  if (unique != base && names_.count(unique))
    return uniqueName(base);
  names_[unique];
  return unique;
}

ArrayId LeafArrays::add(ir::Array array) {
  array.name = uniqueName(array.name);
  out_.arrays.push_back(std::move(array));
  return ArrayId(out_.arrays.size() - 1);
}

std::optional<std::vector<SizeExpr>> LeafArrays::innerExtents(NodeId leaf) {
  std::vector<SizeExpr> counts; // as the type has them, innermost first
  for (NodeId node = leaf; node; node = tree_.node(node).parent)
    if (tree_.node(node).kind == Node::Kind::Element)
      counts.push_back(tree_.typeOf(tree_.node(node).parent).count);
  const auto *variable = tree_.rootOf(leaf).as<LocalVariable>();
  llvm::ArrayRef<SizeExpr> declared;
  if (variable)
    declared = variable->sizes;
  std::vector<SizeExpr> extents;
  for (const SizeExpr &count : llvm::reverse(counts)) {
    const bool isDeclared = !count.asConstant() && !declared.empty();
    extents.push_back(isDeclared ? declared.front() : sizes_.inEntryTerms(count));
    if (isDeclared)
      declared = declared.drop_front();
    if (!extents.back().known())
      return std::nullopt;
  }
  return extents;
}

ArrayId LeafArrays::of(NodeId leaf) {
  Node &node = tree_.node(leaf);
  const Root &root = tree_.rootOf(leaf);
  if (node.array || !root.isLocal())
    return node.array;
  std::optional<std::vector<SizeExpr>> extents = innerExtents(leaf);
  if (!extents)
    return {};
  ir::Array array;
  array.name = node.name;
  array.cell = tree_.typeOf(leaf).scalar;
  array.extents = std::move(*extents);
  array.role = ir::ArrayRole::Local;
  array.loc = root.loc;
  return node.array = add(std::move(array));
}

} // namespace colonnade::canonical
