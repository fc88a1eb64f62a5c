// What a report looks like: the place, the finding with its id and class, the
// source line, then the path of the data as notes, then the verdict.
//
// RUN: not %colonnade check %s --verbose -f last 2>&1 | FileCheck %s --strict-whitespace
// RUN: %colonnade check %s --verbose -f clamp | FileCheck %s --check-prefix=OK
// RUN: not %colonnade check %s -f last 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %colonnade check %s -f clamp | FileCheck %s --check-prefix=BRIEF --match-full-lines
// RUN: not %colonnade check %s -f last --json - 2> %t.err > %t.json
// RUN: %python -c "import json; f=json.load(open('%t.json'))['functions'][0]; assert set(f) >= {'name','verdict','class','findings','parameters','assumptions','accesses'}; x=[x for x in f['findings'] if x['class']=='N'][0]; assert x['id']=='OBL201' and x['location']['line']==16 and [s['line'] for s in x['path']]==[14,14,15], x"

int last(const int *b, int *out, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (b[i] > 0)
      k = i + 1;
  out[k] = 1;
  return k;
}
// CHECK: report.c:14:5: note: this branch depends on data; both sides run, predicated [OBL101, class P]
// CHECK: report.c:16:10: error: the address of 'out[k]' depends on data; compute it from uniform values only, or visit all cells and select [OBL201, class N]
// CHECK-NEXT:{{^}}  out[k] = 1;
// CHECK-NEXT:{{^}}         ^
// CHECK-NEXT: report.c:14:9: note: 'b[i]' is instance data, loaded here
// CHECK-NEXT:{{^}}    if (b[i] > 0)
// CHECK-NEXT:{{^}}        ^
// CHECK-NEXT: report.c:14:5: note: under this condition on data
// CHECK: report.c:15:{{[0-9]+}}: note: 'k' differs between instances after this branch
// CHECK: {{^}}last: reject, class N

void clamp(float *b, int n) {
  for (int i = 0; i < n; i++)
    if (b[i] < 0)
      b[i] = 0;
}
// OK: {{^}}clamp: accept, class P
// OK-NEXT: b: instance, inout, f32[n] (extent derived from the accesses)
// OK-NEXT: n: uniform, in, s32
// OK-NEXT: accesses per instance: 2*n
// Without --verbose: what has to be done, or that nothing has.
// SHORT-NOT: OBL101
// SHORT: error: the address of 'out[k]'
// BRIEF: clamp: accept, class P
// BRIEF-NOT: {{.+}}
