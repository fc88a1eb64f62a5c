// A substitution box is looked up by data.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f sub_bytes -f substitute -f with_helper -f rounds -f own_table -- -DX=s[i] 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f sub_bytes -f substitute -f with_helper -f rounds -f own_table -- -DX=i 2>&1 | FileCheck %s --check-prefix=OK

static const unsigned char box[16] = {6, 11, 0, 4, 13, 9, 15, 2, 8, 1, 12, 7, 5, 10, 3, 14};

void sub_bytes(unsigned char *s) {
  for (int i = 0; i < 16; i++)
    s[i] = box[(X) & 15];
}
// CHECK: sbox.c:[[#@LINE-2]]:{{[0-9]+}}: error: the index of the uniform table 'box' depends on data{{.*}}[OBL208, class R]
// CHECK: sbox.c:[[#@LINE-3]]:{{[0-9]+}}: note: 's[i]' is instance data, loaded here
// CHECK: sub_bytes: reject, class R

void substitute(unsigned char *s, int length) {
  int i = 0;
  while (i < length) {
    unsigned char low = box[(X) & 15], high = box[(X) >> 4 & 15];
    s[i++] = high << 4 | low;
  }
}
// CHECK: error: the index of the uniform table 'box' depends on data
// CHECK: error: the index of the uniform table 'box' depends on data
// CHECK: substitute: reject, class R

static unsigned char look_up(int nibble) { return box[nibble & 15]; }
void with_helper(unsigned char *s) {
  for (int i = 0; i < 16; i++)
    s[i] = look_up(X);
}
// CHECK: error: the index of the uniform table 'box' depends on data
// CHECK: note: passed into this call
// CHECK: with_helper: reject, class R

void rounds(unsigned char *s, const unsigned char *key, int m) {
  for (int r = 0; r < m; r++)
    for (int i = 0; i < 16; i++)
      s[i] = key[r * 16 + i] ^ box[(X) & 15];
}
// CHECK: error: the index of the uniform table 'box' depends on data
// CHECK: rounds: reject, class R

void own_table(unsigned char *s, const unsigned char *table) {
  for (int i = 0; i < 16; i++)
    s[i] = table[X];
}
// CHECK: error: the address of 'table[s[i]]' depends on data
// CHECK: own_table: reject, class N

// OK: sub_bytes: accept, class A
// OK: substitute: accept, class A
// OK: with_helper: accept, class A
// OK: rounds: accept, class A
// OK: own_table: accept, class A
