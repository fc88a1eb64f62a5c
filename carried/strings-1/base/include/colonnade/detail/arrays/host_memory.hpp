//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_memory.hpp: memory of the host that may end, for calls that throw nothing.
//
// In: what allocates by containers of the standard library. Out: whether there was memory.
// Invariant: if there was none, a container that grows holds what it held. (Without exceptions, as
// some compile, the programme has ended then.)
//
//===----------------------------------------------------------------------===//
#pragma once

#include <new>
#include <stdexcept>

namespace colonnade::detail {

/// allocate() has done its work; false: there is no memory for it.
template <class Allocate> bool has_host_memory(const Allocate &allocate) {
#ifdef __cpp_exceptions
  try {
    allocate();
  } catch (const std::bad_alloc &) {
    return false;
  } catch (const std::length_error &) { // more than any memory
    return false;
  }
#else
  allocate();
#endif
  return true;
}

} // namespace colonnade::detail
