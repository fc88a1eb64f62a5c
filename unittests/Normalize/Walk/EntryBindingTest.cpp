//===- EntryBindingTest.cpp - Entry parameters and the user's facts -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

#include "Normalize/Walk/EntryBinding.h"

namespace colonnade::canonical {
namespace {

struct EntryBindingTest : MemorySample {
  ir::Function entry;
  EntryFacts facts;
  Decisions decisions;
  std::vector<AbstractValue> values;
  Scope scope;
  std::optional<EntryBinding> binding;

  EntryBindingTest() {
    entry.name = "f";
    entry.body = RegionId(0);
    entry.regions.emplace_back();
  }
  ir::RawParam &param(const std::string &name, ScalarType type, MemTypeId pointee = {}) {
    entry.regions[0].args.push_back(ValueId(entry.rawParams.size()));
    ir::RawParam &made = entry.rawParams.emplace_back();
    made.name = name;
    made.type = type;
    made.pointee = pointee;
    return made;
  }
  ir::RawParam &pointerParam(const std::string &name, MemTypeId type) {
    return param(name, ScalarType::Pointer, type);
  }
  /// The error, or nothing.
  std::string bind() {
    binding.emplace(memory, entry, facts, decisions);
    values.resize(entry.rawParams.size());
    scope.function = &entry;
    memory.sizes.setScope(&scope);
    return llvm::toString(binding->bind(values));
  }
  std::string checkFacts() { return llvm::toString(binding->checkFacts(module)); }
  const ir::Array *find(llvm::StringRef name) {
    auto it = llvm::find_if(out.arrays, [&](const ir::Array &a) { return a.name == name; });
    return it == out.arrays.end() ? nullptr : &*it;
  }
  std::vector<std::string> arrayNames() {
    std::vector<std::string> names;
    for (const ir::Array &array : out.arrays)
      names.push_back(array.name);
    return names;
  }
};

TEST_F(EntryBindingTest, AScalarIsUniformUnlessDeclaredOtherwise) {
  param("k", ScalarType::S32);
  param("x", ScalarType::F32);
  facts.instance = {"x"};
  ASSERT_EQ(bind(), "");
  ASSERT_EQ(out.scalars.size(), 1u);
  EXPECT_EQ(out.scalars[0].name, "k");
  EXPECT_EQ(values[0].scalar, out.scalars[0].value);
  EXPECT_EQ(memory.sizes.sizeOf(values[0].scalar).str(), "k");
  ASSERT_TRUE(find("x"));
  EXPECT_EQ(find("x")->role, ir::ArrayRole::Scalar);
  EXPECT_EQ(out.definition(values[1].scalar)->opcode, Opcode::Load);
}

TEST_F(EntryBindingTest, ASizeIsAConstantAlsoInExtents) {
  param("k", ScalarType::S32);
  pointerParam("a", f32).count = SizeExpr::name("k") + SizeExpr::constant(1);
  facts.sizes = {{"k", 7}};
  ASSERT_EQ(bind(), "");
  EXPECT_EQ(fold.intConstant(values[0].scalar), 7);
  EXPECT_EQ(find("a")->extents[0].str(), "8");
  EXPECT_EQ(checkFacts(), "");
}

TEST_F(EntryBindingTest, EachLeafBehindAPointerIsAnArray) {
  pointerParam("s", pair).isConst = true;
  facts.uniform = {"s.k"};
  facts.extents["s.p"] = {SizeExpr::constant(9)};
  ASSERT_EQ(bind(), "");
  EXPECT_EQ(arrayNames(), (std::vector<std::string>{"s.k", "s.v", "s.p"}));
  EXPECT_EQ(find("s.k")->sharing, ir::Sharing::Uniform);
  EXPECT_EQ(find("s.v")->sharing, ir::Sharing::Instance);
  EXPECT_EQ(find("s.v")->extents.size(), 2u);
  EXPECT_TRUE(find("s.v")->isConst);
  EXPECT_FALSE(find("s.p")->isConst); // a pointer to const says nothing about its fields'
  EXPECT_EQ(find("s.p")->extents[0].str(), "9");
  EXPECT_EQ(binding->optionalArrays(), std::set<std::string>{"s.p"});
  EXPECT_EQ(checkFacts(), "");
}

TEST_F(EntryBindingTest, AStructByValueIsAVariableWithTheCallersValues) {
  pointerParam("s", pair).byValueStruct = true;
  ASSERT_EQ(bind(), "");
  NodeId s = placeOf(values[0]).node;
  EXPECT_TRUE(tree.rootOf(s).as<StructParameter>());
  SlotId k = tree.node(tree.child(s, 0)).firstSlot;
  EXPECT_EQ(memory.slots.read(k).scalar, out.scalars[0].value);
  EXPECT_EQ(out.scalars[0].name, "s.k");
  EXPECT_EQ(find("s.v")->role, ir::ArrayRole::Parameter);
  AbstractValue p = memory.slots.read(tree.node(tree.child(s, 2)).firstSlot);
  EXPECT_EQ(tree.rootOf(placeOf(p).node).name, "s.p");
}

TEST_F(EntryBindingTest, AWrittenArrayOfAStructIsCopiedAtEntry) {
  pointerParam("s", pair).byValueStruct = true;
  decisions.addPrivateCopy("s.v", {});
  ASSERT_EQ(bind(), "");
  ASSERT_TRUE(find("s.v_2"));
  EXPECT_EQ(find("s.v_2")->role, ir::ArrayRole::Local);
  EXPECT_EQ(last().opcode, Opcode::For);
  NodeId cell = tree.element(tree.child(placeOf(values[0]).node, 1));
  EXPECT_EQ(out.array(tree.node(cell).array).name, "s.v_2");
}

TEST_F(EntryBindingTest, AnAliasIsTheOtherParameter) {
  pointerParam("out", f32);
  pointerParam("in", f32).isConst = true;
  facts.aliases = {{"out", "in"}};
  ASSERT_EQ(bind(), "");
  EXPECT_EQ(arrayNames(), std::vector<std::string>{"in"});
  EXPECT_EQ(placeOf(values[0]).node, placeOf(values[1]).node);
  EXPECT_FALSE(find("in")->isConst);
}

TEST_F(EntryBindingTest, AnAliasOfAnotherTypeIsAnError) {
  pointerParam("out", f32);
  pointerParam("in", s32);
  facts.aliases = {{"out", "in"}};
  EXPECT_EQ(bind(), "cannot alias 'out' and 'in': they point to different types");
}

TEST_F(EntryBindingTest, ExtentsHaveTheDimensionsOfTheSource) {
  pointerParam("m", row);
  facts.extents["m"] = {SizeExpr::constant(1), SizeExpr::constant(2), SizeExpr::constant(3)};
  EXPECT_EQ(bind(), "'m' has 2 dimensions, its extent gives 3");
}

TEST_F(EntryBindingTest, FactsThatNameNothing) {
  pointerParam("a", f32);
  facts.bounds[{"", 3}] = SizeExpr::constant(1);
  ASSERT_EQ(bind(), "");
  EXPECT_EQ(checkFacts(), "--bound 3=1: 'f' has no loop at line 3");
  facts.uniform = {"b"};
  EXPECT_EQ(checkFacts(), "--uniform b: 'f' has no parameter of that name; it has 'a'");
}

TEST_F(EntryBindingTest, AVoidPointerIsWhatItIsAccessedAs) {
  pointerParam("p", {});
  ASSERT_EQ(bind(), "");
  EXPECT_TRUE(out.arrays.empty());
  binding->adoptType(placeOf(values[0]).node, s32);
  EXPECT_EQ(arrayNames(), std::vector<std::string>{"p"});
}

TEST_F(EntryBindingTest, DisjointIfOneIsWritten) {
  pointerParam("a", f32);
  pointerParam("b", f32);
  pointerParam("c", f32);
  ASSERT_EQ(bind(), "");
  auto use = [&](unsigned i) -> Pointee::Use & {
    return tree.rootOf(placeOf(values[i]).node).as<Pointee>()->use;
  };
  use(0) = use(2) = Pointee::Use::Accessed;
  binding->assumeDisjoint();
  EXPECT_TRUE(out.assumptions.empty());
  use(2) = Pointee::Use::Written;
  binding->assumeDisjoint();
  EXPECT_EQ(out.assumptions, std::vector<std::string>{"parameters 'a' and 'c' are disjoint"});
}

TEST_F(EntryBindingTest, TheReturnValueIsAnArray) {
  ASSERT_EQ(bind(), "");
  binding->storeReturn({n});
  ASSERT_TRUE(find("return"));
  EXPECT_EQ(find("return")->role, ir::ArrayRole::Return);
  EXPECT_EQ(last().opcode, Opcode::Store);
  binding->storeReturn(memory.pointers.null());
  EXPECT_EQ(unsupported(), std::vector<std::string>{"a pointer as the return value"});
}

TEST_F(EntryBindingTest, AReturnedParameterIsNoOutput) {
  pointerParam("b", f32);
  ASSERT_EQ(bind(), "");
  const NodeId b = placeOf(values[0]).node;
  binding->storeReturn(memory.pointers.at(b, {{memory.fold.index(1), {}}}));
  EXPECT_EQ(unsupported(), std::vector<std::string>{"a pointer as the return value"});
  binding->storeReturn(memory.pointers.at(b, {{memory.fold.index(0), {}}}));
  EXPECT_EQ(unsupported().size(), 1u);
  EXPECT_EQ(out.assumptions, std::vector<std::string>{"the returned pointer, 'b', is no output"});
}

} // namespace
} // namespace colonnade::canonical
