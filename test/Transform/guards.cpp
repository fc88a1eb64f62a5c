// An access that only some instances reach is guarded, unless all have just accessed the
// same cell; lanes mask it.
// RUN: %colonnade check %s -f clamped -f reversed -f permuted -f chosen --dump=kernel -- %include | FileCheck %s
#include <colonnade/annotate.h>

// CHECK: func "clamped" kernel lanes 4
// CHECK: load @a[{{[^]]*}}] access
// CHECK: store @b[{{[^]]*}}], {{[^ ]*}} mask {{[^ ]*}} guarded access
// CHECK: func "clamped" kernel threads 256
// CHECK: load @a[{{[^]]*}}] access
// CHECK: store @b[{{[^]]*}}], {{[^ ]*}} guarded access
void clamped(const float *a COLONNADE_EXTENT(n), float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      b[i + 1] = a[i];
}

// CHECK: func "reversed" kernel threads 256
// CHECK: if
// CHECK-NOT: guarded
// CHECK: store @b
// CHECK-NOT: guarded
// CHECK: return
void reversed(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0)
      b[i] = -b[i];
}

// Nothing was checked before the launch: the addresses are data of the call.
// CHECK: func "permuted" kernel lanes
// CHECK: load @p[{{[^]]*}}] guarded access
// CHECK: store @b[{{[^]]*}}], {{[^ ]*}} guarded access
// CHECK: func "permuted" kernel threads
// CHECK: load @p[{{[^]]*}}] guarded access
// CHECK: store @b[{{[^]]*}}], {{[^ ]*}} guarded access
void permuted(const int *p COLONNADE_UNIFORM COLONNADE_EXTENT(n),
              const float *a COLONNADE_EXTENT(n), float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    b[p[i]] = a[i];
}

// Either arm of a choice that all instances make alike accesses b[0].
// CHECK: func "chosen" kernel threads
// CHECK-NOT: guarded
// CHECK: return
void chosen(const float *a COLONNADE_EXTENT(n), float *b COLONNADE_EXTENT(n), int n, bool first) {
  if (first)
    b[n - 1] = a[0];
  else
    b[n - 1] = a[1];
  if (a[0] > 0)
    b[n - 1] = -a[0];
}
