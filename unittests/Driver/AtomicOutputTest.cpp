//===- AtomicOutputTest.cpp - All files, or none --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"

#include "gtest/gtest.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace colonnade;

namespace {

class AtomicOutputTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "colonnade-test-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  size_t numFiles() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
  std::string read(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  std::string path(const std::string &name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(AtomicOutputTest, CommitWritesAllFiles) {
  AtomicOutput output;
  ASSERT_FALSE(output.add(path("a"), "one"));
  ASSERT_FALSE(output.add(path("b"), std::string(100000, 'x')));
  ASSERT_FALSE(output.commit());
  EXPECT_EQ(read("a"), "one");
  EXPECT_EQ(read("b").size(), 100000u);
  EXPECT_EQ(numFiles(), 2u);
}

TEST_F(AtomicOutputTest, FoldersGoWithTheirFiles) {
  {
    AtomicOutput output;
    ASSERT_FALSE(output.addFolder(path("new/inner/")));
    ASSERT_FALSE(output.add(path("new/inner/a"), "one"));
  }
  EXPECT_EQ(numFiles(), 0u);
  AtomicOutput output;
  ASSERT_FALSE(output.addFolder(path("new/inner")));
  ASSERT_FALSE(output.add(path("new/inner/a"), "one"));
  ASSERT_FALSE(output.commit());
  EXPECT_EQ(read("new/inner/a"), "one");
}

TEST_F(AtomicOutputTest, OneFileForEachPath) {
  AtomicOutput output;
  ASSERT_FALSE(output.add(path("a"), "one"));
  EXPECT_EQ(llvm::toString(output.add(path("a"), "two")),
            "'" + path("a") + "' is named for two outputs");
}

TEST_F(AtomicOutputTest, NothingChangesBeforeCommit) {
  std::ofstream(path("a")) << "old";
  {
    AtomicOutput output;
    ASSERT_FALSE(output.add(path("a"), "new"));
    EXPECT_EQ(read("a"), "old");
  }
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(AtomicOutputTest, OneBadPathLeavesNothing) {
  {
    AtomicOutput output;
    ASSERT_FALSE(output.add(path("a"), "one"));
    llvm::Error error = output.add(path("missing/b"), "two");
    ASSERT_TRUE(static_cast<bool>(error));
    EXPECT_NE(llvm::toString(std::move(error)).find("missing/b"), std::string::npos);
  }
  EXPECT_EQ(numFiles(), 0u);
}

TEST_F(AtomicOutputTest, AFolderIsNoTarget) {
  fs::create_directory(path("a"));
  AtomicOutput output;
  llvm::Error error = output.add(path("a"), "one");
  EXPECT_TRUE(static_cast<bool>(error));
  llvm::consumeError(std::move(error));
}

TEST_F(AtomicOutputTest, AFifoIsWrittenTo) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  int reader = open(path("fifo").c_str(), O_RDONLY | O_NONBLOCK);
  AtomicOutput output;
  ASSERT_FALSE(output.add(path("fifo"), "one"));
  ASSERT_FALSE(output.add(path("file"), "two"));
  ASSERT_FALSE(output.commit());
  char text[8] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 3);
  close(reader);
  EXPECT_STREQ(text, "one");
  EXPECT_TRUE(fs::is_fifo(path("fifo")));
  EXPECT_EQ(read("file"), "two");
}

TEST_F(AtomicOutputTest, AFileSizeLimitIsAnErrorAndLeavesNothing) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small{1000, before.rlim_max};
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  {
    AtomicOutput output;
    llvm::Error error = output.add(path("a"), std::string(5000, 'x'));
    EXPECT_TRUE(static_cast<bool>(error));
    llvm::consumeError(std::move(error));
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(numFiles(), 0u);
}

} // namespace
