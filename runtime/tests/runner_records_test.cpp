//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Struct parameters whose leaves are read from and written to records.
//
//   struct part { float x, y; };
//   struct whole { struct part parts[2]; int tag; unsigned char k[3]; };
//   void next(struct whole *w, int n);   adds 1 to every leaf of n elements
//
//===----------------------------------------------------------------------===//

#include <colonnade/bulk/runner.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;
using namespace colonnade::bulk;

namespace {

template <int... Extents> int64_t extent(uint32_t dim, const scalar_bits *scalars) {
  const int64_t extents[] = {static_cast<int32_t>(scalars[0]), Extents...};
  return extents[dim];
}

template <class T> void add_one(void *cells, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    ++static_cast<T *>(cells)[i];
}

status add_one_to_all(const raw_arguments &a, layout l, const cpu_launch_options &) {
  const uint64_t p = l == layout::tiled ? (a.count + 15) / 16 * 16 : a.count;
  add_one<float>(a.arrays[0], p * a.cells[0]);
  add_one<float>(a.arrays[1], p * a.cells[1]);
  add_one<int32_t>(a.arrays[2], p * a.cells[2]);
  add_one<uint8_t>(a.arrays[3], p * a.cells[3]);
  return status::success();
}

function_info next_info(bool with_ranks = true) {
  static array_info known[] = {
      {"w.parts.x", "w", cell_type::f32, direction::inout, false, 2, extent<2>, true, "10"},
      {"w.parts.y", "w", cell_type::f32, direction::inout, false, 2, extent<2>, true, "10"},
      {"w.tag", "w", cell_type::s32, direction::inout, false, 1, extent<>, true, "0"},
      {"w.k", "w", cell_type::u8, direction::inout, false, 2, extent<3>, true, "1"}};
  static array_info unknown[4];
  for (int a = 0; a < 4; ++a) {
    unknown[a] = known[a];
    unknown[a].part_ranks = nullptr;
  }
  static const scalar_info scalars[] = {{"n", cell_type::s32}};
  return {"next", with_ranks ? known : unknown, 4, scalars, 1, nullptr, add_one_to_all, 16, nullptr,
          nullptr};
}

class Records : public ::testing::Test {
protected:
  static constexpr uint64_t p = 5, n = 3;

  void SetUp() override {
    char name[] = "/tmp/colonnade-records-XXXXXX";
    folder_ = std::string(mkdtemp(name)) + "/";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void save(const std::string &name, const std::string &description,
            const std::vector<uint64_t> &shape, const std::string &data) {
    std::ofstream(folder_ + name) << npy::format_header(description, false, shape) << data;
  }
  int run(std::vector<std::string> words, const function_info &f = next_info()) {
    words.insert(words.begin(), {"runner", "--arg", "n=3", "--count", "5"});
    std::vector<char *> argv;
    for (std::string &word : words) {
      if (const size_t at = word.find('@'); at != std::string::npos)
        word.replace(at, 1, folder_);
      argv.push_back(word.data());
    }
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    const int code = run_program(f, static_cast<int>(argv.size()), argv.data());
    (void)::testing::internal::GetCapturedStdout();
    error = ::testing::internal::GetCapturedStderr();
    return code;
  }
  npy::array_file open(const std::string &name) {
    npy::array_file file;
    const status s = npy::array_file::open(folder_ + name, file);
    EXPECT_TRUE(s.ok()) << s.message;
    return file;
  }
  /// All cells of all leaves, in the order of the names.
  static std::vector<double> leaves(const npy::array_file &file) {
    std::vector<double> cells;
    for (const char *name : {"parts.x", "parts.y", "tag", "k"}) {
      const npy::field *leaf = npy::find_field(file.head, name);
      EXPECT_TRUE(leaf) << name;
      std::string bytes(leaf ? file.head.num_items * leaf->cells() * leaf->item_bytes : 0, '\0');
      if (leaf)
        npy::gather_leaf(file.data(), file.head, *leaf, bytes.data());
      for (size_t at = 0; at < bytes.size(); at += leaf->item_bytes) {
        float f;
        int32_t i;
        std::memcpy(&f, bytes.data() + at, leaf->item_bytes == 4 ? 4 : 0);
        std::memcpy(&i, bytes.data() + at, leaf->item_bytes == 4 ? 4 : 0);
        cells.push_back(leaf->item_bytes == 1 ? bytes[at] : leaf->code == "<f4" ? f : i);
      }
    }
    return cells;
  }

  std::string folder_, error;
};

TEST_F(Records, AllLeavesOfAnOutputAreWritten) {
  ASSERT_EQ(run({"-o", "w=@out"}), 0) << error;
  const npy::array_file out = open("out");
  EXPECT_EQ(out.head.description, "[('parts', [('x', '<f4'), ('y', '<f4')], (2,)), "
                                  "('tag', '<i4'), ('k', '|u1', (3,))]");
  EXPECT_EQ(out.head.shape, (std::vector<uint64_t>{p, n}));
  EXPECT_EQ(leaves(out), std::vector<double>(p * n * 8, 1.0));
}

TEST_F(Records, WithoutRanksTheFewestCellsAreTheRecords) {
  ASSERT_EQ(run({"-o", "w=@out"}, next_info(false)), 0) << error;
  const npy::array_file out = open("out");
  EXPECT_EQ(out.head.description, "[('parts.x', '<f4', (2,)), ('parts.y', '<f4', (2,)), "
                                  "('tag', '<i4'), ('k', '|u1', (3,))]");
  EXPECT_EQ(leaves(out), std::vector<double>(p * n * 8, 1.0));
}

TEST_F(Records, LeavesCanBeWrittenOneByOne) {
  ASSERT_EQ(run({"-o", "w.tag=@tag", "-o", "w.k=@k"}), 0) << error;
  EXPECT_EQ(open("tag").head.shape, (std::vector<uint64_t>{p, n}));
  EXPECT_EQ(open("k").head.shape, (std::vector<uint64_t>{p, n, 3}));
}

// The output has the input's dtype, and what is no leaf stays.
TEST_F(Records, TheInputsDtypeStays) {
  const std::string description =
      "[('k', '|u1', (3,)), ('', '|V1'), ('more', '<f8'), ('tag', '<i4'), "
      "('parts', [('y', '<f4'), ('z', '|u1'), ('x', '<f4')], (2,))]";
  std::string record(34, '\7');
  const int32_t tag = 40;
  const float part[4] = {1, 2, 3, 4}; // y, x, y, x
  std::memcpy(&record[12], &tag, 4);
  for (int i = 0; i < 4; ++i)
    std::memcpy(&record[16 + i / 2 * 9 + i % 2 * 5], &part[i], 4);
  std::string data;
  for (uint64_t i = 0; i < p * n; ++i)
    data += record;
  save("in", description, {p, n}, data);
  ASSERT_EQ(run({"-i", "w=@in", "-o", "w=@out"}), 0) << error;
  const npy::array_file out = open("out");
  EXPECT_EQ(out.head.description, description);
  std::vector<double> expected;
  for (double pair : {2.0, 1.0}) // xs, then ys
    for (uint64_t i = 0; i < p * n; ++i)
      expected.insert(expected.end(), {pair + 1, pair + 3});
  expected.insert(expected.end(), p * n, 41);
  expected.insert(expected.end(), p * n * 3, 8);
  EXPECT_EQ(leaves(out), expected);
  EXPECT_EQ(out.data()[3], 7);                     // padding
  EXPECT_EQ(out.data()[11], 7);                    // 'more'
  EXPECT_EQ(out.data()[(p * n - 1) * 34 + 20], 7); // 'z'
}

// Instances apart, elements side by side no longer: what is no leaf comes from where it is then.
TEST_F(Records, FieldsOfFortranOrderStay) {
  const std::string description = "[('k', '|u1', (3,)), ('more', '|u1'), ('tag', '<i4'), "
                                  "('parts', [('y', '<f4'), ('x', '<f4')], (2,))]";
  std::string data;
  for (uint64_t i = 0; i < n; ++i)
    for (uint64_t j = 0; j < p; ++j) {
      std::string record(24, '\0');
      const int32_t tag = static_cast<int32_t>(10 * j + i);
      record[3] = static_cast<char>(tag);
      std::memcpy(&record[4], &tag, 4);
      data += record;
    }
  std::ofstream(folder_ + "in") << npy::format_header(description, true, {p, n}) << data;
  ASSERT_EQ(run({"-i", "w=@in", "-o", "w=@in"}), 0) << error;
  const npy::array_file out = open("in");
  EXPECT_EQ(out.head.description, description);
  EXPECT_FALSE(out.head.fortran_order);
  for (uint64_t j = 0; j < p; ++j)
    for (uint64_t i = 0; i < n; ++i) {
      const char *record = out.data() + (j * n + i) * 24;
      int32_t tag;
      std::memcpy(&tag, record + 4, 4);
      EXPECT_EQ(record[3], static_cast<char>(10 * j + i));
      EXPECT_EQ(tag, static_cast<int32_t>(10 * j + i) + 1);
    }
}

TEST_F(Records, OneFileForOneOutput) {
  fs::create_symlink("x", folder_ + "link");
  EXPECT_EQ(run({"-o", "w.tag=@x", "-o", "w.k=@link"}), 3);
  EXPECT_NE(error.find("-o w.k and -o w.tag name the same file"), std::string::npos) << error;
  EXPECT_EQ(run({"-o", "w.tag=/dev/stdout", "-o", "w.k=@missing/k"}), 3);
  EXPECT_NE(error.find("missing/k: cannot write: No such file"), std::string::npos) << error;
}

} // namespace
