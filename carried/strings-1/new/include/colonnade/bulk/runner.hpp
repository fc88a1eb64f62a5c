//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner.hpp: the main programme of a runner: files in, one bulk run, files out.
//
//   read .npy ─▶ check ─▶ run in chunks ─▶ verify ─▶ write .npy ─▶ report ─▶ name them, all or none
//
// In: the command line. Out: the files of -o; a report on standard output, or on standard error
// if an output goes to standard output; and the exit code: 0 done; 1 a check failed, or the
// results differ from the original's; 3 any other error. Errors are one line on standard error.
// Invariant: no file is written unless all went well, the report included.
//
//   int main(int argc, char **argv) {
//     return colonnade::runtime::run_program(colonnade::bulk::f::info(), argc, argv);
//   }
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/run.hpp>
#include <colonnade/bulk/runner/arrays.hpp>
#include <colonnade/bulk/runner/options.hpp>
#include <colonnade/bulk/runner/progress.hpp>
#include <colonnade/bulk/runner/save_arrays.hpp>
#include <colonnade/bulk/runner/scalars.hpp>
#include <colonnade/bulk/runner/speed.hpp>
#include <colonnade/bulk/runner/verify.hpp>
#include <colonnade/bulk/worker_threads.hpp>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace colonnade::runtime {
namespace runner {

/// Opens what is closed of standard input, output and error: else an output file would get that
/// number, and the report in its middle.
inline void open_standard_descriptors() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      (void)!::open("/dev/null", O_RDWR); // takes the lowest number that is free
}

/// An error if something that was printed could not be written.
inline status complete_standard_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status::success();
  const char *reason = errno ? std::strerror(errno) : "an earlier write failed";
  return status::failure(status_code::io_error,
                         std::string("cannot write to standard output: ") + reason);
}

/// One run of the programme, step by step.
class programme {
public:
  programme(const function_info &f, const options &given)
      : function_(f), given_(given), arrays_(f, given),
        report_to_(takes_standard_output(given) ? stderr : stdout) {}

  status run() {
    status s = parse_scalars(function_, given_, scalars_);
    if (s.ok())
      s = arrays_.load(scalars_.data());
    if (s.ok())
      s = execute();
    if (s.ok() && given_.verify.any)
      s = verify();
    std::vector<output_file> files;
    if (s.ok())
      s = array_writer(function_, arrays_, scalars_.data()).write(given_.outputs, files);
    if (s.ok())
      s = report();
    return s.ok() ? output_file::commit(files) : s;
  }

private:
  /// Whether standard output gets the bytes of an output, under whichever name.
  static bool takes_standard_output(const options &given) {
    using runtime::detail::output_target;
    for (const auto &output : given.outputs) {
      output_target target;
      if (runtime::detail::find_target(output.second, target) == 0 &&
          target.what == output_target::kind::own_descriptor && target.descriptor == STDOUT_FILENO)
        return true;
    }
    return false;
  }

  status execute() {
    std::vector<void *> pointers(function_.num_arrays + 1);
    const std::unique_ptr<bool[]> no_input(new bool[function_.num_arrays + 1]());
    for (uint32_t a = 0; a < function_.num_arrays; ++a) {
      const host_array &array = arrays_.arrays[a];
      pointers[a] = arrays_.writes(a) ? array.result.get() : const_cast<void *>(array.input);
      no_input[a] = !array.input;
      if (no_input[a] && function_.arrays[a].dir == direction::inout && arrays_.cells[a] > 0)
        std::fprintf(stderr, "note: %s has no input and starts as zeros\n",
                     function_.arrays[a].name);
    }
    const raw_arguments arguments{pointers.data(), scalars_.data(), arrays_.cells.data(),
                                  arrays_.count};
    progress_bar bar;
    run_options wanted;
    wanted.where = given_.where;
    wanted.device_memory_bytes = given_.device_memory_bytes;
    wanted.devices = given_.devices;
    wanted.device_layout = given_.device_layout;
    wanted.cpu.num_threads = given_.threads;
    wanted.cpu.isa = given_.isa.empty() ? nullptr : given_.isa.c_str();
    wanted.no_input = no_input.get();
    wanted.are_zeros = true; // as they were allocated
    wanted.on_progress = [&](uint64_t done, uint64_t count) { bar.update(done, count); };
    wanted.report = &report_;
    const auto begin = std::chrono::steady_clock::now();
    const status s = run_host(function_, arguments, arrays_.host_layout, wanted);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return s;
  }

  status verify() {
    verifier v(function_, arrays_, scalars_.data(), report_.used == target::cuda);
    const status s = v.verify(given_.verify, seconds_, verified_);
    rule_ = v.rule();
    num_indeterminate_ = v.num_indeterminate();
    return s;
  }

  /// That of instances on a GPU, if it is not the usual one.
  const char *layout_text() const {
    if (report_.used != target::cuda || report_.device_layout == layout::tiled)
      return "";
    return report_.device_layout == layout::row_wise ? " (row-wise)" : " (column-wise)";
  }

  status report() {
    double bytes = 0; // every input read once, every output written once
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      bytes +=
          static_cast<double>(arrays_.bytes(a)) * ((function_.arrays[a].dir != direction::out) +
                                                   (function_.arrays[a].dir != direction::in));
    const double count = static_cast<double>(arrays_.count);
    std::fprintf(report_to_, "%s: %llu instances on %s%s in %.3g s: %.4g instances/s, %.4g GB/s\n",
                 function_.name, static_cast<unsigned long long>(arrays_.count),
                 report_.device.empty() ? "nothing" : report_.device.c_str(), layout_text(),
                 seconds_, seconds_ > 0 ? count / seconds_ : 0,
                 seconds_ > 0 ? bytes / seconds_ / 1e9 : 0);
    if (report_.num_chunks > 1)
      std::fprintf(report_to_, "%llu chunks of %llu instances, %u in flight\n",
                   static_cast<unsigned long long>(report_.num_chunks),
                   static_cast<unsigned long long>(report_.chunk_instances), report_.slots);
    if (given_.verify.any)
      report_verified();
    compare();
    return report_to_ == stdout ? complete_standard_output() : status::success();
  }

  void report_verified() const {
    std::fprintf(report_to_, "verified: %llu of %llu instances against the sequential function, %s",
                 static_cast<unsigned long long>(verified_),
                 static_cast<unsigned long long>(arrays_.count), rule_);
    if (verified_ < arrays_.count)
      std::fprintf(report_to_, " (chosen by seed %llu; --verify=all compares all)",
                   static_cast<unsigned long long>(sample_order::seed));
    if (num_indeterminate_ > 0)
      std::fprintf(report_to_, "; left out: %llu cells where the function may give no value",
                   static_cast<unsigned long long>(num_indeterminate_));
    std::fprintf(report_to_, "\n");
  }

  unsigned threads() const { return runtime::detail::number_of_threads(given_.threads); }

  /// Reports how fast the run was beside the sequential function; and where the lanes are slower, a
  /// note on standard error says so.
  void compare() {
    const char *isa = "";
    cpu_launch_options options;
    options.isa = given_.isa.empty() ? nullptr : given_.isa.c_str();
    options.isa_taken = &isa;
    speed_probe probe(function_, arrays_, scalars_.data(), options);
    if (!probe.measure_job(seconds_))
      return;
    if (!copies_structs())
      report_speedup(probe.job_speedup(), probe.sample());
    const bool on_cpu = report_.used == target::cpu;
    if (on_cpu && probe.job_speedup() < threads() && probe.measure_lanes(seconds_ * threads()) &&
        probe.lanes_speedup() < 0.95)
      report_slow_lanes(probe.lanes_speedup(), isa);
  }

  void report_speedup(double speedup, uint64_t measured) const {
    std::fprintf(report_to_, "%.3g times as fast as the sequential function on one core", speedup);
    if (measured < arrays_.count)
      std::fprintf(report_to_, ", by %llu of the instances",
                   static_cast<unsigned long long>(measured));
    std::fprintf(report_to_, "\n");
  }

  void report_slow_lanes(double speedup, const char *isa) const {
    const bool widest = std::string(isa) == "avx512";
    std::fprintf(stderr,
                 "note: on one core, the generated code%s%s takes %.2g times as long as the "
                 "sequential function: try %s--target cuda%s\n",
                 *isa ? " for " : "", isa, 1 / speedup, widest ? "" : "a CPU with AVX-512 or ",
                 arrays_.host_layout == layout::row_wise
                     ? ", or column-wise input (Fortran order), which needs no transpose"
                     : "");
  }

  /// Whether structs are rebuilt from leaves at each call of the sequential function: that takes
  /// time which it would not need on its own, so a gain of the lanes is not printed.
  bool copies_structs() const {
    for (uint32_t a = 0; a < function_.num_arrays; ++a)
      if (!detail::leaf_name(function_.arrays[a]).empty())
        return true;
    return false;
  }

  const function_info &function_;
  const options &given_;
  array_set arrays_;
  std::FILE *report_to_;
  std::vector<scalar_bits> scalars_;
  run_report report_;
  double seconds_ = 0;
  uint64_t verified_ = 0, num_indeterminate_ = 0;
  const char *rule_ = "";
};

} // namespace runner

/// Runs the programme; what it returns is the exit code. Nothing is thrown.
inline int run_program(const function_info &f, int argc, char **argv) {
  runner::open_standard_descriptors();
  runner::options given;
  status s = runner::parse_options(argc, argv, given);
  try {
    if (s.ok() && given.help) {
      std::fputs(runner::usage, stdout);
      s = runner::complete_standard_output();
    } else if (s.ok()) {
      s = runner::programme(f, given).run();
    }
  } catch (const std::bad_alloc &) {
    s = status::failure(status_code::out_of_memory, "not enough host memory");
  }
  if (s.ok())
    return 0;
  std::fprintf(stderr, "error: %s\n", s.message.c_str());
  return s.code == status_code::failed_check ? 1 : 3;
}

} // namespace colonnade::runtime
