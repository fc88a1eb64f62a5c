//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device_status.hpp: the first error in the data of an asynchronous call.
//
// A call that may meet bad data takes a device pointer to one, or null. The
// caller sets it to device_status{} beforehand (all ones: a memset to 0xff) and
// reads it when it likes; nothing synchronises. Of several errors the one with
// the smallest detail stays, so the result does not depend on timing. A status
// may be handed to several calls, and says which error came first in the data.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

enum class data_error : uint8_t {
  bucket_out_of_range = 1, // detail: index of the item whose bucket id is >= num_buckets
  buffer_too_small = 2,    // detail: the number of items that is needed
  index_out_of_range = 3,  // detail: whose index: see the function
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
