//===- SubsetTests.cpp - What is lowered as it stands ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/subset.c and subset.cpp are the subset; nothing in them may be unsupported.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace colonnade;
using namespace colonnade::test;

namespace {

TEST(Frontend, PrefixSums) {
  EXPECT_SUPPORTED(
      lowerC("void f(float *b, int n) { for (int i = 1; i < n; i++) b[i] += b[i-1]; }"));
}

TEST(Frontend, CxxSubset) {
  const char *names[] = {"ns::g",   "vecs",  "arrays", "mathy", "tables", "lambdas",
                         "classes", "sw",    "loops",  "enums", "ops",    "mem",
                         "bits",    "recur", "misc",   "byval", "ret",    "big"};
  EXPECT_SUPPORTED(lower({{input("subset.cpp"), "cpp"}}, {std::begin(names), std::end(names)}));
}

TEST(Frontend, CSubset) {
  const char *names[] = {"vla",    "structs", "use_make", "ptrs", "macros",
                         "tables", "logic",   "chars",    "dup"};
  EXPECT_SUPPORTED(lower({{input("subset.c"), "c"}}, {std::begin(names), std::end(names)}));
  EXPECT_UNSUPPORTED(lowerC(input("subset.c"), "cmath"),
                     "call of 'nextafter', a function of <cmath> outside the subset");
}

TEST(Frontend, BarrierIsNoInstruction) {
  EXPECT_SUPPORTED(lowerC("void f(int *a) { int x = *a; __asm__(\"\" : \"+r\"(x)); *a = x; }"));
  EXPECT_UNSUPPORTED(lowerC("void f(int *a) { int x; __asm__(\"\" : \"=r\"(x)); *a = x; }"),
                     "inline assembly");
  // Its operands are evaluated, and an output is a read and a write.
  Lowered touched = lowerC("void f(int *a, int *b) { __asm__(\"\" : \"+r\"(a[b[0]])); }");
  EXPECT_SUPPORTED(touched);
  EXPECT_TRUE(contains(touched, "ptr.store")) << touched.text;
}

TEST(Frontend, ParameterFacts) {
  Lowered lowered = lowerCxx(R"source(
#define ANNOTATE(x) __attribute__((annotate("colonnade." x)))
constexpr int K = 4;
void f(float *a ANNOTATE("extent:n * K"), const int t[7] ANNOTATE("uniform"), float (&r)[3],
       float s ANNOTATE("instance"), int n, double m[][5]) {})source");
  for (const char *text : {"param a : ptr !0 count [n*4]", "count [7] const uniform",
                           "count [1] reference", "param s : f32 instance"})
    EXPECT_TRUE(contains(lowered, text)) << text << "\n" << lowered.text;
}

} // namespace
