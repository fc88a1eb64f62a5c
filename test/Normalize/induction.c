// Carried sums become functions of the counter, so that extents and counts have
// closed forms.
//
// RUN: %colonnade check %s -f copy -f sums --dump=ir | FileCheck %s
// RUN: %colonnade check %s --verbose -f copy 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %colonnade check %s -f products --dump=ir | FileCheck %s --check-prefix=NOT
// RUN: %colonnade check %s -f doubled -f triangle -f fibonacci -f down --dump=ir | FileCheck %s --check-prefix=CARRIED
// RUN: %colonnade check %s -f doubled -f triangle -f fibonacci -f down --validate

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

// What is added is carried itself: the sum, the counter, or another value.
int doubled(const int *a) {
  int k = 1;
  for (int i = 0; i < 5; i++)
    k += k;
  return a[0] + k;
}
// CARRIED-LABEL: func "doubled"
// CARRIED: for %i#{{[0-9]+}} : s32 {{.*}} (%k#[[DOUBLED:[0-9]+]] : s32 = %{{[0-9]+}}) {
// CARRIED-NEXT: add %k#[[DOUBLED]], %k#[[DOUBLED]] : s32

int triangle(const int *a) {
  int k = 1;
  for (int i = 0; i < 5; i++)
    k += i;
  return a[0] + k;
}
// CARRIED-LABEL: func "triangle"
// CARRIED: for %i#[[I:[0-9]+]] : s32 {{.*}} (%k#[[TRIANGLE:[0-9]+]] : s32 = %{{[0-9]+}}) {
// CARRIED-NEXT: add %k#[[TRIANGLE]], %i#[[I]] : s32

int fibonacci(const int *a) {
  int k = 1, previous = 1;
  for (int i = 0; i < 5; i++) {
    k += previous;
    previous = k - previous;
  }
  return a[0] + k;
}
// CARRIED-LABEL: func "fibonacci"
// CARRIED: for %i#{{[0-9]+}} : s32 {{.*}} (%k#[[K:[0-9]+]] : s32 = %{{[0-9]+}}, %previous#[[PREVIOUS:[0-9]+]] : s32 = %{{[0-9]+}}) {
// CARRIED-NEXT: add %k#[[K]], %previous#[[PREVIOUS]] : s32

int down(const int *a) {
  int k = 100, n = 5;
  do
    k -= n;
  while (--n);
  return a[0] + k;
}
// CARRIED-LABEL: func "down"
// CARRIED: for %n#[[N:[0-9]+]] : s32 {{.*}} (%k#[[DOWN:[0-9]+]] : s32 = %{{[0-9]+}}) {
// CARRIED-NEXT: sub %k#[[DOWN]], %n#[[N]] : s32
