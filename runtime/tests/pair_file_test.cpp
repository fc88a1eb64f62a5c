//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pair_file_test.cpp: pairs that are written are read again; whichever bit of a file is flipped,
// and wherever it is cut off or goes on, it is refused. The same of .npy files of pairs, which say
// what is wrong with them.
//
//===----------------------------------------------------------------------===//
#include <colonnade/pair_file.hpp>
#include <colonnade/pair_npy.hpp>
#include <colonnade/slab_hash_options.hpp>

#include <gtest/gtest.h>

#include <fstream>

using namespace colonnade;

namespace {

class PairFile : public ::testing::Test {
protected:
  const std::string path_ = ::testing::TempDir() + "colonnade_pair_file_test";
  std::vector<uint32_t> keys_ = {7, 3, 1000000, 0, 5};
  std::vector<uint64_t> values_ = {1, 2, 3, 4, uint64_t{5} << 60};
  std::vector<char> read_keys_, read_values_;

  ~PairFile() override { std::remove(path_.c_str()); }
  pair_file_error write() {
    return write_pairs(path_.c_str(), keys_.data(), 4, values_.data(), 8, keys_.size());
  }
  pair_file_error read(size_t key_bytes = 4, size_t value_bytes = 8) {
    return read_pairs(path_.c_str(), read_keys_, key_bytes, read_values_, value_bytes);
  }
  std::string bytes() {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string &bytes) { std::ofstream(path_, std::ios::binary) << bytes; }
};

TEST_F(PairFile, IsReadAsItWasWritten) {
  ASSERT_EQ(write(), pair_file_error::none);
  ASSERT_EQ(read(), pair_file_error::none);
  EXPECT_EQ(read_keys_.size(), 20u);
  EXPECT_EQ(std::memcmp(read_keys_.data(), keys_.data(), 20), 0);
  EXPECT_EQ(std::memcmp(read_values_.data(), values_.data(), 40), 0);
  ASSERT_EQ(write_pairs(path_.c_str(), keys_.data(), 4, nullptr, 0, 5), pair_file_error::none);
  ASSERT_EQ(read(4, 0), pair_file_error::none);
  EXPECT_TRUE(read_keys_.size() == 20 && read_values_.empty());
  ASSERT_EQ(write_pairs(path_.c_str(), nullptr, 4, nullptr, 8, 0), pair_file_error::none);
  ASSERT_EQ(read(), pair_file_error::none);
  EXPECT_TRUE(read_keys_.empty() && read_values_.empty());
}

TEST_F(PairFile, IsRefused) {
  EXPECT_EQ(read(), pair_file_error::not_opened);
  EXPECT_EQ(write_pairs("/there/is/no/such/folder", nullptr, 4, nullptr, 8, 0),
            pair_file_error::not_opened);
  ASSERT_EQ(write(), pair_file_error::none);
  EXPECT_EQ(read(8, 8), pair_file_error::other_types);
  EXPECT_EQ(read(4, 4), pair_file_error::other_types);
  put("something else, which is no file of pairs");
  EXPECT_EQ(read(), pair_file_error::no_pairs);
}

TEST_F(PairFile, DamageIsFound) {
  ASSERT_EQ(write(), pair_file_error::none);
  const std::string whole = bytes();
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    put(damaged);
    EXPECT_NE(read(), pair_file_error::none) << bit;
  }
  for (size_t length = 0; length < whole.size(); ++length) {
    put(whole.substr(0, length));
    EXPECT_NE(read(), pair_file_error::none) << length;
  }
  for (const size_t more : {1, 4, 12, 100}) {
    put(whole + std::string(more, 'x'));
    EXPECT_EQ(read(), pair_file_error::damaged) << more;
  }
  EXPECT_TRUE(read_keys_.empty() && read_values_.empty());
}

TEST_F(PairFile, NpyIsReadAsItWasWritten) {
  std::vector<double> values(9999);
  std::vector<int32_t> keys(9999);
  for (int32_t i = 0; i < 9999; ++i) {
    keys[i] = i - 5000;
    values[i] = i / 3.0;
  }
  ASSERT_TRUE(write_npy_pairs(path_, keys.data(), values.data(), 9999));
  EXPECT_NE(bytes().find("[('key', '<i4'), ('value', '<f8')]"), std::string::npos);
  std::vector<int32_t> read_keys;
  std::vector<double> read_values;
  ASSERT_TRUE(read_npy_pairs(path_, read_keys, read_values));
  EXPECT_TRUE(read_keys == keys && read_values == values);
  std::vector<no_value> none;
  ASSERT_TRUE(read_npy_pairs(path_, read_keys, none)); // the keys alone
  EXPECT_TRUE(read_keys == keys && none.empty());
  ASSERT_TRUE(write_npy_pairs(path_, keys.data(), none.data(), 3));
  ASSERT_TRUE(read_npy_pairs(path_, read_keys, none));
  EXPECT_EQ(read_keys, (std::vector<int32_t>{-5000, -4999, -4998}));
}

TEST_F(PairFile, NpyIsRefused) {
  std::vector<uint32_t> keys = {1, 2}, read_keys = {77};
  std::vector<float> values = {3, 4}, read_values;
  const auto why = [&](auto &k, auto &v) { return read_npy_pairs(path_, k, v).message; };
  EXPECT_NE(why(read_keys, read_values).find("cannot open"), std::string::npos);
  ASSERT_TRUE(write_npy_pairs(path_, keys.data(), values.data(), 2));
  std::vector<int64_t> wide_keys;
  EXPECT_NE(why(wide_keys, read_values).find("field 'key': cells are '<u4', not int64"),
            std::string::npos);
  EXPECT_NE(why(read_keys, wide_keys).find("field 'value'"), std::string::npos);
  put(bytes().substr(0, bytes().size() - 1));
  EXPECT_NE(why(read_keys, read_values).find("truncated"), std::string::npos);
  put(runtime::npy::format_header("[('key', '<u4'), ('value', '<f4', (2,))]", false, {0}));
  EXPECT_NE(why(read_keys, read_values).find("a field 'value' of one number"), std::string::npos);
  put(runtime::npy::format_header(runtime::cell_type::u32, false, {0}));
  EXPECT_NE(why(read_keys, read_values).find("a field 'key' of one number"), std::string::npos);
  EXPECT_TRUE(read_keys == std::vector<uint32_t>{77} && read_values.empty());
  EXPECT_FALSE(write_npy_pairs("/there/is/no/such/folder/x", keys.data(), values.data(), 2));
}

#ifdef __linux__
TEST_F(PairFile, FullDevice) {
  EXPECT_EQ(write_pairs("/dev/full", keys_.data(), 4, values_.data(), 8, 5),
            pair_file_error::not_written);
}
#endif

} // namespace
