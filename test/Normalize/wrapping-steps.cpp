// RUN: %colonnade check %s -f wraps -f cut -f limited -f unit --dump=ir | FileCheck %s
//
// A counter that is stepped in another type wraps; overflow of the For's would be undefined.
// CHECK-LABEL: func "wraps"
// CHECK: for %i{{.*}} : u32 = {{.*}} ne
void wraps(int a[8]) {
  for (int i = 2147483644; i != -2147483644; i = int(i + 1u))
    a[i & 7] = i;
}

// Cut to a byte, it is no sum of what it was.
// CHECK-LABEL: func "cut"
// CHECK-NOT: for %
// CHECK: loop (
void cut(int a[8], int n) {
  for (int i = 0; i < n; i = static_cast<unsigned char>(i + 1))
    a[i & 7] = i;
}

// CHECK-LABEL: func "limited"
// CHECK: [[LAST:%.*]] = const 2147483644 : s32
// CHECK: [[HOLDS:%.*]] = le %n{{.*}}, [[LAST]] : bool
// CHECK: check [[HOLDS]] text "the loop ends before its counter leaves its type"
// CHECK: for %i{{.*}} : s32 = {{.*}} lt
void limited(int a[8], int n) {
  for (int i = 0; i < n; i += 4u)
    a[i & 7] = i;
}

// A step of one does not pass a limit.
// CHECK-LABEL: func "unit"
// CHECK-NOT: check
// CHECK: for %i{{.*}} : s32 = {{.*}} lt
void unit(int a[8], int n) {
  for (int i = 0; i < n; i = int(i + 1u))
    a[i & 7] = i;
}
