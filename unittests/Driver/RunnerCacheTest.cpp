//===- RunnerCacheTest.cpp - Runners that were built before ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/RunnerCache.h"

#include "gtest/gtest.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace colonnade;

namespace {

class RunnerCacheTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "colonnade-cache-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    write("runner", "programme");
    write("input", "one");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string &name) const { return (folder_ / name).string(); }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name)) << text;
  }
  std::string read(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  /// What is found, written to a file of its own.
  std::string found(const RunnerCache &cache, const std::string &key) const {
    fs::remove(path("found"));
    return cache.find(key, path("found")) ? read("found") : "none";
  }

  fs::path folder_;
};

TEST_F(RunnerCacheTest, KeepsAndFinds) {
  RunnerCache cache(path("new/folder"));
  EXPECT_EQ(found(cache, "k"), "none");
  cache.keep("k", path("runner"), {path("input")});
  EXPECT_EQ(found(cache, "k"), "programme");
  EXPECT_EQ(access(path("found").c_str(), X_OK), 0);
  EXPECT_EQ(found(cache, "other"), "none");
  EXPECT_EQ(found(RunnerCache::disabled(), "k"), "none");
}

TEST_F(RunnerCacheTest, AChangedInputIsNotTheSame) {
  RunnerCache cache(path("cache"));
  cache.keep("k", path("runner"), {path("input")});
  write("input", "two");
  EXPECT_EQ(found(cache, "k"), "none");
  write("input", "one");
  EXPECT_EQ(found(cache, "k"), "programme");
  fs::remove(path("input"));
  EXPECT_EQ(found(cache, "k"), "none");
}

// Cut anywhere, or with any byte changed, an entry is none.
TEST_F(RunnerCacheTest, DamagedEntriesAreNone) {
  RunnerCache cache(path("cache"));
  cache.keep("k", path("runner"), {path("input")});
  const std::string whole = read("cache/k");
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] ^= 1;
    write("cache/k", changed);
    EXPECT_EQ(found(cache, "k"), "none") << at;
    write("cache/k", whole.substr(0, at));
    EXPECT_EQ(found(cache, "k"), "none") << at;
  }
  cache.keep("k", path("runner"), {path("input")}); // and is replaced
  EXPECT_EQ(found(cache, "k"), "programme");
}

TEST_F(RunnerCacheTest, AFolderThatCannotBeUsedIsNoError) {
  RunnerCache file(path("input/inner")); // "input" is a file
  file.keep("k", path("runner"), {});
  EXPECT_EQ(found(file, "k"), "none");
  RunnerCache cache(path("cache"));
  cache.keep("k", path("runner"), {});
  fs::remove(path("cache/k"));
  fs::create_directories(path("cache/k/in the way"));
  cache.keep("k", path("runner"), {});
  EXPECT_EQ(found(cache, "k"), "none");
  if (geteuid() == 0)
    return; // may write everywhere
  ASSERT_EQ(chmod(path("cache").c_str(), 0500), 0);
  cache.keep("l", path("runner"), {});
  EXPECT_EQ(found(cache, "l"), "none");
  ASSERT_EQ(chmod(path("cache").c_str(), 0700), 0);
}

TEST_F(RunnerCacheTest, TheOldestGoFirst) {
  write("runner", std::string(1000, 'x'));
  RunnerCache cache(path("cache"), 5000);
  for (int i = 0; i < 4; ++i) {
    cache.keep(std::to_string(i), path("runner"), {});
    fs::last_write_time(path("cache/" + std::to_string(i)),
                        fs::file_time_type::clock::now() - std::chrono::seconds(100 - i));
  }
  EXPECT_NE(found(cache, "0"), "none"); // used now
  cache.keep("4", path("runner"), {});
  EXPECT_NE(found(cache, "0"), "none");
  EXPECT_EQ(found(cache, "1"), "none");
  write("runner", std::string(1300, 'x')); // more than a quarter is not kept
  cache.keep("5", path("runner"), {});
  EXPECT_EQ(found(cache, "5"), "none");
}

TEST_F(RunnerCacheTest, SeveralAtOnce) {
  RunnerCache cache(path("cache"));
  write("runner", std::string(100000, 'x'));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        cache.keep("k", path("runner"), {path("input")});
        const std::string name = "found" + std::to_string(t);
        wrong += !cache.find("k", path(name)) || read(name).size() != 100000;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(RunnerCacheTest, Depfiles) {
  EXPECT_EQ(depfileInputs("a.o: /x/a.c \\\n  /y/b\\ c.h /z/$$d\\#.h \\\n\n"),
            (std::vector<std::string>{"/x/a.c", "/y/b c.h", "/z/$d#.h"}));
  EXPECT_TRUE(depfileInputs("").empty());
}

} // namespace
