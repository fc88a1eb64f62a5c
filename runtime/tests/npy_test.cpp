//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <colonnade/bulk/npy.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <random>
#include <string>

#include <sys/resource.h>

using namespace colonnade::bulk;

namespace {

// A file's bytes: version 1 header around `dictionary`, then `data_bytes` zeros.
std::string file_of(const std::string &dictionary, size_t data_bytes, char version = 1) {
  std::string text = dictionary + "\n";
  std::string bytes("\x93NUMPY", 6);
  bytes += version;
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return bytes + text + std::string(data_bytes, '\0');
}

status parse(const std::string &bytes, npy::header &h) {
  return npy::parse_header(bytes.data(), bytes.size(), h);
}

TEST(Npy, ReadsWhatItWrites) {
  for (cell_type type : {cell_type::boolean, cell_type::s8, cell_type::u16, cell_type::s32,
                         cell_type::u64, cell_type::f32, cell_type::f64})
    for (bool fortran : {false, true})
      for (const std::vector<uint64_t> &shape :
           {std::vector<uint64_t>{}, {7}, {3, 5}, {2, 3, 4}, {0, 4}}) {
        uint64_t items = 1;
        for (uint64_t e : shape)
          items *= e;
        const std::string head = npy::format_header(type, fortran, shape);
        EXPECT_EQ(head.size() % 64, 0u);
        npy::header h;
        const status s = parse(head + std::string(items * size_bytes(type), 'x'), h);
        ASSERT_TRUE(s.ok()) << s.message;
        EXPECT_EQ(h.shape, shape);
        EXPECT_EQ(h.fortran_order, fortran);
        EXPECT_EQ(h.data_offset, head.size());
        EXPECT_EQ(h.item_bytes, size_bytes(type));
        EXPECT_TRUE(npy::check_type(h.fields[0].code, type).ok());
      }
}

TEST(Npy, VersionsTwoAndThree) {
  for (char version : {2, 3}) {
    npy::header h;
    EXPECT_TRUE(
        parse(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8, version), h)
            .ok());
  }
  npy::header h;
  EXPECT_EQ(parse(file_of("{}", 0, 9), h).message, "unknown .npy version 9: use numpy.save");
}

TEST(Npy, HeadersTooLongForVersionOne) {
  std::string fields;
  for (int i = 0; i < 5000; ++i)
    fields += "('field" + std::to_string(i) + "', '<f4'), ";
  const std::string head = npy::format_header("[" + fields + "]", false, {1});
  EXPECT_EQ(head[6], 2);
  npy::header h;
  ASSERT_TRUE(parse(head + std::string(20000, '\0'), h).ok());
  EXPECT_EQ(h.fields.size(), 5000u);
}

TEST(Npy, StructuredLeavesByName) {
  npy::header h;
  const status s =
      parse(file_of("{'descr': [('x', '<f4'), ('in', [('u', '|u1'), ('w', '<f8')]), ('', '|V3'), "
                    "('k', '<i2', (2, 2))], 'fortran_order': False, 'shape': (2,)}",
                    2 * 24),
            h);
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_EQ(h.item_bytes, 24u);
  EXPECT_TRUE(h.structured);
  ASSERT_EQ(h.fields.size(), 4u);
  const npy::field *w = npy::find_field(h, "in.w");
  ASSERT_TRUE(w);
  EXPECT_EQ(w->offset_bytes, 5u);
  const npy::field *k = npy::find_field(h, "k");
  ASSERT_TRUE(k);
  EXPECT_EQ(k->offset_bytes, 16u);
  EXPECT_EQ(k->cells(), 4u);

  std::string records;
  for (char i = 0; i < 48; ++i)
    records += i;
  int16_t cells[8];
  npy::gather_leaf(records.data(), h, *k, cells);
  EXPECT_EQ(cells[0], 0x1110);
  EXPECT_EQ(cells[4], 0x2928);
}

// parts has 2 x 3 records, each of 1 + 2 x 2 bytes; their xs are 5 bytes apart.
TEST(Npy, ArraysOfRecords) {
  const std::string description =
      "[('tag', '|u1'), ('parts', [('k', '|u1'), ('x', [('a', '|u1'), ('b', '|i1')], (2,))], "
      "(2, 3)), ('none', [('z', '<f8')], (0,))]";
  npy::header h;
  const status s = parse(
      file_of("{'descr': " + description + ", 'fortran_order': False, 'shape': (2,)}", 2 * 31), h);
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_EQ(h.description, description);
  EXPECT_EQ(h.item_bytes, 31u);
  ASSERT_EQ(h.fields.size(), 5u);
  const npy::field *b = npy::find_field(h, "parts.x.b");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->cells(), 12u);
  EXPECT_EQ(npy::find_field(h, "none.z")->cells(), 0u);

  std::string records;
  for (char i = 0; i < 62; ++i)
    records += i;
  char cells[24];
  npy::gather_leaf(records.data(), h, *b, cells);
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(cells[i], i / 12 * 31 + 1 + i % 12 / 2 * 5 + 1 + i % 2 * 2 + 1) << i;
  std::string back(62, '\0');
  const char *next = npy::scatter_record(*b, cells, back.data());
  EXPECT_EQ(npy::scatter_record(*b, next, back.data() + 31), cells + 24);
  EXPECT_EQ(back[31 + 3], records[31 + 3]);
  EXPECT_EQ(std::count(back.begin(), back.end(), '\0'), 62 - 24);

  for (const char *bad : {"[('p', [('x', '<f4')], (1 << 30,))]", "[('p', [('x', '<f4')], -1)]",
                          "[('p', [('x', '<f4')], (4000000000, 4000000000))]",
                          "[('p', [('x', '<f4')], (4000000000,))]", "[('p', [], (2,))]"})
    EXPECT_FALSE(npy::parse_description(bad, h).ok()) << bad;
}

TEST(Npy, TypeErrorsNameTheFix) {
  EXPECT_EQ(npy::check_type("<f8", cell_type::f32).message,
            "cells are '<f8', not float32 ('<f4'): convert them with a.astype(numpy.float32)");
  EXPECT_EQ(npy::check_type(">f4", cell_type::f32).message,
            "cells are big-endian ('>f4'): convert them with a.astype(numpy.float32)");
  EXPECT_TRUE(npy::check_type("|i1", cell_type::s8).ok());
  EXPECT_FALSE(npy::check_type("|u1", cell_type::s8).ok());
  EXPECT_FALSE(npy::check_type("<U4", cell_type::s32).ok());
}

TEST(Npy, MalformedHeaders) {
  const auto message = [](const std::string &dictionary, size_t data = 64) {
    npy::header h;
    const status s = parse(file_of(dictionary, data), h);
    EXPECT_EQ(s.code, status_code::bad_file) << dictionary;
    return s.message;
  };
  EXPECT_EQ(message(""), "malformed .npy header: text ends too early");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False}"),
            "malformed .npy header: needs descr, fortran_order and shape");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (2,"),
            "malformed .npy header: text ends too early");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (99,)}"),
            "truncated .npy file: 99 items do not fit in it");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"),
            "malformed .npy header: shape");
  EXPECT_EQ(message("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
            "malformed .npy header: number too large");
  EXPECT_EQ(message(std::string(100, '(')), "malformed .npy header: nested too deeply");
  EXPECT_NE(message("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}").find("unsupported"),
            std::string::npos);
  EXPECT_EQ(message("{'descr': [('x', '<f4', (0,))], 'fortran_order': False, "
                    "'shape': (1000000000000000000,)}"),
            "unsupported dtype in the .npy header: its records have no cells");
  npy::header h;
  EXPECT_EQ(parse("hello, world", h).message, "not an .npy file: write it with numpy.save");
  EXPECT_EQ(parse("", h).code, status_code::bad_file);
  EXPECT_EQ(parse(std::string("\x93NUMPY\1\0\xff\xff{}", 12), h).message,
            "truncated .npy file: the header is cut off");
}

// Any bytes: a status, and if it is success every announced byte is there.
TEST(Npy, RandomlyDamagedFiles) {
  const std::string seeds[] = {
      file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24),
      file_of("{'descr': [('x', '<f4'), ('in', [('u', '|u1')]), ('k', '<i2', (2, 2))], "
              "'fortran_order': True, 'shape': (2,), }",
              64, 2)};
  std::mt19937 random(1);
  unsigned accepted = 0;
  for (unsigned trial = 0; trial < 100000; ++trial) {
    std::string bytes = seeds[trial % 2];
    for (unsigned k = random() % 4; k-- > 0;) {
      const size_t at = random() % bytes.size();
      switch (random() % 4) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, random() % 9);
        break;
      case 2:
        bytes.insert(at, 1, "()[]{}',:0123456789<f"[random() % 21]);
        break;
      default:
        bytes.resize(at);
        break;
      }
      if (bytes.empty())
        break;
    }
    npy::header h;
    const std::string copy(bytes); // exact allocation for the address sanitizer
    if (!parse(copy, h).ok())
      continue;
    ++accepted;
    ASSERT_LE(h.data_offset + h.num_items * h.item_bytes, copy.size());
    for (const npy::field &f : h.fields)
      for (uint64_t i = 0; f.cells() > 0 && i < h.num_items; ++i) { // within the file
        std::vector<char> cells(f.cells() * f.item_bytes);
        ASSERT_EQ(
            npy::gather_record(f, copy.data() + h.data_offset + i * h.item_bytes, cells.data()),
            cells.data() + cells.size());
      }
  }
  EXPECT_GT(accepted, 1000u);
}

class OutputFile : public ::testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/colonnade-npy-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { (void)!system(("rm -rf " + folder_).c_str()); }
  size_t entries() const {
    FILE *list = popen(("ls -A " + folder_ + " | wc -l").c_str(), "r");
    size_t n = 99;
    EXPECT_EQ(fscanf(list, "%zu", &n), 1);
    pclose(list);
    return n;
  }
  std::string folder_;
};

TEST_F(OutputFile, AppearsOnlyWhenCommitted) {
  const std::string path = folder_ + "/a.npy";
  {
    output_file file;
    ASSERT_TRUE(file.create(path).ok());
    ASSERT_TRUE(file.write("abc", 3).ok());
  }
  EXPECT_EQ(entries(), 0u);
  output_file file;
  ASSERT_TRUE(file.create(path).ok());
  ASSERT_TRUE(file.write("abc", 3).ok());
  ASSERT_TRUE(file.commit().ok());
  EXPECT_EQ(entries(), 1u);
  mapped_file back;
  ASSERT_TRUE(mapped_file::open(path, back).ok());
  EXPECT_EQ(std::string(back.data(), back.size()), "abc");
}

TEST_F(OutputFile, ErrorsHaveThePath) {
  output_file file;
  const status s = file.create(folder_ + "/missing/a.npy");
  EXPECT_EQ(s.code, status_code::io_error);
  EXPECT_EQ(s.message, folder_ + "/missing/a.npy: cannot write: No such file or directory");
  mapped_file in;
  EXPECT_EQ(mapped_file::open(folder_ + "/none", in).message,
            folder_ + "/none: cannot open: No such file or directory");
  EXPECT_EQ(mapped_file::open(folder_, in).code, status_code::io_error);
}

// A limit on file sizes fails writes the way a full disk does.
TEST_F(OutputFile, FailedWritesLeaveNothing) {
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {1000, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  {
    output_file file;
    ASSERT_TRUE(file.create(folder_ + "/a.npy").ok());
    const std::string data(4096, 'x');
    EXPECT_EQ(file.write(data.data(), data.size()).message,
              folder_ + "/a.npy: cannot write: File too large");
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(entries(), 0u);
}

} // namespace
