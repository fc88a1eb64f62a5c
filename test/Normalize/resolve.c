// Pointers become an array and subscripts, one per dimension; pointers that meet
// become an index, or a selector among arrays.
//
// RUN: %colonnade check %s -f digits -f walk -f swap_buffers -f select -f ends --allow N --allow K --dump=ir | FileCheck %s
// RUN: not %colonnade check %s -f width -f stored 2>&1 | FileCheck %s --check-prefix=U

struct S {
  float m[4][3];
};
void digits(struct S *s, int i, int j) { s[i].m[j][2] = 1; }
// CHECK-LABEL: func "digits"
// CHECK: array @s.m : f32[{{.*}}, 4, 3] parameter
// CHECK: store @s.m[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}; %{{[0-9]+}}, %{{[0-9]+}}], %{{[0-9]+}} access 0

void walk(const float *from, float *to, int n) {
  const float *end = from + n;
  while (from != end)
    *to++ = *from++;
}
// CHECK-LABEL: func "walk"
// CHECK: for %{{.*}} : s64 = %{{.*}} ne %{{.*}} step

void swap_buffers(float *a, float *b, int n) {
  float *from = a, *to = b;
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
    float *t = from;
    from = to;
    to = t;
  }
}
// CHECK-LABEL: func "swap_buffers"
// CHECK: for %{{.*}}(%from#{{[0-9]+}} : s32 = %{{[0-9]+}}, %to#
// CHECK: if %{{[0-9]+}} address {
// CHECK-NEXT: %{{[0-9]+}} = load @a
// CHECK: } else {
// CHECK-NEXT: %{{[0-9]+}} = load @b

void select(float *a, const int *c) {
  float *p = c[0] ? a + 1 : a + 2;
  *p = 0;
}
// CHECK-LABEL: func "select"
// CHECK-NOT: address {
// CHECK: store @a[%"%sel"#{{[0-9]+}}], %{{[0-9]+}} access 1

int ends(float *a, int n) {
  float *p = a + n, *q = a;
  return p > q ? p - q : 0;
}
// CHECK-LABEL: func "ends"
// CHECK-NOT: load
// CHECK: store @return

void width(double *a) { *(float *)a = 0; }
// U: error: {{.*}}'a'{{.*}}width
// U: width: unsupported, class U
void stored(float **rows, int i) { rows[i][0] = 0; }
// U: error: {{.*}}a pointer stored in the data: 'rows'
// U: stored: unsupported, class U
