// Entry parameters become arrays and scalars, with what the user says of them.
//
// RUN: %colonnade check %s -f parts -f reference -f nothing --dump=ir | FileCheck %s
// RUN: %colonnade check %s -f parts --uniform s.m --instance s.k --extent s.p=n+1 --dump=ir | FileCheck %s --check-prefix=FACTS
// RUN: %colonnade check %s -f copy --size n=3 --alias out=in --dump=ir | FileCheck %s --check-prefix=ALIAS
// RUN: not %colonnade check %s -f copy --alias out=back 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %colonnade check %s -f copy --alias out=bytes 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not %colonnade check %s -f copy --bound 3=n 2>&1 | FileCheck %s --check-prefix=LINE

struct S {
  int k;
  float m[2];
  float *p;
};
float parts(S s, int n) {
  s.m[1] = s.k;
  return s.m[0] + s.m[1] + s.p[n];
}
// CHECK-LABEL: func "parts"
// CHECK: array @s.m : f32[2] parameter instance reads
// CHECK: array @s.p : f32[
// CHECK: array @return : f32[1] return instance writes
// CHECK: body(%s.k#0 : s32, %n#1 : s32)
// FACTS: array @s.k : s32[1] scalar instance reads
// FACTS: array @s.m : f32[2] parameter uniform
// FACTS: array @s.p : f32[n+1] parameter instance
// FACTS: load @s.k

void reference(const S &s, int (&out)[4][2], int i) { out[i][1] = s.k; }
// CHECK-LABEL: func "reference"
// CHECK: array @s.k : s32[1] parameter instance const reads
// CHECK: array @out : s32[4, 2] parameter
// CHECK: store @out[%{{[0-9]+}}, %{{[0-9]+}}; %{{[0-9]+}}]

int nothing(const float *m, int n) { return m ? n : 0; }
// CHECK-LABEL: func "nothing"
// CHECK: assume "pointer 'm' is not null"

void copy(const int *in, int *out, char *bytes, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i];
}
// ALIAS: array @in : s32[3] parameter instance reads writes
// ALIAS-NOT: array @out
// ALIAS: %[[N:[0-9]+]] = const 3 : s32
// ALIAS: for %i#{{[0-9]+}} : s32 = %{{[0-9]+}} lt %[[N]]
// WRONG: --alias out=back: 'copy' has no parameter of that name; it has 'bytes', 'in', 'n', 'out'
// TYPES: cannot alias 'out' and 'bytes': they point to different types
// LINE: no loop at line 3
