// What only a goto reaches is lowered, too, so that the goto is all that is reported.
// RUN: not %colonnade check %s -f behind 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f behind --dump=raw | FileCheck %s --check-prefix=RAW
// RUN: %colonnade check %s -f nothing | FileCheck %s --check-prefix=NOTHING

// CHECK: :[[@LINE+5]]:5: error: not supported: goto
// CHECK-NOT: error
// RAW: const 42
int behind(int *a) {
  if (a[0])
    goto end;
  return a[1];
end:
  a[1] = 42;
  return 0;
}

// NOTHING: nothing: accept, class A
int nothing(int *a) {
  return a[1];
  a[1] = 42;
  return 0;
}
