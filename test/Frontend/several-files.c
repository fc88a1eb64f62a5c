// RUN: %colonnade check %s %S/Inputs/callee.c -f caller --dump=raw | FileCheck %s
// RUN: %colonnade check %s -f caller --dump=raw | FileCheck %s --check-prefix=ALONE

int callee(int a);
static int helper(int a) { return a + 1; }

// CHECK-LABEL: func "caller"
// CHECK-NOT: unsupported
// CHECK: const 1001
// ALONE: unsupported text "call of 'callee', which has no visible body; name the file that defines it, too"
int caller(int a) { return callee(a) + helper(a); }
