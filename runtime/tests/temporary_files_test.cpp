//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// remove_tree: all that a folder holds goes, nothing that it only points to, and also what is
// added meanwhile. That signals call it is pending_output_test.cpp's.
//
//===----------------------------------------------------------------------===//

#include <colonnade/bulk/temporary_files.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

namespace fs = std::filesystem;
using colonnade::runtime::detail::remove_tree;

namespace {

class RemoveTree : public ::testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/colonnade-tree-XXXXXX";
    folder_ = mkdtemp(name);
    fs::create_directory(tree());
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path tree() const { return folder_ / "tree"; }
  static void put(const fs::path &path) { std::ofstream(path) << "x"; }
  void remove() const { remove_tree(tree().c_str()); }

  fs::path folder_;
};

TEST_F(RemoveTree, EveryKindOfEntryGoes) {
  fs::path deep = tree();
  for (int level = 0; level < 50; ++level)
    fs::create_directory(deep /= "level");
  put(deep / "file");
  for (int i = 0; i < 500; ++i) // more than one reading of the folder
    put(tree() / ("a file with a longer name, number " + std::to_string(i)));
  for (const char *name : {".hidden", "...", "..a", " ", "-rf", "*"})
    put(tree() / name);
  fs::create_directory(tree() / ".folder");
  put(tree() / ".folder/file");
  put(tree() / "read-only");
  fs::permissions(tree() / "read-only", fs::perms::none);
  ASSERT_EQ(mkfifo((tree() / "fifo").c_str(), 0600), 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, (tree() / "socket").c_str());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
  ::close(listener);
  remove();
  EXPECT_FALSE(fs::exists(tree()));
}

TEST_F(RemoveTree, WhatLinksPointToStays) {
  fs::create_directories(folder_ / "outside/inner");
  put(folder_ / "outside/inner/file");
  put(folder_ / "file");
  fs::create_directory(tree() / "inner");
  fs::create_directory_symlink(folder_ / "outside", tree() / "inner/folder");
  fs::create_symlink(folder_ / "file", tree() / "file");
  fs::create_symlink("missing", tree() / "dangling");
  fs::create_directory_symlink("..", tree() / "inner/up");
  remove();
  EXPECT_FALSE(fs::exists(tree()));
  EXPECT_TRUE(fs::exists(folder_ / "outside/inner/file") && fs::exists(folder_ / "file"));
}

TEST_F(RemoveTree, APathThatIsNoFolderStays) {
  put(tree() / "file");
  fs::create_directory_symlink("tree", folder_ / "link");
  put(folder_ / "file");
  for (const char *name : {"link", "file", "missing"})
    remove_tree((folder_ / name).c_str());
  EXPECT_TRUE(fs::exists(folder_ / "link/file") && fs::exists(folder_ / "file"));
}

// As compilers do that are about to end.
TEST_F(RemoveTree, WhatIsAddedMeanwhileGoesToo) {
  for (int i = 0; i < 1000; ++i) // so that some are added behind what is read
    put(tree() / ("before" + std::to_string(i)));
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c)
    if (children.push_back(fork()); children.back() == 0) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
      for (int i = 0; std::chrono::steady_clock::now() < end; ++i)
        (void)mknod((tree() / std::to_string(c * 1000000 + i)).c_str(), S_IFREG | 0600, 0);
      _exit(0);
    }
  remove();
  for (const pid_t child : children)
    waitpid(child, nullptr, 0);
  EXPECT_FALSE(fs::exists(tree()));
}

} // namespace
