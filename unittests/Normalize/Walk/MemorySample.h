//===- MemorySample.h - Types and a function to walk in ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the walk are tested one by one: here is what they need.
//
// In: nothing. Out: a module with a few memory types, and an empty canonical function with two
// parameters. Invariant: roots have what the walk would give them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_NORMALIZE_MEMORYSAMPLE_H
#define COLONNADE_UNITTESTS_NORMALIZE_MEMORYSAMPLE_H

#include "Normalize/Walk/Memory.h"

#include "gtest/gtest.h"

namespace colonnade::canonical {

struct MemorySample : testing::Test {
  MemorySample() : memory((makeTypes(), module), shell()) {
    n = fold.addArg(out.body, ScalarType::S64, "n");
    flag = fold.addArg(out.body, ScalarType::Bool, "flag");
  }

  // Types.
  void makeTypes() {
    s32 = scalarType(ScalarType::S32);
    f32 = scalarType(ScalarType::F32);
    row = arrayType(f32, SizeExpr::constant(4));
    image = arrayType(row, SizeExpr::constant(3));
    ir::MemType pointer;
    pointer.scalar = ScalarType::Pointer;
    pointer.element = f32;
    toF32 = add(pointer);
    ir::MemType pair;
    pair.kind = ir::MemType::Kind::Struct;
    pair.name = "Pair";
    pair.fields = {{"k", s32}, {"v", row}, {"p", toF32}};
    this->pair = add(pair);
  }
  MemTypeId add(ir::MemType type) {
    module.memTypes.push_back(std::move(type));
    return MemTypeId(module.memTypes.size() - 1);
  }
  MemTypeId scalarType(ScalarType scalar) {
    ir::MemType type;
    type.scalar = scalar;
    return add(type);
  }
  MemTypeId arrayType(MemTypeId element, SizeExpr count) {
    ir::MemType type;
    type.kind = ir::MemType::Kind::Array;
    type.element = element;
    type.count = std::move(count);
    return add(type);
  }
  ir::Function &shell() {
    out.stage = ir::Stage::Canonical;
    out.body = RegionId(0);
    out.regions.emplace_back();
    return out;
  }

  // Roots, with what the walk gives them.
  RootId root(const std::string &name, decltype(Root::kind) kind, MemTypeId type) {
    Root root;
    root.name = name;
    root.kind = std::move(kind);
    RootId id = tree.addRoot(std::move(root), type);
    bool isPointee = tree.root(id).as<Pointee>();
    for (NodeId leaf : type ? tree.leaves(tree.root(id).top) : std::vector<NodeId>())
      if (tree.isSlot(leaf))
        memory.ensureSlots(leaf);
      else if (isPointee && tree.typeOf(leaf).scalar != ScalarType::Pointer)
        giveArray(leaf, ir::ArrayRole::Parameter);
    return id;
  }
  ArrayId giveArray(NodeId leaf, ir::ArrayRole role) {
    ir::Array array;
    array.name = tree.node(leaf).name;
    array.cell = tree.typeOf(leaf).scalar;
    array.extents.resize(tree.node(leaf).digits);
    array.role = role;
    return tree.node(leaf).array = memory.arrays.add(std::move(array));
  }
  RootId variable(const std::string &name, MemTypeId type, bool promoteArrays = false) {
    return root(name, LocalVariable{promoteArrays}, type);
  }
  RootId pointee(const std::string &name, MemTypeId type) { return root(name, Pointee{}, type); }
  NodeId top(RootId id) { return tree.root(id).top; }
  SlotId slot(RootId id) { return tree.node(top(id)).firstSlot; }

  Place place(NodeId node, std::initializer_list<ValueId> subscripts) {
    Place result;
    result.node = node;
    for (ValueId subscript : subscripts)
      result.digits.push_back({subscript, {}});
    // The radices of the dimensions on the way to the node.
    size_t digit = result.digits.size();
    for (NodeId at = node; at; at = tree.node(at).parent)
      if (tree.node(at).kind == Node::Kind::Element)
        result.digits[--digit].radix =
            fold.index(*tree.typeOf(tree.node(at).parent).count.asConstant());
    return result;
  }
  AbstractValue pointer(Place place) {
    Pointer p;
    p.places.push_back(std::move(place));
    return memory.pointers.add(std::move(p));
  }
  AbstractValue pointer(RootId id, ValueId subscript) {
    return pointer(place(top(id), {subscript}));
  }
  const Place &placeOf(AbstractValue v) { return memory.pointers[v].places[0]; }

  // What was appended.
  std::vector<Opcode> opcodes(RegionId region = RegionId(0)) {
    std::vector<Opcode> result;
    for (OpId id : out.region(region).ops)
      result.push_back(out.op(id).opcode);
    return result;
  }
  const ir::Op &last() { return out.terminator(out.body); }
  std::vector<std::string> unsupported() {
    std::vector<std::string> result;
    for (const ir::Op &op : out.ops)
      if (op.opcode == Opcode::Unsupported)
        result.push_back(op.text);
    return result;
  }

  MemTypeId s32, f32, row, image, toF32, pair; // int, float, float[4], float[3][4], float *
  ir::Module module;
  ir::Function out;
  Memory memory;
  Folder &fold = memory.fold;
  PlaceTree &tree = memory.tree;
  ValueId n, flag;
};

} // namespace colonnade::canonical

#endif // COLONNADE_UNITTESTS_NORMALIZE_MEMORYSAMPLE_H
