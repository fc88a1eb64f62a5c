//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_choice.hpp: lanes, or one instance after the other? Measured on the first instances of
// a launch over rows, which have to be run anyway.
//
// Lanes lose where memory is the limit, where a compiler has more to gain within an instance
// than across them, where few of a group's instances still run, and where a function spends
// its time in calls that have no lanes. What wins is known after a few turns of 5 to 40 us each.
//
// In: the instances of a launch. Out: the plan for the rest, and how many have been run. Each
// plan runs more and more of them until it takes long enough to be timed; then they take
// turns, if it is not clear yet. Invariant: every instance is run once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/cpu_instances.hpp>

#include <chrono>
#include <limits>

namespace colonnade::runtime::detail {

class cpu_choice {
public:
  cpu_choice(const cpu_instances &instances, cpu_instances::worker &w)
      : instances_(instances), worker_(w) {}

  /// Runs the first instances. False if there is not enough memory.
  bool measure() {
    const auto begin = clock::now();
    has_memory_ = instances_.touch(worker_);
    mapping_seconds_ = seconds_since(begin);
    grow(lanes_);
    grow(serial_);
    for (int turn = 1; turn < most_turns && !is_clear() && left() >= lanes_.count + serial_.count;
         ++turn) {
      run(lanes_);
      run(serial_);
    }
    return has_memory_;
  }

  cpu_plan plan() const { return serial_.each < lanes_.each ? cpu_plan::serial : cpu_plan::lanes; }
  /// Instances that have been run: all before this one.
  uint64_t next() const { return next_; }
  /// Of an instance by the better plan.
  double seconds() const { return std::min(lanes_.each, serial_.each); }
  /// What it took to map a worker's memory.
  double mapping_seconds() const { return mapping_seconds_; }

private:
  using clock = std::chrono::steady_clock;
  static double seconds_since(clock::time_point begin) {
    return std::chrono::duration<double>(clock::now() - begin).count();
  }

  static constexpr int most_turns = 3;
  /// Of a turn, in seconds: long beside a look at the clock, and what caches and branch prediction
  /// need to learn, but no more than a fiftieth of the launch, if it can be.
  static constexpr double least = 5e-6, most = 40e-6;
  /// So long that neither memory that is new to the caches nor an interrupt matters.
  static constexpr double very_long = 50e-3;
  /// A difference for which no further turn is needed.
  static constexpr double clear = 2;

  struct trial {
    cpu_plan plan;
    uint64_t count;                                        // of a turn
    double each = std::numeric_limits<double>::infinity(); // seconds of an instance, at best
  };

  double long_enough() const {
    return std::clamp(seconds() * static_cast<double>(instances_.count()) / 50, least, most);
  }
  uint64_t left() const { return instances_.count() - next_; }
  bool is_clear() const {
    return std::max(lanes_.each, serial_.each) >= clear * std::min(lanes_.each, serial_.each);
  }

  /// The first turn takes what is new to the caches: a second one tells what a turn takes by
  /// itself.
  void grow(trial &t) {
    for (bool is_first = true; has_memory_ && left() >= t.count; is_first = false) {
      const double seconds = run(t);
      if (seconds >= very_long)
        return;
      if (t.each * static_cast<double>(t.count) < long_enough())
        t.count *= 2;
      else if (!is_first)
        return;
    }
  }

  double run(trial &t) {
    instances_.touch(next_, next_ + t.count);
    const auto begin = clock::now();
    has_memory_ = has_memory_ && instances_.run(worker_, t.plan, next_, next_ + t.count);
    next_ += t.count;
    const double seconds = seconds_since(begin);
    t.each = std::min(t.each, seconds / static_cast<double>(t.count));
    return seconds;
  }

  const cpu_instances &instances_;
  cpu_instances::worker &worker_;
  uint64_t next_ = 0;
  bool has_memory_ = true;
  double mapping_seconds_ = 0;
  trial lanes_{cpu_plan::lanes, instances_.lanes()}, serial_{cpu_plan::serial, 1};
};

} // namespace colonnade::runtime::detail
