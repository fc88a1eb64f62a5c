//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_file_test.cpp: pairs that are written are read again; whichever bit of a file is flipped,
// and wherever it is cut off or goes on, it is refused.
//
//===----------------------------------------------------------------------===//
#include <colonnade/slab_file.hpp>

#include <gtest/gtest.h>

#include <fstream>

using namespace colonnade;

namespace {

class SlabFile : public testing::Test {
protected:
  const std::string path_ = testing::TempDir() + "colonnade_slab_file_test";
  std::vector<uint32_t> keys_ = {7, 3, 1000000, 0, 5};
  std::vector<uint64_t> values_ = {1, 2, 3, 4, uint64_t{5} << 60};
  std::vector<char> read_keys_, read_values_;

  ~SlabFile() override { std::remove(path_.c_str()); }
  slab_file_error write() {
    return write_pairs(path_.c_str(), keys_.data(), 4, values_.data(), 8, keys_.size());
  }
  slab_file_error read(size_t key_bytes = 4, size_t value_bytes = 8) {
    return read_pairs(path_.c_str(), read_keys_, key_bytes, read_values_, value_bytes);
  }
  std::string bytes() {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string &bytes) { std::ofstream(path_, std::ios::binary) << bytes; }
};

TEST_F(SlabFile, IsReadAsItWasWritten) {
  ASSERT_EQ(write(), slab_file_error::none);
  ASSERT_EQ(read(), slab_file_error::none);
  EXPECT_EQ(read_keys_.size(), 20u);
  EXPECT_EQ(std::memcmp(read_keys_.data(), keys_.data(), 20), 0);
  EXPECT_EQ(std::memcmp(read_values_.data(), values_.data(), 40), 0);
  ASSERT_EQ(write_pairs(path_.c_str(), keys_.data(), 4, nullptr, 0, 5), slab_file_error::none);
  ASSERT_EQ(read(4, 0), slab_file_error::none);
  EXPECT_TRUE(read_keys_.size() == 20 && read_values_.empty());
  ASSERT_EQ(write_pairs(path_.c_str(), nullptr, 4, nullptr, 8, 0), slab_file_error::none);
  ASSERT_EQ(read(), slab_file_error::none);
  EXPECT_TRUE(read_keys_.empty() && read_values_.empty());
}

TEST_F(SlabFile, IsRefused) {
  EXPECT_EQ(read(), slab_file_error::not_opened);
  EXPECT_EQ(write_pairs("/there/is/no/such/folder", nullptr, 4, nullptr, 8, 0),
            slab_file_error::not_opened);
  ASSERT_EQ(write(), slab_file_error::none);
  EXPECT_EQ(read(8, 8), slab_file_error::other_types);
  EXPECT_EQ(read(4, 4), slab_file_error::other_types);
  put("something else, which is no file of pairs");
  EXPECT_EQ(read(), slab_file_error::no_pairs);
}

TEST_F(SlabFile, DamageIsFound) {
  ASSERT_EQ(write(), slab_file_error::none);
  const std::string whole = bytes();
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    put(damaged);
    EXPECT_NE(read(), slab_file_error::none) << bit;
  }
  for (size_t length = 0; length < whole.size(); ++length) {
    put(whole.substr(0, length));
    EXPECT_NE(read(), slab_file_error::none) << length;
  }
  for (const size_t more : {1, 4, 12, 100}) {
    put(whole + std::string(more, 'x'));
    EXPECT_EQ(read(), slab_file_error::damaged) << more;
  }
  EXPECT_TRUE(read_keys_.empty() && read_values_.empty());
}

#ifdef __linux__
TEST_F(SlabFile, FullDevice) {
  EXPECT_EQ(write_pairs("/dev/full", keys_.data(), 4, values_.data(), 8, 5),
            slab_file_error::not_written);
}
#endif

} // namespace
