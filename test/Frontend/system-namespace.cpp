// RUN: not %colonnade check %s -f copies -- -isystem %S/Inputs/system 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f odd --dump=raw -- -isystem %S/Inputs/system | FileCheck %s --check-prefix=ODD
//
// A function of a system header is the library's only in the global namespace or in std.
#include <lib.h>

// CHECK: system-namespace.cpp:[[#@LINE+2]]:{{.*}} error: the address of 'out
// CHECK: lib.h:4:{{.*}} note: in the library
void copies(const int b[4], int out[8]) { lib::memcpy(out, b, 4); }

// ODD: func "lib::abs"
// ODD: and %
int odd(int x) { return lib::abs(x); }
