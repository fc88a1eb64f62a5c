//===- SpacesTest.cpp - Where arrays live ---------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"
#include "Transform/RegisterPlacement.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

TEST(Spaces, CallersMemory) {
  Lowered f = Lowered::of("array @a : f32[n] parameter instance reads of a\n"
                          "array @u : f32[n] parameter uniform reads of u",
                          "%x = load @a[%cell] access 0 : f32\n%y = load @u[%cell] access 1 : f32");
  for (const Function *kernel : {&f.threads, &f.lanes}) {
    EXPECT_EQ(arrayNamed(*kernel, "a").space, Space::Memory);
    EXPECT_EQ(arrayNamed(*kernel, "u").space, Space::Uniform);
  }
}

/// A local array of so many f32 that `text` says, written and read at 0.
Lowered withLocal(const std::string &extent) {
  return Lowered::of("array @a : f32[n] parameter instance reads writes of a\n"
                     "array @l : f32[" +
                         extent + "] local instance reads writes",
                     "%i = cast %n : s64\n%x = load @a[%i] access 0 : f32\n"
                     "store @l[%i], %x access 1\n%y = load @l[%cell] access 2 : f32\n"
                     "store @a[%cell], %y access 3");
}

TEST(Spaces, LocalArraysByTheirSize) {
  Lowered small = withLocal("256"), middle = withLocal("257"), large = withLocal("1025"),
          unknown = withLocal("n");
  EXPECT_EQ(arrayNamed(small.lanes, "l").space, Space::Local);
  EXPECT_EQ(arrayNamed(small.threads, "l").space, Space::Local);
  EXPECT_EQ(arrayNamed(middle.lanes, "l").space, Space::Scratch);
  EXPECT_EQ(arrayNamed(middle.threads, "l").space, Space::Local);
  EXPECT_EQ(arrayNamed(large.threads, "l").space, Space::Scratch);
  EXPECT_EQ(arrayNamed(unknown.threads, "l").space, Space::Scratch);
  EXPECT_EQ(arrayNamed(unknown.lanes, "l").space, Space::Scratch);
  EXPECT_TRUE(middle.threads.notes.empty());
  EXPECT_EQ(large.threads.notes,
            (std::vector<std::string>{
                "l: in scratch memory, too large for a thread or of unknown size"}));
}

std::string table(const std::string &name, size_t cells) {
  std::string text =
      "array @" + name + " : u8[" + std::to_string(cells) + "] table uniform reads = {7";
  for (size_t i = 1; i < cells; ++i)
    text += ", 1";
  return text + "}\n";
}

TEST(Spaces, ConstantMemoryLastsFor48KiB) {
  const size_t most = 48 << 10;
  Lowered f = Lowered::of(table("t", most - 1) + table("second", 2) + table("third", 1), "");
  EXPECT_EQ(arrayNamed(f.threads, "t").space, Space::Constant);
  EXPECT_EQ(arrayNamed(f.threads, "second").space, Space::Global);
  EXPECT_EQ(arrayNamed(f.threads, "third").space, Space::Constant);
  EXPECT_EQ(arrayNamed(f.lanes, "second").space, Space::Constant);
}

/// for (i = 0; i < `high`; ++i) b[i] = a[i] + b[i] over arrays of eight.
Lowered sums(const std::string &high, const std::string &cells = "8") {
  return Lowered::of(
      "array @a : f32[" + cells +
          "] parameter instance const reads of a\n"
          "array @b : f32[" +
          cells + "] parameter instance reads writes of b",
      "%eight = const 8 : s32\n"
      "for %i : s32 = %zero lt " +
          high +
          " step %one () {\n%k = cast %i : s64\n"
          "%x = load @a[%k] access 0 : f32\n%y = load @b[%k] access 1 : f32\n"
          "%z = add %x, %y : f32\nstore @b[%k], %z access 2\nyield\n} -> %last : s32");
}

TEST(Spaces, RegistersWhereSubscriptsAreKnown) {
  Lowered known = sums("%eight"), unknown = sums("%n");
  EXPECT_EQ(arrayNamed(known.threads, "a").space, Space::Registers);
  EXPECT_TRUE(arrayNamed(known.threads, "a").loadedFirst);
  EXPECT_EQ(known.threads.notes.size(), 2u);
  EXPECT_EQ(arrayNamed(known.lanes, "a").space, Space::Memory); // lanes have none
  EXPECT_EQ(arrayNamed(unknown.threads, "a").space, Space::Memory);
}

TEST(Spaces, NoRegistersOutsideTheExtentOrBeyondTheLimit) {
  Lowered outside = sums("%eight", "7");
  EXPECT_EQ(arrayNamed(outside.threads, "a").space, Space::Memory);
  Lowered f = sums("%eight");
  EXPECT_EQ(planRegisters(f.threads, {.words = 16}).arrays, (std::vector<bool>{true, true}));
  EXPECT_EQ(planRegisters(f.threads, {.words = 15}).arrays, (std::vector<bool>{true, false}));
  EXPECT_EQ(planRegisters(f.threads, {.words = 7}).arrays, (std::vector<bool>{false, false}));
  EXPECT_EQ(planRegisters(f.threads, {.steps = 10}).arrays, (std::vector<bool>{false, false}));
}

/// Cells that nothing accesses need no register, if others are accessed again.
TEST(Spaces, RegistersOfCellsThatAreAccessed) {
  const auto some = [](const std::string &cells, const std::string &rounds) {
    return Lowered::of("array @b : f32[" + cells + "] parameter instance reads writes of b",
                       "%eight = const 8 : s32\n%rounds = const " + rounds +
                           " : s32\n"
                           "for %i : s32 = %zero lt %eight step %one () {\n%k = cast %i : s64\n"
                           "for %r : s32 = %zero lt %rounds step %one () {\n"
                           "%x = load @b[%k] access 0 : f32\n%y = add %x, %x : f32\n"
                           "store @b[%k], %y access 1\nyield\n} -> %e : s32\nyield\n"
                           "} -> %last : s32");
  };
  const auto isInRegisters = [](const Lowered &f, uint64_t words) -> bool {
    return planRegisters(f.threads, {.words = words, .wordsOfOne = words}).arrays[0];
  };
  const Lowered f = some("30", "2"), few = some("36", "2");
  EXPECT_TRUE(isInRegisters(f, 8));
  EXPECT_FALSE(isInRegisters(f, 7));
  EXPECT_TRUE(isInRegisters(few, 36)); // fewer than one in four
  EXPECT_FALSE(isInRegisters(few, 35));
}

/// A loop around is kept where unrolling it is too much: then an array may not depend on it.
TEST(Spaces, OuterLoopsAreKeptWhereAllAreTooMany) {
  Lowered f = Lowered::of("array @a : f32[1000] parameter instance const reads of a\n"
                          "array @b : f32[8] parameter instance reads writes of b",
                          "%many = const 1000 : s32\n%eight = const 8 : s32\n"
                          "for %i : s32 = %zero lt %many step %one () {\n%r = cast %i : s64\n"
                          "for %j : s32 = %zero lt %eight step %one () {\n%k = cast %j : s64\n"
                          "%x = load @a[%r] access 0 : f32\n%y = load @b[%k] access 1 : f32\n"
                          "%z = add %x, %y : f32\nstore @b[%k], %z access 2\nyield\n"
                          "} -> %lastj : s32\nyield\n} -> %lasti : s32");
  EXPECT_EQ(arrayNamed(f.threads, "a").space, Space::Memory);
  EXPECT_EQ(arrayNamed(f.threads, "b").space, Space::Registers);
  std::vector<Unrolling::Kind> kinds;
  for (const Op &op : f.threads.ops)
    if (op.opcode == Opcode::For)
      kinds.push_back(op.unrolling.kind);
  EXPECT_EQ(kinds, (std::vector{Unrolling::Kind::Fully, Unrolling::Kind::None}));
  // Both loops are unrolled where that is allowed.
  const RegisterPlan all = planRegisters(f.threads, {.words = 2000, .operations = 1u << 20});
  EXPECT_EQ(all.arrays, (std::vector<bool>{true, true}));
}

TEST(Spaces, OnlyCellsThatAreStoredToGoBack) {
  using Ranges = std::vector<CellRange>;
  Lowered all = sums("%eight");
  EXPECT_EQ(arrayNamed(all.threads, "b").stored, Ranges{});
  EXPECT_EQ(arrayNamed(all.threads, "a").stored, Ranges{}); // is never stored to
  const std::string cells = "%two = const 2 : s64\n%three = const 3 : s64\n%five = const 5 : s64\n"
                            "%x = load @b[%cell] access 0 : f32\n"
                            "if %flag {\nstore @b[%two], %x access 1\nyield\n} else {\n"
                            "store @b[%five], %x access 2\nyield\n}\nstore @b[%three], %x access 3";
  Lowered some = Lowered::of("array @b : f32[8] parameter instance reads writes of b", cells);
  EXPECT_EQ(arrayNamed(some.threads, "b").stored, (Ranges{{2, 3}, {5, 5}}));
}

TEST(Spaces, OutputsWrittenInFullAreNotLoadedFirst) {
  const std::string arrays = "array @b : f32[4] parameter instance writes of b\n";
  const std::string loop = "%four = const 4 : s32\n%x = const 1.0 : f32\n"
                           "for %i : s32 = %zero lt %four step %one () {\n"
                           "%k = cast %i : s64\nstore @b[%k], %x access 0\nyield\n} -> %e : s32";
  EXPECT_FALSE(arrayNamed(Lowered::of(arrays, loop).threads, "b").loadedFirst);
  const std::string some = "if %flag {\n" + loop + "\nyield\n} else {\nyield\n}";
  Lowered partly = Lowered::of(arrays, some);
  EXPECT_EQ(arrayNamed(partly.threads, "b").space, Space::Registers);
  EXPECT_TRUE(arrayNamed(partly.threads, "b").loadedFirst);
}

} // namespace
