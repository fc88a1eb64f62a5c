//===- Choice.cpp - The plan that took the least time ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune/Choice.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <set>

namespace colonnade::tune {

char DifferentResults::ID = 0;

namespace {

/// Of one number of instances: by plan, the time of each layout of the kind.
using TimesOfPlans = std::map<size_t, std::vector<double>>;

/// What was measured of one job and kind of layouts.
class JobChoice {
public:
  JobChoice(const ListedJob &job, const JobSpills &spills, LayoutKind kind, llvm::StringRef gpu)
      : job_(job), spills_(spills), kind_(kind), gpu_(gpu) {}

  void add(const Measurement &m) { times_[m.instances][m.plan].push_back(m.microseconds); }
  void appendEntries(TuningEntries &entries) const;

private:
  std::optional<TuningEntry> entry(uint64_t instances, const TimesOfPlans &times) const;
  std::optional<double> timeOf(size_t plan, const TimesOfPlans &times) const;
  bool spills(size_t plan) const { return spills_[plan][size_t(kind_)] > 0; }

  const ListedJob &job_;
  const JobSpills &spills_;
  LayoutKind kind_;
  llvm::StringRef gpu_;
  std::map<uint64_t, TimesOfPlans> times_; // by instances
};

} // namespace

/// nullopt: not run in each layout.
std::optional<double> JobChoice::timeOf(size_t plan, const TimesOfPlans &times) const {
  const auto found = times.find(plan);
  const size_t layouts = kind_ == LayoutKind::Rows ? 1 : 2;
  if (found == times.end() || found->second.size() != layouts)
    return std::nullopt;
  double product = 1;
  for (double time : found->second)
    product *= time;
  return layouts == 1 ? product : std::sqrt(product);
}

std::optional<TuningEntry> JobChoice::entry(uint64_t instances, const TimesOfPlans &times) const {
  static constexpr double Surely = 1.02; // by more than medians of runs differ
  TuningEntry entry;
  entry.modelPlan = job_.chosen[size_t(kind_)];
  std::optional<size_t> best;
  double least = 0;
  for (size_t plan = 0; plan < job_.plans.size(); ++plan) {
    const std::optional<double> time = timeOf(plan, times);
    if (!time)
      continue;
    const bool isModels = job_.plans[plan].plan == entry.modelPlan;
    if (isModels)
      entry.modelMicroseconds = time;
    if (spills(plan))
      entry.spilling.push_back(job_.plans[plan].plan);
    else if (const double weighed = isModels ? *time / Surely : *time; !best || weighed < least)
      best = plan, least = weighed;
  }
  if (!best)
    return std::nullopt;
  entry.function = job_.function;
  entry.sizes = job_.sizes;
  entry.kernel = job_.kernel;
  entry.gpu = gpu_.str();
  entry.layouts = kind_;
  entry.plan = job_.plans[*best].plan;
  entry.plannedKernel = job_.plans[*best].kernels[size_t(kind_)];
  entry.measuredInstances = instances;
  entry.microseconds = *timeOf(*best, times);
  return entry;
}

/// A number of instances stands for those that are nearer to it than to others, by their ratio.
void JobChoice::appendEntries(TuningEntries &entries) const {
  uint64_t least = 1;
  for (auto at = times_.begin(); at != times_.end(); ++at) {
    const auto next = std::next(at);
    InstanceRange range{least, std::nullopt};
    if (next != times_.end())
      range.most = static_cast<uint64_t>(std::sqrt(double(at->first) * double(next->first)));
    if (std::optional<TuningEntry> found = entry(at->first, at->second)) {
      found->instances = range;
      entries.push_back(std::move(*found));
    }
    least = range.most.value_or(0) + 1;
  }
}

static llvm::Error check(const std::vector<ListedJob> &jobs, const Measurements &measured) {
  std::set<std::tuple<size_t, size_t, MeasuredLayout, uint64_t>> known;
  for (const Measurement &m : measured.all) {
    if (m.job >= jobs.size() || m.plan >= jobs[m.job].plans.size() ||
        jobs[m.job].plans[m.plan].kernels[size_t(kindOf(m.layout))].empty())
      return llvm::createStringError("plan " + llvm::Twine(m.plan) + " of job " +
                                     llvm::Twine(m.job) +
                                     " was measured, which plans.json does not have");
    if (!known.insert({m.job, m.plan, m.layout, m.instances}).second)
      return llvm::createStringError("plan " + llvm::Twine(m.plan) + " of job " +
                                     llvm::Twine(m.job) + " was measured twice");
    if (!m.same)
      return llvm::make_error<DifferentResults>(
          "'" + jobs[m.job].function + "': plan '" + jobs[m.job].plans[m.plan].plan +
          "' leaves other results than plan '" + jobs[m.job].plans.front().plan +
          "', which no plan may: please report it");
  }
  return llvm::Error::success();
}

llvm::Expected<TuningEntries> choosePlans(const std::vector<ListedJob> &jobs,
                                          const std::vector<JobSpills> &spills,
                                          const Measurements &measured) {
  if (llvm::Error error = check(jobs, measured))
    return error;
  TuningEntries entries;
  for (size_t job = 0; job < jobs.size(); ++job)
    for (LayoutKind kind : LayoutKinds) {
      JobChoice choice(jobs[job], spills[job], kind, measured.gpu);
      for (const Measurement &m : measured.all)
        if (m.job == job && kindOf(m.layout) == kind)
          choice.add(m);
      choice.appendEntries(entries);
    }
  return entries;
}

} // namespace colonnade::tune
