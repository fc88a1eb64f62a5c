//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// arguments.hpp: checks the arguments of a bulk function before anything runs.
//
// In: a function's description, and arguments over host memory, row-wise or
// column-wise. Out: success, or the first fault found, with the array's or scalar's
// name: null or misaligned arrays, arrays that share bytes although one of them is
// written, sizes that overflow, a scalar that is not the value the code was
// generated for, and addresses that exceed an array's extent.
// Invariant: no array is read; extents are checked for all instances at once, since
// the addresses of an oblivious function are the same in each.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/function.hpp>
#include <colonnade/bulk/transpose.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace colonnade::runtime {

namespace detail {

inline status invalid(const std::string &message) {
  return status::failure(status_code::invalid_argument, message);
}

/// Bytes of array `a` for `count` instances; false if they exceed 63 bits.
inline bool array_bytes(const array_info &a, uint64_t cells, uint64_t count, uint64_t &bytes) {
  uint64_t total = cells;
  if (!a.uniform && __builtin_mul_overflow(total, count, &total))
    return false;
  return !__builtin_mul_overflow(total, uint64_t{size_bytes(a.cell)}, &bytes) &&
         bytes <= uint64_t{INT64_MAX};
}

/// The bytes [begin, end) of one array.
struct byte_range {
  uintptr_t begin, end;
  const array_info *array;
};

/// Two ranges may share bytes only if neither array is written. Sorted by their begin,
/// each range is compared with the one before it that reaches furthest.
inline status check_overlaps(std::vector<byte_range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const byte_range &a, const byte_range &b) { return a.begin < b.begin; });
  // Of the ranges so far, the one that reaches furthest: of all, and of those written.
  const byte_range *furthest = nullptr, *written = nullptr;
  for (const byte_range &r : ranges) {
    const bool writes = r.array->dir != direction::in;
    const byte_range *other = writes ? furthest : written;
    if (other && other->end > r.begin)
      return status::failure(status_code::overlapping_arrays,
                             std::string("arrays ") + other->array->name + " and " + r.array->name +
                                 " overlap: distinct parameters must be disjoint");
    if (!furthest || r.end > furthest->end)
      furthest = &r;
    if (writes && (!written || r.end > written->end))
      written = &r;
  }
  return status::success();
}

/// How many values follow the first one of those that the code was generated for: of "1..32" 31,
/// of "32" none.
inline scalar_bits more_values(const scalar_info &scalar) {
  const std::string_view text = scalar.fixed_text;
  const size_t dots = text.find("..");
  if (dots == text.npos)
    return 0;
  int64_t least = 0, most = 0;
  std::from_chars(text.data(), text.data() + dots, least);
  std::from_chars(text.data() + dots + 2, text.data() + text.size(), most);
  return static_cast<scalar_bits>(most) - static_cast<scalar_bits>(least);
}
/// Scalars that the code was generated for (--size n=32, n=1..32) have that value, or one of them.
inline status check_fixed(const function_info &f, const scalar_bits *scalars) {
  for (uint32_t i = 0; i < f.num_scalars; ++i) {
    const scalar_info &scalar = f.scalars[i];
    const scalar_bits all = ~scalar_bits{0} >> (64 - 8 * size_bytes(scalar.type));
    if (scalar.fixed_text && ((scalars[i] - scalar.fixed) & all) > more_values(scalar))
      return invalid(std::string(scalar.name) + " must be " + scalar.fixed_text +
                     ": the code was generated with --size " + scalar.name + "=" +
                     scalar.fixed_text);
  }
  return status::success();
}

} // namespace detail

/// Sets cells[a] to the cells per instance of every array (of a uniform array: its
/// cells) for these scalars. Where the description cannot tell the extent, the caller's
/// cells[a] stays; it is an error if that is 0.
inline status resolve_cells(const function_info &f, const scalar_bits *scalars, uint64_t *cells) {
  for (uint32_t a = 0; a < f.num_arrays; ++a) {
    const array_info &array = f.arrays[a];
    uint64_t product = 1;
    bool known = array.extent != nullptr;
    for (uint32_t d = 0; known && d < array.rank; ++d) {
      const int64_t extent = array.extent(d, scalars);
      known = extent >= 0;
      if (known && __builtin_mul_overflow(product, static_cast<uint64_t>(extent), &product))
        return detail::invalid(std::string("extent of ") + array.name + " is too large");
    }
    if (known)
      cells[a] = product;
    else if (cells[a] == 0)
      return detail::invalid(std::string("extent of ") + array.name +
                             " is negative or unknown at these sizes: give its cells per instance");
  }
  return status::success();
}

/// Checks arguments over host arrays without padding: row-wise or column-wise. An array of
/// no cells, or of count = 0 instances, may be null.
inline status check_arguments(const function_info &f, const raw_arguments &arguments) {
  if (status s = detail::check_fixed(f, arguments.scalars); !s)
    return s;
  std::vector<detail::byte_range> ranges;
  for (uint32_t a = 0; a < f.num_arrays; ++a) {
    const array_info &array = f.arrays[a];
    const std::string name = array.name;
    uint64_t bytes = 0;
    if (!detail::array_bytes(array, arguments.cells[a], arguments.count, bytes))
      return detail::invalid("array " + name + " is too large");
    if (bytes == 0)
      continue;
    const auto begin = reinterpret_cast<uintptr_t>(arguments.arrays[a]);
    if (!begin)
      return detail::invalid("array " + name + " is null");
    if (begin % size_bytes(array.cell))
      return detail::invalid("array " + name + " is not aligned to its cells");
    ranges.push_back({begin, begin + bytes, &array});
  }
  if (status s = detail::check_overlaps(std::move(ranges)); !s)
    return s;
  return f.check_extents ? f.check_extents(arguments.scalars, arguments.cells) : status::success();
}

} // namespace colonnade::runtime
