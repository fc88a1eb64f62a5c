//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What lsm.cuh must refuse to compile, each with the message after "refused:".
//
//===----------------------------------------------------------------------===//

#include "refused_types.hpp"

#include <colonnade/lsm.cuh>

using namespace colonnade;

namespace {

template <class Key, class Value> size_t bytes_of_tree() { return lsm_map<Key, Value>().bytes(); }

} // namespace

// refused: lsm: keys are integers or floats of 32 or 64 bits
size_t short_keys() { return bytes_of_tree<uint16_t, uint32_t>(); }
// refused: lsm: values are trivially copyable types of 32 or 64 bits
size_t short_values() { return bytes_of_tree<uint32_t, uint8_t>(); }
// refused: lsm: values are trivially copyable types of 32 or 64 bits
size_t owned_values() { return bytes_of_tree<uint32_t, owner>(); }
