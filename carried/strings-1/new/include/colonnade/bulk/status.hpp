//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// status.hpp: what a bulk call returns.
//
// In: how a call ended. Out: a code, and a message of one line that says what is wrong and,
// where that is not plain, what to do. Invariant: a message is empty if and only if the call
// succeeded.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/namespace.hpp>

#include <cstdint>
#include <string>
#include <utility>

// nvcc warns of an assignment to an object of a [[nodiscard]] class as of a discarded value.
#if defined(__CUDACC__)
#define COLONNADE_NODISCARD
#else
#define COLONNADE_NODISCARD [[nodiscard]]
#endif

namespace colonnade::runtime {

enum class status_code : uint8_t {
  success,
  invalid_argument,   // null array, unknown layout, a size below zero
  overlapping_arrays, // two distinct arrays share bytes
  out_of_extent,      // an address of the function exceeds an array's extent
  failed_check,       // an assumption, a bound or a guarded access failed in an instance
  out_of_memory,      // of the host or the device, or the budget does not hold one instance
  device_error,       // a CUDA call failed; the message has its name
  no_device,          // the GPU back end was asked for and there is none
  no_backend,         // the back end was not generated or not linked
  bad_file,           // an .npy file of the wrong type, shape, length or form
  io_error,           // the operating system refused a read or a write
};

struct COLONNADE_NODISCARD status {
  status_code code = status_code::success;
  std::string message;   // one line, empty on success
  uint64_t instance = 0; // of failed_check: the lowest instance that was seen to fail

  bool ok() const { return code == status_code::success; }
  explicit operator bool() const { return ok(); }
  static status success() { return {}; }
  static status failure(status_code code, std::string message, uint64_t instance = 0) {
    status result;
    result.code = code;
    result.message = std::move(message);
    result.instance = instance;
    return result;
  }
};

} // namespace colonnade::runtime
