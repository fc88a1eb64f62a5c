//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// status.hpp: what a bulk call returns. Every failure a user can cause has its
// own code; a message says what to do next. Plain C++17, no dependencies.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/namespace.hpp>

#include <cstdint>
#include <string>
#include <utility>

// nvcc takes an assignment to a [[nodiscard]] class for a discarded value.
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
  out_of_memory,      // host or device memory, or the budget is below one instance
  device_error,       // a CUDA call failed; the message has its name
  no_device,          // the GPU back end was asked for and there is none
  no_backend,         // the back end was not generated or not linked
  bad_file,           // an .npy file of the wrong type, shape, length or form
  io_error,           // the operating system refused a read or a write
};

struct COLONNADE_NODISCARD status {
  status_code code = status_code::success;
  std::string message;   // one line, empty on success
  uint64_t instance = 0; // first offending instance, for failed_check

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
