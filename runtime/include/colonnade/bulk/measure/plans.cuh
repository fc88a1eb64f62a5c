//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// measure/plans.cuh: how long each plan of a function takes on this GPU, for `colonnade tune`.
//
// In: functions, each with the launches of its plans. Out: on standard output lines of JSON:
//
//   {"gpu":"NVIDIA H200","plans":"…"}
//   {"job":0,"plan":2,"layout":"row_wise","instances":1024,"microseconds":9.2,"same":true}
//   {"job":0,"plan":3,"layout":"row_wise","refused":"this GPU does not run the plan"}
//
// the median of interleaved runs, each on the same data, restored before it; `same`: the bits of
// all arrays are those that the first plan leaves. Invariant: a line is of the plan that it names,
// never of another that took its place.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/arguments.hpp>
#include <colonnade/bulk/measure/cells.cuh>

#include <algorithm>
#include <cstdio>

namespace colonnade::runtime::measure {

struct plan {
  unsigned number;
  bool rows, columns; // the layouts that it is about; columns: column-wise and tiled
  status (*launch)(const raw_arguments &arguments, layout l, void *stream, void *d_status);
  const char *(*failure)(uint32_t site);
};

/// What an array holds; others have random cells.
struct input {
  const char *array, *path; // an .npy file
};

struct job {
  unsigned number;
  const function_info &function;
  std::vector<scalar_bits> scalars;
  std::vector<input> inputs;
  std::vector<plan> plans;
};

/// Numbers of instances that are measured: from few, which leave the GPU idle, to as many as have
/// `most_bytes`, beyond every cache. Multiples of a tile's.
inline std::vector<uint64_t> counts_for(uint64_t bytes_per_instance, uint64_t most_bytes) {
  constexpr uint64_t tile = 32, most_instances = uint64_t{1} << 23;
  const uint64_t fitting = most_bytes / std::max<uint64_t>(bytes_per_instance, 1) / tile * tile;
  const uint64_t many = std::clamp(fitting, tile, most_instances);
  std::vector<uint64_t> counts;
  for (const uint64_t few : {uint64_t{1} << 10, uint64_t{1} << 13, uint64_t{1} << 16})
    if (few <= many / 2)
      counts.push_back(few);
  counts.push_back(many);
  return counts;
}

namespace detail {

/// A template, so that every translation unit may contain it.
template <class Byte>
__global__ void count_differences(const Byte *one, const Byte *other, uint64_t bytes,
                                  unsigned long long *d_differences) {
  const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
  unsigned long long differences = 0;
  for (uint64_t k = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < bytes; k += threads)
    differences += one[k] != other[k];
  if (differences)
    atomicAdd(d_differences, differences);
}

inline const char *name(layout l) {
  return l == layout::row_wise ? "row_wise" : l == layout::column_wise ? "column_wise" : "tiled";
}

/// Words of JSON's strings: names and messages have no control characters.
inline std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text)
    result += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
  return result + '"';
}

/// One array three times.
struct array_memory {
  array_cells cells;
  device_bytes given, now, expected;
};

class job_measurement {
public:
  explicit job_measurement(const job &of) : job_(of) {}

  status run() {
    if (status s = prepare(); !s)
      return s;
    for (const layout l : {layout::row_wise, layout::column_wise, layout::tiled})
      for (const uint64_t count : counts_for(bytes_per_instance_, most_bytes_))
        if (status s = measure(l, count); !s)
          return s;
    return status::success();
  }

private:
  static constexpr uint64_t most_bytes_ = uint64_t{512} << 20;
  static constexpr int runs_ = 11;
  static constexpr double hopeless_ = 3; // times as long as the best so far: one run is enough

  struct candidate {
    const plan *of;
    bool is_same = true;
    std::vector<double> microseconds = {};
  };

  status prepare() {
    const function_info &f = job_.function;
    cells_.resize(f.num_arrays);
    if (status s = resolve_cells(f, job_.scalars.data(), cells_.data()); !s)
      return s;
    for (uint32_t a = 0; a < f.num_arrays; ++a)
      bytes_per_instance_ += f.arrays[a].uniform ? 0 : cells_[a] * size_bytes(f.arrays[a].cell);
    const uint64_t most = counts_for(bytes_per_instance_, most_bytes_).back();
    arrays_.reserve(f.num_arrays);
    for (uint32_t a = 0; a < f.num_arrays; ++a) {
      arrays_.push_back({array_cells(f.arrays[a], cells_[a]), {}, {}, {}});
      array_memory &memory = arrays_.back();
      for (device_bytes *each : {&memory.given, &memory.now, &memory.expected})
        if (status s = each->allocate(memory.cells.bytes(most)); !s)
          return s;
      for (const input &each : job_.inputs)
        if (f.arrays[a].name == std::string(each.array))
          if (status s = memory.cells.read(each.path); !s)
            return s;
      pointers_.push_back(memory.now.get());
    }
    if (status s = failed_.allocate(sizeof(device_status)); !s)
      return s;
    if (status s = differences_.allocate(sizeof(unsigned long long)); !s)
      return s;
    const cudaError_t begun = cudaEventCreate(&begin_);
    return cuda_status(begun == cudaSuccess ? cudaEventCreate(&end_) : begun, "creating an event");
  }

  status measure(layout l, uint64_t count) {
    for (uint32_t a = 0; a < arrays_.size(); ++a)
      if (status s = arrays_[a].cells.fill(arrays_[a].given.get(), l, count, a); !s)
        return s;
    std::vector<candidate> candidates;
    for (const plan &each : job_.plans)
      if (l == layout::row_wise ? each.rows : each.columns)
        if (status s = compare(each, l, count, candidates); !s)
          return s;
    if (status s = time(l, count, candidates); !s)
      return s;
    for (candidate &each : candidates)
      report(each, l, count);
    return status::success();
  }

  /// A plan that runs becomes a candidate, and the first leaves what the others are to leave.
  status compare(const plan &of, layout l, uint64_t count, std::vector<candidate> &candidates) {
    double unused = 0; // the first run loads the kernel
    status ran = run(of, l, count, unused);
    if (ran.code == status_code::no_backend) {
      std::printf("{\"job\":%u,\"plan\":%u,\"layout\":\"%s\",\"refused\":%s}\n", job_.number,
                  of.number, name(l), quoted(ran.message).c_str());
      return status::success();
    }
    if (!ran)
      return ran;
    candidates.push_back({&of});
    for (array_memory &memory : arrays_) {
      const uint64_t bytes = memory.cells.bytes(count);
      if (candidates.size() == 1) {
        if (status s = copy(memory.expected.get(), memory.now.get(), bytes); !s)
          return s;
        continue;
      }
      if (status s = same(memory, bytes, candidates.back().is_same); !s)
        return s;
    }
    return status::success();
  }

  status same(const array_memory &memory, uint64_t bytes, bool &is_same) {
    auto *const d_differences = static_cast<unsigned long long *>(differences_.get());
    unsigned long long differences = 0;
    cudaError_t error = cudaMemset(d_differences, 0, sizeof differences);
    if (error == cudaSuccess) {
      count_differences<<<fill_blocks, fill_threads>>>(
          static_cast<const uint8_t *>(memory.now.get()),
          static_cast<const uint8_t *>(memory.expected.get()), bytes, d_differences);
      error = cudaGetLastError();
    }
    if (error == cudaSuccess)
      error = cudaMemcpy(&differences, d_differences, sizeof differences, cudaMemcpyDeviceToHost);
    is_same = is_same && differences == 0;
    return cuda_status(error, "comparing results");
  }

  status time(layout l, uint64_t count, std::vector<candidate> &candidates) {
    double best = 0;
    for (int round = 0; round < runs_; ++round)
      for (candidate &each : candidates) {
        if (round > 0 && each.microseconds[0] > hopeless_ * best)
          continue;
        double microseconds = 0;
        if (status s = run(*each.of, l, count, microseconds); !s)
          return s;
        each.microseconds.push_back(microseconds);
        best = best == 0 ? microseconds : std::min(best, microseconds);
      }
    return status::success();
  }

  void report(candidate &of, layout l, uint64_t count) const {
    std::sort(of.microseconds.begin(), of.microseconds.end());
    std::printf("{\"job\":%u,\"plan\":%u,\"layout\":\"%s\",\"instances\":%llu,"
                "\"microseconds\":%.3f,\"same\":%s}\n",
                job_.number, of.of->number, name(l), static_cast<unsigned long long>(count),
                of.microseconds[of.microseconds.size() / 2], of.is_same ? "true" : "false");
  }

  /// Once, on restored data.
  status run(const plan &of, layout l, uint64_t count, double &microseconds) {
    for (array_memory &memory : arrays_)
      if (status s = copy(memory.now.get(), memory.given.get(), memory.cells.bytes(count)); !s)
        return s;
    if (status s = cuda_status(cudaMemset(failed_.get(), 0xff, sizeof(device_status)), "clearing");
        !s)
      return s;
    const raw_arguments arguments{pointers_.data(), job_.scalars.data(), cells_.data(), count};
    cudaError_t error = cudaEventRecord(begin_);
    if (status s = of.launch(arguments, l, nullptr, failed_.get()); !s)
      return s;
    if (error == cudaSuccess)
      error = cudaEventRecord(end_);
    float milliseconds = 0;
    device_status failed;
    if (error == cudaSuccess)
      error = cudaMemcpy(&failed, failed_.get(), sizeof failed, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
      error = cudaEventElapsedTime(&milliseconds, begin_, end_);
    microseconds = double{milliseconds} * 1e3;
    if (error == cudaSuccess && failed.first_failure != device_status::none)
      return status::failure(
          status_code::failed_check,
          std::string(of.failure(static_cast<uint32_t>(failed.first_failure & 0xffff))) +
              ": on random data; give other data (-i NAME=FILE)");
    return cuda_status(error, "measuring");
  }

  static status copy(void *to, const void *from, uint64_t bytes) {
    return cuda_status(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copying");
  }

  const job &job_;
  std::vector<uint64_t> cells_;
  uint64_t bytes_per_instance_ = 0;
  std::vector<array_memory> arrays_;
  std::vector<void *> pointers_;
  device_bytes failed_, differences_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr; // until the programme ends
};

} // namespace detail

/// All of main(): the exit code is 0, or 3 with an error on standard error. plans: a name of what
/// is measured, for whoever collects it.
inline int run_jobs(const char *plans, const std::vector<job> &jobs) {
  cudaDeviceProp properties{};
  if (status s = cuda_status(cudaGetDeviceProperties(&properties, 0), "no CUDA device"); !s) {
    std::fprintf(stderr, "error: %s\n", s.message.c_str());
    return 3;
  }
  std::printf("{\"gpu\":%s,\"plans\":%s}\n", detail::quoted(properties.name).c_str(),
              detail::quoted(plans).c_str());
  for (const job &each : jobs)
    if (status s = detail::job_measurement(each).run(); !s) {
      std::fprintf(stderr, "error: '%s': %s\n", each.function.name, s.message.c_str());
      return 3;
    }
  return 0;
}

} // namespace colonnade::runtime::measure
