//===- MeasurementsTest.cpp - What the measuring programme printed --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines of the programme and of ptxas, as they are printed (CUDA 13), and what is none.
//
//===----------------------------------------------------------------------===//

#include "Tune/Measurements.h"

#include <gtest/gtest.h>

#include <random>

namespace colonnade::tune {
namespace {

const std::string MeasuredHash(64, 'a'),
    Gpu = "{\"gpu\":\"NVIDIA H200\",\"plans\":\"" + MeasuredHash + "\"}\n",
    Line = R"({"job":0,"plan":2,"layout":"row_wise","instances":1024,)"
           R"("microseconds":9.216,"same":true})"
           "\n",
    Refused = R"({"job":0,"plan":3,"layout":"tiled","refused":"no"})"
              "\n";

std::string errorOfLines(const std::string &text) {
  auto read = readMeasurements(text, "m");
  return read ? "" : llvm::toString(read.takeError());
}

TEST(Measurements, LinesAreRead) {
  auto read = readMeasurements(Gpu + Line + Refused + "\n", "m");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->gpu, "NVIDIA H200");
  EXPECT_EQ(read->plans, MeasuredHash);
  ASSERT_EQ(read->all.size(), 1u); // the other one did not run
  EXPECT_EQ(read->all[0].plan, 2u);
  EXPECT_EQ(read->all[0].layout, MeasuredLayout::RowWise);
  EXPECT_EQ(read->all[0].instances, 1024u);
  EXPECT_EQ(read->all[0].microseconds, 9.216);
  EXPECT_TRUE(read->all[0].same);
}

TEST(Measurements, WhatIsNoLineIsAnError) {
  EXPECT_EQ(errorOfLines(""), "m: nothing was measured");
  EXPECT_EQ(errorOfLines(Line), "m:1: missing at gpu");
  EXPECT_EQ(errorOfLines("{\"gpu\":\"a GPU\"}"), "m:1: missing at plans");
  EXPECT_EQ(errorOfLines(Gpu + "Segmentation fault\n"), "m:2:1:1: invalid JSON value");
  EXPECT_EQ(errorOfLines(Gpu + Line + "7\n"), "m:3: expected an object");
  EXPECT_EQ(errorOfLines(Gpu + R"({"job":-1,"plan":2,"layout":"row_wise"})"),
            "m:2: expected a number at job");
  EXPECT_EQ(errorOfLines(Gpu + R"({"job":0,"plan":2,"layout":"rows"})"),
            "m:2: expected a layout at layout");
  EXPECT_EQ(errorOfLines(Gpu + R"({"job":0,"plan":2,"layout":"tiled","instances":1})"),
            "m:2: missing at microseconds");
  EXPECT_EQ(errorOfLines(Gpu + Line.substr(0, 60)).rfind("m:2:1:", 0), 0u);
}

/// As ptxas says it of a kernel.
std::string properties(const std::string &kernel, const std::string &stores,
                       const std::string &loads) {
  return "ptxas info    : Function properties for _ZN9colonnade7runtime6f_bulk12_GLOBAL__N__1" +
         kernel + "\n    16 bytes stack frame, " + stores + " bytes spill stores, " + loads +
         " bytes spill loads\nptxas info    : Used 40 registers, used 1 barriers\n";
}
const std::string Rows = "15row_wise_kernelEPKfPfimPNS0_13device_statusE",
                  Columns = "18column_wise_kernelINS0_18column_wise_layoutEEEvPf",
                  Tiles = "18column_wise_kernelINS0_12tiled_layoutILm32EEEEEvPf",
                  AllOfRows = "11bulk_kernelINS0_15row_wise_layoutEEEvPf",
                  AllOfTiles = "11bulk_kernelINS0_12tiled_layoutILm32EEEEEvPf",
                  Transpose = "16transpose_kernelIjLb1E";

using Spills = std::array<uint64_t, 2>;

Spills spillsOf(const std::string &text) { return llvm::cantFail(readSpills(text, "p")); }

TEST(Measurements, SpillsAreOfTheLayoutsThatAKernelIsFor) {
  EXPECT_EQ(spillsOf(properties(Rows, "0", "0") + properties(Columns, "0", "0")), (Spills{0, 0}));
  EXPECT_EQ(spillsOf(properties(Rows, "20", "40") + properties(Columns, "0", "0")),
            (Spills{60, 0}));
  EXPECT_EQ(spillsOf(properties(Columns, "0", "0") + properties(Tiles, "4", "8")), (Spills{0, 12}));
  EXPECT_EQ(spillsOf(properties(AllOfRows, "1", "2") + properties(AllOfTiles, "0", "4")),
            (Spills{3, 4}));
  // The runtime's own kernels are of no plan.
  EXPECT_EQ(spillsOf(properties(Transpose, "20", "40") + properties(Rows, "0", "0")),
            (Spills{0, 0}));
}

TEST(Measurements, ReportsOfAnotherFormAreErrors) {
  const auto errorOfReport = [](const std::string &text) {
    return llvm::toString(readSpills(text, "p").takeError());
  };
  EXPECT_EQ(errorOfReport(""), "p: ptxas says nothing of a kernel");
  EXPECT_EQ(errorOfReport(properties(Transpose, "0", "0")), "p: ptxas says nothing of a kernel");
  EXPECT_EQ(errorOfReport("ptxas info : Function properties for " + Rows),
            "p:2: ptxas does not say what is spilled");
  EXPECT_EQ(errorOfReport(properties(Rows, "many", "0")),
            "p:2: ptxas does not say what is spilled");
}

/// Whatever the bytes, there is a result or an error.
TEST(Measurements, NoBytesEndTheProcess) {
  const std::string texts[] = {Gpu + Line + Refused, properties(Rows, "20", "40")};
  std::mt19937 random(7);
  unsigned read = 0, refused = 0;
  for (int run = 0; run < 10'000; ++run) {
    std::string text = texts[run % 2];
    text[random() % text.size()] = static_cast<char>(random());
    text.resize(text.size() - (random() % 4 ? 0 : random() % text.size()));
    auto measured = readMeasurements(text, "m");
    auto spills = readSpills(text, "m");
    read += bool(measured) + bool(spills);
    if (!measured)
      refused += llvm::toString(measured.takeError()).rfind("m:", 0) == 0;
    if (!spills)
      refused += llvm::toString(spills.takeError()).rfind("m:", 0) == 0;
  }
  EXPECT_EQ(read + refused, 20'000u);
  EXPECT_GT(read, 1'000u);
}

} // namespace
} // namespace colonnade::tune
