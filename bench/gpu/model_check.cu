//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// model_check.cu: launches the kernels whose costs scripts/model-check compares with
// what was predicted.
//
// In: the functions of `checked_functions`, written by scripts/model-check with their
// generated code, and a file of cases, one a line: `FUNCTION LAYOUT P BASE NAME=VALUE…`,
// where BASE is how many cells behind an aligned address the arrays begin, and a value is
// that of a scalar, or the file with a uniform array's cells. Usage:
// model_check CASES once|time. Out: a line for each case, `K MICROSECONDS`: its number,
// and the median by events (once: of one launch, without a warm-up).
// Invariant: `once` launches one generated kernel a case, in the order of the
// file; before every launch the arrays are filled anew, so it works on the same data.
//
//===----------------------------------------------------------------------===//
#include <colonnade/bulk/arguments.hpp>
#include <colonnade/bulk/kernel.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace colonnade::runtime {
struct checked_function {
  const char *name;
  const function_info &(*info)();
};
extern const checked_function checked_functions[];
extern const unsigned num_checked_functions;
} // namespace colonnade::runtime

using namespace colonnade::runtime;

namespace {

constexpr size_t least_runs = 9, most_runs = 99;
constexpr double microseconds_of_runs = 5000; // short launches are timed more often
constexpr uint64_t warm_up_ns = 300'000'000, ahead_ns = 400'000;

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(1);
}

void check(cudaError_t error) {
  if (error != cudaSuccess)
    fail(cudaGetErrorString(error));
}

void check(const status &s) {
  if (!s.ok())
    fail(s.message);
}

/// Works for a while. An idle GPU's clocks are low, and rise only when it has to do.
__global__ void spin(uint64_t nanoseconds) {
  uint64_t begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
}

/// Small positive numbers, the same for the same cell.
template <class Cell> __global__ void fill(Cell *cells, uint64_t num_cells) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num_cells;
       k += uint64_t{gridDim.x} * blockDim.x) {
    const auto hash = static_cast<uint32_t>((k * 0x9e3779b97f4a7c15u) >> 40);
    cells[k] = static_cast<Cell>(1 + hash % 100);
  }
}

void fill_cells(cell_type type, void *d_cells, uint64_t num_cells) {
  auto as = [&](auto cell) {
    fill<<<1024, 256>>>(static_cast<decltype(cell) *>(d_cells), num_cells);
  };
  switch (type) {
  case cell_type::boolean:
    return check(cudaMemset(d_cells, 1, num_cells));
  case cell_type::f32:
    return as(float{});
  case cell_type::f64:
    return as(double{});
  default:
    break;
  }
  switch (size_bytes(type)) {
  case 1:
    return as(uint8_t{});
  case 2:
    return as(uint16_t{});
  case 4:
    return as(uint32_t{});
  default:
    return as(uint64_t{});
  }
}

scalar_bits bits_of_text(cell_type type, const std::string &text) {
  scalar_bits bits = 0;
  if (type == cell_type::f32) {
    const float value = std::strtof(text.c_str(), nullptr);
    std::memcpy(&bits, &value, sizeof value);
  } else if (type == cell_type::f64) {
    const double value = std::strtod(text.c_str(), nullptr);
    std::memcpy(&bits, &value, sizeof value);
  } else {
    const long long value = std::strtoll(text.c_str(), nullptr, 0);
    std::memcpy(&bits, &value, size_bytes(type));
  }
  return bits;
}

/// One line of the file.
__global__ void nothing() {}

/// Microseconds from before the work to its end. `ahead`: it waits for other work, so that nothing
/// in it waits for the host.
template <class Work> double timed(bool ahead, Work work) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  if (ahead)
    spin<<<1, 1>>>(ahead_ns);
  check(cudaEventRecord(begin));
  work();
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return static_cast<double>(milliseconds) * 1e3;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// What a launch into an empty stream takes longer, as a machine file's `launch` has it.
double launch_of_idle() {
  std::vector<double> times;
  for (bool ahead : {true, false}) {
    std::vector<double> of_empty;
    for (size_t run = 0; run < most_runs; ++run)
      of_empty.push_back(timed(ahead, [] { nothing<<<1, 32>>>(); }));
    times.push_back(median(of_empty));
  }
  return times[1] - times[0];
}

class launch_case {
public:
  explicit launch_case(const std::string &line) {
    std::istringstream words(line);
    std::string function, layout_name, word;
    words >> function >> layout_name >> count_ >> base_;
    while (words >> word)
      if (const size_t equals = word.find('='); equals != word.npos)
        values_[word.substr(0, equals)] = word.substr(equals + 1);
    for (unsigned k = 0; k < num_checked_functions; ++k)
      if (function == checked_functions[k].name)
        function_ = &checked_functions[k].info();
    if (!function_)
      fail("no function " + function);
    layout_ = layout_name == "row"      ? layout::row_wise
              : layout_name == "column" ? layout::column_wise
                                        : layout::tiled;
    set_scalars();
    allocate();
  }
  ~launch_case() {
    for (uint32_t a = 0; a < d_arrays_.size(); ++a)
      check(cudaFree(static_cast<char *>(d_arrays_[a]) - base_bytes(a)));
    check(cudaFree(d_status_));
  }
  launch_case(const launch_case &) = delete;
  launch_case &operator=(const launch_case &) = delete;

  /// Microseconds of one launch. The stream is busy meanwhile, so that what the host does for a
  /// launch (memory for local arrays, say) is not in them.
  double launch() {
    for (uint32_t a = 0; a < function_->num_arrays; ++a)
      if (!function_->arrays[a].uniform)
        fill_cells(function_->arrays[a].cell, d_arrays_[a], storage_cells(a));
    check(cudaMemset(d_status_, 0xff, sizeof(device_status)));
    const double microseconds = timed(true, [&] {
      const raw_arguments arguments{d_arrays_.data(), scalars_.data(), cells_.data(), count_};
      check(function_->run_cuda(arguments, layout_, nullptr, d_status_));
    });
    device_status found;
    check(cudaMemcpy(&found, d_status_, sizeof found, cudaMemcpyDeviceToHost));
    if (found.first_failure != device_status::none)
      fail(function_->cuda_failure(static_cast<uint32_t>(found.first_failure & 0xffff)));
    return microseconds;
  }

private:
  void set_scalars() {
    for (uint32_t s = 0; s < function_->num_scalars; ++s) {
      const scalar_info &scalar = function_->scalars[s];
      if (!scalar.fixed_text && !values_.count(scalar.name))
        fail(std::string("no value for ") + scalar.name);
      scalars_.push_back(scalar.fixed_text ? scalar.fixed
                                           : bits_of_text(scalar.type, values_[scalar.name]));
    }
    cells_.resize(function_->num_arrays);
    check(resolve_cells(*function_, scalars_.data(), cells_.data()));
  }

  uint64_t storage_cells(uint32_t a) const {
    if (function_->arrays[a].uniform)
      return cells_[a];
    return layout_ == layout::tiled ? tiled_layout<32>::storage_cells(count_, cells_[a])
                                    : count_ * cells_[a];
  }

  uint64_t base_bytes(uint32_t a) const { return base_ * size_bytes(function_->arrays[a].cell); }

  void allocate() {
    for (uint32_t a = 0; a < function_->num_arrays; ++a) {
      const array_info &array = function_->arrays[a];
      const uint64_t bytes = storage_cells(a) * size_bytes(array.cell);
      void *d_memory = nullptr;
      check(cudaMalloc(&d_memory, std::max<uint64_t>(bytes, 1) + base_bytes(a)));
      d_arrays_.push_back(static_cast<char *>(d_memory) + base_bytes(a));
      if (array.uniform)
        read_uniform(a, bytes);
    }
    check(cudaMalloc(&d_status_, sizeof(device_status)));
  }

  void read_uniform(uint32_t a, uint64_t bytes) {
    const array_info &array = function_->arrays[a];
    std::vector<char> cells(bytes);
    std::ifstream file(values_[array.name], std::ios::binary);
    if (!file.read(cells.data(), static_cast<std::streamsize>(bytes)))
      fail(std::string("cannot read the cells of ") + array.name);
    check(cudaMemcpy(d_arrays_[a], cells.data(), bytes, cudaMemcpyHostToDevice));
  }

  const function_info *function_ = nullptr;
  layout layout_ = layout::tiled;
  uint64_t count_ = 0, base_ = 0;
  std::map<std::string, std::string> values_;
  std::vector<scalar_bits> scalars_;
  std::vector<uint64_t> cells_;
  std::vector<void *> d_arrays_;
  void *d_status_ = nullptr;
};

double median_of_launches(launch_case &of) {
  of.launch(); // a warm-up
  std::vector<double> times;
  for (double sum = 0;
       times.size() < least_runs || (times.size() < most_runs && sum < microseconds_of_runs);
       sum += times.back())
    times.push_back(of.launch());
  return median(times);
}

} // namespace

int main(int argc, char **argv) {
  const std::string way = argc == 3 ? argv[2] : "";
  if (way != "once" && way != "time")
    fail("usage: model_check CASES once|time");
  std::ifstream cases(argv[1]);
  std::string line;
  double idle = 0;
  if (way == "time") {
    spin<<<256, 1024>>>(warm_up_ns);
    check(cudaDeviceSynchronize());
    idle = launch_of_idle();
  }
  for (int k = 0; std::getline(cases, line); ++k) {
    launch_case of(line);
    std::printf("%d %.3f\n", k, way == "once" ? of.launch() : idle + median_of_launches(of));
    std::fflush(stdout);
  }
}
