//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device_status.hpp: the first error that an asynchronous call finds in its data.
//
// In: a device pointer to a device_status, or null (errors are not reported). The caller sets it
// to device_status{} before (all ones: a memset to 0xff) and reads it after the call's work is
// done; no call synchronises. Out: the error with the smallest detail. Invariant: so it does not
// depend on timing. The same status may be passed to several calls; it then has the smallest
// detail of all their errors.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

enum class data_error : uint8_t {
  bucket_out_of_range = 1, // detail: index of the item whose bucket id is >= num_buckets
  buffer_too_small = 2,    // detail: the number of items that would be needed
  index_out_of_range = 3,  // detail: of what, the function's documentation says
  value_out_of_range = 4,  // detail: the index of the value
  overflow = 5,            // detail: the index of the result that is too large
  none = 0xff,
};

struct device_status {
  /// (detail << 8) | data_error, combined by atomic minimum.
  uint64_t first = ~uint64_t{0};

  constexpr data_error error() const { return static_cast<data_error>(first & 0xff); }
  constexpr uint64_t detail() const { return first >> 8; }
  constexpr bool ok() const { return first == ~uint64_t{0}; }
};

} // namespace colonnade
