//===- RecorderTest.cpp - Steps, and runs that do not return --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recorded.h"

#include <csignal>

namespace colonnade {
namespace {

using record::RunEnd;

/// "L0.2 S1.0" for a load of cell 2 of the first array and a store to the second one's first;
/// steps are apart by "; ", a part of a cell has a "?".
std::string stepsOf(Recorded &recorded, const record::RunInput &input) {
  auto recording = recorded.run(input);
  if (!recording)
    return llvm::toString(recording.takeError());
  std::string text;
  for (const record::RecordedStep &step : recording->steps) {
    text += text.empty() ? "" : "; ";
    std::string cells;
    for (const record::RecordedCell &cell : step.cells)
      cells += (cells.empty() ? "" : " ") + std::string(cell.isStore ? "S" : "L") +
               std::to_string(cell.array) + "." + std::to_string(cell.cell) +
               (cell.isPart ? "?" : "");
    text += cells;
  }
  return text;
}

TEST(Recorder, LoadsAndStores) {
  Recorded recorded("void f(int (&a)[4]) { a[1] = a[3]; a[0] += 2; }");
  EXPECT_EQ(stepsOf(recorded, {{{1, 2, 3, 4}}, {}}), "L0.3; S0.1; L0.0; S0.0");
}

TEST(Recorder, ResultsComeBack) {
  Recorded recorded("int f(int (&a)[2]) { a[1] = a[0] * 2; return a[1] + 1; }");
  auto recording = recorded.run({{{21, 0}, {0}}, {}});
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->end, RunEnd::Returned);
  EXPECT_EQ(recording->after, (std::vector<std::vector<uint64_t>>{{21, 42}, {43}}));
}

TEST(Recorder, CopiesAreOneStep) {
  Recorded recorded("struct s { char a; double b; };\n"
                    "void f(s &to, const s &from) { to = from; }");
  EXPECT_EQ(stepsOf(recorded, {{{1}, {2}, {3}, {4}}, {}}), "L2.0 L3.0 S0.0 S1.0");
}

TEST(Recorder, ArgumentsByValueAreReadWhole) {
  Recorded recorded("struct s { int a[5]; };\n"
                    "static int first(s x) { x.a[0]++; return x.a[0]; }\n"
                    "int f(const s &from) { return first(from); }");
  EXPECT_EQ(stepsOf(recorded, {{{1, 2, 3, 4, 5}, {0}}, {}}), "L0.0 L0.1 L0.2 L0.3 L0.4");
}

TEST(Recorder, OddWidths) {
  Recorded recorded("void f(unsigned char (&a)[8], int (&b)[2]) {\n"
                    "  *(unsigned *)a = 7; ((unsigned char *)b)[5] = 1;\n"
                    "  __builtin_memset(a + 5, 0, 3); __builtin_memcpy(b, b + 1, 2); }");
  EXPECT_EQ(stepsOf(recorded, {{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2}}, {}}),
            "S0.0 S0.1 S0.2 S0.3; S1.1?; S0.5 S0.6 S0.7; L1.1? S1.0?");
}

TEST(Recorder, Atomics) {
  Recorded recorded("void f(int (&a)[2]) {}",
                    "void f(int (&a)[2]) { __atomic_fetch_add(&a[1], 1, 5); }");
  EXPECT_EQ(stepsOf(recorded, {{{1, 2}}, {}}), "L0.1 S0.1");
}

TEST(Recorder, LibraryFunctions) {
  Recorded recorded("#include <cmath>\n#include <cstring>\n"
                    "void f(double (&x)[2], int (&e)[2], unsigned char (&u)[4]) {\n"
                    "  x[0] = std::frexp(x[1], &e[1]); e[0] = std::memcmp(u, u + 2, 2) == 0; }");
  EXPECT_EQ(stepsOf(recorded, {{{1, 2}, {3, 4}, {1, 2, 3, 4}}, {}}),
            "L0.1; S1.1; S0.0; L2.0 L2.1 L2.2 L2.3; S1.0");
}

const char *const Nothing = "void f(int (&a)[2]) { a[0] = 1; }";

TEST(Recorder, Crash) {
  Recorded recorded(Nothing, "void f(int (&a)[2]) { a[0] = 1; *(int *)8 = 1; }");
  auto recording = recorded.run({{{1, 2}}, {}});
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->end, RunEnd::Crashed);
  EXPECT_EQ(recording->signal, SIGSEGV);
  EXPECT_EQ(recording->steps.size(), 1u);
}

TEST(Recorder, NothingBehindAnArray) {
  Recorded recorded(Nothing, "void f(int (&a)[2]) { a[16] = 1; }");
  auto recording = recorded.run({{{1, 2}}, {}});
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->end, RunEnd::Crashed);
}

TEST(Recorder, EndlessLoop) {
  Recorded recorded(Nothing, "void f(int (&a)[2]) { for (volatile int i = 0;; i = 1); }");
  auto recording = recorded.run({{{1, 2}}, {}}, {.seconds = 0.2});
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->end, RunEnd::TooSlow);
}

TEST(Recorder, EndlessAccesses) {
  Recorded recorded(Nothing, "void f(int (&a)[2]) { for (;;) a[0]++; }");
  auto recording = recorded.run({{{1, 2}}, {}}, {.seconds = 60});
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->end, RunEnd::TooLong);
}

TEST(Recorder, MemoryIsLimited) {
  Recorded recorded(Nothing, "#include <cstdlib>\n"
                             "void f(int (&a)[2]) { a[0] = 0;\n"
                             "  while (a[0] < 1000 && std::malloc(16 << 20)) a[0]++; }");
  auto recording = recorded.run({{{1, 2}}, {}}, {.memoryBytes = 256 << 20});
  ASSERT_TRUE(bool(recording));
  ASSERT_EQ(recording->end, RunEnd::Returned);
  EXPECT_GT(recording->after[0][0], 1u);
  EXPECT_LT(recording->after[0][0], 20u);
}

TEST(Recorder, Exit) {
  Recorded recorded(Nothing, "#include <cstdlib>\n void f(int (&a)[2]) { std::exit(0); }");
  auto recording = recorded.run({{{1, 2}}, {}});
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->end, RunEnd::Left);
}

/// Whatever a run does to its globals, the next one begins anew; and nothing runs here.
TEST(Recorder, RunsAreApart) {
  Recorded recorded(Nothing, "static int count = 40; struct s { s() { count++; } } static one;\n"
                             "void f(int (&a)[2]) { a[0] = ++count; }");
  for (int i = 0; i < 2; ++i) {
    auto recording = recorded.run({{{1, 2}}, {}});
    ASSERT_TRUE(bool(recording));
    ASSERT_EQ(recording->end, RunEnd::Returned);
    EXPECT_EQ(recording->after[0][0], 42u);
  }
}

} // namespace
} // namespace colonnade
