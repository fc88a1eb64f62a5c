// RUN: not %colonnade check %s -f f 2>&1 | FileCheck %s
// RUN: not %colonnade check %s %S/Inputs/weak-index.cpp -f f 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %colonnade check %S/Inputs/weak-index.cpp %s -f f 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %colonnade check %s -f chosen | FileCheck %s --check-prefix=ENTRY
//
// The linker prefers any other definition to a weak one, so does the tool; alone, a weak
// one says nothing. An entry is the definition that was named.

// CHECK: call of 'chosen', a weak definition, which the linker may replace
// BOTH: error: {{.*}}[OBL2
// ENTRY: chosen: accept
__attribute__((weak)) int chosen(int x) { return 0; }
void f(const int *b, int *out) { out[chosen(b[0])] = 1; }
