//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What generated.hpp only declares.
//
//===----------------------------------------------------------------------===//

#include "generated.hpp"

#undef launch_program

COPIES(template)

colonnade::runtime::status
colonnade::runtime::detail::launch_program_once(const cpu_program &program, launch_memory &memory,
                                                const raw_arguments &arguments, layout l,
                                                const cpu_launch_options &options) {
  return launch_program(program, memory, arguments, l, options);
}
