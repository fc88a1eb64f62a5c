//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulkgrep.cpp: searches on the CPU.
//
//===----------------------------------------------------------------------===//

#include "bulkgrep.hpp"

std::unique_ptr<search> make_search(const command &c) {
  return std::make_unique<host_search>(c, "this programme was built without CUDA");
}

int main(int argc, char **argv) { return grep_main(argc, argv); }
