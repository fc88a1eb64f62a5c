//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pair_npy.hpp: pairs of a dictionary to and from NumPy's .npy files: records with the fields
// "key" and "value".
//
//   std::vector<uint32_t> keys, values;
//   map.to_host(keys, values);
//   write_npy_pairs("map.npy", keys.data(), values.data(), keys.size());
//
//   >>> numpy.load("map.npy")["key"]
//
// In: a path; arrays of the host. Out: a file, or arrays, or a status that says what is wrong. Keys
// and values are integers or floats. Invariant: a file appears under its name when it is complete;
// where a file is refused the arrays are unchanged. Other fields of a record are passed over. A set
// has keys alone, in a file too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/npy.hpp>

#include <algorithm>
#include <type_traits>

namespace colonnade {

namespace detail {

template <class T> constexpr runtime::cell_type cell_type_of() {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "pairs in .npy files are integers or floats of 32 or 64 bits");
  using runtime::cell_type;
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? cell_type::f32 : cell_type::f64;
  else if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 4 ? cell_type::s32 : cell_type::s64;
  else
    return sizeof(T) == 4 ? cell_type::u32 : cell_type::u64;
}

template <class T> std::string npy_field(const char *name) {
  return std::string("('") + name + "', '" + runtime::npy::type_code(cell_type_of<T>()) + "')";
}

/// The field's cells; `result` is unchanged if it is not there, or of another type.
template <class T>
runtime::status read_npy_field(const std::string &path, const runtime::npy::array_file &file,
                               const char *name, std::vector<T> &result) {
  using namespace runtime;
  const npy::field *field = npy::find_field(file.head, name);
  if (!field || field->cells() != 1)
    return status::failure(status_code::bad_file, path + ": records need a field '" +
                                                      std::string(name) + "' of one number");
  if (status s = npy::check_type(field->code, cell_type_of<T>()); !s) {
    s.message = path + ": field '" + name + "': " + s.message;
    return s;
  }
  result.resize(file.head.num_items);
  npy::gather_leaf(file.data(), file.head, *field, result.data());
  return status::success();
}

} // namespace detail

/// values: null if they have no bits (no_value).
template <class Key, class Value>
[[nodiscard]] runtime::status write_npy_pairs(const std::string &path, const Key *keys,
                                              const Value *values, uint64_t num_pairs) {
  using namespace runtime;
  constexpr bool has_values = !std::is_empty_v<Value>;
  constexpr size_t value_bytes = has_values ? sizeof(Value) : 0, bytes = sizeof(Key) + value_bytes;
  std::string description = "[" + colonnade::detail::npy_field<Key>("key");
  if constexpr (has_values)
    description += ", " + colonnade::detail::npy_field<Value>("value");
  output_file file;
  if (status s = file.create(path); !s)
    return s;
  const std::string header = npy::format_header(description + "]", false, {num_pairs});
  if (status s = file.write(header.data(), header.size()); !s)
    return s;
  constexpr uint64_t at_once = 4096;
  std::vector<char> records(at_once * bytes);
  for (uint64_t first = 0; first < num_pairs; first += at_once) {
    const uint64_t count = std::min(at_once, num_pairs - first);
    for (uint64_t i = 0; i < count; ++i) {
      std::memcpy(&records[i * bytes], keys + first + i, sizeof(Key));
      if constexpr (has_values)
        std::memcpy(&records[i * bytes + sizeof(Key)], values + first + i, value_bytes);
    }
    if (status s = file.write(records.data(), count * bytes); !s)
      return s;
  }
  return file.commit();
}

template <class Key, class Value>
[[nodiscard]] runtime::status read_npy_pairs(const std::string &path, std::vector<Key> &keys,
                                             std::vector<Value> &values) {
  using namespace runtime;
  npy::array_file file;
  if (status s = npy::array_file::open(path, file); !s)
    return s;
  std::vector<Key> all_keys;
  std::vector<Value> all_values;
  if (status s = colonnade::detail::read_npy_field(path, file, "key", all_keys); !s)
    return s;
  if constexpr (!std::is_empty_v<Value>)
    if (status s = colonnade::detail::read_npy_field(path, file, "value", all_values); !s)
      return s;
  keys.swap(all_keys);
  values.swap(all_values);
  return status::success();
}

} // namespace colonnade
