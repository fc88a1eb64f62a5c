//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A minimal .npy file of 32-bit floats, for the spectrogram's two ends.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct float_array {
  std::vector<std::size_t> shape;
  std::vector<float> cells; // C order
};

// Both throw std::runtime_error with one line that names the file.
void write_npy(const std::string &path, const float_array &array);
float_array read_npy(const std::string &path);
