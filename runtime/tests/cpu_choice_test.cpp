//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_choice_test.cpp: which plan a launch over rows takes. The function counts how often
// each instance is run; its kernels take as long as the test says.
//
//===----------------------------------------------------------------------===//
#include <colonnade/bulk/cpu_launch.hpp>

#include <gtest/gtest.h>

using namespace colonnade::runtime;
using namespace colonnade::runtime::detail;

namespace {

constexpr uint64_t lanes = 8;
// Of an instance, in microseconds; and that of the first call, which finds cold caches.
double lanes_take, serial_takes, first_call_takes;
bool is_first_call;

void spend(double microseconds) {
  if (is_first_call)
    microseconds += first_call_takes;
  is_first_call = false;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double, std::micro>(microseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

// The first ones, so many of them, take nothing.
uint64_t idle;
double busy(uint64_t first, uint64_t count) {
  const uint64_t end = first + count;
  return static_cast<double>(end - std::clamp(idle, first, end));
}

void run_lanes(const lane_group &group) {
  for (uint64_t lane = 0; lane < lanes; ++lane)
    static_cast<int32_t *>(group.arrays[0])[lane] += 1;
  spend(busy(group.first_instance, lanes) > 0 ? lanes_take * lanes : 0);
}
void run_serial(lane_group group, uint64_t count) {
  for (uint64_t j = 0; j < count; ++j) {
    static_cast<int32_t *>(group.arrays[0])[j] += 1;
    spend(serial_takes * busy(group.first_instance + j, 1));
  }
}
void copy_cells(const void *from, void *to, uint64_t) { std::memcpy(to, from, lanes * 4); }

const function_info &info() {
  static const array_info arrays[] = {
      {"a", "a", cell_type::s32, direction::inout, false, 1, nullptr, false}};
  static const function_info f = {"f",     arrays,  1,  nullptr, 0,
                                  nullptr, nullptr, 16, nullptr, nullptr};
  return f;
}
walk_result walk(const scalar_bits *, const uint64_t *) {
  walk_result result;
  result.accesses = 1000; // many: few instances in a group are worth its copies
  return result;
}
const access_site sites[] = {{"", ""}};
const isa_kernels kernels = {"baseline",
                             lanes,
                             {run_lanes, run_lanes},
                             {run_lanes, run_lanes},
                             {run_serial, run_serial},
                             {copy_cells, copy_cells, copy_cells, copy_cells},
                             {copy_cells, copy_cells, copy_cells, copy_cells},
                             {},
                             {}};
const isa_kernels *const isas[] = {&kernels};
const cpu_program program = {info,
                             isas,
                             1,
                             walk,
                             [](const scalar_bits *, uint64_t) { return uint64_t{0}; },
                             [](const scalar_bits *) { return uint64_t{0}; },
                             sites};

/// The plan that is taken; every instance is run once.
cpu_plan taken(uint64_t count, double lanes_us, double serial_us, launch_memory &memory,
               cpu_plan wanted = cpu_plan::fastest, double first_us = 0) {
  lanes_take = lanes_us;
  serial_takes = serial_us;
  first_call_takes = first_us;
  is_first_call = true;
  std::vector<int32_t> cells(count, 0);
  void *arrays[] = {cells.data()};
  const uint64_t per_instance[] = {1};
  cpu_launch_options options;
  cpu_plan result = cpu_plan::fastest;
  options.num_threads = 1;
  options.plan = wanted;
  options.plan_taken = &result;
  const status s = launch_program(program, memory, {arrays, nullptr, per_instance, count},
                                  layout::row_wise, options);
  EXPECT_TRUE(s.ok()) << s.message;
  EXPECT_EQ(std::count(cells.begin(), cells.end(), 1), static_cast<std::ptrdiff_t>(count));
  return result;
}
cpu_plan taken(uint64_t count, double lanes_us, double serial_us,
               cpu_plan wanted = cpu_plan::fastest, double first_us = 0) {
  launch_memory memory;
  return taken(count, lanes_us, serial_us, memory, wanted, first_us);
}

TEST(CpuChoice, TakesWhatIsFaster) {
  EXPECT_EQ(taken(2000, 1, 4), cpu_plan::lanes);
  EXPECT_EQ(taken(2000, 4, 1), cpu_plan::serial);
  EXPECT_EQ(taken(200, 300, 1000), cpu_plan::lanes); // long instances
  EXPECT_EQ(taken(200, 1000, 300), cpu_plan::serial);
}

TEST(CpuChoice, ColdCachesDoNotCount) {
  for (const double first_us : {400, 4000})
    EXPECT_EQ(taken(2000, 1, 4, cpu_plan::fastest, first_us), cpu_plan::lanes);
}

TEST(CpuChoice, TheFirstInstancesNeedNotBeLikeTheOthers) {
  for (const uint64_t count : {2000, 20000}) {
    idle = count / 20;
    EXPECT_EQ(taken(count, 1, 4), cpu_plan::lanes);
    EXPECT_EQ(taken(count, 4, 1), cpu_plan::serial);
  }
  idle = 0;
}

TEST(CpuChoice, AWishIsFollowed) {
  EXPECT_EQ(taken(2000, 4, 1, cpu_plan::lanes), cpu_plan::lanes);
  EXPECT_EQ(taken(2000, 1, 4, cpu_plan::serial), cpu_plan::serial);
  EXPECT_EQ(taken(3, 1, 4, cpu_plan::serial), cpu_plan::serial);
}

TEST(CpuChoice, FewInstancesRunAsManyDid) {
  launch_memory memory;
  EXPECT_EQ(taken(2000, 4, 1, memory), cpu_plan::serial);
  EXPECT_EQ(taken(20, 4, 1, memory), cpu_plan::serial);
  EXPECT_EQ(taken(20, 4, 1), cpu_plan::lanes); // nothing is known
}

TEST(CpuChoice, AnyNumberOfInstances) {
  for (const uint64_t count : {0, 1, 7, 8, 9, 16, 17, 23, 24, 25, 47, 48, 49, 255, 1000})
    for (const double lanes_us : {0.01, 1.0})
      taken(count, lanes_us, 0.5);
}

} // namespace
