//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// calibrate.cu: what a machine file says of a GPU, measured by small kernels.
//
// In: nothing. Out: CSV lines `probe,parameter,value`; units are in the names of
// the probes. Invariant: medians of `runs` timings after a warm-up; every probe
// reads what it loads, so that no load is left out.
//
// Strides are in cells of 4 bytes. A warp's lane l accesses, in step s, the cell
// warp * warp_stride + l * lane_stride + s * step_stride, modulo the footprint.
//
//===----------------------------------------------------------------------===//
#include "timing.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

constexpr int runs = 9;
constexpr uint64_t mib = uint64_t{1} << 20, memory_bytes = uint64_t{1} << 33;
constexpr unsigned lanes = 32;

void print(const char *probe, const char *parameter, double value) {
  std::printf("%s,%s,%.10g\n", probe, parameter, value);
  std::fflush(stdout);
}

/// Seconds of what `work` does on the device.
template <class Work> double median(Work work) { return median_seconds(runs, work); }

__global__ void nothing() {}

__device__ uint64_t nanoseconds() {
  uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Cycles and nanoseconds of one thread's work, while all SMs do the same.
__global__ void multiply_add(float factor, int steps, float *out, uint64_t *clocks) {
  float a = factor, b = factor + 1, c = factor + 2, d = factor + 3;
  const uint64_t ns = nanoseconds();
  const long long cycles = clock64();
#pragma unroll 16
  for (int s = 0; s < steps; ++s) {
    a = __fmaf_rn(a, factor, 1.0f);
    b = __fmaf_rn(b, factor, 1.0f);
    c = __fmaf_rn(c, factor, 1.0f);
    d = __fmaf_rn(d, factor, 1.0f);
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    clocks[0] = static_cast<uint64_t>(clock64() - cycles);
    clocks[1] = nanoseconds() - ns;
  }
  if (a + b + c + d == 0)
    out[0] = a;
}

struct sweep {
  uint64_t mask; // of the footprint's cells
  uint64_t warp_stride, lane_stride, step_stride;
  int steps;
};

enum class access { load, load_from_l2, store };

template <access Access> __global__ void swept(float *cells, sweep s, float *out) {
  const uint64_t thread = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  const uint64_t first = thread / lanes * s.warp_stride + thread % lanes * s.lane_stride;
  float sum = 0;
#pragma unroll 8
  for (int step = 0; step < s.steps; ++step) {
    float *const cell = cells + ((first + step * s.step_stride) & s.mask);
    if constexpr (Access == access::load)
      sum += *cell;
    else if constexpr (Access == access::load_from_l2)
      sum += __ldcg(cell);
    else
      *cell = static_cast<float>(step);
  }
  if (sum == 1)
    out[0] = sum;
}

enum class layout { row, column, tiled };
constexpr const char *names_of_layouts[] = {"row", "column", "tiled"};

/// `InFlight` cells are loaded before any is stored, as a bulk kernel of that many loads does.
template <int InFlight> __global__ void added(float *cells, uint64_t count, layout l, int n) {
  const uint64_t instance = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  if (instance >= count)
    return;
  const uint64_t first_of_tile = instance / lanes * lanes, size = static_cast<uint64_t>(n);
  const uint64_t stride = l == layout::row ? 1 : l == layout::column ? count : lanes;
  float *const own = cells + (l == layout::row      ? instance * size
                              : l == layout::column ? instance
                                                    : first_of_tile * size + instance % lanes);
  float carried = 0;
  for (int i = 0; i < n; i += InFlight) {
    float values[InFlight];
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      values[k] = own[static_cast<uint64_t>(i + k) * stride];
#pragma unroll
    for (int k = 0; k < InFlight; ++k) {
      carried += values[k];
      own[static_cast<uint64_t>(i + k) * stride] = carried;
    }
  }
}

/// Each cell has the number of the next; a line of 128 bytes has one such cell.
__global__ void link_cells(uint32_t *cells, uint64_t lines) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < lines;
       k += uint64_t{gridDim.x} * blockDim.x)
    cells[k * 32] = static_cast<uint32_t>((k * 1664525u + 1013904223u) % lines);
}

__global__ void follow(const uint32_t *cells, uint32_t *at, int steps) {
  uint32_t line = *at;
  for (int s = 0; s < steps; ++s)
    line = cells[uint64_t{line} * 32];
  *at = line;
}

/// Stores the links, and follows them all twice: loads of what this SM has stored and not read
/// since, and of what it has read. `clocks`: cycles of both ways round.
__global__ void follow_stored(uint32_t *cells, uint32_t *at, uint32_t lines, uint64_t *clocks) {
  for (uint32_t k = 0; k < lines; ++k)
    cells[uint64_t{k} * 32] = (k * 1664525u + 1013904223u) % lines;
  uint32_t line = *at;
  for (int round = 0; round < 2; ++round) {
    const long long begin = clock64();
    for (uint32_t s = 0; s < lines; ++s)
      line = cells[uint64_t{line} * 32];
    clocks[round] = static_cast<uint64_t>(clock64() - begin) + (line >> 31);
  }
  *at = line;
}

/// A warp loads `Loads` lines of its own, and as many again when all have come.
template <int Loads> __global__ void waited(const float *cells, int steps, float *out) {
  const float *own =
      cells + uint64_t{blockIdx.x} * static_cast<unsigned>(steps) * Loads * lanes + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int s = 0; s < steps; ++s) {
    float values[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k)
      values[k] = own[k * lanes];
#pragma unroll
    for (int k = 0; k < Loads; ++k)
      sum += values[k];
    own += Loads * lanes + (sum == 1 ? 1 : 0); // cells are 0: the address waits for the sum
  }
  if (sum == 1)
    out[0] = sum;
}

class calibration {
public:
  calibration() {
    check(cudaGetDeviceProperties(&properties_, 0));
    check(cudaMalloc(&d_cells_, memory_bytes));
    check(cudaMemset(d_cells_, 0, memory_bytes));
    check(cudaMalloc(&d_out_, 4096));
    check(cudaMemset(d_out_, 0, 4096));
  }
  ~calibration() {
    check(cudaFree(d_cells_));
    check(cudaFree(d_out_));
  }
  calibration(const calibration &) = delete;
  calibration &operator=(const calibration &) = delete;

  void attributes() const {
    std::printf("# %s\nprobe,parameter,value\n", properties_.name);
    print("sms", "", properties_.multiProcessorCount);
    print("resident_threads", "", properties_.maxThreadsPerMultiProcessor);
    print("registers", "", properties_.regsPerMultiprocessor);
    print("warp", "", properties_.warpSize);
    print("l2", "", properties_.l2CacheSize);
    print("shared_bytes", "", static_cast<double>(properties_.sharedMemPerMultiprocessor));
  }

  void time_of_nothing() const {
    print("launch_us", "", 1e6 * median([] { nothing<<<1, 32>>>(); }));
  }

  void clock_and_issue() {
    constexpr int steps = 1 << 16;
    auto *const d_clocks = reinterpret_cast<uint64_t *>(d_out_) + 8;
    const int blocks = properties_.multiProcessorCount * 2;
    const double seconds =
        median([&] { multiply_add<<<blocks, 1024>>>(1.000001f, steps, d_out_, d_clocks); });
    uint64_t clocks[2];
    check(cudaMemcpy(clocks, d_clocks, sizeof clocks, cudaMemcpyDeviceToHost));
    const double ghz = static_cast<double>(clocks[0]) / static_cast<double>(clocks[1]);
    print("clock_ghz", "", ghz);
    clock_ghz_ = ghz;
    print("issue", "fma", 4.0 * steps * 64 / (seconds * ghz * 1e9)); // 64 warps an SM
  }

  void bandwidths() {
    constexpr uint64_t half = memory_bytes / 2;
    print("copy_gb_s", "device",
          2e-9 * half / median([&] {
            check(cudaMemcpyAsync(d_cells_ + half / 4, d_cells_, half, cudaMemcpyDeviceToDevice));
          }));
    void *host = nullptr;
    constexpr uint64_t bytes = 256 * mib;
    check(cudaMallocHost(&host, bytes));
    print("host_link_gb_s", "in",
          1e-9 * bytes / median([&] {
            check(cudaMemcpyAsync(d_cells_, host, bytes, cudaMemcpyHostToDevice));
          }));
    print("host_link_gb_s", "out",
          1e-9 * bytes / median([&] {
            check(cudaMemcpyAsync(host, d_cells_, bytes, cudaMemcpyDeviceToHost));
          }));
    check(cudaFreeHost(host));
    check(cudaMemset(d_cells_, 0, memory_bytes));
  }

  /// Requests of warps a second, in G/s, by `warps` of them on each SM.
  template <access Access>
  void swept_rate(const char *probe, const char *parameter, sweep s, unsigned warps_a_block = 8,
                  unsigned blocks_an_sm = 8) {
    const auto blocks = static_cast<unsigned>(properties_.multiProcessorCount) * blocks_an_sm;
    const double seconds =
        median([&] { swept<Access><<<blocks, warps_a_block * lanes>>>(d_cells_, s, d_out_); });
    print(probe, parameter, 1e-9 * s.steps * warps_a_block * blocks / seconds);
  }

  void requests() {
    constexpr uint64_t line = 32, sector = 8;
    // An SM's own cells: each warp 32 lines of the L1 cache, again and again.
    for (unsigned warps : {8u, 16u, 32u})
      swept_rate<access::load>("l1_line_requests_g_s",
                               warps == 8    ? "8 warps"
                               : warps == 16 ? "16 warps"
                                             : "32 warps",
                               {~uint64_t{0}, 32 * line, line, 0, 8192}, warps, 1);
    swept_rate<access::load>("l1_sector_requests_g_s", "",
                             {~uint64_t{0}, 32 * sector, sector, 0, 8192}, 32, 1);
    swept_rate<access::load>("l1_requests_g_s", "", {~uint64_t{0}, 32, 1, 0, 8192}, 32, 1);
    for (uint64_t footprint : {8 * mib, 16 * mib, 32 * mib}) {
      char name[32];
      std::snprintf(name, sizeof name, "%llu MiB",
                    static_cast<unsigned long long>(footprint / mib));
      // The next step is by another warp's cells: far in the footprint.
      const uint64_t mask = footprint / 4 - 1;
      const uint64_t far = 8192 * 32 + 32;
      swept_rate<access::load_from_l2>("l2_requests_g_s", name, {mask, 32, 1, far, 1024});
      swept_rate<access::load_from_l2>("l2_sector_requests_g_s", name,
                                       {mask, 32 * sector, sector, far, 512});
      swept_rate<access::load_from_l2>("l2_line_requests_g_s", name,
                                       {mask, 32 * line, line, far + 8, 256});
      swept_rate<access::store>("l2_store_requests_g_s", name, {mask, 32, 1, far, 1024});
      swept_rate<access::store>("l2_store_sector_requests_g_s", name,
                                {mask, 32 * sector, sector, far, 512});
      swept_rate<access::store>("l2_store_line_requests_g_s", name,
                                {mask, 32 * line, line, far + 8, 256});
    }
    // 67 M sectors of memory once each: 64, 128, 256 bytes from lane to lane.
    const uint64_t mask = memory_bytes / 4 - 1;
    for (uint64_t stride :
         {uint64_t{8}, uint64_t{16}, uint64_t{32}, uint64_t{64}, uint64_t{1024}}) {
      char name[32];
      std::snprintf(name, sizeof name, "stride %llu", static_cast<unsigned long long>(4 * stride));
      const uint64_t warps = static_cast<uint64_t>(properties_.multiProcessorCount) * 64;
      const int steps =
          static_cast<int>(std::min<uint64_t>(256, memory_bytes / 4 / stride / 32 / warps));
      const sweep s{mask, 32 * stride, stride, warps * 32 * stride, steps};
      swept_rate<access::load>("dram_line_requests_g_s", name, s);
      swept_rate<access::store>("dram_store_line_requests_g_s", name, s);
    }
  }

  template <int InFlight> void added_rate(uint64_t count, int n, layout l) {
    const auto blocks = static_cast<unsigned>((count + 255) / 256);
    const double seconds = median([&] { added<InFlight><<<blocks, 256>>>(d_cells_, count, l, n); });
    char name[64];
    std::snprintf(name, sizeof name, "%s n=%d p=%llu in flight %d",
                  names_of_layouts[static_cast<int>(l)], n, static_cast<unsigned long long>(count),
                  InFlight);
    print("added_us", name, 1e6 * seconds);
  }
  template <int InFlight> void added_rates() {
    for (layout l : {layout::tiled, layout::column, layout::row}) {
      added_rate<InFlight>(8388608, 32, l);
      added_rate<InFlight>(1048576, 1024, l);
      for (uint64_t count : {256, 2048, 8192, 16384, 33792, 67584, 135168, 270336})
        added_rate<InFlight>(count, 1024, l);
    }
  }

  void latency(const char *probe, uint64_t bytes, int warm_steps, int steps) {
    auto *const cells = reinterpret_cast<uint32_t *>(d_cells_);
    auto *const at = reinterpret_cast<uint32_t *>(d_out_);
    link_cells<<<1024, 256>>>(cells, bytes / 128);
    check(cudaMemset(at, 0, 4));
    follow<<<1, 1>>>(cells, at, warm_steps);
    print(probe, "", 1e9 * median([&] { follow<<<1, 1>>>(cells, at, steps); }) / steps);
    check(cudaMemset(d_cells_, 0, bytes));
  }

  /// Of lines that the SM stores and then loads: nanoseconds of the first load, and of the next
  /// one, by cycles of the clock.
  void latency_after_stores(const char *parameter, uint32_t lines) {
    auto *const cells = reinterpret_cast<uint32_t *>(d_cells_);
    auto *const at = reinterpret_cast<uint32_t *>(d_out_);
    auto *const d_clocks = reinterpret_cast<uint64_t *>(d_out_) + 8;
    std::vector<uint64_t> first, next;
    for (int run = 0; run < runs; ++run) {
      uint64_t clocks[2];
      check(cudaMemset(at, 0, 4));
      follow_stored<<<1, 1>>>(cells, at, lines, d_clocks);
      check(cudaMemcpy(clocks, d_clocks, sizeof clocks, cudaMemcpyDeviceToHost));
      first.push_back(clocks[0]);
      next.push_back(clocks[1]);
    }
    for (auto [probe, found] :
         {std::pair("stored_latency_ns", &first), std::pair("stored_again_latency_ns", &next)}) {
      std::sort(found->begin(), found->end());
      print(probe, parameter, static_cast<double>((*found)[runs / 2]) / clock_ghz_ / lines);
    }
    check(cudaMemset(d_cells_, 0, uint64_t{lines} * 128));
  }

  void latencies_after_stores() {
    latency_after_stores("64 KiB", 1 << 9);
    latency_after_stores("8 MiB", 1 << 16);
    latency_of_others_stores(8 * mib);
  }

  /// What all SMs have just stored, loaded once: by the time of a launch.
  void latency_of_others_stores(uint64_t bytes) {
    auto *const cells = reinterpret_cast<uint32_t *>(d_cells_);
    auto *const at = reinterpret_cast<uint32_t *>(d_out_);
    const int lines = static_cast<int>(bytes / 128);
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
      link_cells<<<1024, 256>>>(cells, static_cast<uint64_t>(lines));
      check(cudaMemset(at, 0, 4));
      times.push_back(seconds_between([&] { follow<<<1, 1>>>(cells, at, lines); }));
    }
    std::sort(times.begin(), times.end());
    print("others_stored_latency_ns", "8 MiB", 1e9 * times[runs / 2] / lines);
    check(cudaMemset(d_cells_, 0, bytes));
  }

  /// Of a warp alone on its SM: nanoseconds until all its loads from memory have come.
  template <int Loads> void loads_in_flight() {
    const int steps = 8192 / Loads;
    const auto blocks = static_cast<unsigned>(properties_.multiProcessorCount);
    const double seconds =
        median([&] { waited<Loads><<<blocks, lanes>>>(d_cells_, steps, d_out_); });
    char name[32];
    std::snprintf(name, sizeof name, "%d", Loads);
    print("loads_ns", name, 1e9 * seconds / steps);
  }

private:
  cudaDeviceProp properties_;
  float *d_cells_ = nullptr, *d_out_ = nullptr;
  double clock_ghz_ = 0;
};

} // namespace

int main() {
  calibration of;
  of.attributes();
  of.clock_and_issue(); // and the clocks are up
  of.time_of_nothing();
  of.bandwidths();
  of.latency("l1_latency_ns", uint64_t{1} << 14, 1 << 10, 1 << 16);
  of.latency("l2_latency_ns", 8 * mib, 1 << 17, 1 << 16);
  of.latency("dram_latency_ns", memory_bytes / 2, 0, 1 << 16);
  of.latencies_after_stores();
  of.loads_in_flight<1>();
  of.loads_in_flight<128>();
  of.loads_in_flight<192>();
  of.requests();
  of.added_rates<1>();
  of.added_rates<4>();
  of.added_rates<8>();
  of.added_rates<16>();
  of.added_rates<32>();
}
