//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// generated_interface.hpp: includes f.bulk.hpp. In: FUNCTION, the identifier f.
//
//===----------------------------------------------------------------------===//
#pragma once

#define STRING_OF(x) #x
#define HEADER_OF(x) STRING_OF(x.bulk.hpp)
#include HEADER_OF(FUNCTION)
#undef HEADER_OF
#undef STRING_OF
