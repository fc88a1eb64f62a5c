//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/scalars.hpp: turns the texts of `--arg` into the bits of uniform scalars.
//
// In: the function's scalars and the options. Out: the bits of every scalar, in order, or
// the first error. Invariant: an integer that its type cannot hold, or a text that is no
// number, is an error; floating-point numbers are rounded to nearest.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/arguments.hpp>
#include <colonnade/bulk/bind.hpp>
#include <colonnade/bulk/npy.hpp>
#include <colonnade/bulk/runner/options.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace colonnade::runtime::runner {
namespace detail {

template <class T> bool parse_integer(const std::string &text, scalar_bits &bits) {
  char *end = nullptr;
  errno = 0;
  if constexpr (std::is_signed_v<T>) {
    const long long value = std::strtoll(text.c_str(), &end, 0);
    bits = bits_of(static_cast<T>(value));
    return errno == 0 && *end == '\0' && value >= std::numeric_limits<T>::min() &&
           value <= std::numeric_limits<T>::max();
  } else {
    const unsigned long long value = std::strtoull(text.c_str(), &end, 0);
    bits = bits_of(static_cast<T>(value));
    return errno == 0 && *end == '\0' && text.find('-') == std::string::npos &&
           value <= std::numeric_limits<T>::max();
  }
}

template <class T> bool parse_float(const std::string &text, scalar_bits &bits) {
  char *end = nullptr;
  const T value = sizeof(T) == 4 ? static_cast<T>(std::strtof(text.c_str(), &end))
                                 : static_cast<T>(std::strtod(text.c_str(), &end));
  bits = bits_of(value);
  return *end == '\0';
}

inline bool parse_boolean(const std::string &text, scalar_bits &bits) {
  bits = text == "true" || text == "1";
  return bits || text == "false" || text == "0";
}

inline bool parse_scalar(cell_type type, const std::string &text, scalar_bits &bits) {
  switch (type) {
  case cell_type::boolean:
    return parse_boolean(text, bits);
  case cell_type::s8:
    return parse_integer<int8_t>(text, bits);
  case cell_type::u8:
    return parse_integer<uint8_t>(text, bits);
  case cell_type::s16:
    return parse_integer<int16_t>(text, bits);
  case cell_type::u16:
    return parse_integer<uint16_t>(text, bits);
  case cell_type::s32:
    return parse_integer<int32_t>(text, bits);
  case cell_type::u32:
    return parse_integer<uint32_t>(text, bits);
  case cell_type::s64:
    return parse_integer<int64_t>(text, bits);
  case cell_type::u64:
    return parse_integer<uint64_t>(text, bits);
  case cell_type::f32:
    return parse_float<float>(text, bits);
  case cell_type::f64:
    return parse_float<double>(text, bits);
  }
  return false;
}

} // namespace detail

/// The bits of every scalar of the function, in order. One that the code was generated for need
/// not be given. Errors: one is missing or unknown, or its value does not fit its type or is not
/// the one that the code was generated for.
inline status parse_scalars(const function_info &f, const options &given,
                            std::vector<scalar_bits> &bits) {
  std::string names;
  bits.assign(f.num_scalars + 1, 0);
  for (uint32_t i = 0; i < f.num_scalars; ++i) {
    const scalar_info &scalar = f.scalars[i];
    names += (i ? ", " : "") + std::string(scalar.name);
    const auto text = given.scalars.find(scalar.name);
    bits[i] = scalar.fixed;
    if (text == given.scalars.end() && scalar.fixed_text &&
        runtime::detail::more_values(scalar) == 0)
      continue;
    if (text == given.scalars.end())
      return detail::wrong(std::string("missing argument: --arg ") + scalar.name + "=" +
                           (scalar.type >= cell_type::f32 ? "1.5" : "32") + " (" +
                           npy::numpy_name(scalar.type) + ")");
    if (!detail::parse_scalar(scalar.type, text->second, bits[i]))
      return detail::wrong("--arg " + text->first + "=" + text->second + ": not a value of type " +
                           npy::numpy_name(scalar.type));
  }
  if (status s = runtime::detail::check_fixed(f, bits.data()); !s)
    return s;
  for (const auto &each : given.scalars) {
    bool known = false;
    for (uint32_t i = 0; i < f.num_scalars; ++i)
      known |= each.first == f.scalars[i].name;
    if (!known)
      return detail::wrong("--arg " + each.first + ": " + f.name + " has no uniform scalar of " +
                           "that name" + (names.empty() ? "" : "; it has " + names));
  }
  return status::success();
}

} // namespace colonnade::runtime::runner
