//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which architecture's tuning a version number chooses, on the host as in a kernel; and
// that temporary storage is enough for all of them.
//
//===----------------------------------------------------------------------===//

#include <colonnade/gpu_architecture.hpp>
#include <colonnade/multisplit_tuning.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace colonnade;

namespace {

/// A tuning that tells the architecture.
struct told_tunings {
  template <gpu_architecture Architecture> struct on {
    static constexpr uint32_t value = 7 * static_cast<uint32_t>(Architecture);
  };
};
uint32_t chosen(uint32_t version) {
  return detail::ask_tuning<told_tunings>(nearest_architecture(version),
                                          [](auto of) { return decltype(of)::type::value; });
}

TEST(Architecture, ListedOnesAreTheirOwn) {
  for (gpu_architecture listed : gpu_architectures)
    EXPECT_EQ(chosen(static_cast<uint32_t>(listed)), 7 * static_cast<uint32_t>(listed));
}

TEST(Architecture, OthersTakeTheNearestBelow) {
  for (uint32_t version : {86, 87, 89})
    EXPECT_EQ(chosen(version), 7u * 80) << version;
  EXPECT_EQ(chosen(99), 7u * 90);
  for (uint32_t version : {101, 103, 110})
    EXPECT_EQ(chosen(version), 7u * 100) << version;
  for (uint32_t version : {121, 130, 999})
    EXPECT_EQ(chosen(version), 7u * 120) << version;
  for (uint32_t version : {0, 70, 75, 79})
    EXPECT_EQ(chosen(version), 7u * 80) << version;
}

/// Code for sm_80 that runs on an sm_90 has the version 80: its kernels are tuned for that.
TEST(Architecture, FollowsTheLoadedCodeAndNotTheDevice) {
  const uint32_t device = 90, loaded = 80;
  EXPECT_NE(chosen(loaded), chosen(device));
  EXPECT_EQ(chosen(loaded), told_tunings::on<gpu_architecture::sm_80>::value);
}

TEST(Architecture, RisesThroughTheList) {
  EXPECT_TRUE(std::is_sorted(std::begin(gpu_architectures), std::end(gpu_architectures)));
}

TEST(Architecture, StorageIsEnoughForAnyOfThem) {
  uint32_t asked = 0;
  const uint64_t most = detail::most_on_any([&](gpu_architecture architecture) {
    ++asked;
    return architecture == gpu_architecture::sm_100 ? 5000 : 100;
  });
  EXPECT_EQ(most, 5000u);
  EXPECT_EQ(asked, std::size(gpu_architectures));
}

/// Two blocks of the scatter pass are on a multiprocessor at a time, wherever it runs.
TEST(Architecture, TwoScatterBlocksFit) {
  for (gpu_architecture architecture : gpu_architectures)
    EXPECT_LE(2 * (multisplit_policy::block_bytes(architecture) + 1024),
              shared_bytes_per_sm(architecture));
}

TEST(Architecture, NoMoreBlocksThanFit) {
  EXPECT_EQ(blocks_that_fit(gpu_architecture::sm_90, 40 * 1024, 4), 4u);
  EXPECT_EQ(blocks_that_fit(gpu_architecture::sm_80, 40 * 1024, 4), 4u);
  EXPECT_EQ(blocks_that_fit(gpu_architecture::sm_80, 41 * 1024, 4), 3u);
  EXPECT_EQ(blocks_that_fit(gpu_architecture::sm_120, 40 * 1024, 4), 2u);
  EXPECT_EQ(blocks_that_fit(gpu_architecture::sm_120, 99 * 1024 + 1, 4), 1u);
}

} // namespace
