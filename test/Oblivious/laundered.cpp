// An index from data is passed through memory, fields, references and callees.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f local_array -f other_name -f in_loop -f field -f nested_field -f reference -f reference_helper -f out_parameter -f out_reference -f returned_struct --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f local_array -f other_name -f in_loop -f field -f nested_field -f reference -f reference_helper -f out_parameter -f out_reference -f returned_struct --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

void local_array(const int *a, const int *u, int *out) {
  int t[4];
  for (int i = 0; i < 4; i++)
    t[i] = X[i];
  for (int i = 0; i < 4; i++)
    out[t[i]] = i;
}
// CHECK: laundered.cpp:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'out[t[i]]' depends on data{{.*}}[OBL201, class N]
// CHECK: laundered.cpp:[[#@LINE-5]]:{{[0-9]+}}: note: 'a[i]' is instance data, loaded here
// CHECK: note: stored in 't' here
// CHECK: note: read back from 't' here
// CHECK: local_array: reject, class N

void other_name(const int *a, const int *u, int *result, int n) {
  int scratch[2][2] = {{0, 1}, {1, 0}};
  scratch[n & 1][0] = X[n];
  result[scratch[0][1]] = 1;
}
// CHECK: error: the address of 'result[{{.*}}]' depends on data
// CHECK: other_name: reject, class N

void in_loop(const int *a, const int *u, int *out, int n) {
  int t[2] = {0, 0};
  for (int i = 0; i < n; i++) {
    out[t[0]] = i;
    t[i & 1] = X[i];
  }
}
// CHECK: error: the address of 'out[t[0]]' depends on data
// CHECK: in_loop: reject, class N

struct Cursor {
  int at;
  int step;
};
void field(const int *a, const int *u, int *out, int n) {
  Cursor c = {0, 1};
  c.at = X[n];
  out[c.at] = c.step;
}
// CHECK: laundered.cpp:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'out[{{.*}}]' depends on data{{.*}}[OBL201, class N]
// CHECK: laundered.cpp:[[#@LINE-4]]:{{[0-9]+}}: note: 'a[n]' is instance data, loaded here
// CHECK: field: reject, class N

struct Outer {
  Cursor inner[2];
};
void nested_field(const int *a, const int *u, int *out, int n) {
  Outer o = {};
  for (int i = 0; i < n; i++) {
    o.inner[i & 1].at = X[i];
    Outer copy = o;
    out[copy.inner[0].at] = i;
  }
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: nested_field: reject, class N

void reference(const int *a, const int *u, int *out, int n) {
  int k = 0;
  int &r = k;
  r = X[n];
  out[k] = 1;
}
// CHECK: error: the address of 'out[k]' depends on data
// CHECK: reference: reject, class N

static void assign(int &to, const int &from) { to = from; }
void reference_helper(const int *a, const int *u, int *out, int n) {
  int k = 0;
  assign(k, X[n]);
  out[k] = 1;
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: reference_helper: reject, class N

static bool fetch(const int *from, int i, int *value) {
  *value = from[i];
  return true;
}
void out_parameter(const int *a, const int *u, int *out, int n) {
  int k;
  if (fetch(X, n, &k))
    out[k] = 1;
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: out_parameter: reject, class N

void out_reference(const int *a, const int *u, int *out, int n) {
  for (int i = 0; i < n; i++) {
    int found = 0;
    fetch(X, i, &found);
    out[found] += 1;
  }
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: out_reference: reject, class N

static Cursor make(int at) { return {at, 2}; }
void returned_struct(const int *a, const int *u, int *out, int n) { out[make(X[n]).at] = 1; }
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: returned_struct: reject, class N

// OK: local_array: accept, class A
// OK: other_name: accept, class A
// OK: in_loop: accept, class A
// OK: field: accept, class A
// OK: nested_field: accept, class A
// OK: reference: accept, class A
// OK: reference_helper: accept, class A
// OK: out_parameter: accept, class A
// OK: out_reference: accept, class A
// OK: returned_struct: accept, class A
