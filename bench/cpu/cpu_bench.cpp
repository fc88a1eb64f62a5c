//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_bench.cpp: one core, the original function against its bulk version, from row-wise
// arrays to row-wise arrays.
//
// In: FUNCTION, the identifier, with its generated code and sequential.cpp; usage:
// cpu_bench ISA INPUTS BYTES PLAN [SCALAR...], where INPUTS is signed, positive or
// dominant, BYTES are those of all arrays of the job, which is cut where the sequential
// function would take more than a second, and PLAN is fastest, lanes or serial. Out: a line
// `function,isa,bytes,instances,sequential,bulk,copy,two`: nanoseconds an instance, medians of
// interleaved runs by the thread's CPU time, what a copy of as many bytes takes, and how many times
// as fast two threads are as one by the clock on the wall. Invariant: all
// results are the sequential function's, bit by bit (a NaN is a NaN; with vector math within a
// bound); inputs are restored before each run.
//
//===----------------------------------------------------------------------===//
#include "../compared_function.hpp"
#include "../generated_interface.hpp"
#include "../inputs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

using namespace colonnade::bulk;

namespace {

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

template <class F> double timed(const F &work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

uint64_t next_random() {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

class bench {
public:
  bench(inputs kind, uint64_t bytes, cpu_plan plan, std::vector<scalar_bits> scalars)
      : plan_(plan), scalars_(std::move(scalars)) {
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      uint64_t n = 1;
      for (uint32_t d = 0; d < f_.arrays[a].rank; ++d)
        n *= uint64_t(f_.arrays[a].extent(d, scalars_.data()));
      cells_.push_back(n);
      side_.push_back(side_of(n));
      step_.push_back(f_.arrays[a].uniform ? 0 : n * cell_bytes(a));
      instance_bytes_ += step_[a];
    }
    count_ = std::max<uint64_t>(1, bytes / instance_bytes_);
    count_ = std::min(count_, affordable(kind));
    fill(kind);
  }

  void compare_and_measure(const char *isa) {
    run_sequential();
    const std::vector<std::vector<unsigned char>> expected = work_;
    run_bulk(isa);
    for (uint32_t a = 0; a < f_.num_arrays; ++a)
      if (!same(a, expected[a])) {
        std::fprintf(stderr, "%s: %s differs (%s)\n", f_.name, f_.arrays[a].name, isa);
        std::exit(1);
      }
    std::vector<double> sequential, bulk, copy;
    for (double spent = 0; sequential.size() < 5 || (spent < 0.5 && sequential.size() < 101);) {
      sequential.push_back(run_sequential());
      bulk.push_back(run_bulk(isa));
      copy.push_back(run_copy());
      spent += sequential.back() + bulk.back();
    }
    const double each = 1e9 / double(count_);
    std::printf("%s,%s,%s,%llu,%llu,%.3f,%.3f,%.3f,%.3f\n", f_.name, isa,
                taken_ == cpu_plan::serial ? "serial" : "lanes",
                static_cast<unsigned long long>(count_ * instance_bytes_),
                static_cast<unsigned long long>(count_), median(sequential) * each,
                median(bulk) * each, median(copy) * each, gain_of_two_threads(isa));
  }

private:
  size_t cell_bytes(uint32_t a) const { return size_bytes(f_.arrays[a].cell); }

  /// Instances that the sequential function runs in a second, by a few of them.
  uint64_t affordable(inputs kind) {
    const uint64_t wanted = count_;
    count_ = std::min<uint64_t>(wanted, 64);
    fill(kind);
    run_sequential();
    const double each = std::max(1e-10, run_sequential() / double(count_));
    count_ = wanted;
    return std::max<uint64_t>(64, uint64_t(1 / each));
  }

  void fill(inputs kind) {
    given_.clear();
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      const uint64_t copies = f_.arrays[a].uniform ? 1 : count_;
      given_.emplace_back(copies * cells_[a] * cell_bytes(a));
      for (uint64_t k = 0; k < copies * cells_[a]; ++k)
        fill_cell(a, k, kind);
    }
    if (!std::strcmp(f_.name, "escape_time"))
      image_grid();
    work_ = given_;
    copied_.assign(moved_bytes() / 2, 1);
    copy_.assign(copied_.size(), 2);
  }

  void fill_cell(uint32_t a, uint64_t k, inputs kind) {
    unsigned char *to = &given_[a][k * cell_bytes(a)];
    const uint64_t r = next_random() >> 11;
    const double fraction = double(r) / double(uint64_t{1} << 53);
    const double number = number_of(kind, fraction, k % cells_[a], cells_[a], side_[a]);
    if (f_.arrays[a].cell == cell_type::f32) {
      const float rounded = float(number);
      std::memcpy(to, &rounded, 4);
    } else if (f_.arrays[a].cell == cell_type::f64) {
      std::memcpy(to, &number, 8);
    } else {
      std::memcpy(to, &r, cell_bytes(a));
    }
  }
  /// Pixels of an image in scan order, as the example has them: neighbours leave
  /// the loop after similar numbers of iterations.
  void image_grid() {
    for (uint64_t j = 0; j < count_; ++j) {
      const double re = -2.0 + 3.0 * double(j % 1024) / 1024;
      const double im = 0.2 + 0.001 * double(j / 1024 % 1024);
      std::memcpy(&given_[0][8 * j], &re, 8);
      std::memcpy(&given_[1][8 * j], &im, 8);
    }
  }

  /// What goes in once, and what comes out once.
  uint64_t moved_bytes() const {
    uint64_t bytes = 0;
    for (uint32_t a = 0; a < f_.num_arrays; ++a)
      if (!f_.arrays[a].uniform)
        bytes +=
            count_ * cells_[a] * cell_bytes(a) * (f_.arrays[a].dir == direction::inout ? 2 : 1);
    return bytes;
  }

  std::vector<void *> restored() {
    std::vector<void *> arrays;
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      std::copy(given_[a].begin(), given_[a].end(), work_[a].begin());
      arrays.push_back(work_[a].data());
    }
    return arrays;
  }

  double run_sequential() {
    const std::vector<void *> arrays = restored();
    return timed([&] { sequential_all(arrays.data(), scalars_.data(), step_.data(), count_); });
  }

  /// By the clock on the wall. 0: there is one core.
  double gain_of_two_threads(const char *isa) {
    if (std::thread::hardware_concurrency() < 2)
      return 0;
    std::vector<double> one, two;
    for (int run = 0; run < 7; ++run) {
      run_bulk(isa, 1);
      one.push_back(wall_seconds_);
      run_bulk(isa, 2);
      two.push_back(wall_seconds_);
    }
    return median(one) / median(two);
  }

  double run_bulk(const char *isa, unsigned threads = 1) {
    const std::vector<void *> arrays = restored();
    cpu_launch_options options;
    options.num_threads = threads;
    options.isa = isa;
    options.plan = plan_;
    options.plan_taken = &taken_;
    const auto begin = std::chrono::steady_clock::now();
    const double seconds = timed([&] {
      const status s = f_.run_cpu({arrays.data(), scalars_.data(), cells_.data(), count_},
                                  layout::row_wise, options);
      if (!s.ok()) {
        std::fprintf(stderr, "%s: %s\n", f_.name, s.message.c_str());
        std::exit(1);
      }
    });
    wall_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return seconds;
  }

  double run_copy() {
    return timed([&] { std::memcpy(copy_.data(), copied_.data(), copied_.size()); });
  }

  bool same(uint32_t a, const std::vector<unsigned char> &expected) const {
    for (size_t k = 0; k < expected.size(); k += cell_bytes(a))
      if (std::memcmp(&work_[a][k], &expected[k], cell_bytes(a)) &&
          !agree(f_, f_.vector_math, number_in(f_.arrays[a].cell, &work_[a][k]),
                 number_in(f_.arrays[a].cell, &expected[k])))
        return false;
    return true;
  }
  const function_info &f_ = FUNCTION::info();
  const cpu_plan plan_;
  cpu_plan taken_ = cpu_plan::fastest;
  const std::vector<scalar_bits> scalars_;
  std::vector<uint64_t> cells_, side_, step_;
  uint64_t count_ = 0, instance_bytes_ = 0;
  double wall_seconds_ = 0; // of the last run in bulk
  std::vector<std::vector<unsigned char>> given_, work_;
  std::vector<unsigned char> copied_, copy_;
};

} // namespace

/// The position of `name` among `names`; ends the programme if it is none of them.
int position(const std::string &name, std::initializer_list<const char *> names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::fprintf(stderr, "error: unknown argument '%s'\n", name.c_str());
    std::exit(3);
  }
  return static_cast<int>(found - names.begin());
}

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fputs("usage: cpu_bench ISA signed|positive|dominant BYTES fastest|lanes|serial"
               " [SCALAR...]\n",
               stderr);
    return 3;
  }
  std::vector<scalar_bits> scalars;
  for (int i = 5; i < argc; ++i)
    scalars.push_back(std::strtoull(argv[i], nullptr, 0));
  const std::optional<inputs> kind = inputs_named(argv[2]);
  if (!kind) {
    std::fprintf(stderr, "error: unknown inputs '%s'\n", argv[2]);
    return 3;
  }
  bench b(*kind, std::strtoull(argv[3], nullptr, 0),
          cpu_plan(position(argv[4], {"fastest", "lanes", "serial"})), scalars);
  b.compare_and_measure(argv[1]);
}
