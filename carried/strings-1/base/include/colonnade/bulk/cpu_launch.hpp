//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_launch.hpp: runs a generated CPU kernel over host arrays in any layout, on all cores.
//
// In: a function's kernels, its arguments in some layout, the number of threads and the
// instruction set (by default the best that the machine has). Out: the results in the
// arrays, or the failure of the lowest instance. What a thread does with its instances is
// in cpu_instances.hpp; whether lanes or serial code runs over rows, in cpu_choice.hpp.
//
// Invariant: each instance is run by one thread, once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/corner_walk.hpp>
#include <colonnade/bulk/cpu_choice.hpp>
#include <colonnade/bulk/scalar_ops.hpp>
#include <colonnade/bulk/worker_threads.hpp>
#include <colonnade/simd/machine_isas.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace colonnade::runtime::detail {

/// What launches of a function have found out, for the sizes of the last one: callers that cut
/// their arrays into chunks launch many times with the same sizes.
class launch_memory {
public:
  /// The walk over the function's addresses, which depends on sizes alone.
  walk_result walk(const cpu_program &program, const raw_arguments &arguments) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<uint64_t> key = key_of(program, arguments);
    if (!walk_ || key != key_) {
      walk_ = program.walk(arguments.scalars, arguments.cells);
      key_ = std::move(key);
      chosen_by_ = nullptr;
    }
    return *walk_;
  }

  struct chosen_plan {
    cpu_plan plan;
    double seconds;        // of an instance
    double thread_seconds; // that a thread costs
  };
  /// The plan that was chosen for these kernels, if one was.
  std::optional<chosen_plan> chosen(const cpu_program &program, const raw_arguments &arguments,
                                    const isa_kernels &isa) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (chosen_by_ != &isa || key_of(program, arguments) != key_)
      return std::nullopt;
    return chosen_;
  }
  void choose(const cpu_program &program, const raw_arguments &arguments, const isa_kernels &isa,
              const chosen_plan &plan) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (key_of(program, arguments) != key_)
      return;
    chosen_by_ = &isa;
    chosen_ = plan;
  }

private:
  static std::vector<uint64_t> key_of(const cpu_program &program, const raw_arguments &arguments) {
    const function_info &f = program.info();
    std::vector<uint64_t> key(arguments.scalars, arguments.scalars + f.num_scalars);
    key.insert(key.end(), arguments.cells, arguments.cells + f.num_arrays);
    return key;
  }

  std::mutex mutex_;
  std::vector<uint64_t> key_;
  std::optional<walk_result> walk_;
  const isa_kernels *chosen_by_ = nullptr; // null: nothing is chosen
  chosen_plan chosen_{};
};

/// The failure of a launch that the walk has refused.
inline status refused(const access_site &site, const walk_result &walk) {
  status s;
  s.code = walk.checks_hold ? status_code::out_of_extent : status_code::failed_check;
  s.message = std::string(site.position) + ": ";
  if (walk.checks_hold)
    s.message += "cell " + std::to_string(walk.cell) + " of '" + site.what +
                 "' is accessed, but it has " + std::to_string(walk.cells) + " cells";
  else
    s.message += std::string("does not hold for these sizes: ") + site.what;
  return s;
}

inline namespace COLONNADE_THREADS_NAMESPACE {

/// One launch. Threads take chunks of instances from a counter until none is left.
class cpu_launcher {
public:
  cpu_launcher(const cpu_program &program, const raw_arguments &arguments, layout l,
               const isa_kernels &isa, const walk_result &walk, launch_memory &memory,
               const cpu_launch_options &options)
      : program_(program), arguments_(arguments), isa_(isa), memory_(memory), options_(options),
        accesses_(walk.accesses), instances_(program, arguments, l, isa, walk) {}

  status run() {
    const unsigned num_threads = number_of_threads(options_.num_threads);
    choose_plan();
    if (options_.plan_taken)
      *options_.plan_taken = chosen_.plan;
    // Small enough to balance the threads' work, large enough that the counter costs nothing.
    const uint64_t groups = (left() + isa_.lanes - 1) / isa_.lanes;
    chunk_ = std::max<uint64_t>(1, std::min<uint64_t>(64, groups / (8 * num_threads))) * isa_.lanes;
    const uint64_t chunks = (left() + chunk_ - 1) / chunk_;
    if (num_threads > 1 && ends_at_once(chunks))
      work(chunks);
    else
      run_on_threads(num_threads, chunks, [this, chunks] { work(chunks); });
    return result();
  }

private:
  /// Instances that no chunk has been taken of.
  uint64_t left() const {
    const uint64_t next = next_;
    return count_ - std::min(next, count_);
  }

  /// What was chosen before serves launches that are short beside measuring. Where instances do not
  /// fill lanes, copying them to a tile and back must pay. Serial code has not the bits of vector
  /// math.
  void choose_plan() {
    constexpr double short_launch = 2e-3; // seconds
    if (!instances_.has_rows() || options_.plan == cpu_plan::lanes || program_.info().vector_math)
      return;
    if (options_.plan == cpu_plan::serial) {
      chosen_.plan = cpu_plan::serial;
      return;
    }
    const auto known = memory_.chosen(program_, arguments_, isa_);
    if (arguments_.count < isa_.lanes &&
        accesses_ * arguments_.count <= 2 * instances_.cells() * isa_.lanes)
      chosen_.plan = cpu_plan::serial;
    else if (known && known->seconds * static_cast<double>(arguments_.count) < short_launch)
      chosen_ = *known;
    else if (arguments_.count >= 3 * isa_.lanes)
      measure_plans();
  }

  void measure_plans() {
    cpu_instances::worker &w = spare_.emplace();
    cpu_choice choice(instances_, w);
    if (!instances_.prepare(w) || !choice.measure())
      out_of_memory_ = true;
    ranges_ = choice.left();
    count_ = 0;
    for (const instance_range &range : ranges_)
      count_ += range.count();
    done(arguments_.count - count_);
    // A thread maps its own memory and, slower for it, that of its start.
    const double thread_seconds = chosen_.thread_seconds + 2 * choice.mapping_seconds();
    chosen_ = {choice.plan(), choice.seconds(), thread_seconds};
    memory_.choose(program_, arguments_, isa_, chosen_);
  }

  /// Whether the rest takes less time than pays for threads. If the time of an instance is not
  /// known and there are few accesses in all, runs a chunk.
  bool ends_at_once(uint64_t chunks) {
    constexpr uint64_t few_accesses = 20000;
    if (chosen_.seconds > 0)
      return chosen_.seconds * static_cast<double>(left()) < 4 * chosen_.thread_seconds;
    if (arguments_.count > few_accesses / std::max<uint64_t>(1, accesses_))
      return false;
    const auto begin = std::chrono::steady_clock::now();
    work(1);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() * static_cast<double>(chunks - 1) < chosen_.thread_seconds;
  }

  /// At most so many chunks, as long as there are any.
  void work(uint64_t most) {
    cpu_instances::worker w = new_worker();
    bool ready = instances_.prepare(w);
    for (; ready && most > 0; --most) {
      const uint64_t first = next_.fetch_add(chunk_);
      if (first >= count_)
        break;
      const uint64_t end = std::min(first + chunk_, count_);
      ready = run(w, {first, end});
      done(end - first);
    }
    if (!ready)
      out_of_memory_ = true;
    end(std::move(w));
  }

  /// Of the instances of all ranges, one after the other, these.
  bool run(cpu_instances::worker &w, instance_range chunk) {
    uint64_t before = 0; // in ranges before
    bool ready = true;
    for (const instance_range &range : ranges_) {
      const uint64_t first = std::max(chunk.first, before);
      const uint64_t end = std::min(chunk.end, before + range.count());
      if (ready && first < end)
        ready = instances_.run(w, chosen_.plan, range.first + (first - before),
                               range.first + (end - before));
      before += range.count();
    }
    return ready;
  }

  /// One that has ended goes on, so that its memory is not mapped anew.
  cpu_instances::worker new_worker() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!spare_)
      return {};
    cpu_instances::worker w = std::move(*spare_);
    spare_.reset();
    return w;
  }

  void done(uint64_t num_instances) const {
    if (options_.on_done)
      options_.on_done(options_.context, num_instances);
  }

  void end(cpu_instances::worker w) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_.record(w.failure.instance, w.failure.site);
    spare_ = std::move(w);
  }

  status result() const {
    status s;
    if (out_of_memory_) {
      s.code = status_code::out_of_memory;
      s.message =
          std::string("not enough memory for a tile of '") + instances_.function().name + "'";
    } else if (failure_.instance != ~uint64_t{0}) {
      s.code = status_code::failed_check;
      s.instance = options_.first_instance + std::min(failure_.instance, arguments_.count - 1);
      const access_site &site = program_.sites[failure_.site];
      s.message =
          "instance " + std::to_string(s.instance) + ": " + site.position + ": " + site.what;
    }
    return s;
  }

  const cpu_program &program_;
  const raw_arguments &arguments_;
  const isa_kernels &isa_;
  launch_memory &memory_;
  const cpu_launch_options &options_;
  const uint64_t accesses_; // of an instance
  const cpu_instances instances_;
  launch_memory::chosen_plan chosen_{cpu_plan::lanes, 0, 30e-6}; // 0 seconds: not known
  std::vector<instance_range> ranges_{{0, arguments_.count}};    // of instances to run
  uint64_t count_ = arguments_.count;                            // in all ranges
  uint64_t chunk_ = 1;                                           // instances
  std::atomic<uint64_t> next_{0};                                // of those in all ranges
  std::atomic<bool> out_of_memory_{false};
  std::mutex mutex_;
  std::optional<cpu_instances::worker> spare_;
  lane_failure failure_;
};

/// The kernels for the instruction set `name` ("sse2" also names the baseline), or the best ones
/// if it is null; null if the machine or the build does not have it.
inline const isa_kernels *find_isa(const cpu_program &program, const char *name) {
  for (uint32_t i = 0; i < program.num_isas; ++i) {
    const bool wanted =
        !name || !std::strcmp(name, program.isas[i]->name) ||
        (!std::strcmp(name, "sse2") && !std::strcmp(program.isas[i]->name, "baseline"));
    if (wanted && isa_supported(program.isas[i]->name))
      return program.isas[i];
  }
  return nullptr;
}

/// What function_info::run_cpu does.
inline status launch_program(const cpu_program &program, launch_memory &memory,
                             const raw_arguments &arguments, layout l,
                             const cpu_launch_options &options) {
  const isa_kernels *isa = find_isa(program, options.isa);
  if (!isa) {
    status s;
    s.code = status_code::no_backend;
    s.message = std::string("this machine has no instruction set '") + options.isa + "'";
    return s;
  }
  if (options.isa_taken)
    *options.isa_taken = isa->name;
  const walk_result walk = memory.walk(program, arguments);
  if (!walk.within)
    return refused(program.sites[walk.site], walk);
  if (arguments.count == 0)
    return {};
  return cpu_launcher(program, arguments, l, *isa, walk, memory, options).run();
}

} // namespace COLONNADE_THREADS_NAMESPACE
} // namespace colonnade::runtime::detail
