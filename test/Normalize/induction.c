// Carried sums become functions of the counter, so that extents and counts have
// closed forms.
//
// RUN: %colonnade check %s -f copy -f sums --dump=ir | FileCheck %s
// RUN: %colonnade check %s --verbose -f copy 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %colonnade check %s -f products --dump=ir | FileCheck %s --check-prefix=NOT

void copy(const float *from, float *to, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    *to++ = *from++;
}
// CHECK-LABEL: func "copy"
// CHECK: for %i#{{[0-9]+}} : u32 = %{{[0-9]+}} lt %n#{{[0-9]+}} step %{{[0-9]+}} () {
// CHECK: load @from
// FORM: to: instance, out, f32[n] (extent derived from the accesses)
// FORM: accesses per instance: 2*n

int sums(int *a, int n) {
  int k = 3;
  for (int i = n; i > 0; --i) {
    a[i] = k;
    k += 2;
  }
  return k;
}
// CHECK-LABEL: func "sums"
// CHECK: for %i#{{[0-9]+}} : s32 {{.*}} () {
// CHECK: store @return

int products(int *a, int n) {
  int k = 3;
  for (int i = 0; i < n; i++) {
    a[i] = k;
    k *= 2;
  }
  return k;
}
// NOT: for %i#{{[0-9]+}} : s32 {{.*}} (%k#{{[0-9]+}} : s32 = %{{[0-9]+}}) {
