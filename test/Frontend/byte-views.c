// Bytes seen as wider cells: what is no whole number of cells, and what reaches beyond a field.
// RUN: not %colonnade check %s -f part_of_a_cell -f byte_of_a_cell -f beyond_a_field -f into_the_next_field -f as_bool -f as_pointer 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f whole_cells -f within_a_field -f across_rows -f unknown_size 2>&1 | FileCheck %s --check-prefix=OK
// RUN: %colonnade check %s -f anywhere_in_a_field --dump=ir | FileCheck %s --check-prefix=CHECKED
// RUN: not %colonnade check %s -f by_data 2>&1 | FileCheck %s --check-prefix=DATA
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct head {
  uint16_t kind;
  uint8_t bytes[6];
};

// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: a memory copy of parts of cells of 'w' or 'b'
void part_of_a_cell(uint8_t *b) { uint32_t w = 0; memcpy(&w, b, 3); b[0] = w; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access to 'w' at another width than its cells
void byte_of_a_cell(uint32_t *w) { *(uint8_t *)w = 1; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access to 's.kind' at another width than its cells
void beyond_a_field(struct head *s, uint32_t *w) { *w = *(uint32_t *)&s->kind; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access to 's.bytes' at another width than its cells
void into_the_next_field(struct head *s, uint64_t *w) { memcpy(w, s->bytes, 8); }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported: access to 'b' at another width than its cells
void as_bool(bool *b) { *(uint16_t *)b = 1; }
// CHECK: [[#@LINE+1]]:{{.*}}error: not supported
void as_pointer(uint8_t *b) { int *p; memcpy(&p, b, sizeof p); *p = 1; }

// OK: whole_cells: accept, class A
void whole_cells(uint8_t *b) { uint32_t w = 0; memcpy(&w, b, 4); b[0] = w; }
// OK: within_a_field: accept, class A
void within_a_field(struct head *s, uint32_t *w) { *w = *(uint32_t *)(s->bytes + 1); }
// OK: across_rows: accept, class A
void across_rows(uint8_t b[2][6], uint64_t *w) { memcpy(w, b[0] + 1, 8); }
// The size has to be a multiple of the cell's, which is checked.
// OK: unknown_size: accept, class A
void unknown_size(uint8_t *b, uint32_t *w, int n) { memcpy(w, b, n); }

// CHECKED: check {{.*}} text "the cell lies within 's.bytes', which is part of a struct ({{.*}}"
void anywhere_in_a_field(struct head *s, uint32_t *w, int i) { memcpy(w, s->bytes + i, 4); }

// DATA: [[#@LINE+1]]:{{.*}}error: the address of 'b[
void by_data(uint8_t *b, const int *at) { *(uint32_t *)(b + *at) = 1; }
