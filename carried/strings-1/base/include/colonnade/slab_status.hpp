//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_status.hpp: the errors that a dictionary finds in its data, beside those of all families.
//
// In: a device_status. Out: values of data_error that it may hold after a call. Numbers that only
// one family uses follow those of device_status.hpp; docs/runtime/README.md lists them all.
// Invariant: pool_full, unlike every other error, counts: a call adds the number of its operations
// that found no slab to the number that is there. It replaces any other error, and no call of a
// slab hash replaces it. (One of another family takes the smaller number, whatever it counts: give
// it a status of its own.)
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/device_status.hpp>

namespace colonnade::slab_error {

inline constexpr data_error reserved_key{6}; // detail: the index of the key; it was skipped
inline constexpr data_error pool_full{7};    // detail: how many operations were not done

} // namespace colonnade::slab_error
