// RUN: split-file %s %t
// RUN: not %colonnade check %t/order.c -- -w 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not %colonnade check %t/order-pragma.c 2>&1 | FileCheck %s --check-prefix=PRAGMA
// RUN: not %colonnade check %t/optimize.c -- -Wno-attributes 2>&1 | FileCheck %s --check-prefix=OPTIMIZE
// RUN: not %colonnade check %t/enums.c 2>&1 | FileCheck %s --check-prefix=ENUMS
// RUN: not %colonnade check %t/weak.c -- -w 2>&1 | FileCheck %s --check-prefix=WEAK
// RUN: %colonnade check %t/harmless.c -- -Wall -Werror >%t/out 2>&1
// RUN: FileCheck %s --check-prefix=HARMLESS <%t/out
// RUN: %colonnade check %t/harmless.c -- -w >%t/out 2>&1
// RUN: FileCheck %s --check-prefix=SILENT <%t/out
//
// Attributes and pragmas that GCC follows and that Clang leaves out make another programme: an error, whatever the flags say of
// warnings. Those that only tune do not.

//--- order.c
// ORDER: error: {{.*}}order.c:{{[0-9]+}}:{{[0-9]+}}: 'scalar_storage_order("big-endian")', which GCC follows and Clang does not: leave it out
struct Word { int x; } __attribute__((scalar_storage_order("big-endian")));
int f(const int a[16]) { struct Word w = {1}; return *(int *)&w + a[0]; }

//--- order-pragma.c
#pragma scalar_storage_order big-endian
// PRAGMA: error: {{.*}}order-pragma.c:1:9: 'scalar_storage_order big-endian', which GCC follows
struct Word { int x; };
int f(const int a[16]) { struct Word w = {1}; return *(int *)&w + a[0]; }

//--- optimize.c
#define FAST __attribute__((optimize("fast-math")))
// OPTIMIZE: error: {{.*}}optimize.c:{{[0-9]+}}:{{[0-9]+}}: 'optimize("fast-math")', which GCC follows
FAST float f(const float a[16]) { return a[0] * 3 + a[1]; }

//--- enums.c
#pragma GCC optimize("short-enums")
// ENUMS: error: {{.*}}enums.c:1:13: 'optimize("short-enums")', which GCC follows
enum small { one };
int f(const int a[16]) { return a[sizeof(enum small)]; }

//--- weak.c
// WEAK: error: {{.*}}weak.c:{{[0-9]+}}:{{[0-9]+}}: 'weak', which GCC follows
int one(int x) { return 1; }
extern int one(int) __attribute__((unused, weak));
int f(const int a[16]) { return a[one(a[0])]; }

//--- harmless.c
#pragma GCC optimize("O3", "unroll-loops")
#pragma scalar_storage_order default
// HARMLESS: warning: unknown attribute 'optimize' ignored
// HARMLESS: f: accept, class A
// SILENT-NOT: warning
// SILENT: f: accept, class A
__attribute__((optimize("O2"), externally_visible)) int f(const int a[16]) { return a[0]; }

// Flags that let results change are refused as well, unless taken back.
//--- sum.c
// RUN: not %colonnade check %t/sum.c -- -Ofast 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: not %colonnade check %t/sum.c -- -ffinite-math-only 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: %colonnade check %t/sum.c -- -Ofast -fno-fast-math | FileCheck %s --check-prefix=EXACT
// RELAXED: error: the flags let compilers change floating-point results (-ffast-math, -Ofast), which may decide an address; give -fno-fast-math after --
// EXACT: f: accept, class A
float f(const float a[16]) { return a[0] * 3 + a[1]; }
