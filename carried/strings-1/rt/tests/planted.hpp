//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// planted.hpp: whether a planted fault shows under one of a few schedules.
//
// In a process of its own each: a fault may write anywhere, and a crash or no end
// shows it too. What expect_caught and has_none record is the table that
// scripts/planted-faults prints. A fault counts as caught only if the same schedules
// show nothing without it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace colonnade::testing {

/// run(seed): what is wrong, empty if nothing. Whether something is under that schedule.
template <class Run> bool shows_under(const Run &run, unsigned seed) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(run(seed).empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}
/// The first schedule of a few under which something is wrong; -1: none.
template <class Run> int first_shown(const Run &run, unsigned schedules = 20) {
  for (unsigned seed = 0; seed < schedules; ++seed)
    if (shows_under(run, seed))
      return static_cast<int>(seed);
  return -1;
}
template <class Run> bool shows(Run run, unsigned schedules = 20) {
  return first_shown(run, schedules) >= 0;
}

/// A fault in a family of families.json, or in a part of one; names are identifiers, to
/// be keys of a report.
inline void record_fault(const char *family, const char *fault, const std::string &what) {
  ::testing::Test::RecordProperty(std::string("planted__") + family + "__" + fault, what);
}
/// with(seed): a run. shows_without(n): whether something is wrong under one of the first n
/// schedules of the same run, but nothing planted.
template <class With, class ShowsWithout>
void expect_shown(const char *family, const char *fault, const With &with,
                  const ShowsWithout &shows_without) {
  const int seed = first_shown(with);
  const bool red_anyway = shows_without(static_cast<unsigned>(seed + 1));
  EXPECT_GE(seed, 0) << family << ": " << fault << " does not show";
  EXPECT_FALSE(red_anyway) << family << ": something shows without " << fault;
  record_fault(family, fault,
               seed < 0     ? "missed"
               : red_anyway ? "shows without it"
                            : "caught, schedule " + std::to_string(seed));
}
/// with(seed), and without(seed): the same run, but nothing is planted.
template <class With, class Without>
void expect_caught(const char *family, const char *fault, const With &with,
                   const Without &without) {
  expect_shown(family, fault, with,
               [&](unsigned schedules) { return first_shown(without, schedules) >= 0; });
}

/// Faults of one family's runs: run(seed, faults). expect(fault, change), where change
/// plants it in Faults. What shows without any is asked once for all of them.
template <class Faults, class Run> class planted_runs {
public:
  planted_runs(const char *family, Faults, Run run) : family_(family), run_(run) {}
  auto with(Faults f) const {
    return [this, f](unsigned seed) { return run_(seed, f); };
  }
  template <class Change> void expect(const char *fault, Change change) const {
    Faults f;
    change(f);
    expect_shown(family_, fault, with(f),
                 [&](unsigned schedules) { return shows_without(schedules); });
  }

private:
  bool shows_without(unsigned schedules) const {
    for (; asked_ < schedules && !shows_; ++asked_)
      shows_ = shows_under(with({}), asked_);
    return shows_;
  }

  const char *family_;
  Run run_;
  mutable unsigned asked_ = 0; // schedules with nothing planted
  mutable bool shows_ = false; // under one of these
};

/// Where there is nothing that could have the fault.
inline void has_none(const char *family, const char *fault) {
  record_fault(family, fault, "has none");
}
/// The same, tried: run(seed), with the fault planted, must go on as if it were not there.
template <class Run> void has_none(const char *family, const char *fault, Run run) {
  const int seed = first_shown(run, 5);
  EXPECT_LT(seed, 0) << family << " has something that can have the fault " << fault;
  record_fault(family, fault, seed < 0 ? "has none" : "shows, schedule " + std::to_string(seed));
}

} // namespace colonnade::testing
