//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel has been allowed is known of its own handle alone.
//
//===----------------------------------------------------------------------===//
#include <colonnade/detail/device/allowed_devices.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using colonnade::detail::allowed_devices;

namespace {

TEST(AllowedDevices, OfThisHandleAlone) {
  static allowed_devices allowed;
  const int handles[2] = {};
  EXPECT_FALSE(allowed.has(&handles[0], 0));
  allowed.add(&handles[0], 3);
  EXPECT_TRUE(allowed.has(&handles[0], 3));
  EXPECT_FALSE(allowed.has(&handles[0], 0));
  EXPECT_FALSE(allowed.has(&handles[1], 3)); // the handle of another translation unit
  allowed.add(&handles[1], 0);
  EXPECT_TRUE(allowed.has(&handles[1], 0));
  EXPECT_FALSE(allowed.has(&handles[1], 3));
  EXPECT_FALSE(allowed.has(&handles[0], 0));
}

TEST(AllowedDevices, BeyondWhatIsKept) {
  allowed_devices allowed;
  const int handles[allowed_devices::most_handles + 1] = {};
  for (const int &handle : handles)
    allowed.add(&handle, 1);
  for (int i = 0; i < allowed_devices::most_handles; ++i)
    EXPECT_TRUE(allowed.has(&handles[i], 1));
  EXPECT_FALSE(allowed.has(&handles[allowed_devices::most_handles], 1));
  allowed.add(&handles[0], 64);
  EXPECT_FALSE(allowed.has(&handles[0], 64));
  EXPECT_FALSE(allowed.has(&handles[0], 0));
}

TEST(AllowedDevices, FromManyThreads) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    allowed_devices allowed;
    const int handles[4] = {};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] { allowed.add(&handles[t], t); });
    for (std::thread &thread : threads)
      thread.join();
    for (int t = 0; t < 4; ++t)
      for (int device = 0; device < 4; ++device)
        ASSERT_EQ(allowed.has(&handles[t], device), t == device);
  }
}

} // namespace
