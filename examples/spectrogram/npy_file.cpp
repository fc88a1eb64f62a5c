//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "npy_file.hpp"

#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <stdexcept>

static std::size_t num_cells(const std::vector<std::size_t> &shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

void write_npy(const std::string &path, const float_array &array) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (std::size_t extent : array.shape)
    header += std::to_string(extent) + ",";
  header += "), }";
  while ((header.size() + 11) % 64 != 0)
    header += ' ';
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  const char length[2] = {char(header.size() & 255), char(header.size() >> 8)};
  file.write("\x93NUMPY\x01\x00", 8).write(length, 2) << header;
  file.write(reinterpret_cast<const char *>(array.cells.data()),
             std::streamsize(array.cells.size() * sizeof(float)));
  if (!file.flush())
    throw std::runtime_error(path + ": cannot be written");
}

static std::vector<std::size_t> parse_shape(const std::string &header) {
  std::vector<std::size_t> shape;
  std::size_t at = header.find('(') + 1;
  const std::size_t end = header.find(')', at);
  while (at < end) {
    const std::size_t digits = header.find_first_of("0123456789", at);
    if (digits >= end)
      break;
    shape.push_back(std::stoul(header.substr(digits)));
    at = header.find_first_of(",)", digits) + 1;
  }
  return shape;
}

float_array read_npy(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  char magic[8];
  unsigned char length[2];
  if (!file.read(magic, 8) || std::memcmp(magic, "\x93NUMPY\x01", 7) != 0 ||
      !file.read(reinterpret_cast<char *>(length), 2))
    throw std::runtime_error(path + ": not an .npy file of version 1");
  std::string header(length[0] + 256 * length[1], ' ');
  file.read(header.data(), std::streamsize(header.size()));
  if (header.find("'<f4'") == std::string::npos ||
      header.find("'fortran_order': False") == std::string::npos)
    throw std::runtime_error(path + ": not an array of 32-bit floats in C order");
  float_array array{parse_shape(header), {}};
  array.cells.resize(num_cells(array.shape));
  if (!file.read(reinterpret_cast<char *>(array.cells.data()),
                 std::streamsize(array.cells.size() * sizeof(float))))
    throw std::runtime_error(path + ": shorter than its shape");
  return array;
}
