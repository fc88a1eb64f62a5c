//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "planted.hpp"
#include "scheduler_cases.hpp"

using namespace colonnade::bulk;
using namespace colonnade::bulk::testing;

namespace {

TEST(Scheduler, ChunksUnderSmallBudgetsGiveTheSameResults) {
  for (uint64_t p : {1u, 15u, 16u, 17u, 100u, 1000u})
    for (uint64_t n : {1u, 5u, 33u})
      for (uint64_t budget : {20000u, 40000u, 100000u, 4000000u})
        for (unsigned seed = 1; seed < 6; ++seed) {
          SCOPED_TRACE(::testing::Message() << p << " x " << n << " in " << budget);
          problem q(p, n);
          host_device d(budget + 1000, seed);
          const status s = run_on(d, q, budget);
          ASSERT_TRUE(s.ok()) << s.message;
          ASSERT_EQ(q.out, q.expected);
          ASSERT_EQ(q.seen, q.expected_seen); // unwritten cells keep the caller's contents
          ASSERT_LE(d.peak_bytes, budget);
          ASSERT_TRUE(d.complaints.empty()) << d.complaints.front();
        }
}

TEST(Scheduler, ManyChunksInAnyOrderOfTheStreams) {
  for (unsigned seed = 0; seed < 200; ++seed)
    for (uint64_t chunk : {1u, 7u, 32u}) {
      problem q(211, 4);
      host_device d(1 << 20, seed);
      run_report report;
      ASSERT_TRUE(run_on(d, q, 1 << 20, chunk, layout::row_wise, &report).ok());
      ASSERT_EQ(report.slots, detail::max_slots);
      ASSERT_EQ(d.launches, (211 + chunk - 1) / chunk);
      ASSERT_EQ(q.out, q.expected) << "seed " << seed;
      ASSERT_EQ(q.seen, q.expected_seen) << "seed " << seed;
    }
}

/// Unless the caller names one: what the function says of these sizes, of host arrays in rows.
TEST(Scheduler, TheLayoutIsTheFunctionsChoice) {
  function_info f = sum_info();
  const auto taken = [&](uint64_t n, layout host_layout, std::optional<layout> wanted) {
    problem q(100, n);
    host_device d(1 << 20, 1);
    run_report report;
    run_options options;
    options.device_memory_bytes = 1 << 20;
    options.device_layout = wanted;
    options.report = &report;
    EXPECT_TRUE(
        colonnade::bulk::detail::run_on_devices({&d}, f, q.arguments(), host_layout, options).ok());
    if (host_layout == layout::row_wise) {
      EXPECT_EQ(q.out, q.expected);
    }
    return report.device_layout;
  };
  EXPECT_EQ(taken(5, layout::row_wise, std::nullopt), layout::tiled); // it says nothing
  f.device_layout = [](const scalar_bits *scalars) {
    return scalars[0] == 5 ? layout::row_wise : layout::tiled;
  };
  EXPECT_EQ(taken(5, layout::row_wise, std::nullopt), layout::row_wise);
  EXPECT_EQ(taken(6, layout::row_wise, std::nullopt), layout::tiled);
  EXPECT_EQ(taken(5, layout::column_wise, std::nullopt), layout::tiled);
  EXPECT_EQ(taken(5, layout::row_wise, layout::column_wise), layout::column_wise);
}

// The sum function: 4 n bytes in and out, and 1 of `seen`, an instance.
TEST(Scheduler, ChunksAreUsefulOnes) {
  const auto chunk = [](uint64_t count, uint64_t n, uint64_t full_load, uint64_t budget) {
    const uint64_t cells[] = {n, n, n, 1};
    plan_options options;
    options.budget_bytes = budget;
    options.full_load = full_load;
    chunk_plan plan;
    EXPECT_TRUE(
        make_chunk_plan(sum_info(), {nullptr, nullptr, cells, count}, 16, options, plan).ok());
    return plan.chunk;
  };
  constexpr uint64_t plenty = uint64_t{1} << 40, bytes = 8 * 32 + 2;
  EXPECT_EQ(chunk(1000, 32, 1, plenty), 1000u);
  EXPECT_NEAR(double(chunk(1 << 20, 32, 1, plenty)), double(detail::min_chunk_bytes) / bytes, 200);
  EXPECT_NEAR(double(chunk(5 << 20, 32, 1, plenty)), (5 << 20) / 64.0, 200);
  EXPECT_NEAR(double(chunk(1 << 28, 32, 1, plenty)), double(detail::max_chunk_bytes) / bytes, 200);
  EXPECT_NEAR(double(chunk(1 << 22, 32768, 60000, plenty)), 60000, 200);        // long instances
  EXPECT_NEAR(double(chunk(100000, 32768, 60000, plenty)), 100000 / 32.0, 200); // still overlap
  EXPECT_LT(chunk(1 << 20, 32768, 60000, 1 << 30), 1000u); // memory comes first
}

TEST(Scheduler, ColumnWiseHostMemory) {
  problem q(100, 6), columns(100, 6);
  rows_to_layout(layout::column_wise, 1, q.in.data(), columns.in.data(), 100, 6, 4);
  host_device d(1 << 20);
  ASSERT_TRUE(run_on(d, columns, 1 << 20, 24, layout::column_wise).ok());
  layout_to_rows(layout::column_wise, 1, columns.out.data(), q.out.data(), 100, 6, 4);
  EXPECT_EQ(q.out, q.expected);
  EXPECT_TRUE(d.complaints.empty());
}

TEST(Scheduler, BudgetBelowOneInstance) {
  problem q(10, 100);
  host_device d(1 << 20);
  const status s = run_on(d, q, 1200);
  EXPECT_EQ(s.code, status_code::out_of_memory);
  EXPECT_NE(s.message.find("does not hold one instance: needs"), std::string::npos) << s.message;
  EXPECT_EQ(d.peak_bytes, 0u);
}

TEST(Scheduler, TilesThatDoNotFitBecomeColumns) {
  problem q(10, 100); // a tile of 16 instances takes 12,800 bytes an array
  host_device d(1 << 20);
  ASSERT_TRUE(run_on(d, q, 5000).ok());
  EXPECT_EQ(q.out, q.expected);
}

TEST(Scheduler, FirstFailingInstanceAcrossChunks) {
  problem q(500, 4);
  q.in[4 * 317 + 2] = -1;
  q.in[4 * 450] = -1;
  host_device d(1 << 20);
  const status s = run_on(d, q, 1 << 20, 32);
  EXPECT_EQ(s.code, status_code::failed_check);
  EXPECT_EQ(s.instance, 317u);
  EXPECT_NE(s.message.find("instance 317"), std::string::npos) << s.message;
}

TEST(Scheduler, EveryFailureOfTheDeviceComesOut) {
  unsigned failures = 0;
  for (unsigned n = 1; n < 2000; ++n) {
    problem q(100, 4);
    host_device d(1 << 20, n);
    d.fail_after = n;
    const status s = run_on(d, q, 1 << 20, 16);
    if (d.fail_after > 0) { // fewer calls than that
      EXPECT_TRUE(s.ok());
      break;
    }
    ++failures;
    ASSERT_EQ(s.message, "an injected failure") << n;
    ASSERT_TRUE(d.complaints.empty()) << d.complaints.front();
  }
  EXPECT_GT(failures, 50u);
}

TEST(Scheduler, ProgressReachesTheCount) {
  host_device d(1 << 20);
  expect_progress({&d});
}

TEST(Run, CpuRowsOnAnyNumberOfThreads) {
  for (unsigned threads : {1u, 2u, 7u})
    for (uint64_t p : {1u, 15u, 17u, 5000u}) {
      problem q(p, 33);
      run_options options;
      options.where = target::cpu;
      options.cpu.num_threads = threads;
      ASSERT_TRUE(run_rows(sum_info(), q.arguments(), options).ok());
      ASSERT_EQ(q.out, q.expected);
      ASSERT_EQ(q.seen, q.expected_seen);
    }
}

TEST(Run, NoInputStartsAsZeros) {
  problem q(40, 3);
  const bool no_input[] = {false, false, true, true};
  run_options options;
  options.no_input = no_input;
  ASSERT_TRUE(run_rows(sum_info(), q.arguments(), options).ok());
  for (uint64_t j = 0; j < 40; ++j)
    EXPECT_EQ(q.seen[j], q.in[3 * j] % 2 ? 7 : 0);
  problem r(40, 3);
  host_device d(1 << 20);
  options.device_memory_bytes = 1 << 20;
  ASSERT_TRUE(colonnade::bulk::detail::run_on_devices({&d}, sum_info(), r.arguments(),
                                                      layout::row_wise, options)
                  .ok());
  EXPECT_EQ(r.seen, q.seen);
}

TEST(Run, FailingInstanceOnTheCpu) {
  problem q(50000, 4);
  q.in[4 * 30001 + 1] = -1;
  const status s = run_rows(sum_info(), q.arguments());
  EXPECT_EQ(s.code, status_code::failed_check);
  EXPECT_EQ(s.instance, 30001u);
}

TEST(Run, WrongArgumentsAreNamed) {
  problem q(10, 4);
  void *arrays[] = {q.in.data(), q.scale.data(), nullptr, q.seen.data()};
  EXPECT_EQ(run_rows(sum_info(), {arrays, q.scalars, q.cells, 10}).message, "array out is null");
  arrays[2] = q.in.data() + 39;
  EXPECT_EQ(run_rows(sum_info(), {arrays, q.scalars, q.cells, 10}).code,
            status_code::overlapping_arrays);
  arrays[2] = reinterpret_cast<char *>(q.out.data()) + 1;
  EXPECT_EQ(run_rows(sum_info(), {arrays, q.scalars, q.cells, 10}).message,
            "array out is not aligned to its cells");
  arrays[2] = q.out.data();
  EXPECT_EQ(run_rows(sum_info(), {arrays, q.scalars, q.cells, UINT64_MAX / 2}).message,
            "array in is too large");
  EXPECT_TRUE(run_rows(sum_info(), {arrays, q.scalars, q.cells, 0}).ok());
  arrays[1] = q.in.data(); // two arrays that are only read may share
  EXPECT_TRUE(run_rows(sum_info(), {arrays, q.scalars, q.cells, 10}).ok());
  run_options options;
  options.where = target::cuda;
  EXPECT_EQ(run_rows(sum_info(), q.arguments(), options).code, status_code::no_backend);
}

TEST(Run, ExtentsComeFromTheScalars) {
  scalar_bits scalars[] = {static_cast<uint32_t>(-3)};
  uint64_t cells[4] = {};
  EXPECT_EQ(resolve_cells(sum_info(), scalars, cells).code, status_code::invalid_argument);
  scalars[0] = 7;
  ASSERT_TRUE(resolve_cells(sum_info(), scalars, cells).ok());
  EXPECT_EQ(cells[2], 7u);
  EXPECT_EQ(cells[3], 1u);
}

TEST(Scheduler, PlantedFaultsAreSeen) {
  const auto with = [](bool early_events) {
    return [early_events](unsigned seed) -> std::string {
      problem q(211, 4);
      host_device d(1 << 20, seed);
      d.early_events = early_events;
      const bool ok =
          run_on(d, q, 1 << 20, 7).ok() && q.out == q.expected && q.seen == q.expected_seen;
      return ok && d.complaints.empty() ? "" : "results";
    };
  };
  colonnade::testing::expect_caught("bulk", "flag_before_value", with(true), with(false));
}

} // namespace
