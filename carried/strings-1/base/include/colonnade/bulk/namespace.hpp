//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// namespace.hpp: why the runtime has a namespace of its own.
//
// In: the names of users' functions, of which each has its API in colonnade::bulk, and the
// runtime's names, in colonnade::runtime. Out: the runtime's names are visible in
// colonnade::bulk too. Invariant: a function's name hides them there, and is never found in
// place of one within the runtime.
//
// So for a function `status`, colonnade::bulk::status is that function's API, and the result of
// a call is a colonnade::runtime::status.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace colonnade {
namespace runtime {}
namespace bulk {
using namespace runtime;
}
} // namespace colonnade
