//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cut_windows RECORDING OUT HOP: the first channel of a recording, cut into
// windows of 1024 samples, one every HOP samples: OUT/samples.npy. Beside it the
// tables of the FFT: window.npy (Hann), twiddle_re.npy, twiddle_im.npy. Prints
// the number of windows and the sampling rate.
//
//===----------------------------------------------------------------------===//
#include "npy_file.hpp"

#include <sndfile.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <stdexcept>

constexpr std::size_t window_size = 1024;

struct recording {
  int rate;
  std::vector<float> samples;
};

static recording read_recording(const std::string &path) {
  SF_INFO info{};
  SNDFILE *file = sf_open(path.c_str(), SFM_READ, &info);
  if (!file)
    throw std::runtime_error(path + ": " + sf_strerror(nullptr));
  const auto channels = static_cast<std::size_t>(info.channels);
  std::vector<float> frames(static_cast<std::size_t>(info.frames) * channels);
  const sf_count_t num_read = sf_readf_float(file, frames.data(), info.frames);
  sf_close(file);
  recording result{info.samplerate, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(num_read); i++)
    result.samples.push_back(frames[i * channels]);
  return result;
}

static float_array cut(const std::vector<float> &samples, std::size_t hop) {
  if (samples.size() < window_size)
    throw std::runtime_error("the recording is shorter than one window");
  const std::size_t count = (samples.size() - window_size) / hop + 1;
  float_array windows{{count, window_size}, {}};
  for (std::size_t i = 0; i < count; i++)
    windows.cells.insert(windows.cells.end(), &samples[i * hop], &samples[i * hop] + window_size);
  return windows;
}

static void write_tables(const std::string &folder) {
  float_array window{{window_size}, {}};
  float_array re{{window_size / 2}, {}};
  float_array im{{window_size / 2}, {}};
  for (std::size_t k = 0; k < window_size; k++) {
    const double angle = 2 * std::numbers::pi * double(k) / window_size;
    window.cells.push_back(float(0.5 - 0.5 * std::cos(angle)));
    if (k < window_size / 2) {
      re.cells.push_back(float(std::cos(angle)));
      im.cells.push_back(float(-std::sin(angle)));
    }
  }
  write_npy(folder + "/window.npy", window);
  write_npy(folder + "/twiddle_re.npy", re);
  write_npy(folder + "/twiddle_im.npy", im);
}

int main(int argc, char **argv) try {
  const int hop = argc == 4 ? std::atoi(argv[3]) : 0;
  if (hop <= 0) {
    std::fprintf(stderr, "usage: cut_windows RECORDING OUT HOP\n");
    return 3;
  }
  const recording sound = read_recording(argv[1]);
  const float_array windows = cut(sound.samples, std::size_t(hop));
  write_npy(std::string(argv[2]) + "/samples.npy", windows);
  write_tables(argv[2]);
  std::printf("%zu %d\n", windows.shape[0], sound.rate);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "cut_windows: %s\n", error.what());
  return 1;
}
