//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outputs to links, devices, FIFOs and sockets, and what signals leave behind. All special
// files are made by the tests, in a temporary folder.
//
//===----------------------------------------------------------------------===//

#include <colonnade/bulk/file.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <sys/sysmacros.h>
#include <sys/wait.h>

namespace fs = std::filesystem;
using namespace colonnade::runtime;

namespace {

class PendingOutput : public ::testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/colonnade-output-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string &name) const { return (folder_ / name).string(); }
  void put(const std::string &name, const std::string &text) { std::ofstream(path(name)) << text; }
  std::string read(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  std::set<std::string> entries() const {
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(folder_))
      names.insert(entry.path().lexically_relative(folder_).string());
    return names;
  }
  static status write(output_file &file, const std::string &where, const std::string &text) {
    if (status s = file.create(where); !s)
      return s;
    return file.write(text.data(), text.size());
  }
  status write_one(const std::string &name, const std::string &text) {
    output_file file;
    if (status s = write(file, path(name), text); !s)
      return s;
    return file.commit();
  }

  fs::path folder_;
};

TEST_F(PendingOutput, LinksAreFollowed) {
  fs::create_directory(path("inner"));
  put("inner/old", "old");
  fs::create_symlink("inner/old", path("a"));
  fs::create_symlink("a", path("chain"));
  fs::create_symlink("inner/new", path("dangling"));
  fs::create_symlink(path("inner"), path("folder"));
  ASSERT_TRUE(write_one("chain", "1").ok());
  EXPECT_EQ(read("inner/old"), "1");
  ASSERT_TRUE(write_one("dangling", "2").ok());
  EXPECT_EQ(read("inner/new"), "2");
  ASSERT_TRUE(write_one("folder/b", "3").ok());
  EXPECT_EQ(read("inner/b"), "3");
  EXPECT_TRUE(fs::is_symlink(path("a")) && fs::is_symlink(path("chain")) &&
              fs::is_symlink(path("dangling")));
  EXPECT_EQ(entries().size(), 8u);
}

TEST_F(PendingOutput, BadLinksAreErrors) {
  fs::create_symlink("loop", path("loop"));
  fs::create_symlink("missing/file", path("nowhere"));
  EXPECT_EQ(write_one("loop", "1").message,
            path("loop") + ": cannot write: Too many levels of symbolic links");
  EXPECT_EQ(write_one("nowhere", "1").message,
            path("nowhere") + ": cannot write: No such file or directory");
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(PendingOutput, PermissionsStay) {
  put("a", "old");
  ASSERT_EQ(chmod(path("a").c_str(), 0640), 0);
  ASSERT_TRUE(write_one("a", "new").ok());
  struct stat info{};
  ASSERT_EQ(stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

// The last one cannot get its name; those before it get their old contents back.
TEST_F(PendingOutput, AFailedCommitChangesNothing) {
  put("old", "old");
  std::vector<output_file> files(3);
  ASSERT_TRUE(write(files[0], path("old"), "1").ok());
  ASSERT_TRUE(write(files[1], path("new"), "2").ok());
  ASSERT_TRUE(write(files[2], path("folder"), "3").ok());
  fs::create_directory(path("folder"));
  EXPECT_EQ(output_file::commit(files).message, path("folder") + ": cannot write: Is a directory");
  files.clear();
  EXPECT_EQ(read("old"), "old");
  EXPECT_EQ(entries(), (std::set<std::string>{"folder", "old"}));
}

TEST_F(PendingOutput, AFifoIsWrittenTo) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  const std::string text(200000, 'x'); // more than a pipe holds
  std::string got;
  std::thread reader([&] { got = read("fifo"); });
  const status s = write_one("fifo", text);
  reader.join();
  EXPECT_TRUE(s.ok()) << s.message;
  EXPECT_EQ(got, text);
  EXPECT_TRUE(fs::is_fifo(path("fifo")));
  EXPECT_EQ(entries().size(), 1u);
}

// A reader that goes away is an error, and then no file appears either.
TEST_F(PendingOutput, AClosedFifoIsAnError) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  std::vector<output_file> files(2);
  ASSERT_TRUE(write(files[0], path("file"), "1").ok());
  ASSERT_TRUE(write(files[1], path("fifo"), std::string(200000, 'x')).ok());
  std::thread reader([&] { ::close(::open(path("fifo").c_str(), O_RDONLY)); });
  const status s = output_file::commit(files);
  reader.join();
  files.clear();
  EXPECT_EQ(s.message, path("fifo") + ": cannot write: Broken pipe");
  EXPECT_EQ(entries(), std::set<std::string>{"fifo"});
}

TEST_F(PendingOutput, ASocketIsWrittenTo) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path("socket").c_str());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
  EXPECT_EQ(write_one("socket", "abc").message,
            path("socket") + ": cannot write: Connection refused");
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_TRUE(write_one("socket", "abc").ok());
  const int connection = accept(listener, nullptr, nullptr);
  char got[8] = {};
  EXPECT_EQ(::read(connection, got, sizeof got), 3);
  EXPECT_STREQ(got, "abc");
  ::close(connection);
  ::close(listener);
  EXPECT_TRUE(fs::is_socket(path("socket")));
}

TEST_F(PendingOutput, ADeviceIsWrittenTo) {
  if (mknod(path("null").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0 ||
      mknod(path("full").c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0 ||
      access(path("full").c_str(), W_OK) != 0 || !std::ofstream(path("full")))
    GTEST_SKIP() << "no right to make devices";
  ASSERT_TRUE(write_one("null", "abc").ok());
  EXPECT_EQ(write_one("full", "abc").message,
            path("full") + ": cannot write: No space left on device");
  EXPECT_TRUE(fs::is_character_file(path("null")) && fs::is_character_file(path("full")));
  EXPECT_EQ(entries().size(), 2u);
}

// The file that standard output goes to is not replaced: what is printed later would be lost.
TEST_F(PendingOutput, StandardOutputIsWrittenTo) {
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  const int file = ::open(path("out").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_TRUE(dup2(file, STDOUT_FILENO) >= 0);
  ::close(file);
  std::printf("first ");
  const status s = write_one("out", "second ");
  std::printf("third");
  std::fflush(stdout);
  ASSERT_TRUE(dup2(before, STDOUT_FILENO) >= 0);
  ::close(before);
  EXPECT_TRUE(s.ok()) << s.message;
  EXPECT_EQ(read("out"), "first second third");
}

int overflow_stack(volatile char *below) {
  volatile char frame[4096];
  frame[0] = below ? below[0] : '\0';
  return frame[0] == '\0' ? overflow_stack(frame) + frame[0] : 0; // always
}

/// The signal that a copy of this process ends by after `work`; 0 if it does not, and SIGKILL if
/// it goes on for more than 20 seconds.
int signal_of(const std::function<void()> &work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (std::chrono::steady_clock::now() > limit)
      (void)kill(child, SIGKILL);
  }
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_F(PendingOutput, SignalsLeaveNothing) {
  put("old", "old");
  const auto interrupted = [&](const std::function<void()> &end) {
    return signal_of([&] {
      fs::create_directory(path("made"));
      temporary_path made(temporary_kind::folder, path("made"));
      fs::create_directories(path("tree/a/b"));
      temporary_path tree(temporary_kind::tree, path("tree"));
      for (int i = 0; i < 200; ++i) // more than one reading of the folder
        put("tree/a/file" + std::to_string(i), "x");
      output_file file, other;
      (void)write(file, path("old"), "new");
      (void)write(other, path("made/new"), "new");
      if (entries().size() != 207)
        _exit(1);
      end();
    });
  };
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    const bool reserved = signal > SIGSYS && signal < SIGRTMIN;
    if (!detail::ends_process(signal) || reserved || (signal > SIGRTMIN && signal < SIGRTMAX))
      continue; // of the real-time signals two will do
    EXPECT_EQ(interrupted([&] { raise(signal); }), signal);
    EXPECT_EQ(entries(), std::set<std::string>{"old"}) << strsignal(signal);
  }
  EXPECT_EQ(interrupted([&] { overflow_stack(nullptr); }), SIGSEGV);
  EXPECT_EQ(entries(), std::set<std::string>{"old"});
  EXPECT_EQ(interrupted([] {}), 0); // its owners remove it
  EXPECT_EQ(read("old"), "old");
}

TEST_F(PendingOutput, IgnoredSignalsStayIgnored) {
  EXPECT_EQ(signal_of([&] {
              std::signal(SIGHUP, SIG_IGN);
              output_file file;
              (void)write(file, path("a"), "new");
              raise(SIGHUP);
              _exit(file.commit().ok() ? 0 : 1);
            }),
            0);
  EXPECT_EQ(read("a"), "new");
}

TEST_F(PendingOutput, SignalsArePutOff) {
  EXPECT_EQ(signal_of([&] {
              output_file file;
              (void)write(file, path("temporary"), "new");
              {
                const uninterrupted whole;
                raise(SIGTERM);
                put("done", "x");
              }
              put("not reached", "x");
            }),
            SIGTERM);
  EXPECT_EQ(entries(), std::set<std::string>{"done"});
}

TEST_F(PendingOutput, SignalsOnOtherThreadsLeaveNothing) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(signal_of([&] {
                const output_file installs_handlers = [&] {
                  output_file file;
                  (void)file.create(path("first"));
                  return file;
                }();
                std::atomic<bool> begun{false};
                std::thread writer([&] {
                  sigset_t all;
                  sigfillset(&all);
                  (void)pthread_sigmask(SIG_BLOCK, &all, nullptr);
                  for (;;) {
                    output_file file;
                    (void)file.create(path("new"));
                    begun = true;
                  }
                });
                while (!begun) {
                }
                kill(getpid(), SIGTERM);
                writer.join();
              }),
              SIGTERM);
    ASSERT_EQ(entries(), std::set<std::string>{}) << i;
  }
}

} // namespace
