// Addresses and trip counts that depend only on cells that are never written:
// rejected with the remedy, accepted once the user says that they are uniform.
//
// RUN: not %colonnade check %s -f offset -f length -f other -f written 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f offset --uniform m | FileCheck %s --check-prefix=OK
// RUN: %colonnade check %s -f length --uniform m | FileCheck %s --check-prefix=OK
// RUN: %colonnade check %s -f other --uniform s | FileCheck %s --check-prefix=OK

void offset(float *b, const int *m) { b[m[0]] = 0; }
// CHECK: declarable.c:[[#@LINE-1]]:{{[0-9]+}}: error: the address of 'b[m[0]]' depends only on 'm[0]', which the function never writes{{.*}}--uniform m{{.*}}[OBL209, class K]
// CHECK: offset: reject, class K
// OK: accept, class A

void length(float *b, const int *m) {
  for (int i = 0; i < m[1]; i++)
    b[i] = 0;
}
// CHECK: error: the number of iterations of this loop depends only on 'm[1]'{{.*}}[OBL210, class K]
// CHECK: length: reject, class K

struct state {
  int size;
  float cells[8];
};
void other(struct state *s, float *b) { b[s->size] = s->cells[1]; }
// CHECK: error: {{.*}} depends only on 's.size'{{.*}}--uniform s{{.*}}[OBL209, class K]
// CHECK: other: reject, class K

void written(float *b, int *m) {
  b[m[0]] = 0;
  m[0] = 1;
}
// CHECK: error: the address of 'b[m[0]]' depends on data{{.*}}[OBL201, class N]
// CHECK: written: reject, class N
