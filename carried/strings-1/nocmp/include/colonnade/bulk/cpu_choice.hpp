//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_choice.hpp: lanes, or one instance after the other? Measured on instances of a launch
// over rows, which have to be run anyway.
//
// Lanes lose where memory is the limit, where a compiler has more to gain within an instance
// than across them, where few of a group's instances still run, and where a function spends
// its time in calls that have no lanes. What wins is known after a few turns of 5 to 40 us each.
//
// The first instances need not be like the others: where data ends loops, they may all leave at
// once. So the plan that wins there runs some at other places, too, which costs nothing if it
// stays; if they take longer or shorter there, the other plan has to show what it takes.
//
// In: the instances of a launch. Out: the plan for the rest, and which instances are left. At a
// place, each plan runs more and more of them until it takes long enough to be timed; at the
// first, they take turns then, if it is not clear yet. Invariant: every instance is run once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/cpu_instances.hpp>

#include <chrono>
#include <cmath>
#include <limits>

namespace colonnade::runtime::detail {

/// Instances first to end - 1.
struct instance_range {
  uint64_t first, end;
  uint64_t count() const { return end - first; }
};

class cpu_choice {
public:
  cpu_choice(const cpu_instances &instances, cpu_instances::worker &w)
      : instances_(instances), worker_(w), places_{{0, instances.count()}} {}

  /// Runs some instances. False if there is not enough memory.
  bool measure() {
    const auto begin = clock::now();
    has_memory_ = instances_.touch(worker_);
    mapping_seconds_ = seconds_since(begin);
    measure_first();
    divide();
    measure_elsewhere();
    return has_memory_;
  }

  cpu_plan plan() const { return serial_.each < lanes_.each ? cpu_plan::serial : cpu_plan::lanes; }
  /// Instances that have not been run, from the lowest to the highest; a range may be empty.
  const std::vector<instance_range> &left() const { return places_; }
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
  /// Instances of one place that take so many times as long as those of another are not like them.
  static constexpr double uneven = 1.5;
  static constexpr uint64_t most_places = 12;

  struct trial {
    cpu_plan plan;
    uint64_t count;                                        // of a turn
    double each = std::numeric_limits<double>::infinity(); // seconds of an instance
  };

  double long_enough() const {
    return std::clamp(seconds() * static_cast<double>(instances_.count()) / 50, least, most);
  }
  bool is_clear() const {
    return std::max(lanes_.each, serial_.each) >= clear * std::min(lanes_.each, serial_.each);
  }

  void measure_first() {
    instance_range &first = places_.front();
    grow(lanes_, first);
    grow(serial_, first);
    for (int turn = 1;
         turn < most_turns && !is_clear() && first.count() >= lanes_.count + serial_.count; ++turn)
      for (trial *t : {&lanes_, &serial_})
        t->each = std::min(t->each, run(*t, first) / static_cast<double>(t->count));
  }

  /// Cuts what is left into places: as many as one plan can look at with a tenth of all instances.
  /// By the golden ratio, since what instances take may repeat, as from row to row of a picture.
  void divide() {
    constexpr double golden = 0.6180339887498949;
    const instance_range all = places_.front();
    const uint64_t count = std::min(most_places, instances_.count() / (20 * instances_.lanes()));
    std::vector<uint64_t> ends{all.end};
    for (uint64_t i = 1; i < count; ++i) {
      const double turns = static_cast<double>(i) * golden;
      ends.push_back(all.first + static_cast<uint64_t>((turns - std::floor(turns)) *
                                                       static_cast<double>(all.count())));
    }
    std::sort(ends.begin(), ends.end());
    places_.clear();
    uint64_t first = all.first;
    for (const uint64_t end : ends) {
      places_.push_back({first, end});
      first = end;
    }
  }

  void measure_elsewhere() {
    trial &winner = lanes_.each <= serial_.each ? lanes_ : serial_;
    trial &other = &winner == &lanes_ ? serial_ : lanes_;
    const double at_first = winner.each;
    winner.each = mean_of_places(winner);
    if (std::max(winner.each, at_first) > uneven * std::min(winner.each, at_first))
      other.each = mean_of_places(other);
  }

  /// Seconds of an instance; at the first place they are known.
  double mean_of_places(const trial &t) {
    double sum = t.each;
    for (size_t i = 1; i < places_.size(); ++i) {
      trial here{t.plan, instances_.lanes()};
      grow(here, places_[i]);
      sum += here.each;
    }
    return sum / static_cast<double>(places_.size());
  }

  /// Of the last two turns the shorter one counts: the first takes what is new to the caches, and
  /// any may be interrupted. Leaves the other plan enough of the place.
  void grow(trial &t, instance_range &place) {
    const uint64_t most_count = place.count() / 4;
    double before = std::numeric_limits<double>::infinity();
    for (bool is_first = true; has_memory_ && place.count() >= t.count; is_first = false) {
      const double seconds = run(t, place), each = seconds / static_cast<double>(t.count);
      t.each = std::min(before, each);
      before = each;
      if (seconds >= very_long)
        return;
      if (t.each * static_cast<double>(t.count) < long_enough() && 2 * t.count <= most_count)
        t.count *= 2;
      else if (!is_first)
        return;
    }
  }

  /// Seconds of a turn.
  double run(const trial &t, instance_range &place) {
    const uint64_t end = place.first + t.count;
    instances_.touch(place.first, end);
    const auto begin = clock::now();
    has_memory_ = has_memory_ && instances_.run(worker_, t.plan, place.first, end);
    place.first = end;
    return seconds_since(begin);
  }

  const cpu_instances &instances_;
  cpu_instances::worker &worker_;
  std::vector<instance_range> places_; // what is left of each
  bool has_memory_ = true;
  double mapping_seconds_ = 0;
  trial lanes_{cpu_plan::lanes, instances_.lanes()}, serial_{cpu_plan::serial, 1};
};

} // namespace colonnade::runtime::detail
