//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// namespace.hpp: why the runtime has a namespace of its own.
//
// colonnade::bulk::f is the API of a user's function f, whatever its name. The runtime
// is in colonnade::runtime, where no name of a user's can be found instead of its own.
// The using-directive below makes the runtime's names visible in colonnade::bulk too; a
// function's name hides them there. So for a function `status`, colonnade::bulk::status
// is that function's API, and the result of a call is a colonnade::runtime::status.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace colonnade {
namespace runtime {}
namespace bulk {
using namespace runtime;
}
} // namespace colonnade
