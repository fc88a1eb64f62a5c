// A field of a table of structs reads its own leaf, through a subscript and a reference.
// RUN: %colonnade check %s -f struct_tables --dump=ir | FileCheck %s
static const struct {
  int key;
  float weight[2];
} pairs[2] = {{1, {2, 3}}, {4, {5, 6}}};
struct Row {
  int k;
  int w[3];
};
static const Row row = {7, {8, 9, 10}};
static const struct {
  Row in[2];
  short s;
} deep = {{{1, {2, 3, 4}}, {5, {6, 7, 8}}}, 9};

// CHECK: array @row.w : s32[1, 3] table
// CHECK: array @deep.in.w : s32[1, 2, 3] table
void struct_tables(int *out, int n) {
  for (int i = 0; i < 2; i++) {
    // CHECK: load @pairs.key[%{{[0-9]+}}]
    // CHECK: load @pairs.weight[%{{[0-9]+}}, %{{[0-9]+}}; %{{[0-9]+}}]
    // CHECK: load @row.k[
    // CHECK: load @row.w[
    // CHECK: load @deep.in.w[
    // CHECK: load @deep.s[
    out[i] = pairs[i].key + (int)pairs[i].weight[1] + row.k + row.w[i + 1] + deep.in[i].w[2] +
             deep.s;
    const auto &pair = pairs[i];
    // CHECK: load @pairs.key[
    out[i] += pair.key;
  }
}
