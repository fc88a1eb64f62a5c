// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c23
//
// Places in C where something runs that is easily passed over: cleanup functions, sizes of types
// and parameters, designators, labels, operands of built-ins, state outside the subset.

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
static int touch(int *o, int k) { o[k & 7] = 1; return 1; }
static void clean(int **p) { **p = 1; }
static void clean_int(int *p) { *p = 0; }
struct CI { int *o; int k; };
static void clean_ci(struct CI *c) { c->o[c->k & 7] = 1; }
// expect NSKTRU
void cleanup_writes(const int *b, int *out) { __attribute__((cleanup(clean))) int *p = out + (b[0] & 7); out[0] = 2; }
// expect NSKTRU
void cleanup_in_loop(const int *b, int *out) { for (int i = 0; i < 3; i++) { __attribute__((cleanup(clean_ci))) struct CI c = {out, b[i]}; out[0] = 2; } }
// expect NSKTRU
void cleanup_at_return(const int *b, int *out) { __attribute__((cleanup(clean_ci))) struct CI c = {out, b[0]}; return; }
// expect NSKTRU
void cleanup_at_break(const int *b, int *out) { do { __attribute__((cleanup(clean_ci))) struct CI c = {out, b[0]}; break; } while (0); }
// expect NSKTRU
void cleanup_in_for_head(const int *b, int *out) { for (__attribute__((cleanup(clean_ci))) struct CI c = {out, b[0]}; c.k < 0;) ; }
// expect NSKTRU
void cleanup_in_statement_expression(const int *b, int *out) { int x = ({ __attribute__((cleanup(clean_ci))) struct CI c = {out, b[0]}; 3; }); out[0] = x; }
static void callee_array(int *o, int k, int a[(o[k & 7] = 1) + 3]) { a[0] = 1; }
// expect NSKTRU
void callee_parameter_size(const int *b, int *out) { callee_array(out, b[0], out); }
// expect NSKTRU
void own_parameter_size(const int *b, int *out, int n, int a[out[b[0] & 7] = 4]) { a[0] = 1; }
static void callee_array2(int *o, int k, int a[][(o[k & 7] = 1) + 3]) { o[0] = 1; }
// expect NSKTRU
void callee_inner_size(const int *b, int *out) { callee_array2(out, b[0], (void *)out); }
// expect NSKTRU
void vla_sizeof(const int *b, int *out) { out[0] = sizeof(int[(out[b[0] & 7] = 1) + 1]); }
// expect AP
void vla_alignof(const int *b, int *out) { out[0] = _Alignof(int[4]) + b[0]; }
// expect NSKTRU
void sizeof_vla_expression(const int *b, int *out, int n) { int v[4][n]; int i = 0; out[0] = sizeof v[out[b[0] & 7] = 1]; }
// expect NSKTRU
void vla_pointer(const int *b, int *out, int n) { int (*p)[(out[b[0] & 7] = 1) + n] = 0; out[0] = 1; }
// expect NSKTRU
void vla_compound(const int *b, int *out, int n) { out[0] = ((int *)(int (*)[touch(out, b[0])])out)[0]; }
// expect NSKTRU
void typeof_vla(const int *b, int *out, int n) { typeof(int[touch(out, b[0])]) *p = 0; out[0] = 1; }
// expect NSKTRU
void offsetof_index(const int *b, int *out) { struct S { int t[8]; }; out[0] = offsetof(struct S, t[out[b[0] & 7] = 1]); }
// expect AP
void generic_control(const int *b, int *out) { out[0] = _Generic(touch(out, b[0]), int: 3, default: 4) + b[1]; }
// expect NSKTRU
void generic_chosen(const int *b, int *out) { out[0] = _Generic(1, int: touch(out, b[0]), default: 4); }
// expect NSKTRU
void choose_expr(const int *b, int *out) { out[0] = __builtin_choose_expr(1, touch(out, b[0]), 4); }
// expect AP
void choose_other(const int *b, int *out) { out[0] = __builtin_choose_expr(0, touch(out, b[0]), 4) + b[1]; }
// expect NSKTRU
void designated_order(const int *b, int *out) { struct P { int x, y; } p = {.y = touch(out, b[0]), .x = 2}; out[0] = p.x; }
// expect NSKTRU
void designated_array(const int *b, int *out) { int t[4] = {[2] = touch(out, b[0])}; out[0] = t[0]; }
// expect NSKTRU
void nested_designator(const int *b, int *out) { struct Q { struct { int x[2]; } s; } q = {.s.x[1] = touch(out, b[0])}; out[0] = q.s.x[0]; }
// expect NSKTRU
void init_from_struct_then_override(const int *b, int *out) { struct P { int x, y; }; struct Q { struct P p; } ; struct P a = {touch(out, b[0]), 1}; struct Q q = {.p = a, .p.y = 3}; out[0] = q.p.y; }
// expect NSKTRU
void struct_in_condition(const int *b, int *out) { struct P { int x; } p = {b[0]}; out[(p.x, p).x & 7] = 1; }
// expect NSKTRU
void address_of_compound(const int *b, int *out) { int *p = (int[]){touch(out, b[0]), 2}; out[0] = p[1]; }
// expect NSKTRU
void nested_function_arguments(const int *b, int *out) { touch(out, touch(out, touch(out, b[0])) + b[1]); }
// expect NSKTRU
void comma_in_index(const int *b, int *out) { out[0, b[0] & 7] = 1; }
// expect NSKTRU
void struct_return_member(const int *b, int *out) { struct P { int x[2]; }; struct P p = {{1, 2}}; out[0] = p.x[(out[b[0] & 7] = 1)]; }
// expect NSKTRU
void bool_decrement(const int *b, int *out) { _Bool f = 1; f--; f += b[0]; out[f] = 1; }
// expect NSKTRU
void conditional_void(const int *b, int *out, int n) { n ? (void)(out[b[0] & 7] = 1) : (void)0; }
// expect NSKTRU
void label_expression(const int *b, int *out) { lab: out[b[0] & 7] = 1; if (0) goto lab; }
// expect NSKTRU
void volatile_parameter(volatile int *b, int *out) { out[b[0] & 7] = 1; }
// expect NSKTRU
void atomic_local(const int *b, int *out) { _Atomic int k = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void register_local(const int *b, int *out) { register int k __asm__("rbx") = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void asm_output(const int *b, int *out) { int k; __asm__("mov %1,%0" : "=r"(k) : "r"(b[0])); out[k & 7] = 1; }
// expect NSKTRU
void asm_empty_output(const int *b, int *out) { int k = 0; __asm__("" : "=r"(k) : "0"(b[0])); out[k & 7] = 1; }
// expect NSKTRU
void asm_two_in_out(const int *b, int *out) { int k = 0, l = b[0]; __asm__("" : "=r"(k), "=r"(l) : "0"(l), "1"(k)); out[k & 7] = 1; }
// expect NSKTRU
void allocas(const int *b, int *out) { int *p = __builtin_alloca(4 * (b[0] & 7)); p[0] = 1; out[0] = p[0]; }
// expect NSKTRU
void bit_field_index(const int *b, int *out) { struct { unsigned a : 3; int : 0; unsigned c : 3; } s; s.a = b[0]; out[s.a] = 1; }
// expect NSKTRU
void vector_index(const int *b, int *out) { typedef int v4 __attribute__((vector_size(16))); v4 v = {b[0], 1, 2, 3}; out[v[0] & 7] = 1; }
// expect NSKTRU
void mode_attribute(const int *b, int *out) { int k __attribute__((mode(QI))) = b[0]; out[k & 7] = 1; }
typedef int I8 __attribute__((mode(QI)));
// expect AP
void mode_type(const int *b, int *out, int n) { I8 k = n; out[k == n ? 1 : 2] = b[0]; }
// expect NSKTRU
void qualifier_array(const int b[const restrict static 8], int out[restrict]) { out[b[7] & 7] = 1; }
// expect NSKTRU
void string_index(const int *b, int *out) { out["abcdefgh"[b[0] & 7] & 7] = 1; }
// expect NSKTRU
void func_name_index(const int *b, int *out) { out[__func__[b[0] & 7] & 7] = 1; }
// expect NSKTRU
void switch_in_loop(const int *b, int *out) { for (int i = 0; i < 4; i++) switch (i) { case 2: { case 3: out[b[i] & 7] = 1; } default:; } }
// expect NSKTRU
void jump_over_initialiser(const int *b, int *out, int n) { switch (n) { int k = 3; case 0: k = b[0]; default: out[k & 7] = 1; } }
// expect NSKTRU
void unreached_switch_part(const int *b, int *out, int n) { switch (n) { out[0] = 9; while (1) { case 1: out[b[0] & 7] = 1; break; } } }
// expect NSKTRU
void loop_in_case(const int *b, int *out, int n) { switch (n) { for (int i = 0; i < 3; i++) { case 5: out[b[0] & 7] = 1; } } }
// expect NSKTRU
void address_label(const int *b, int *out) { void *t[] = {&&x, &&y}; goto *t[b[0] & 1]; x: out[0] = 1; return; y: out[1] = 1; }
// expect NSKTRU
void block_expression(const int *b, int *out) { out[({ int k = b[0] & 7; k; }) + ({ out[1] = 1; 0; })] = 1; }
// expect NSKTRU
void assume_false(const int *b, int *out) { __builtin_assume(b[0] == 0); out[b[0] & 7] = 1; }
// expect NSKTRU
void unreachable_else(const int *b, int *out) { if (b[0] != 0) __builtin_unreachable(); out[b[0] & 7] = 1; }
// expect NSKTRU
void object_size(const int *b, int *out) { int i = 0; out[__builtin_object_size(out, 0) ? b[0] & 7 : 0] = 1; }
// expect NSKTRU
void memcpy_value(const int *b, int *out) { int t[4] = {0}; ((int *)memcpy(t, b, 16))[b[0] & 3] = 1; out[0] = t[0]; }
// expect NSKTRU
void memcpy_size_data(const int *b, int *out) { memcpy(out, b, (b[0] & 3) * sizeof *b); }
// expect NSKTRU
void memset_size_data(const int *b, int *out) { memset(out, 0, b[0] & 4); }
// expect NSKTRU
void memset_byte_then_index(const int *b, int *out) { unsigned char t[4]; memset(t, b[0], 4); out[t[2] & 7] = 1; }
// expect NSKTRU
void memset_struct_then_index(const int *b, int *out) { struct { int x, y; } s; memset(&s, b[0], sizeof s); out[s.y & 7] = 1; }
// expect NSKTRU
void memmove_then_index(const int *b, int *out) { int t[4] = {0, 1, 2, 3}; t[0] = b[0] & 7; memmove(t + 1, t, 12); out[t[1]] = 1; }
// expect AP
void memmove_then_other_index(const int *b, int *out) { int t[4] = {0, 1, 2, 3}; memmove(t, t + 1, 12); out[t[0]] = b[0]; }
// expect NSKTRU
void qsorted(int *b, int *out) { qsort(b, 4, 4, 0); }
// expect NSKTRU
void strlens(const char *b, int *out) { out[strlen(b) & 7] = 1; }
// expect NSKTRU
void varargs(int *out, int n, ...) { __builtin_va_list v; __builtin_va_start(v, n); out[__builtin_va_arg(v, int) & 7] = 1; }
// expect NSKTRU
void thread_local_state(const int *b, int *out) { static _Thread_local int k; k = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void static_counter(const int *b, int *out) { static int k; out[k++ & 7] = b[0]; }
static int global_state;
// expect NSKTRU
void global_state_used(const int *b, int *out) { global_state = b[0] & 7; out[global_state] = 1; }
const volatile int cv = 3;
// expect NSKTRU
void const_volatile(const int *b, int *out) { out[cv] = b[0]; }
extern const int elsewhere[4];
// expect NSKTRU
void unknown_table(const int *b, int *out) { out[elsewhere[0]] = b[0]; }
// expect NSKTRU
void setjmps(const int *b, int *out) { static void *buf[5]; if (__builtin_setjmp(buf)) out[b[0] & 7] = 1; }
// expect NSKTRU
void frame_address(const int *b, int *out) { out[((uintptr_t)__builtin_frame_address(0) >> 4) & 7] = b[0]; }
// expect NSKTRU
void pointer_bits(const int *b, int *out) { out[((uintptr_t)out >> 4) & 7] = b[0]; }
// expect NSKTRU
void complex_number(const float *b, int *out) { _Complex float c = b[0]; out[(int)__real__ c & 7] = 1; }
// expect NSKTRU
void bitint(const int *b, int *out) { _BitInt(17) k = b[0]; out[k & 7] = 1; }
// expect NSKTRU
void int128(const int *b, int *out) { __int128 k = b[0]; out[(int)(k >> 3) & 7] = 1; }
// expect NSKTRU
void half(const int *b, int *out) { _Float16 k = b[0]; out[(int)k & 7] = 1; }
// expect NSKTRU
void long_double(const int *b, int *out) { long double k = b[0]; out[(int)k & 7] = 1; }
// expect NSKTRU
void nullptr_c23(const int *b, int *out) { auto k = b[0]; constexpr int m = 7; out[k & m] = nullptr == 0; }
// expect NSKTRU
void typeof_expression(const int *b, int *out) { typeof(b[0]) k = b[0]; typeof_unqual(k) l = k; out[l & 7] = 1; }
// expect NSKTRU
void enum_typed(const int *b, int *out) { enum E : unsigned char { X } e = b[0]; out[e & 7] = 1; }
// expect NSKTRU
void label_at_end(const int *b, int *out, int n) { if (n) goto end; out[b[0] & 7] = 1; end: }
// A condition that is false, and reads
// expect NSKTRU
void false_after_a_read(const int *b, int *out) { do out[0] = 1; while ((out[b[0] & 7], 0)); }
// expect AP
void false_after_a_uniform_read(const int *b, int *out, int n) { do out[0] = b[0]; while ((out[n], 0)); }
// A size is what it is where the array is declared
// expect AP
void size_of_then(const int b[4], int out[8], int n) { n = n * 2; int t[n]; for (int i = 0; i < n; i++) t[i] = b[0]; out[0] = t[n - 1]; }
// expect AP
void sizes_of_then(const int b[4], int out[8], int n) { n += 2; { int t[n][n]; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) t[i][j] = b[0]; out[0] = t[n - 1][n - 1]; } }
// expect U
void size_of_then_beyond(const int b[4], int out[8], int n) { int m = n; n = n / 2; int t[n]; for (int i = 0; i < m; i++) t[i] = b[0]; out[0] = t[0]; }
// expect U
void size_changes_in_loop(const int b[4], int out[8], int n) { for (int i = 1; i < 3; i++) { int t[n]; t[n - 1] = b[i]; out[i] = t[n - 1]; n++; } }
// expect NSKTRU
void size_by_data(const int b[4], int out[8], int n) { n = b[0] & 7; int t[n + 1]; t[n] = 1; out[0] = t[n]; }
// expect NSKTRU
void rows_by_data(const int b[4], int n, int a[n][n]) { n = b[0] & 3; int (*p)[n] = (int (*)[n])a; p[1][0] = 3; }
static void second_row(int n, int (*p)[n]) { p[1][0] = 1; }
// expect NSKTRU
void rows_of_callee_by_data(const int b[4], int n, int a[n][n]) { second_row(b[0] & 3, (void *)a); }
// expect AP
void rows_of_callee(const int b[4], int n, int a[n][n]) { second_row(n - 1, (void *)a); a[0][0] = b[0]; }
// Operands that are not evaluated, and values without a cell
static int same(int x) { return x; }
// expect AP
void asked_whether_constant(const int b[4], int out[8], int n) { int k = 3; out[__builtin_constant_p((k = 1, same(b[0]))) ? 1 : 0] = k + __builtin_classify_type(out[b[0]]++); }
// expect AP
void asked_for_the_size(const int b[4], int out[8]) { out[0] = b[0]; out[1] = (int)__builtin_object_size(memcpy(out, b, 4), 0); }
// expect U
void *function_as_pointer(int n, int out[4]) { return same; }
static int takes(void *p, int (*f)(int), int x) { return p != 0 ? x : 0; }
// expect U
int function_as_arguments(int n, int out[4]) { return takes(same, same, n); }
// expect U
void copy_of_a_function(int n, int out[4]) { memcpy(out, same, 4); }
// expect U
int functions_compared(int n, int out[4]) { return same == 0; }
// Temporaries, too, have no value before they are set
// expect NSKTRU
void dangling_literal(const int b[4], int out[8], int n) { int *p; int i = 0; while (p = &(int){i + (b[0] & 1)}, ++i < 2); out[*p] = n; }
