//===- main.cpp - Entry of the colonnade command --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Driver.h"

int main(int argc, char **argv) { return colonnade::runTool(argc, argv); }
