//===- KernelTimeTest.cpp - Batches of loads, and limits of a kernel's time ==//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefix sums, whose loads, lines and bytes are known by heart, on a machine of round figures.
//
//===----------------------------------------------------------------------===//

#include "Model/KernelTime.h"
#include "Model/IssuedOperations.h"
#include "Model/LoadWaits.h"
#include "Model/OperationCounts.h"
#include "Model/StagedRows.h"

#include "IRText.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

constexpr TimeMachine Round = {.sms = 100,
                               .residentThreads = 2048,
                               .registers = 65536,
                               .l1 = 262144,
                               .l2 = 5e7,
                               .issue = 4,
                               .clock = 2,
                               .dram = 4000,
                               .l2Bandwidth = 8000,
                               .l2StoreBandwidth = 4000,
                               .dramSectors = 40,
                               .dramSectorStores = 20,
                               .l2Sectors = 100,
                               .l2SectorStores = 50,
                               .dramLatency = 400,
                               .l2Latency = 150,
                               .l1Latency = 20,
                               .launch = 5,
                               .loadsInFlight = 20};

std::string prefixSums(const std::string &attributes) {
  return "func \"sums\" kernel threads 256 mangled \"sums\" {\n"
         "  array @b : f32[n] parameter instance reads writes of b in memory\n"
         "  body(%n#0 : s64) scalar %n#0 n {\n"
         "    %1 = const 1 : s64\n"
         "    for %i#2 : s64 = %1 lt %n#0 step %1 " +
         attributes + R"( () {
      %3 = sub %i#2, %1 : s64
      %4 = load @b[%3] access 0 : varying f32
      %5 = load @b[%i#2] access 1 : varying f32
      %6 = add %5, %4 : varying f32
      store @b[%i#2], %6 access 2
      yield
    } -> %7 : s64
    return
  }
}
)";
}

struct Sums {
  ir::Module module;
  std::vector<ModelArray> arrays;
  std::vector<ir::ArrayData> data;
  std::vector<ir::Scalar> scalars;

  explicit Sums(int64_t n, const std::string &attributes = "unroll 8")
      : module(ir::parsed(prefixSums(attributes))), arrays{{n, false, 4}}, data(1),
        scalars{{ir::ScalarType::S64, static_cast<uint64_t>(n)}} {
    data[0].cells.resize(static_cast<size_t>(n));
  }
  const ir::Function &function() const { return module.functions[0]; }
  RegionExecutions executions() const {
    return llvm::cantFail(executionsOf(function(), data, scalars));
  }
  std::vector<LoadBatch> batches(Layout layout) const {
    return loadBatches(function(), executions(), layout);
  }
  KernelTime time(Layout layout, int64_t count, const TimeMachine &machine = Round) {
    const AccessProfile profile = llvm::cantFail(walk(module, function(), data, scalars, 32));
    const std::vector<CellAccess> accesses =
        llvm::cantFail(walkCells(module, function(), data, scalars, profile));
    const RegionExecutions entered = executions();
    const TimeInput input{function(), function(), entered, profile, arrays, accesses};
    return TimeEstimate(machine, layout, input).of(count);
  }
};

double limit(const KernelTime &time, TimeLimit which) {
  return time.limits[static_cast<size_t>(which)];
}

/// Column-wise a store may go to the next iteration's cell, so each waits for its own loads.
TEST(LoadWaits, StoresEndABatchWhereStridesAreUnknown) {
  const Sums sums(33);
  const std::vector<LoadBatch> column = sums.batches(Layout::Column);
  ASSERT_EQ(column.size(), 1u);
  EXPECT_EQ(column[0].accesses, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(column[0].times, 32);
  EXPECT_EQ(column[0].together, 1);
  for (Layout layout : {Layout::Row, Layout::Tiled}) {
    const std::vector<LoadBatch> batches = sums.batches(layout);
    ASSERT_EQ(batches.size(), 1u);
    EXPECT_EQ(batches[0].times, 4);
    EXPECT_EQ(batches[0].together, 8);
  }
  EXPECT_EQ(Sums(36).batches(Layout::Row)[0].times, 4 + 3) << "35 = 4 * 8 + 3";
}

/// b[i] = b[k[i]], k the same for all instances: two loads after each other.
TEST(LoadWaits, AddressesThatAreLoadedFirst) {
  const ir::Module module = ir::parsed(R"(func "f" kernel threads 256 mangled "f" {
  array @b : f32[n] parameter instance const reads of b in memory
  array @k : s64[n] parameter uniform const reads of k in uniform
  array @to : f32[n] parameter instance writes of to in memory
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    for %i#3 : s64 = %1 lt %n#0 step %2 unroll 8 () {
      %4 = load @k[%i#3] access 0 : s64
      %5 = add %4, %1 : s64
      %6 = load @b[%5] access 1 : varying f32
      store @to[%i#3], %6 access 2
      yield
    } -> %7 : s64
    return
  }
}
)");
  RegionExecutions executions(module.functions[0].regions.size(), {1, 0});
  executions.back() = {64, 0};
  const std::vector<LoadBatch> batches =
      loadBatches(module.functions[0], executions, Layout::Column);
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].accesses, std::vector<uint32_t>{0});
  EXPECT_EQ(batches[1].accesses, std::vector<uint32_t>{1});
  for (const LoadBatch &batch : batches) {
    EXPECT_EQ(batch.times, 8) << "iterations overlap";
    EXPECT_EQ(batch.together, 8);
  }
}

/// With a check of what was loaded: no iteration goes on before it is known to pass.
TEST(LoadWaits, ChecksOfLoadedAddressesEndABatch) {
  const ir::Module module = ir::parsed(R"(func "f" kernel threads 256 mangled "f" {
  array @b : f32[n] parameter instance const reads of b in memory
  array @k : s64[n] parameter uniform const reads of k in uniform
  array @to : f32[n] parameter instance writes of to in memory
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    for %i#3 : s64 = %1 lt %n#0 step %2 unroll 8 () {
      %4 = load @k[%i#3] guarded access 0 : s64
      %5 = load @b[%4] guarded access 1 : varying f32
      store @to[%i#3], %5 guarded access 2
      yield
    } -> %6 : s64
    return
  }
}
)");
  RegionExecutions executions(module.functions[0].regions.size(), {1, 0});
  executions.back() = {64, 0};
  const std::vector<LoadBatch> batches =
      loadBatches(module.functions[0], executions, Layout::Column);
  ASSERT_EQ(batches.size(), 2u);
  for (const LoadBatch &batch : batches)
    EXPECT_EQ(batch.times, 64);
}

/// Three loads of three iterations are made at once, and those of the iterations around them.
TEST(LoadWaits, ShortLoopsAreUnrolledByTheCompiler) {
  const ir::Module module = ir::parsed(R"(func "f" kernel threads 256 mangled "f" {
  array @b : f32[n] parameter instance const reads of b in memory
  array @to : f32[n] parameter instance writes of to in memory
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    %3 = const 3 : s64
    %4 = const 0.0 : f32
    for %i#5 : s64 = %1 lt %n#0 step %2 () {
      for %j#6 : s64 = %1 lt %3 step %2 (%s#7 : varying f32 = %4) {
        %8 = load @b[%j#6] access 0 : varying f32
        %9 = add %8, %s#7 : varying f32
        yield %9
      } -> %10 : s64, %11 : varying f32
      store @to[%i#5], %11 access 1
      yield
    } -> %12 : s64
    return
  }
}
)");
  const ir::Function &function = module.functions[0];
  RegionExecutions executions(function.regions.size(), {64, 0});
  executions[function.body.index] = {1, 0};
  const std::vector<LoadBatch> batches = loadBatches(function, executions, Layout::Tiled);
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0].accesses, (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(batches[0].times, 16) << "four iterations at once";
}

/// Of the 64 loads of a nest that is unrolled 32 are in flight together.
/// iterations'.
TEST(LoadWaits, NestsThatAreUnrolledFully) {
  const auto batches = [](const std::string &unrolling) {
    const std::string loop = " step %2 " + unrolling + " () {\n";
    const ir::Module module = ir::parsed(
        "func \"f\" kernel threads 256 mangled \"f\" {\n"
        "  array @b : f32[32] parameter instance const reads of b in memory\n"
        "  body() {\n    %1 = const 0 : s64\n    %2 = const 1 : s64\n    %3 = const 8 : s64\n"
        "    for %i#5 : s64 = %1 lt %3" +
        loop + "      for %j#6 : s64 = %1 lt %3" + loop +
        "        %8 = load @b[%j#6] access 0 : varying f32\n        yield\n      } -> %10 : s64\n"
        "      yield\n    } -> %12 : s64\n    return\n  }\n}\n");
    const ir::Function &function = module.functions[0];
    return loadBatches(function, llvm::cantFail(executionsOf(function, {}, {})), Layout::Tiled);
  };
  const std::vector<LoadBatch> unrolled = batches("unroll fully");
  ASSERT_EQ(unrolled.size(), 1u);
  EXPECT_EQ(unrolled[0].times, 2);
  EXPECT_EQ(unrolled[0].together, 32);
}

/// A load, a load, an addition, a store, a subtraction of subscripts; the loop's test and step once
/// in eight iterations. Unrolled fully, the subscripts are constants.
TEST(IssuedOperations, WhereLoopsAreUnrolledSubscriptsFold) {
  const Sums sums(33), unrolled(33, "unroll fully");
  EXPECT_EQ(issuedOperations(sums.function(), sums.executions()), 32 * (5 + 2 / 8.0));
  EXPECT_EQ(issuedOperations(unrolled.function(), unrolled.executions()), 32 * 4);
}

TEST(IssuedOperations, ConversionsAndAdditionsToProductsAreParts) {
  const ir::Module module = ir::parsed(R"(func "f" kernel threads 256 mangled "f" {
  array @b : s32[2] parameter instance reads writes of b in memory
  body() {
    %0 = const 0 : s64
    %1 = const 1 : s64
    %2 = load @b[%0] access 0 : varying s32
    %3 = load @b[%1] access 1 : varying s32
    %4 = cast %2 : varying s64
    %5 = mul %2, %3 : varying s32
    %6 = add %5, %3 : varying s32
    %7 = div %6, %3 : varying s32
    store @b[%0], %7 access 2
    return
  }
}
)");
  const RegionExecutions once(module.functions[0].regions.size(), {1, 0});
  EXPECT_EQ(issuedOperations(module.functions[0], once), 3 /* accesses */ + 1 /* mul */ + 20);
}

/// Of 3 x 5 unrolled iterations: what depends on the outer counter alone is computed three times,
/// what depends on none once, and a known counter is added to an address for nothing.
TEST(IssuedOperations, OfUnrolledLoopsAreCommonToIterations) {
  const ir::Module module = ir::parsed(R"(func "f" kernel threads 256 mangled "f" {
  array @b : s32[99] parameter instance reads of b in memory
  body() {
    %zero = const 0 : s64
    %one = const 1 : s64
    %three = const 3 : s64
    %five = const 5 : s64
    %0 = lane : varying s64
    for %1 : s64 = %zero lt %three step %one unroll fully () {
      for %2 : s64 = %zero lt %five step %one unroll fully () {
        %3 = xor %0, %1 : varying s64
        %4 = xor %0, %five : varying s64
        %5 = and %3, %4 : varying s64
        %6 = xor %3, %2 : varying s64
        %7 = and %6, %4 : varying s64
        %8 = add %7, %2 : varying s64
        %9 = load @b[%8] access 0 : varying s32
        yield
      } -> %10 : s64
      yield
    } -> %11 : s64
    return
  }
}
)");
  const ir::Function &f = module.functions[0];
  auto executions = executionsOf(f, std::vector<ir::ArrayData>(1), {});
  ASSERT_TRUE(bool(executions));
  EXPECT_EQ(issuedOperations(f, *executions), 1 /* lane */ + 3 + 1 + 3 + 15 + 15 + 15 /* loads */);
}

/// A warp's rows of 4 cells: copied in, accessed, and copied back; words are what counts.
TEST(StagedRows, AreCountedOnceEachWay) {
  const ir::Module module = ir::parsed(R"(func "f" kernel threads 32 together row_wise mangled "f" {
  array @b : f64[4] parameter instance reads writes of b in memory
  array @rows : f64[32, 4] local warp reads writes in shared pitch 5
  body() {
    stage @rows from @b
    wait
    barrier warp
    %0 = lane : varying s64
    %1 = has.instance : varying bool
    if %1 {
      %2 = const 4 : s64
      %3 = const 1 : s64
      %4 = load @rows[%0, %3; %2] access 0 : varying f64
      store @rows[%0, %3; %2], %4 access 1
      yield
    } else {
      yield
    }
    barrier warp
    stage @b from @rows
    return
  }
}
)");
  const ir::Function &function = module.functions[0];
  EXPECT_TRUE(stagedArrays(function)[0]);
  const RegionExecutions executions = llvm::cantFail(executionsOf(function, {}, {}));
  const StagedWork work = stagedWork(function, executions);
  EXPECT_EQ(work.accesses, 2 * 8 /* copies of 4 cells */ + 2 * 2);
  EXPECT_EQ(work.waits, 1);
  EXPECT_EQ(work.barriers, 2);
}

/// Strips of 64 cells of rows of 4,096, whose next one may be on its way.
KernelTime timeOfStrips(const std::string &wait, const TimeMachine &machine) {
  const ir::Module module = ir::parsed(R"(func "f" kernel threads 32 together row_wise mangled "f" {
  array @b : f32[4096] parameter instance reads writes of b in memory
  array @strip : f32[32, 64] local warp reads writes in shared pitch 65
  body() {
    %0 = const 0 : s64
    %1 = const 64 : s64
    %2 = const 1 : s64
    for %3 : s64 = %0 lt %1 step %2 () {
      %4 = mul %3, %1 : s64
      stage @strip from @b at %4
      )" + wait + R"(
      barrier warp
      stage @b from @strip at %4
      yield
    } -> %5 : s64
    return
  }
}
)");
  const ir::Function &kernel = module.functions[0];
  const std::vector<ModelArray> arrays = {{4096, false, 4}};
  const RegionExecutions executions = llvm::cantFail(executionsOf(kernel, {}, {}));
  const AccessProfile none;
  return TimeEstimate(machine, Layout::Row, {kernel, kernel, executions, none, arrays, {}})
      .of(3200); // a block a multiprocessor, and more than L2 holds
}

/// A strip that is on its way comes while the thread works on the one before: 64 times the latency
/// of memory in place of 64 times that and the work; or the work alone, if that takes longer.
TEST(KernelTime, StripsOnTheirWayComeMeanwhile) {
  const auto latency = [](const std::string &wait, const TimeMachine &machine) {
    return limit(timeOfStrips(wait, machine), TimeLimit::Latency);
  };
  constexpr double Waits = 64 * 0.4; // us
  const double work = latency("wait", Round) - Waits;
  EXPECT_GE(work, 64 * 0.015);
  EXPECT_NEAR(latency("wait but 1", Round), Waits, 1e-9);
  TimeMachine slow = Round;
  slow.clock = 0.01;
  EXPECT_NEAR(latency("wait", slow), Waits + 200 * work, 1e-6);
  EXPECT_NEAR(latency("wait but 1", slow), 200 * work, 1e-6);
}

TEST(KernelTime, LimitsOfPrefixSums) {
  constexpr int64_t n = 32, count = int64_t(1) << 23;
  Sums sums(n);
  const KernelTime tiled = sums.time(Layout::Tiled, count), row = sums.time(Layout::Row, count);
  const double warps = double(count) / 32, microsecond = 1e3; // in ns
  // 32 loads come from memory, 31 stores go there: 128 bytes of each warp.
  EXPECT_NEAR(limit(tiled, TimeLimit::Dram), 63 * 128 * warps / 4000 / microsecond, 1e-6);
  // Each of 62 - 21 loads and 31 stores of a warp looks up one line, row-wise 32.
  const double cycles = 41 + 31 * 1.7;
  EXPECT_NEAR(limit(tiled, TimeLimit::L1), cycles * warps / (100 * 2) / microsecond,
              0.01 * warps / 200 / microsecond * cycles);
  EXPECT_NEAR(limit(row, TimeLimit::L1), 32 * limit(tiled, TimeLimit::L1), 1e-6);
  // Four sectors of eight cells each way, a lane.
  EXPECT_NEAR(limit(row, TimeLimit::Dram), double(count) * (4.0 / 40 + 4.0 / 20) / microsecond,
              1e-6);
  EXPECT_EQ(tiled.binds, TimeLimit::Dram);
  // Each of 31 stores goes to L2, row-wise to a sector of its lane alone.
  EXPECT_NEAR(limit(row, TimeLimit::L2), 31 * double(count) / 50 / microsecond, 1e-6);
  EXPECT_EQ(row.binds, TimeLimit::L2);
}

/// Few instances: all data is in L2, and an iteration waits for it.
TEST(KernelTime, LatencyBindsFewInstances) {
  Sums sums(1025);
  const KernelTime column = sums.time(Layout::Column, 64), tiled = sums.time(Layout::Tiled, 64);
  EXPECT_EQ(limit(column, TimeLimit::Dram), 0);
  EXPECT_EQ(column.binds, TimeLimit::Latency);
  EXPECT_GT(limit(column, TimeLimit::Latency), 1024 * 0.150);
  EXPECT_LT(limit(column, TimeLimit::Latency), 1024 * 0.200);
  EXPECT_LT(limit(tiled, TimeLimit::Latency), limit(column, TimeLimit::Latency) / 4);
  EXPECT_EQ(Sums(2).time(Layout::Column, 1).binds, TimeLimit::Launch);
}

/// Loads in flight limit what L1 does not answer: of 8 cells that lie side by side, a lane's, one.
TEST(KernelTime, LoadsThatL1AnswersAreNotInFlight) {
  TimeMachine one = Round;
  one.loadsInFlight = 1;
  Sums sums(1025);
  const auto factor = [&](Layout layout) {
    return limit(sums.time(layout, 1, one), TimeLimit::Latency) /
           limit(sums.time(layout, 1), TimeLimit::Latency);
  };
  EXPECT_GT(factor(Layout::Tiled), 1.5); // a lane's cells lie far from each other
  EXPECT_LT(factor(Layout::Row), 1.1);
}

/// Of 32 lanes that have a line each, the last one's load waits for 31 others: one warp, n loads
/// and n - 1 that find their cell in a register.
TEST(KernelTime, LoadsWaitForTheLinesOfOtherLanes) {
  constexpr int64_t n = 1025;
  Sums sums(n);
  const double row = limit(sums.time(Layout::Row, 32), TimeLimit::Latency),
               one = limit(sums.time(Layout::Row, 1), TimeLimit::Latency);
  EXPECT_GT(row - one, (n - 1) * 31 / Round.clock / 1e3);
}

/// Column-wise, addresses are computed at run time; but one instance's column lies as a row does.
TEST(KernelTime, OfColumns) {
  Sums sums(1025);
  EXPECT_GT(limit(sums.time(Layout::Column, 1 << 20), TimeLimit::Issue),
            1.2 * limit(sums.time(Layout::Tiled, 1 << 20), TimeLimit::Issue));
  const double one = limit(sums.time(Layout::Column, 1), TimeLimit::Latency),
               two = limit(sums.time(Layout::Column, 2), TimeLimit::Latency);
  EXPECT_LT(one, 0.5 * two); // a sector has eight cells
}

/// No limit is faster with less of a machine, and the time is no less than any limit.
TEST(KernelTime, IsMonotonous) {
  Sums sums(100);
  for (Layout layout : allLayouts())
    for (int64_t count : {1, 1000, 100'000, 10'000'000}) {
      const KernelTime time = sums.time(layout, count);
      for (double TimeMachine::*field :
           {&TimeMachine::sms, &TimeMachine::l1, &TimeMachine::l2, &TimeMachine::dram,
            &TimeMachine::dramSectors, &TimeMachine::dramSectorStores, &TimeMachine::l2Bandwidth,
            &TimeMachine::l2StoreBandwidth, &TimeMachine::l2Sectors, &TimeMachine::l2SectorStores,
            &TimeMachine::issue, &TimeMachine::clock}) {
        TimeMachine smaller = Round;
        smaller.*field /= 2;
        EXPECT_GE(sums.time(layout, count, smaller).microseconds, time.microseconds);
      }
      for (double one : time.limits)
        EXPECT_GE(time.microseconds, one);
      EXPECT_LT(time.least, time.microseconds);
      EXPECT_GT(time.most, time.microseconds);
      EXPECT_GE(time.least, 0.5 * Round.launch);
      EXPECT_GE(sums.time(layout, 2 * count).microseconds, time.microseconds * 0.99)
          << "nearly: bases change how many sectors a warp touches";
    }
}

} // namespace
