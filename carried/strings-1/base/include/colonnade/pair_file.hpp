//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pair_file.hpp: files of pairs, as dictionaries are saved: what is in them, and not how it stood
// in slabs or levels.
//
//   8 bytes    "slabpair"
//   8 bytes    version 1, bytes of a key and of a value (0: none), each as 16 bits; 16 zero bits
//   8 bytes    how many pairs
//   8 bytes    a checksum of all that follows, and of these numbers
//   keys, then values, as they stand in memory: little-endian
//
// In: a path, keys and values. Out: a file, or its keys and values, or why not. Invariant: what is
// read is what was written; a file that is damaged, longer or shorter is refused, and nothing is
// handed out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace colonnade {

enum class pair_file_error : uint8_t {
  none,
  not_opened,  // there is no such file, or it may not be read or written
  not_written, // the device is full, say
  no_pairs,    // not a file of pairs, or of a later version
  other_types, // keys or values of other sizes, or that the dictionary cannot hold
  damaged,     // cut off, longer, or changed
};

namespace detail {

/// Of bytes in order; two arrays that differ in one word always differ in it.
class pair_checksum {
public:
  void add(const void *bytes, size_t count) {
    const char *at = static_cast<const char *>(bytes);
    for (; count >= 8; at += 8, count -= 8)
      add_word(at, 8);
    if (count)
      add_word(at, count);
  }
  uint64_t sum() const { return sum_ ^ sum_ >> 32; }

private:
  void add_word(const char *at, size_t count) {
    uint64_t word = 0;
    std::memcpy(&word, at, count);
    sum_ = (sum_ ^ word) * 0x9e3779b97f4a7c15u; // a bijection of either
    sum_ ^= sum_ >> 29;
  }
  uint64_t sum_ = 0x5bd1e9955bd1e995u;
};

struct pair_file_header {
  char magic[8] = {'s', 'l', 'a', 'b', 'p', 'a', 'i', 'r'};
  uint16_t version = 1, key_bytes, value_bytes, zero = 0;
  uint64_t num_pairs;
  uint64_t checksum = 0;

  pair_file_header(size_t of_key, size_t of_value, uint64_t count)
      : key_bytes(static_cast<uint16_t>(of_key)), value_bytes(static_cast<uint16_t>(of_value)),
        num_pairs(count) {}

  uint64_t checksum_with(const void *keys, const void *values) const {
    pair_checksum all;
    all.add(&version, 8);
    all.add(&num_pairs, 8);
    all.add(keys, num_pairs * key_bytes);
    all.add(values, num_pairs * value_bytes);
    return all.sum();
  }
};
static_assert(sizeof(pair_file_header) == 32);

struct close_file {
  void operator()(std::FILE *file) const { (void)std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

} // namespace detail

/// value_bytes: 0 without values, which are then not read.
inline pair_file_error write_pairs(const char *path, const void *keys, size_t key_bytes,
                                   const void *values, size_t value_bytes, uint64_t num_pairs) {
  detail::open_file file(std::fopen(path, "wb"));
  if (!file)
    return pair_file_error::not_opened;
  detail::pair_file_header header(key_bytes, value_bytes, num_pairs);
  header.checksum = header.checksum_with(keys, values);
  const auto write = [&](const void *bytes, size_t count) {
    return count == 0 || std::fwrite(bytes, 1, count, file.get()) == count;
  };
  const bool written = write(&header, sizeof header) && write(keys, num_pairs * key_bytes) &&
                       write(values, num_pairs * value_bytes);
  return written && std::fclose(file.release()) == 0 ? pair_file_error::none
                                                     : pair_file_error::not_written;
}

/// The same sizes as were written. Without an error keys and values hold what was written.
inline pair_file_error read_pairs(const char *path, std::vector<char> &keys, size_t key_bytes,
                                  std::vector<char> &values, size_t value_bytes) {
  detail::open_file file(std::fopen(path, "rb"));
  if (!file)
    return pair_file_error::not_opened;
  const detail::pair_file_header expected(key_bytes, value_bytes, 0);
  detail::pair_file_header header = expected;
  if (std::fread(&header, 1, sizeof header, file.get()) != sizeof header ||
      std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 ||
      header.version != expected.version)
    return pair_file_error::no_pairs;
  if (header.key_bytes != key_bytes || header.value_bytes != value_bytes)
    return pair_file_error::other_types;
  // The length is looked at before anything of that size is allocated.
  if (std::fseek(file.get(), 0, SEEK_END) != 0)
    return pair_file_error::damaged;
  const uint64_t rest = static_cast<uint64_t>(std::ftell(file.get())) - sizeof header;
  const uint64_t pair_bytes = key_bytes + value_bytes;
  if (rest % pair_bytes != 0 || rest / pair_bytes != header.num_pairs ||
      std::fseek(file.get(), sizeof header, SEEK_SET) != 0)
    return pair_file_error::damaged;
  std::vector<char> all_keys(header.num_pairs * key_bytes), all_values(rest - all_keys.size());
  const auto read = [&](std::vector<char> &to) {
    return to.empty() || std::fread(to.data(), 1, to.size(), file.get()) == to.size();
  };
  if (!read(all_keys) || !read(all_values) ||
      header.checksum_with(all_keys.data(), all_values.data()) != header.checksum)
    return pair_file_error::damaged;
  keys.swap(all_keys);
  values.swap(all_values);
  return pair_file_error::none;
}

} // namespace colonnade
