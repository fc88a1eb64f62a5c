//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "host_device.hpp"
#include "planted.hpp"
#include "prefix_sums_info.hpp"

#include <colonnade/bulk/run.hpp>

#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <random>
#include <vector>

using namespace colonnade::bulk;
using colonnade::bulk::testing::host_device;
using colonnade::bulk::testing::sum_info;

namespace {

// Host arrays of the sum function, and what it must give.
struct problem {
  uint64_t count, n;
  std::vector<int32_t> in, scale, out, expected;
  std::vector<uint8_t> seen, expected_seen;
  scalar_bits scalars[1];
  uint64_t cells[4];
  void *arrays[4];

  problem(uint64_t p, uint64_t cells_n)
      : count(p), n(cells_n), in(p * n), scale(n), out(p * n, -9), expected(p * n), seen(p, 3),
        expected_seen(p, 3), scalars{n}, cells{n, n, n, 1},
        arrays{in.data(), scale.data(), out.data(), seen.data()} {
    std::mt19937 random(static_cast<unsigned>(p * 31 + n));
    for (int32_t &x : in)
      x = static_cast<int32_t>(random() % 1000);
    for (int32_t &x : scale)
      x = static_cast<int32_t>(random() % 10);
    for (uint64_t j = 0; j < p; ++j) {
      void *instance[] = {in.data() + j * n, scale.data(), expected.data() + j * n,
                          expected_seen.data() + j};
      sum_info().sequential(instance, scalars);
    }
  }
  raw_arguments arguments() { return {arrays, scalars, cells, count}; }
};

status run_on(const device_list &devices, problem &p, uint64_t budget, uint64_t max_chunk = 0,
              layout host_layout = layout::row_wise, run_report *report = nullptr) {
  run_options options;
  options.device_memory_bytes = budget;
  options.max_chunk_instances = max_chunk;
  options.report = report;
  return colonnade::bulk::detail::run_on_devices(devices, sum_info(), p.arguments(), host_layout,
                                                 options);
}
status run_on(host_device &d, problem &p, uint64_t budget, uint64_t max_chunk = 0,
              layout host_layout = layout::row_wise, run_report *report = nullptr) {
  return run_on(device_list{&d}, p, budget, max_chunk, host_layout, report);
}

// Devices that run what is queued in different orders.
struct several_devices {
  std::vector<std::unique_ptr<host_device>> owned;
  device_list list;

  several_devices(unsigned count, uint64_t limit, unsigned seed) {
    for (unsigned k = 0; k < count; ++k) {
      owned.push_back(std::make_unique<host_device>(limit, seed + 1000 * k));
      list.push_back(owned.back().get());
    }
  }
  std::string complaints() const {
    std::string all;
    for (const auto &d : owned)
      for (const std::string &each : d->complaints)
        all += each + "\n";
    return all;
  }
};

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
  problem q(100, 4);
  host_device d(1 << 20);
  run_options options;
  options.max_chunk_instances = 32;
  uint64_t last = 0, calls = 0;
  options.on_progress = [&](uint64_t done, uint64_t count) {
    EXPECT_GT(done, last);
    EXPECT_EQ(count, 100u);
    last = done;
    ++calls;
  };
  ASSERT_TRUE(colonnade::bulk::detail::run_on_devices({&d}, sum_info(), q.arguments(),
                                                      layout::row_wise, options)
                  .ok());
  EXPECT_EQ(last, 100u);
  EXPECT_EQ(calls, 4u);
}

TEST(SeveralDevices, GiveTheSameResults) {
  for (unsigned devices : {2u, 3u, 8u})
    for (uint64_t p : {1u, 16u, 100u, 1000u})
      for (layout l : {layout::row_wise, layout::column_wise})
        for (unsigned seed = 1; seed < 6; ++seed) {
          SCOPED_TRACE(::testing::Message() << devices << " devices, " << p << ", seed " << seed);
          problem q(p, 5);
          several_devices d(devices, 1 << 20, seed);
          const uint64_t busy = std::min<uint64_t>(devices, (p + 15) / 16);
          std::latch started(static_cast<std::ptrdiff_t>(busy)); // none does all alone
          for (const auto &each : d.owned)
            each->on_first_launch = [&] { started.arrive_and_wait(); };
          std::vector<int32_t> in = q.in, out(q.out.size(), -9);
          if (l == layout::column_wise) {
            for (uint64_t j = 0; j < p; ++j)
              for (uint64_t i = 0; i < 5; ++i)
                in[i * p + j] = q.in[j * 5 + i];
            q.arrays[0] = in.data();
            q.arrays[2] = out.data();
          }
          run_report report;
          const status s = run_on(d.list, q, 40000, 16, l, &report);
          ASSERT_TRUE(s.ok()) << s.message;
          ASSERT_EQ(report.devices, devices);
          ASSERT_EQ(report.device, std::to_string(devices) + " x host");
          if (l == layout::column_wise)
            for (uint64_t j = 0; j < p; ++j)
              for (uint64_t i = 0; i < 5; ++i)
                q.out[j * 5 + i] = out[i * p + j];
          ASSERT_EQ(q.out, q.expected);
          ASSERT_EQ(q.seen, q.expected_seen);
          ASSERT_EQ(d.complaints(), "");
          uint64_t launches = 0, with_some = 0;
          for (const auto &each : d.owned) {
            launches += each->launches;
            with_some += each->launches > 0;
          }
          ASSERT_EQ(launches, report.num_chunks);
          ASSERT_EQ(with_some, busy);
        }
}

TEST(SeveralDevices, TheFirstFailingInstanceIsThatOfOneDevice) {
  for (unsigned seed = 1; seed < 40; ++seed) {
    problem q(500, 4);
    std::mt19937 random(seed);
    uint64_t first = 500;
    for (int i = 0; i < 4; ++i) {
      const uint64_t instance = random() % 500;
      q.in[4 * instance] = -1;
      first = std::min(first, instance);
    }
    several_devices d(1 + seed % 4, 1 << 20, seed);
    const status s = run_on(d.list, q, 1 << 20, 32);
    EXPECT_EQ(s.code, status_code::failed_check);
    EXPECT_EQ(s.instance, first) << seed;
    EXPECT_EQ(d.complaints(), "");
  }
}

TEST(SeveralDevices, EveryFailureOfOneComesOut) {
  unsigned failures = 0;
  for (unsigned n = 1; n < 2000; ++n) {
    problem q(200, 4);
    several_devices d(3, 1 << 20, n);
    d.owned[n % 3]->fail_after = n / 3 + 1;
    const status s = run_on(d.list, q, 1 << 20, 16);
    ASSERT_EQ(d.complaints(), "");
    if (d.owned[n % 3]->fail_after > 0) { // fewer calls than that
      ASSERT_TRUE(s.ok()) << s.message;
      continue;
    }
    ++failures;
    ASSERT_EQ(s.message, "an injected failure") << n;
  }
  EXPECT_GT(failures, 50u);
}

TEST(SeveralDevices, ProgressReachesTheCount) {
  problem q(100, 4);
  several_devices d(3, 1 << 20, 7);
  run_options options;
  options.max_chunk_instances = 32;
  uint64_t last = 0, calls = 0;
  options.on_progress = [&](uint64_t done, uint64_t count) {
    EXPECT_GT(done, last);
    EXPECT_EQ(count, 100u);
    last = done;
    ++calls;
  };
  ASSERT_TRUE(colonnade::bulk::detail::run_on_devices(d.list, sum_info(), q.arguments(),
                                                      layout::row_wise, options)
                  .ok());
  EXPECT_EQ(last, 100u);
  EXPECT_EQ(calls, 4u);
}

// A machine with two GPUs, of which the second has less memory left.
device *open_first(status &result) {
  result = status::success();
  auto *const first = new host_device(1 << 20, 1);
  first->behind = [](status &behind, unsigned number) -> device * {
    if (number < 2)
      return new host_device(1 << 16, 2);
    behind = status::failure(status_code::invalid_argument, "there are 2 CUDA devices");
    return nullptr;
  };
  return first;
}

TEST(SeveralDevices, AsManyAsAreWantedOrThereAre) {
  function_info info = sum_info();
  info.open_device = open_first;
  info.run_cuda = [](const raw_arguments &, layout, void *, void *) { return status::success(); };
  for (unsigned devices : {0u, 1u, 2u}) {
    problem q(200, 4);
    run_options options;
    run_report report;
    options.devices = devices;
    options.report = &report;
    options.max_chunk_instances = 16;
    const status s = run_rows(info, q.arguments(), options);
    ASSERT_TRUE(s.ok()) << s.message;
    EXPECT_EQ(report.devices, devices == 1 ? 1u : 2u);
    EXPECT_EQ(q.out, q.expected);
  }
  problem q(200, 4);
  run_options options;
  options.devices = 3;
  const status s = run_rows(info, q.arguments(), options);
  EXPECT_EQ(s.code, status_code::invalid_argument);
  EXPECT_EQ(s.message, "3 devices are wanted: there are 2 CUDA devices");
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
