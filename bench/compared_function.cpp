//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compared_function.cpp: which function is compared; what is the same for all of them need not be
// compiled for each. In: FUNCTION, its identifier, and its generated code.
//
//===----------------------------------------------------------------------===//
#include "compared_function.hpp"

#include "generated_interface.hpp"

using namespace colonnade::bulk;

const function_info &compared_function() { return FUNCTION::info(); }
