//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Several devices share the instances of a run: the same results, the same reported check, and
// every failure, whichever device takes which chunk.
//
//===----------------------------------------------------------------------===//

#include "scheduler_cases.hpp"

#include <latch>
#include <memory>

using namespace colonnade::bulk;
using namespace colonnade::bulk::testing;

namespace {

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
  several_devices d(3, 1 << 20, 7);
  expect_progress(d.list);
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

} // namespace
