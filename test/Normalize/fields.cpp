// An array in a struct ends where the next field begins: its subscripts stay within it.
// RUN: not %colonnade check %s -f read_behind -f read_before -f write_behind -f behind_rows -f by_pointer -f behind_local -f behind_in_loop 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f read_last -f write_last -f other_row -f unknown -f end_pointer 2>&1 | FileCheck %s --check-prefix=OK
// RUN: %colonnade check %s -f unknown -f within --dump=ir | FileCheck %s --check-prefix=IR
// RUN: %colonnade trace %s -f unknown --arg i=5 | FileCheck %s --check-prefix=INSIDE
// RUN: not %colonnade trace %s -f unknown --extent s=2 --arg i=6 2>&1 | FileCheck %s --check-prefix=OUTSIDE

struct head {
  unsigned char b[6];
  unsigned char c[2];
  int m[2][3];
};

// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access outside 's.b', which is part of a struct
void read_behind(const head *s, int *o) { *o = s->b[6]; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access outside 's.b', which is part of a struct
void read_before(const head *s, int *o) { *o = *(s->b - 1); }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access outside 's.c', which is part of a struct
void write_behind(head *s) { s->c[2] = 1; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access outside 's.m', which is part of a struct
void behind_rows(const head *s, int *o) { *o = s->m[1][3]; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access outside 's.b', which is part of a struct
void by_pointer(const head *s, int *o) { const unsigned char *p = s->b; p += 7; *o = *p; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access outside
void behind_local(int *o) { head s{}; s.b[6] = 1; *o = s.c[0]; }
// CHECK: [[#@LINE+2]]:{{.*}}error: not supported: a check that fails here at all sizes: the cell lies within 's.c', which is part of a struct (of its bytes: name its members, or leave out what only wipes memory)
// CHECK-NOT: OBL303
void behind_in_loop(head *s, int n) { for (int j = 0; j < n; ++j) for (int i = 1; i <= 2; ++i) s[j].c[i] = 1; }

// OK: read_last: accept, class A
void read_last(const head *s, int *o) { *o = s->b[5]; }
// OK: write_last: accept, class A
void write_last(head *s) { s->c[1] = 1; }
// Rows stand behind each other.
// OK: other_row: accept, class A
void other_row(const head *s, int *o) { *o = s->m[0][4]; }
// What is not known may lie within it, which a run checks.
// OK: unknown: accept, class A
// IR-LABEL: func "unknown"
// IR: check {{.*}} text "the cell lies within 's.b', which is part of a struct ({{.*}}"
// INSIDE: load s.b[5]
// OUTSIDE: error: {{.*}}the cell lies within 's.b', which is part of a struct
void unknown(const head *s, int *o, int i) { *o = s->b[i]; }
// OK: end_pointer: accept, class A
void end_pointer(const head *s, int *o) {
  int sum = 0;
  for (const unsigned char *p = s->b; p != s->b + 6; ++p)
    sum += *p;
  *o = sum;
}
// What the loops and masks show needs no check.
// IR-LABEL: func "within"
// IR-NOT: check
void within(head *s, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = 5; i >= 0; --i)
      s[j].b[i] = s[j].c[(i + j) & 1] + s[j].m[1][unsigned(n) % 3];
}
