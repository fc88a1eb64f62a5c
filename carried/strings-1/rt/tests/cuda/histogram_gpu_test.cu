//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Histograms on the GPU against plain arithmetic on the host: even and range;
// integers and floats of all sizes; 1 to 100000 bins, in registers, in shared memory
// and in global memory; one-bin inputs; argument errors; a captured graph.
//
//   --small   a few thousand samples, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/histogram.cuh>

#include <cmath>
#include <limits>

using namespace colonnade;

namespace {

bool small = false;
constexpr uint32_t none = ~0u;

/// Magnitudes from tiny to the type's largest.
template <class Sample> std::vector<Sample> samples_of(uint64_t n, uint64_t seed) {
  std::vector<Sample> samples(n);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t a = scramble(i + seed * 1000003), bits = a >> scramble(a) % 64;
    if constexpr (std::is_integral_v<Sample>)
      samples[i] = static_cast<Sample>(bits);
    else
      samples[i] =
          static_cast<Sample>(static_cast<float>(static_cast<int64_t>(a % 4000) - 2000) / 1000.0f);
  }
  return samples;
}

template <class Sample, class BinOf, class Call>
void check(const char *what, const std::vector<Sample> &samples, uint32_t num_bins, BinOf bin_of,
           Call call) {
  std::vector<uint64_t> right(num_bins);
  for (const Sample &s : samples)
    if (const uint32_t b = bin_of(s); b != none)
      ++right[b];
  const device_array<Sample> in(samples);
  const device_array<uint64_t> counts(num_bins);
  call_twice([&](void *d_temp, size_t &bytes) {
    return call(d_temp, bytes, static_cast<const Sample *>(in.get()), counts.get());
  });
  const std::vector<uint64_t> got = counts.read();
  const auto differs = std::mismatch(got.begin(), got.end(), right.begin());
  EXPECT(got == right, "%s, %zu samples of %zu bytes, bin %td of %u: %llu, not %llu", what,
         samples.size(), sizeof(Sample), differs.first - got.begin(), num_bins,
         static_cast<unsigned long long>(*differs.first),
         static_cast<unsigned long long>(*differs.second));
  counts.expect_intact("counts");
}

template <class Sample, class Level>
void check_even(const std::vector<Sample> &samples, Level lower, Level upper, uint32_t num_bins) {
  const auto bin_of = [&](const Sample &s) {
    if constexpr (std::is_integral_v<Sample>) {
      const __int128 x = static_cast<__int128>(s) - lower,
                     range = static_cast<__int128>(upper) - lower;
      return x < 0 || x >= range ? none : static_cast<uint32_t>(x * num_bins / range);
    } else {
      using real = std::conditional_t<std::is_same_v<Sample, double>, double, float>;
      const real x = static_cast<real>(s), low = static_cast<real>(lower),
                 high = static_cast<real>(upper);
      const real scale = static_cast<real>(num_bins) / (high - low);
      return x >= low && x < high ? std::min(static_cast<uint32_t>((x - low) * scale), num_bins - 1)
                                  : none;
    }
  };
  check("even", samples, num_bins, bin_of,
        [&](void *d_temp, size_t &bytes, const Sample *in, uint64_t *counts) {
          return histogram_even(d_temp, bytes, in, counts, samples.size(), num_bins, lower, upper);
        });
}

template <class Sample, class Level>
void check_range(const std::vector<Sample> &samples, const std::vector<Level> &levels) {
  using value = detail::compared_as<Sample, Level>;
  const uint32_t num_bins = static_cast<uint32_t>(levels.size() - 1);
  const device_array<Level> d_levels(levels);
  const auto bin_of = [&](const Sample &s) {
    const value x = static_cast<value>(s);
    if (!(x >= static_cast<value>(levels.front()) && x < static_cast<value>(levels.back())))
      return none;
    const auto above =
        std::upper_bound(levels.begin(), levels.end(), x,
                         [](value v, const Level &l) { return v < static_cast<value>(l); });
    return static_cast<uint32_t>(above - levels.begin() - 1);
  };
  check("range", samples, num_bins, bin_of,
        [&](void *d_temp, size_t &bytes, const Sample *in, uint64_t *counts) {
          return histogram_range(d_temp, bytes, in, counts, samples.size(), num_bins,
                                 static_cast<const Level *>(d_levels.get()));
        });
}

template <class Sample> void check_integers(uint64_t n) {
  using limits = std::numeric_limits<Sample>;
  const auto samples = samples_of<Sample>(n, sizeof(Sample));
  for (uint32_t num_bins : {1, 2, 7, 8, 9, 32, 256, 5000, 40000, 100000}) {
    check_even<Sample, Sample>(samples, limits::min(), limits::max(), num_bins);
    check_even<Sample, Sample>(samples, 3, 100, num_bins);
  }
}

template <class Sample> void check_floats(uint64_t n) {
  auto samples = samples_of<Sample>(n, sizeof(Sample));
  if (n > 10) {
    samples[3] = static_cast<Sample>(std::numeric_limits<float>::quiet_NaN());
    samples[4] = static_cast<Sample>(-0.0f);
    samples[5] = static_cast<Sample>(std::numeric_limits<float>::infinity());
  }
  for (uint32_t num_bins : {1, 2, 8, 9, 100, 256, 40000})
    check_even<Sample, float>(samples, -1.5f, 1.75f, num_bins);
  for (uint32_t num_bins : {1, 2, 8, 33, 256}) {
    std::vector<Sample> levels;
    for (uint32_t i = 0; i <= num_bins; ++i)
      levels.push_back(static_cast<Sample>(
          -1.0f + 2.5f * std::sqrt(static_cast<float>(i) / static_cast<float>(num_bins))));
    check_range(samples, levels);
  }
}

void test_ranges(uint64_t n) {
  const auto samples = samples_of<int32_t>(n, 9);
  for (uint32_t num_bins : {1, 2, 3, 8, 9, 31, 32, 33, 255, 256, 257, 4000, 30000}) {
    std::vector<int32_t> levels;
    std::vector<int64_t> wide;
    for (uint32_t i = 0; i <= num_bins; ++i) {
      levels.push_back(static_cast<int32_t>(i * i / 4) - 1000);
      wide.push_back(static_cast<int64_t>(i) * i - 1000);
    }
    check_range(samples, levels);
    check_range(samples, wide); // 30000 of them are not searched in shared memory
  }
  check_range(samples, std::vector<int32_t>{std::numeric_limits<int32_t>::min(), 0, 0,
                                            std::numeric_limits<int32_t>::max()});
}

void test_one_bin(uint64_t n) {
  const std::vector<uint32_t> same(n, 12345);
  for (uint32_t num_bins : {8, 256, 20000, 100000})
    check_even<uint32_t, uint32_t>(same, 0, 20000, num_bins);
}

void test_argument_errors() {
  const device_array<float> in(100);
  const device_array<uint64_t> counts(100);
  const float *d_in = in.get();
  size_t bytes = 0;
  EXPECT(histogram_even(nullptr, bytes, d_in, counts.get(), 100, 0, 0.0f, 1.0f) ==
             cudaErrorInvalidValue,
         "m = 0");
  EXPECT(histogram_even(nullptr, bytes, d_in, counts.get(), 100, 10, 1.0f, 1.0f) ==
             cudaErrorInvalidValue,
         "levels");
  EXPECT(histogram_even(nullptr, bytes, d_in, counts.get(), 100, 10, std::nanf(""), 1.0f) ==
             cudaErrorInvalidValue,
         "NaN");
  CUDA_OK(histogram_even(nullptr, bytes, d_in, counts.get(), 100, 10, 0.0f, 1.0f));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(histogram_even(temp.get(), less, d_in, counts.get(), 100, 10, 0.0f, 1.0f) ==
             cudaErrorInvalidValue,
         "storage");
  EXPECT(histogram_even(temp.get(), bytes, d_in, static_cast<uint64_t *>(nullptr), 100, 10, 0.0f,
                        1.0f) == cudaErrorInvalidValue,
         "no counts");
  EXPECT(histogram_range(temp.get(), bytes, d_in, counts.get(), 100, 10,
                         static_cast<const float *>(nullptr)) == cudaErrorInvalidValue,
         "no levels");
  EXPECT(histogram_range(temp.get(), bytes, d_in, counts.get(), 100, 10,
                         reinterpret_cast<const float *>(counts.get())) == cudaErrorInvalidValue,
         "overlap");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

void test_graph(uint64_t n) {
  const device_array<uint32_t> in(n);
  const device_array<uint64_t> counts(300);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return histogram_even(d_temp, bytes, static_cast<const uint32_t *>(in.get()), counts.get(), n,
                          300, 0u, 3000u, {stream});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t seed : {41, 42, 43}) {
    const auto samples = samples_of<uint32_t>(n, seed);
    std::vector<uint64_t> right(300);
    for (uint32_t s : samples)
      if (s < 3000)
        ++right[s / 10];
    in.write(samples);
    graph.replay();
    EXPECT(counts.read() == right, "replay %llu", static_cast<unsigned long long>(seed));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  for (uint64_t n : small ? std::vector<uint64_t>{0, 5000}
                          : std::vector<uint64_t>{0, 1, 31, 32, 33, 4097, 1000003}) {
    check_integers<uint8_t>(n);
    check_integers<int8_t>(n);
    check_integers<uint16_t>(n);
    check_integers<int16_t>(n);
    check_integers<uint32_t>(n);
    check_integers<int32_t>(n);
    check_integers<uint64_t>(n);
    check_integers<int64_t>(n);
    check_floats<float>(n);
    check_floats<double>(n);
    check_floats<__half>(n);
    check_floats<__nv_bfloat16>(n);
    check_even<uint8_t, int>(samples_of<uint8_t>(n, 1), 0, 256, 256);
    check_even<uint32_t, int64_t>(samples_of<uint32_t>(n, 1), -5, int64_t{1} << 32, 1000);
    test_ranges(n);
    test_one_bin(n);
  }
  if (!small)
    for (uint64_t n : {(1u << 20) - 1, 1u << 20, (1u << 20) + 1})
      check_even<uint32_t, uint32_t>(samples_of<uint32_t>(n, 2), 3, 100000, 300);
  test_argument_errors();
  test_graph(small ? 3000 : 500000);
  return gpu_result("histogram");
}
