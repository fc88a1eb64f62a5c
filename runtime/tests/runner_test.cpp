//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A runner programme in process, over files in a temporary folder.
//
//===----------------------------------------------------------------------===//

#include "prefix_sums_info.hpp"

#include <colonnade/bulk/runner.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>

using namespace colonnade::bulk;

namespace {

class Runner : public ::testing::Test {
protected:
  static constexpr uint64_t p = 40, n = 6;

  void SetUp() override {
    char name[] = "/tmp/colonnade-runner-XXXXXX";
    folder_ = std::string(mkdtemp(name)) + "/";
    in_.resize(p * n);
    for (size_t k = 0; k < in_.size(); ++k)
      in_[k] = static_cast<int32_t>(k * 7919 % 1000);
    scale_ = {3, 1, 4, 1, 5, 9};
    save("in", "<i4", false, {p, n}, in_);
    save("scale", "<i4", false, {n}, scale_);
  }
  void TearDown() override { (void)!system(("rm -rf " + folder_).c_str()); }

  template <class T>
  void save(const std::string &name, const std::string &code, bool fortran,
            const std::vector<uint64_t> &shape, const std::vector<T> &cells) {
    const std::string head = npy::format_header("'" + code + "'", fortran, shape);
    output_file file;
    ASSERT_TRUE(file.create(folder_ + name).ok());
    ASSERT_TRUE(file.write(head.data(), head.size()).ok());
    ASSERT_TRUE(file.write(cells.data(), cells.size() * sizeof(T)).ok());
    ASSERT_TRUE(file.commit().ok());
  }
  int run_program_of(const std::string &text,
                     const function_info &f = colonnade::bulk::testing::sum_info()) {
    std::vector<std::string> words = {"runner"};
    for (size_t at = 0; at < text.size();) {
      const size_t space = std::min(text.find(' ', at), text.size());
      std::string word = text.substr(at, space - at);
      const size_t file = word.find("@");
      words.push_back(file == std::string::npos ? word : word.replace(file, 1, folder_));
      at = space + 1;
    }
    std::vector<char *> argv;
    for (std::string &word : words)
      argv.push_back(word.data());
    return run_program(f, static_cast<int>(argv.size()), argv.data());
  }
  // Runs it; `error` gets the first line of standard error.
  int run(const std::string &text, const function_info &f = colonnade::bulk::testing::sum_info()) {
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    const int code = run_program_of(text, f);
    output = ::testing::internal::GetCapturedStdout();
    error = ::testing::internal::GetCapturedStderr();
    error = error.substr(0, error.find('\n'));
    for (size_t at; (at = error.find(folder_)) != std::string::npos;)
      error.replace(at, folder_.size(), 1, '@'); // g++ 12 warns of a string there
    return code;
  }
  bool exists(const std::string &name) const { return access((folder_ + name).c_str(), F_OK) == 0; }
  void expect_sums(const std::string &name, bool fortran) {
    npy::array_file file;
    ASSERT_TRUE(npy::array_file::open(folder_ + name, file).ok());
    EXPECT_EQ(file.head.fortran_order, fortran);
    EXPECT_EQ(file.head.shape, (std::vector<uint64_t>{p, n}));
    const int32_t *out = reinterpret_cast<const int32_t *>(file.data());
    for (uint64_t j = 0; j < p; ++j) {
      int32_t sum = 0;
      for (uint64_t i = 0; i < n; ++i) {
        sum += scale_[i] * in_[j * n + i];
        ASSERT_EQ(out[fortran ? i * p + j : j * n + i], sum);
      }
    }
  }

  std::string folder_, error, output;
  std::vector<int32_t> in_, scale_;
};

constexpr const char *good = "--arg n=6 -i in=@in -i scale=@scale -o out=@out ";

TEST_F(Runner, RunsAndVerifies) {
  ASSERT_EQ(run(std::string(good) + "-o seen=@seen --verify --count 40"), 0) << error;
  expect_sums("out", false);
  EXPECT_NE(output.find("verified: 40 of 40 instances"), std::string::npos) << output;
  npy::array_file seen;
  ASSERT_TRUE(npy::array_file::open(folder_ + "seen", seen).ok());
  EXPECT_EQ(seen.head.shape, std::vector<uint64_t>{p});
  for (uint64_t j = 0; j < p; ++j)
    EXPECT_EQ(seen.data()[j], in_[j * n] % 2 ? 7 : 0); // no input: zeros
}

TEST_F(Runner, StandardOutputHasNothingButAnOutput) {
  ASSERT_EQ(run(std::string(good) + "--count 40"), 0) << error;
  const std::string report = output;
  ASSERT_EQ(run("--arg n=6 -i in=@in -i scale=@scale -o out=/dev/stdout --count 40"), 0) << error;
  std::ostringstream out;
  out << std::ifstream(folder_ + "out").rdbuf();
  EXPECT_EQ(output, out.str());
  EXPECT_EQ(error.substr(0, error.find(':')), report.substr(0, report.find(':')));
}

TEST_F(Runner, AClosedStandardOutputIsNotTheNextFile) {
  ASSERT_EQ(run(std::string(good) + "--count 40"), 0) << error;
  const auto bytes = [&](const char *name) {
    std::ostringstream text;
    text << std::ifstream(folder_ + name).rdbuf();
    return text.str();
  };
  const std::string expected = bytes("out");
  const pid_t child = fork();
  if (child == 0) {
    close(STDOUT_FILENO);
    _exit(run_program_of(std::string(good) + "--count 40"));
  }
  int state = -1;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_EQ(state, 0);
  EXPECT_EQ(bytes("out"), expected);
}

TEST(SampleOrder, EachOnceInAFixedOrder) {
  for (uint64_t count : {1, 2, 3, 4, 5, 63, 64, 65, 1000}) {
    runner::sample_order order(count), again(count);
    std::set<uint64_t> seen;
    for (uint64_t i, j; order.next(i);) {
      ASSERT_TRUE(again.next(j) && i == j && i < count);
      EXPECT_TRUE(seen.insert(i).second);
      EXPECT_TRUE(seen.size() > 1 || i == 0);
      EXPECT_TRUE(seen.size() != 2 || i == count - 1);
    }
    EXPECT_EQ(seen.size(), count);
  }
  runner::sample_order order(1000); // not simply one after the other
  uint64_t below = 0, i;
  for (int k = 0; k < 102; ++k)
    below += order.next(i) && i < 500;
  EXPECT_GT(below, 30u);
  EXPECT_LT(below, 72u);
}

TEST_F(Runner, HowManyAreVerified) {
  const auto line = [&](const std::string &options, const function_info &f) {
    EXPECT_EQ(run(std::string(good) + options, f), 0) << error;
    const size_t at = output.find("verified: ");
    return at == std::string::npos ? "" : output.substr(at, output.find('\n', at) - at);
  };
  const function_info &f = colonnade::bulk::testing::sum_info();
  const std::string rest = " of 40 instances against the sequential function, bit-identical";
  EXPECT_EQ(line("--verify", f), "verified: 40" + rest);
  EXPECT_EQ(line("--verify=all", f), "verified: 40" + rest);
  EXPECT_EQ(line("--verify=41", f), "verified: 40" + rest);
  EXPECT_EQ(line("--verify=7", f),
            "verified: 7" + rest + " (chosen by seed 1; --verify=all compares all)");
  EXPECT_EQ(line("", f), "");
  EXPECT_EQ(run(std::string(good) + "--verify=0"), 3);
  EXPECT_EQ(error, "error: option --verify: '0' is neither all nor a number from 1 on");

  function_info slow = f; // 40 would take four seconds, and the run takes none
  slow.sequential = [](void *const *arrays, const scalar_bits *scalars) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    colonnade::bulk::testing::sum_info().sequential(arrays, scalars);
  };
  const std::string some = line("--verify", slow);
  EXPECT_NE(some.find("chosen by seed"), std::string::npos) << some;

  function_info wrong = f; // in the last instance
  wrong.sequential = [](void *const *arrays, const scalar_bits *scalars) {
    colonnade::bulk::testing::sum_info().sequential(arrays, scalars);
    static_cast<int32_t *>(arrays[2])[0] += static_cast<const int32_t *>(arrays[0])[0] == 46;
  };
  ASSERT_EQ(in_[39 * n], 46);
  EXPECT_EQ(run(std::string(good) + "--verify=2", wrong), 1);
  EXPECT_EQ(error.find("error: instance 39, out[0]: got "), 0u) << error;
}

TEST_F(Runner, FortranOrderStaysColumnWise) {
  std::vector<int32_t> columns(p * n);
  rows_to_layout(layout::column_wise, 1, in_.data(), columns.data(), p, n, 4);
  save("in", "<i4", true, {p, n}, columns);
  ASSERT_EQ(run(std::string(good) + "--verify"), 0) << error;
  expect_sums("out", true);
}

TEST_F(Runner, FortranOrderOfMoreDimensionsIsReordered) {
  std::vector<int32_t> fortran(p * n);
  for (uint64_t j = 0; j < p; ++j)
    for (uint64_t i = 0; i < n; ++i)
      fortran[j + p * (i / 3 + 2 * (i % 3))] = in_[j * n + i]; // (p, 2, 3)
  save("in", "<i4", true, {p, 2, 3}, fortran);
  ASSERT_EQ(run(std::string(good) + "--verify"), 0) << error;
  expect_sums("out", false);
}

TEST_F(Runner, RecordsAreReadByLeafName) {
  std::string head = npy::format_header("[('tag', '|u1'), ('in', '<i4')]", false, {p, n});
  output_file file;
  ASSERT_TRUE(file.create(folder_ + "records").ok());
  ASSERT_TRUE(file.write(head.data(), head.size()).ok());
  for (int32_t cell : in_) {
    ASSERT_TRUE(file.write("x", 1).ok());
    ASSERT_TRUE(file.write(&cell, 4).ok());
  }
  ASSERT_TRUE(file.commit().ok());
  EXPECT_EQ(run("--arg n=6 -i in=@records -i scale=@scale -o out=@out"), 3);
  EXPECT_EQ(error, "error: @records: its dtype has no field '' for in");
}

TEST_F(Runner, WrongArguments) {
  const std::pair<std::string, std::string> cases[] = {
      {"-i in=@in -i scale=@scale -o out=@out", "missing argument: --arg n=32 (int32)"},
      {"--arg n=7 -i in=@in -i scale=@scale -o out=@out",
       "@in: shape (40, 6) does not fit in: expected (40, 7) at these arguments"},
      {"--arg n=-7 -i in=@in -i scale=@scale -o out=@out",
       "extent of out is negative or unknown at these sizes: give its cells per instance"},
      {"--arg n=6 -i in=@in -o out=@out", "missing input: -i scale=FILE.npy"},
      {"--arg n=6 -i in=@none -i scale=@scale", "@none: cannot open: No such file or directory"},
      {std::string(good) + "--arg m=1",
       "--arg m: sum has no uniform scalar of that name; it has n"},
      {std::string(good) + "-o x=@x",
       "-o x: sum has no array of that name; it has in, scale, out, seen"},
      {std::string(good) + "-i in=@in", "option -i: 'in' is given twice"},
      {std::string(good) + "--count 41", "@in: has 40 instances (shape (40, 6)), not 41"},
      {std::string(good) + "--target cuda", "sum has no CUDA back end: emit it with --target cuda"},
      {std::string(good) + "--target gpu", "option --target: 'gpu' is none of auto, cpu, cuda"},
      {std::string(good) + "--device-memory 4T", "option --device-memory: '4T' is no number"},
      {std::string(good) + "--devices two", "option --devices: 'two' is no number"},
      {std::string(good) + "-o seen=@none/x", "@none/x: cannot write: No such file or directory"},
      {std::string(good) + "-o seen=@out", "-o out and -o seen name the same file @out"},
      {"--count", "option --count needs a value"},
      {"--frobnicate 1", "unknown option --frobnicate"},
      {"stray", "unexpected argument 'stray'"}};
  for (const auto &[text, message] : cases) {
    EXPECT_EQ(run(text), 3) << text;
    EXPECT_EQ(error, "error: " + message);
    EXPECT_FALSE(exists("out")) << text;
  }
}

TEST_F(Runner, FailedChecksNameTheInstance) {
  in_[33 * n + 2] = -1;
  save("in", "<i4", false, {p, n}, in_);
  EXPECT_EQ(run(good), 1);
  EXPECT_EQ(error, "error: instance 33: a negative input");
  EXPECT_FALSE(exists("out"));
}

void wait_a_moment() {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::microseconds(200))
    ;
}

// Whichever loses, the run says so, and its results are the same.
TEST_F(Runner, SpeedAgainstTheSequentialFunction) {
  function_info slow = colonnade::bulk::testing::sum_info();
  slow.run_cpu = [](const raw_arguments &a, layout l, const cpu_launch_options &options) {
    wait_a_moment();
    if (options.isa_taken)
      *options.isa_taken = "avx2";
    return colonnade::bulk::testing::sum_info().run_cpu(a, l, options);
  };
  EXPECT_EQ(run(good, slow), 0);
  EXPECT_EQ(error.find("note: on one core, the generated code for avx2 takes "), 0u) << error;
  EXPECT_NE(error.find("times as long as the sequential function: try a CPU with AVX-512 or "
                       "--target cuda, or column-wise input"),
            std::string::npos)
      << error;
  EXPECT_TRUE(exists("out"));

  function_info fast = colonnade::bulk::testing::sum_info();
  fast.sequential = [](void *const *arrays, const scalar_bits *scalars) {
    wait_a_moment();
    colonnade::bulk::testing::sum_info().sequential(arrays, scalars);
  };
  EXPECT_EQ(run(good, fast), 0);
  EXPECT_EQ(error, "");
  EXPECT_NE(output.find(" times as fast as the sequential function on one core"), std::string::npos)
      << output;

  function_info alone = colonnade::bulk::testing::sum_info();
  alone.sequential = nullptr;
  EXPECT_EQ(run(good, alone), 0);
  EXPECT_EQ(output.find("times as fast"), std::string::npos) << output;
}

TEST_F(Runner, FullDiskWritesNothing) {
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {300, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_EQ(run("--arg n=6 -i in=@in -i scale=@scale -o seen=@seen -o out=@out"), 3);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "error: @out: cannot write: File too large");
  EXPECT_FALSE(exists("out") || exists("seen"));
}

} // namespace
