//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// namespace.hpp: why the runtime has a namespace of its own.
//
// colonnade::bulk::f is the API of a user's function f, whatever its name. The
// runtime lives beside it, so that none of its code sees a user's name. Its own
// names are found in colonnade::bulk too, through the directive below, and give
// way there: with a function `status`, colonnade::bulk::status is that function's
// API, and the result of a call is a colonnade::runtime::status.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace colonnade {
namespace runtime {}
namespace bulk {
using namespace runtime;
}
} // namespace colonnade
