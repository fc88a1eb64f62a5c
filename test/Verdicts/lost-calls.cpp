// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// Calls that nothing in the source spells, or that stand in newer constructs: copies, conversions,
// iterators, operators, initialisers, closures, the library's objects; and the order that C++17
// fixes. See lost.cpp.

#include <array>
#include <algorithm>
#include <compare>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <optional>
#include <span>
#include <bitset>
#include <complex>
#include <functional>
#include <source_location>
static int touch(int *o, int k) { o[k & 7] = 1; return 0; }
struct P2 { int x, y; };
// --- assignment operators hidden in the library or made by the language
struct Asg { int *o = nullptr; int k = 0; Asg() = default; Asg(int *o, int k) : o(o), k(k) {} Asg(const Asg &s) : o(s.o), k(s.k) {} Asg &operator=(const Asg &s) { if (o) o[s.k & 7] = 1; k = s.k; return *this; } };
struct Wrap { Asg a; int z; };
struct WrapArr { Asg a[2]; };
// expect NSKTRU
void std_array_assign(const int *b, int *out) { std::array<Asg, 2> p{Asg(out, 0), Asg(out, 0)}, q{Asg(out, b[0]), Asg(out, 1)}; p = q; out[0] = 2; }
// expect NSKTRU
void std_array_fill(const int *b, int *out) { std::array<Asg, 2> p{Asg(out, 0), Asg(out, 0)}; p.fill(Asg(out, b[0])); out[0] = 2; }
// expect NSKTRU
void std_array_swap(const int *b, int *out) { std::array<Asg, 2> p{Asg(out, 0), Asg(out, 0)}, q{Asg(out, b[0]), Asg(out, 1)}; p.swap(q); out[0] = 2; }
// expect NSKTRU
void std_swap_objects(const int *b, int *out) { Asg p(out, 0), q(out, b[0]); std::swap(p, q); out[0] = 2; }
// expect NSKTRU
void implicit_assign(const int *b, int *out) { Wrap p{{out, 0}, 1}, q{{out, b[0]}, 2}; p = q; out[0] = 2; }
// expect NSKTRU
void implicit_assign_array(const int *b, int *out) { WrapArr p{{{out, 0}, {out, 0}}}, q{{{out, b[0]}, {out, 1}}}; p = q; out[0] = 2; }
// expect NSKTRU
void std_copy_objects(const int *b, int *out) { Asg p[2] = {{out, 0}, {out, 0}}, q[2] = {{out, b[0]}, {out, 1}}; std::copy(q, q + 2, p); out[0] = 2; }
// expect NSKTRU
void std_exchange_obj(const int *b, int *out) { Asg p(out, 0); std::exchange(p, Asg(out, b[0])); out[0] = 2; }
struct Cpy { int *o; int k; Cpy(int *o, int k) : o(o), k(k) {} Cpy(const Cpy &s) : o(s.o), k(s.k) { o[k & 7] = 1; } };
struct WrapC { Cpy c; int z; };
// expect NSKTRU
void implicit_copy(const int *b, int *out) { WrapC p{Cpy(out, b[0]), 1}; WrapC q = p; out[0] = q.z; }
// expect NSKTRU
void lambda_copies_capture(const int *b, int *out) { Cpy c(out, b[0]); auto f = [c] { return 1; }; out[0] = f(); }
// expect NSKTRU
void lambda_copied(const int *b, int *out) { Cpy c(out, b[0]); auto f = [&c, d = 1] { return d; }; auto g = [c = Cpy(c)] { return 1; }; auto h = g; out[0] = h() + f(); }
// expect NSKTRU
void binding_copies(const int *b, int *out) { WrapC p{Cpy(out, b[0]), 1}; auto [c, z] = p; out[0] = z; }
// expect NSKTRU
void array_binding_copies(const int *b, int *out) { Cpy p[2] = {Cpy(out, b[0]), Cpy(out, 0)}; auto [c, d] = p; out[0] = 1; }
// expect NSKTRU
void range_for_copies(const int *b, int *out) { Cpy p[2] = {Cpy(out, b[0]), Cpy(out, 0)}; for (auto c : p) out[0] += 1; }
static int byvalue(Cpy c) { return 1; }
// expect NSKTRU
void argument_copies(const int *b, int *out) { Cpy c(out, b[0]); out[0] = byvalue(c); }
static Cpy returns(Cpy &c) { return c; }
// expect NSKTRU
void return_copies(const int *b, int *out) { Cpy c(out, b[0]); out[0] = returns(c).k * 0; }
// expect NSKTRU
void conditional_copies(const int *b, int *out, int n) { Cpy c(out, b[0]), d(out, 0); Cpy e = n ? c : d; out[0] = 1; }
struct Deduced { int *o; int k; Deduced(int *o, int k) : o(o), k(k) {} Deduced(const Deduced &s) : o(s.o), k(s.k) { o[k & 7] = 1; } int get(this Deduced self) { return 1; } };
// expect NSKTRU
void deduced_this_copies(const int *b, int *out) { Deduced d(out, b[0]); out[0] = d.get(); }
struct CopyThis { Cpy c; int run() { return [*this] { return 1; }(); } };
// expect NSKTRU
void star_this_copies(const int *b, int *out) { CopyThis t{Cpy(out, b[0])}; out[0] = t.run(); }
// --- conversions that are called where nothing is written
struct Conv { int *o; int k; operator int() const { o[k & 7] = 1; return 0; } explicit operator bool() const { o[k & 7] = 1; return true; } };
// expect NSKTRU
void conv_in_switch(const int *b, int *out) { Conv c{out, b[0]}; switch (c) { case 0: out[0] = 2; } }
// expect NSKTRU
void conv_in_while(const int *b, int *out) { Conv c{out, b[0]}; for (int i = 0; i < 3 && c; i++) out[0] = 2; }
// expect NSKTRU
void conv_in_not(const int *b, int *out) { Conv c{out, b[0]}; bool x = !c; out[0] = 2; }
// expect NSKTRU
void conv_in_condition_decl(const int *b, int *out) { if (Conv c{out, b[0]}) out[0] = 2; }
// expect NSKTRU
void conv_in_subscript(const int *b, int *out) { Conv c{out, b[0]}; out[c] = 2; }
// expect NSKTRU
void conv_in_init(const int *b, int *out) { Conv c{out, b[0]}; P2 p = {c, c}; out[0] = 2; }
// expect NSKTRU
void conv_in_return(const int *b, int *out) { auto f = [&]() -> int { return Conv{out, b[0]}; }; f(); }
// expect NSKTRU
void conv_in_ternary(const int *b, int *out) { Conv c{out, b[0]}; out[0] = c ? 1 : 2; }
// expect NSKTRU
void conv_in_compound(const int *b, int *out) { Conv c{out, b[0]}; int k = 0; k += c; out[0] = 1; }
// expect NSKTRU
void conv_in_new_bound(const int *b, int *out) { Conv c{out, b[0]}; int v = 0; v <<= c; out[0] = v; }
// --- range for over own iterators
struct It { int *o; int k, n; int operator*() const { return o[k & 7] = 1; } It &operator++() { n++; return *this; } bool operator!=(const It &e) const { return n != e.n; } };
struct Range { int *o; int k; It begin() const { return {o, k, 0}; } It end() const { return {o, k, 3}; } };
// expect NSKTRU
void own_iterator(const int *b, int *out) { for (int v : Range{out, b[0]}) out[0] = 2; }
struct ItInc : It { ItInc &operator++() { o[k & 7] = 2; n++; return *this; } int operator*() const { return 1; } };
struct RangeInc { int *o; int k; ItInc begin() const { return {o, k, 0}; } ItInc end() const { return {o, k, 3}; } };
// expect NSKTRU
void own_iterator_step(const int *b, int *out) { for ([[maybe_unused]] int v : RangeInc{out, b[0]}) out[0] = 2; }
struct RangeBegin { int *o; int k; int *begin() const { o[k & 7] = 2; return o; } int *end() const { return o + 2; } };
// expect NSKTRU
void own_begin(const int *b, int *out) { for (int v : RangeBegin{out, b[0]}) out[0] = 2; }
// expect NSKTRU
void range_init_statement(const int *b, int *out) { int t[2] = {1, 2}; for (int u = touch(out, b[0]); int v : t) out[0] = v + u; }
// expect AP
void own_iterator_uniform(const int *b, int *out) { for (int v : Range{out, 3}) out[0] = b[0]; }
// --- overloaded operators
struct Ops { int *o; int k; bool operator&&(int v) const { o[v & 7] = 1; return false; } Ops *operator->() { o[k & 7] = 1; return this; } int operator,(int v) const { o[v & 7] = 3; return v; } int *operator&() { o[k & 7] = 1; return o; } int operator->*(int v) { return o[v & 7] = 1; } int operator()(int a, int v) const { return o[v & 7] = 1; } int &operator[](int a, int v) { return o[v & 7]; } };
// expect NSKTRU
void own_and(const int *b, int *out) { Ops p{out, 0}; out[0] = p && b[0]; }
// expect NSKTRU
void own_arrow(const int *b, int *out) { Ops p{out, b[0]}; out[0] = p->k * 0; }
// expect NSKTRU
void own_comma(const int *b, int *out) { Ops p{out, 0}; p, b[0]; }
// expect NSKTRU
void own_address(const int *b, int *out) { Ops p{out, b[0]}; &p; }
// expect NSKTRU
void own_arrow_star(const int *b, int *out) { Ops p{out, 0}; p->*b[0]; }
// expect NSKTRU
void own_call(const int *b, int *out) { Ops p{out, 0}; p(1, b[0]); }
// expect NSKTRU
void own_two_subscripts(const int *b, int *out) { Ops p{out, 0}; p[1, b[0]] = 4; }
struct Drill { Ops p; Ops &operator->() { return p; } };
// expect NSKTRU
void drill_down(const int *b, int *out) { Drill d{{out, b[0]}}; out[0] = d->k * 0; }
struct Cmp { int *o; int k; bool operator==(const Cmp &c) const { o[(k + c.k) & 7] = 1; return true; } auto operator<=>(const Cmp &c) const { o[(k - c.k) & 7] = 1; return std::strong_ordering::equal; } };
struct CmpW { Cmp c; int z; bool operator==(const CmpW &) const = default; auto operator<=>(const CmpW &) const = default; };
// expect NSKTRU
void defaulted_equal(const int *b, int *out) { CmpW p{{out, b[0]}, 1}, q{{out, 0}, 1}; out[0] = p == q; }
// expect NSKTRU
void defaulted_spaceship(const int *b, int *out) { CmpW p{{out, b[0]}, 1}, q{{out, 0}, 1}; out[0] = p < q; }
// expect NSKTRU
void rewritten_less(const int *b, int *out) { Cmp p{out, b[0]}, q{out, 0}; out[0] = p < q; }
// expect NSKTRU
void rewritten_unequal(const int *b, int *out) { Cmp p{out, b[0]}, q{out, 0}; out[0] = p != q; }
struct CmpA { int t[4]; bool operator==(const CmpA &) const = default; };
// expect AP
void defaulted_equal_plain(const int *b, int *out) { P2 p{b[0], 1}; struct E { int x, y; bool operator==(const E &) const = default; } e{b[0], 1}, f{1, 1}; out[0] = e == f; }
// --- order that C++17 fixes
// expect NSKTRU
void right_side_first(const int *b, int *out) { int k = 0; out[k] = (k = b[0] & 7); }
// expect NSKTRU
void right_side_first_compound(const int *b, int *out) { int k = 0; out[k] += (k = b[0] & 7); }
struct Cell { int v; Cell &operator=(int x) { v = x; return *this; } Cell &operator+=(int x) { v += x; return *this; } };
// expect NSKTRU
void right_side_first_operator(const int *b, Cell *out) { int k = 0; out[k] = (k = b[0] & 7); }
// expect NSKTRU
void right_side_first_operator_add(const int *b, Cell *out) { int k = 0; out[k] += (k = b[0] & 7); }
static int setk(int *k, int v) { *k = v & 7; return 1; }
// expect NSKTRU
void right_side_first_call(const int *b, int *out) { int k = 0; out[k] = setk(&k, b[0]); }
// expect NSKTRU
void left_first_shift(const int *b, int *out) { int k = 0; out[0] = (k = b[0] & 7) << out[k]; }
// expect NSKTRU
void left_first_subscript(const int *b, int *out) { int k = 0; int *p = out; (k = b[0] & 7, p)[k] = 1; }
// expect AP
void right_side_first_uniform(const int *b, int *out) { int k = 5; out[k] = (k = 2, b[0]); }
struct Stream { int *o; Stream &operator<<(int v) { o[v & 7] = 1; return *this; } };
// expect NSKTRU
void stream_order(const int *b, int *out) { Stream s{out}; int k = 0; s << k << (k = b[0]) << k; }
// --- constant evaluation that is not
// expect NSKTRU
void constant_evaluated(const int *b, int *out) { out[std::is_constant_evaluated() ? 0 : b[0] & 7] = 1; }
// expect NSKTRU
void builtin_constant_evaluated(const int *b, int *out) { int k = __builtin_is_constant_evaluated() ? 0 : b[0] & 7; out[k] = 1; }
constexpr int pick(int v) { if consteval { return 0; } else { return v & 7; } }
// expect NSKTRU
void if_consteval(const int *b, int *out) { out[pick(b[0])] = 1; }
constexpr int pick2(const int *b, int *o) { if (std::is_constant_evaluated()) return 1; return touch(o, b[0]); }
// expect NSKTRU
void is_consteval_in_call(const int *b, int *out) { out[0] = pick2(b, out); }
// expect NSKTRU
void constant_p(const int *b, int *out) { out[__builtin_constant_p(b[0]) ? 0 : b[0] & 7] = 1; }
consteval int cv(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
// expect AP
void consteval_call(const int *b, int *out) { out[cv(4)] = b[0]; }
// --- initialisers
struct Par { int *o; int k; int z = o[k & 7] = 1; };
// expect NSKTRU
void paren_aggregate(const int *b, int *out) { Par p(out, b[0]); out[0] = 1; }
// expect NSKTRU
void brace_aggregate(const int *b, int *out) { Par p{.o = out, .k = b[0]}; out[0] = 1; }
// expect NSKTRU
void array_of_aggregates(const int *b, int *out) { Par p[2] = {{out, 0}, {out, b[0]}}; out[0] = 1; }
// expect NSKTRU
void std_array_of_aggregates(const int *b, int *out) { std::array<Par, 2> p{{{out, 0}, {out, b[0]}}}; out[0] = 1; }
struct Glob { int z; Glob(int *o, int k) : z(touch(o, k)) {} };
struct Dlg { int z; Dlg(int *o, int k, int) : z(touch(o, k)) {} Dlg(int *o, int k) : Dlg(o, k, 0) {} };
// expect NSKTRU
void delegating(const int *b, int *out) { Dlg d(out, b[0]); }
struct Order { int a, c; int *o; Order(int *p, int v) : o(p), c(v & 7), a(p[c = v & 7] = 1) {} };
// expect NSKTRU
void init_order(const int *b, int *out) { Order o(out, b[0]); }
struct Vb { int z; Vb(int *o, int k) : z(touch(o, k)) {} };
struct Vd : virtual Vb { Vd(int *o, int k) : Vb(o, k) {} };
// expect NSKTRU
void virtual_base(const int *b, int *out) { Vd v(out, b[0]); out[0] = v.z; }
struct Body { int z = 0; Body(int *o, int k) try : z(touch(o, k)) {} catch (...) {} };
// expect NSKTRU
void function_try(const int *b, int *out) { Body v(out, b[0]); }
struct Tup { int *o; int k; };
template <> struct std::tuple_size<Tup> { static constexpr size_t value = 2; };
template <size_t I> struct std::tuple_element<I, Tup> { using type = int; };
template <size_t I> int get(const Tup &t) { if constexpr (I == 1) t.o[t.k & 7] = 1; return 0; }
// expect NSKTRU
void tuple_binding(const int *b, int *out) { Tup t{out, b[0]}; auto [x, y] = t; out[0] = x; }
// expect NSKTRU
void lambda_default(const int *b, int *out) { auto f = [](int *o, int k, int z = 3) { o[k & z] = 1; }; f(out, b[0]); }
// expect NSKTRU
void generic_lambda(const int *b, int *out) { auto f = [&](auto k) { if constexpr (sizeof(k) == 8) return 0; else return out[k & 7] = 1; }; f(b[0]); }
// expect NSKTRU
void immediately(const int *b, int *out) { int z = [&, k = b[0]]() mutable noexcept -> int { return k++, out[k & 7] = 1; }(); }
// expect NSKTRU
void recursive_lambda(const int *b, int *out) { auto f = [&](this auto self, int d) -> void { if (d) self(d - 1); else out[b[0] & 7] = 1; }; f(2); }
// expect NSKTRU
void pack_index(const int *b, int *out) { [&](auto... k) { out[(k, ...) & 7] = 1; }(1, b[0]); }
template <int N, class F> static void unroll(F f) { [&]<size_t... I>(std::index_sequence<I...>) { (f(I), ...); }(std::make_index_sequence<N>()); }
// expect NSKTRU
void unrolled(const int *b, int *out) { unroll<3>([&](int i) { out[b[i] & 7] = i; }); }
// expect AP
void unrolled_uniform(const int *b, int *out) { unroll<3>([&](int i) { out[i] = b[i]; }); }
// --- others
// expect NSKTRU
void type_id(const int *b, int *out) { struct V { virtual ~V() {} } v, *p = &v; out[0] = sizeof(*(touch(out, b[0]), p)); touch(out, b[1]); }
// expect AP
void unevaluated(const int *b, int *out) { out[sizeof(touch(out, b[0]))] = noexcept(touch(out, b[0])) + alignof(decltype(touch(out, b[0]))) + __builtin_constant_p(touch(out, b[0])) + requires { touch(out, b[0]); } + b[1]; }
// expect AP
void assumed(const int *b, int *out) { [[assume(b[b[0]] == 1)]]; out[0] = b[1]; }
// expect NSKTRU
void overflow_builtin(const int *b, int *out) { __builtin_add_overflow(1, 2, &out[b[0] & 7]); }
// expect NSKTRU
void atomic_builtin(const int *b, int *out) { __atomic_fetch_add(&out[b[0] & 7], 1, 5); }
// expect NSKTRU
void sync_builtin(const int *b, int *out) { __sync_fetch_and_add(out + (b[0] & 7), 1); }
// expect NSKTRU
void placement_new(const int *b, int *out) { new (out) int(touch(out, b[0])); }
// expect NSKTRU
void new_delete(const int *b, int *out) { int *p = new int[b[0] & 7]{}; delete[] p; }
// expect NSKTRU
void throws_on_data(const int *b, int *out) { try { if (b[0]) throw 1; } catch (int) { out[b[1] & 7] = 1; } }
// expect U
int returns_from_a_handler(const int *b, int *out) { try { if (b[0]) throw 1; } catch (int) { return out[1]; } return out[2]; }
// expect NSKTRU
void optional_value(const int *b, int *out) { std::optional<int> o; if (b[0]) o = b[1] & 7; out[*o] = 1; }
// expect NSKTRU
void span_at(const int *b, int *out) { std::span<int> s(out, 8); s[b[0] & 7] = 1; }
// expect NSKTRU
void subspan(const int *b, int *out) { std::span<int> s(out, 8); s.subspan(b[0] & 3)[0] = 1; }
// expect NSKTRU
void bits_at(const int *b, int *out) { std::bitset<64> s(b[0]); out[s.count()] = 1; }
// expect NSKTRU
void complex_at(const float *b, int *out) { std::complex<float> c(b[0], b[1]); out[(int)(c * c).real() & 7] = 1; }
// expect NSKTRU
void function_object(const int *b, int *out) { std::plus<int> f; out[f(b[0], 1) & 7] = 1; }
// expect NSKTRU
void invoked(const int *b, int *out) { std::invoke(touch, out, b[0]); }
// expect NSKTRU
void applied(const int *b, int *out) { std::apply([&](int k, int) { out[k & 7] = 1; }, std::pair(b[0], 1)); }
// expect NSKTRU
void sorted_by(const int *b, int *out) { std::array<int, 4> t{b[0], b[1], b[2], b[3]}; std::sort(t.begin(), t.end()); out[0] = t[0]; }
// expect NSKTRU
void found(const int *b, int *out) { out[std::find(b, b + 8, 3) - b] = 1; }
// expect NSKTRU
void max_element_at(const int *b, int *out) { out[std::max_element(b, b + 8) - b] = 1; }
// expect NSKTRU
void comparator(const int *b, int *out) { out[0] = std::min(b[0], b[1], [&](int x, int y) { out[x & 7] = 1; return x < y; }); }
struct Less { int *o; int k; bool operator<(const Less &l) const { o[k & 7] = 1; return k < l.k; } };
// expect NSKTRU
void own_less_in_min(const int *b, int *out) { Less p{out, b[0]}, q{out, b[1]}; out[0] = std::min(p, q).k; }
// expect NSKTRU
void own_less_in_clamp(const int *b, int *out) { Less p{out, b[0]}, q{out, 0}, r{out, 9}; out[0] = std::clamp(p, q, r).k; }
// expect NSKTRU
void minmax_at(const int *b, int *out) { auto [lo, hi] = std::minmax({b[0], b[1], b[2]}); out[lo & 7] = hi; }
// expect NSKTRU
void statement_expression(const int *b, int *out) { out[({ int k = b[0]; k & 7; })] = 1; }
// expect NSKTRU
void statement_expression_in_condition(const int *b, int *out) { for (int i = 0; ({ if (i < 3) out[b[i] & 7] = 1; i < 3; }); i++) ; }
// expect NSKTRU
void binary_conditional(const int *b, int *out) { out[(b[0] & 7) ?: 1] = 1; }
// expect NSKTRU
void case_range(const int *b, int *out) { switch (b[0]) { case 0 ... 3: out[b[1] & 7] = 1; } }
// expect NSKTRU
void switch_init(const int *b, int *out, int n) { switch (int k = touch(out, b[0]); n) { default: out[0] = k; } }
// expect NSKTRU
void while_decl(const int *b, int *out, int n) { while (int k = n-- > 0 ? out[b[n] & 7]-- : 0) out[0] = k; }
// expect NSKTRU
void do_continue(const int *b, int *out, int n) { int i = 0; do { if (b[i] > 3) continue; out[0]++; } while (touch(out, b[i]), ++i < 3); }
// expect NSKTRU
void duff(const int *b, int *out, int n) { int i = 0; switch (n & 1) { do { case 0: out[i] = 1; case 1: out[b[i] & 7] = 1; } while (++i < 4); } }
// expect NSKTRU
void volatile_read(const int *b, int *out) { volatile int k = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void user_literal(const int *b, int *out) { struct L { static int at(const int *p) { return p[0] & 7; } }; out[L::at(b)] = 1; }
// expect NSKTRU
void source_loc(const int *b, int *out) { out[(std::source_location::current().line() + b[0]) & 7] = 1; }
// Null pointers that are computed
static std::nullptr_t none(int *out, int k) { out[k & 7] = 1; return nullptr; }
// expect NSKTRU
void null_of_call(const int *b, int *out) { int *p = none(out, b[0]); out[p == nullptr] = 1; }
// expect NSKTRU
void null_behind_comma(const int *b, int *out) { int *p = (out[b[0] & 7] = 1, nullptr); out[p == nullptr] = 1; }
// expect NSKTRU
void null_compared(const int *b, int *out) { int *p = out; if (p == none(out, b[0])) out[1] = 1; }
// expect AP
void null_of_uniform_call(const int *b, int *out) { int *p = none(out, 2); out[p == nullptr] = b[0]; }
// Temporaries, too, have no value before they are set
struct Unset { int x; Unset() {} };
// expect NSKTRU
void unset_temporary(const int *b, int *out) { out[Unset().x & 7] = b[0]; }
// expect U
void captured_variable_length(const int *b, int *out, int n) { int t[n]; t[0] = b[0]; auto f = [&](int i) { return t[i]; }; out[0] = f(0); }
__attribute__((target("default"))) int version(int v) { return 0; }
__attribute__((target("avx2"))) int version(int v) { return v & 7; }
// expect U
void by_processor(const int *b, int *out) { out[version(b[0])] = 1; }
// What has its value when the source is compiled
struct Pair { int x, y; };
consteval int *nowhere() { return nullptr; }
constexpr int one = 1;
consteval const int &place(const int &v) { return v; }
consteval const int *address() { return &one; }
// expect U
void immediate_place(const int *b, int *out) { out[place(one)] = b[0]; }
// expect U
void immediate_address(const int *b, int *out) { out[*address()] = b[0]; }
// expect AP
void immediate_null(const int *b, int *out) { out[nowhere() == nullptr] = b[0]; }
