# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways a planted leak takes from data to an address (leaks.py), as C++ text."""

# {x}: a data-dependent unsigned value; {f}: the entry's prefix, for callees.
# Statements end with an access to dst (8 cells) at a place that depends on {x}.
LAUNDRIES = {
    "directly": "dst[{x} % 8u] = 1;",
    "load only": "seen += dst[{x} % 8u];",
    "local scalar": "unsigned j = {x} % 8u; dst[j] += 1;",
    "copied scalar": "unsigned j = {x}; unsigned k = j; unsigned m = k % 8u; dst[m] = 2;",
    "local array": "unsigned l[3] = {{0, 1, 2}}; l[1] = {x} % 8u; dst[l[1]] = 3;",
    "other cell of a local array": "unsigned l[3] = {{0, 1, 2}}; for (int i = 0; i < 3; i++) "
    "l[i] = {x} % 7u; dst[l[2]] = 3;",
    "struct field": "{f}_box s = {{}}; s.index = {x} % 8u; dst[s.index] = 4;",
    "array field": "{f}_box s = {{}}; s.cells[1] = {x} % 8u; dst[s.cells[1]] = 4;",
    "struct copy": "{f}_box s = {{}}; s.index = {x} % 8u; {f}_box t; t = s; dst[t.index] = 4;",
    "struct by value": "dst[{f}_unbox({f}_make({x}))] = 5;",
    "reference": "unsigned j = 0; unsigned &r = j; r = {x} % 8u; dst[j] = 6;",
    "pointer to a local": "unsigned j = 0; unsigned *p = &j; *p = {x} % 8u; dst[j] = 6;",
    "pointer to a field": "{f}_box s = {{}}; unsigned *p = &s.index; *p = {x} % 8u; "
    "dst[s.index] = 6;",
    "out-parameter by reference": "unsigned j = 0; {f}_put(j, {x}); dst[j] = 7;",
    "out-parameter by pointer": "unsigned j = 0; {f}_put(&j, {x}); dst[j] = 7;",
    "callee result": "dst[{f}_reduced({x})] = 8;",
    "early return in a callee": "dst[{f}_early({x})] = 8;",
    "early return in a loop of a callee": "dst[{f}_search(src, {x})] = 8;",
    "method": "{f}_box s = {{}}; s.set({x}); dst[s.get()] = 9;",
    "template": "dst[{f}_template<unsigned>({x})] = 9;",
    "lambda": "unsigned j = 0; auto set = [&](unsigned v) {{ j = v % 8u; }}; set({x}); dst[j] = 9;",
    "lambda result": "auto get = [](unsigned v) {{ return v % 8u; }}; dst[get({x})] = 9;",
    "std::array": "std::array<unsigned, 2> l = {{}}; l[1] = {x} % 8u; dst[l[1]] = 10;",
    "std::swap": "unsigned j = 1, k = {x} % 8u; std::swap(j, k); dst[j] = 11;",
    "std::min": "unsigned j = std::min({x} % 8u, 5u); dst[j] = 11;",
    "std::max": "unsigned j = std::max({x} % 8u, 3u); dst[j] = 11;",
    "memcpy": "unsigned l[2] = {{0, 0}}; unsigned m[2] = {{{x}, {x}}}; "
    "std::memcpy(l, m, sizeof l); dst[l[1] % 8u] = 12;",
    "memcpy from data": "unsigned l[4]; std::memcpy(l, src, sizeof l); dst[l[2] % 8u] = 12;",
    "assigned under a branch": "unsigned j = 2; if ({x} & 1u) j = 5; dst[j] = 13;",
    "assigned in an else": "unsigned j = 2; if ({x} & 1u) {{ seen++; }} else j = 5; dst[j] = 13;",
    "incremented under a branch": "unsigned j = 2; if ({x} & 1u) ++j; dst[j] = 13;",
    "branch in a branch": "unsigned j = 2; if (n > 0) {{ if ({x} & 1u) {{ j = 1; }} }} "
    "dst[j] = 13;",
    "conditional operator": "unsigned j = {x} & 1u ? 3u : 6u; dst[j] = 14;",
    "side effect under &&": "unsigned j = 0; if (({x} & 1u) && (j = 4, true)) seen++; dst[j] = 15;",
    "side effect under ||": "unsigned j = 0; bool b = ({x} & 1u) || (j = 4) > 0; "
    "seen += b; dst[j] = 15;",
    "comma": "unsigned j = (seen++, {x} % 8u); dst[j] = 15;",
    "counter after break": "int i = 0; for (; i < 6; i++) if (src[i % 4] & 1u) break; dst[i] = 16;",
    "counter after while": "int i = 0; while (i < 6 && (src[i % 4] & 1u)) i++; dst[i] = 16;",
    "counter after do": "int i = 0; do {{ i++; }} while (i < 6 && (src[i % 4] & 1u)); dst[i] = 16;",
    "count after continue": "int c = 0; for (int i = 0; i < 4; i++) {{ if (src[i] & 1u) continue; "
    "c++; }} dst[c] = 17;",
    "switch fall-through": "unsigned j = 0; switch ({x} % 3u) {{ case 0: j++; case 1: j++; "
    "default: j++; }} dst[j] = 18;",
    "switch with break": "unsigned j = 0; switch ({x} % 3u) {{ case 0: j = 1; break; "
    "case 1: j = 2; break; }} dst[j] = 18;",
    "flag": "bool found = false; for (int i = 0; i < 2; i++) if (src[i] & 1u) found = true; "
    "dst[found ? 1 : 0] = 19;",
    "pointer selected": "auto *p = ({x} & 1u) ? dst : dst + 4; p[1] = 20;",
    "pointer assigned under a branch": "auto *p = dst; if ({x} & 1u) p = dst + 3; p[0] = 20;",
    "pointer advanced": "auto *p = dst; p += {x} % 8u; *p = 20;",
    "pointer incremented under a branch": "auto *p = dst; if ({x} & 1u) p++; *p = 20;",
    "pointer into a callee": "{f}_write(dst + {x} % 8u);",
    "trip count": "for (unsigned i = 0; i < {x} % 5u; i++) dst[i] = 21;",
    "trip count, counted": "unsigned c = 0; for (unsigned i = 0; i < {x} % 5u; i++) c++; "
    "dst[c] = 21;",
    "start of a loop": "for (unsigned i = {x} % 5u; i < 5u; i++) dst[i] = 21;",
    "step of a loop": "for (unsigned i = 0; i < 8u; i += 1u + ({x} & 1u)) dst[i] = 21;",
    "bool": "bool b = {x} % 8u > 3u; dst[b] = 22;",
    "comparison": "dst[2 * ({x} % 8u > 3u)] = 22;",
    "float": "float g = (float)({x} % 8u); dst[(int)g] = 23;",
    "enum": "{f}_kind k = static_cast<{f}_kind>({x} % 4u); dst[static_cast<int>(k)] = 23;",
    "mask": "unsigned m = 0u - ({x} & 1u); dst[(m & 3u) | (~m & 6u)] = 24;",
    "shift": "dst[{x} >> 29] = 24;",
    "division": "dst[{x} / 600000000u] = 24;",
    "narrowing": "unsigned char c = (unsigned char){x}; dst[c & 7] = 24;",
    "compound assignment": "unsigned j = 0; j += {x} & 1u; j <<= 1; dst[j] = 25;",
    "table": "dst[{f}_table[{x} % 4u]] = 26;",
    "carried to the next iteration": "unsigned j = 0; for (int i = 0; i < 3; i++) {{ dst[j] = 27; "
    "j = src[i] % 8u; }}",
    "carried two iterations": "unsigned j = 0, k = 0; for (int i = 0; i < 4; i++) {{ dst[j] = 27; "
    "j = k; k = src[i] % 8u; }}",
    "changed in an earlier iteration": "unsigned j = 1; for (int i = 0; i < 3; i++) {{ "
    "dst[j] = 27; if (src[i] & 1u) j = 2; }}",
    "exit taken earlier": "unsigned j = 0; for (int i = 0; i < 4; i++) {{ j++; "
    "if (src[i] & 1u) break; }} dst[j] = 28;",
    "nested exit": "unsigned j = 0; for (int i = 0; i < 2; i++) {{ for (int k = 0; k < 3; k++) {{ "
    "if (src[k] & 1u) break; j++; }} dst[j] = 28; }}",
    "constant initialiser": "unsigned j = {x} % 8u; "
    "const int k = __builtin_is_constant_evaluated() ? 1 : (j = 2, 2); dst[j] = k;",
    "value of a constant": "unsigned j = {x} % 8u; constexpr int k = "
    "__builtin_is_constant_evaluated() ? 1 : 2; const int *p = &k; if (*p == 2) j = 2; dst[j] = 3;",
    "round trip through dst": "dst[0] = {x} % 8u; dst[(unsigned)dst[0] % 8u] = 29;",
    "uniform array written under a branch": "unsigned l[2] = {{1, 2}}; if ({x} & 1u) l[0] = 5; "
    "dst[l[0]] = 30;",
    "store at a data index of a local": "unsigned l[4] = {{1, 1, 1, 1}}; "
    "l[{x} % 4u] = 6; dst[l[0]] = 30;",
    # Side effects in odd operands.
    "assigned assignment": "unsigned j = 0; (j += 1u) = {x} % 8u; dst[j] = 31;",
    "incremented increment": "unsigned j = {x} % 6u; ++(++j); dst[j] = 31;",
    "chain of assignments": "unsigned j, k; j = k = {x} % 8u; dst[j] = 31;",
    "operand of a cast to void": "unsigned j = 0; (void)(j = {x} % 8u); dst[j] = 31;",
    "unused sum": "unsigned j = 0; (j = {x} % 8u) + seen; dst[j] = 31;",
    "left of a comma in a subscript": "unsigned j = 0; dst[(j = {x} % 8u, 0u)] = 1; dst[j] = 31;",
    "subscript of the next subscript": "unsigned j = 0; dst[j++] = 1; dst[j += {x} % 7u] = 31;",
    "operand of __builtin_expect": "unsigned j = 0; if (__builtin_expect(j = {x} % 8u, 3)) seen++; "
    "dst[j] = 31;",
    "operand of __builtin_prefetch": "unsigned j = 0; __builtin_prefetch((j = {x} % 8u, dst)); "
    "dst[j] = 31;",
    "operand of __builtin_assume_aligned": "unsigned j = 0; unsigned *p = "
    "(unsigned *)__builtin_assume_aligned((j = {x} % 8u, dst), 4); p[j] = 31;",
    "initialiser of an if": "unsigned j = 0; if (j = {x} % 8u; n > 0) seen++; dst[j] = 31;",
    "operand of a switch": "unsigned j = 0; switch (j = {x} % 8u, n) {{ default: seen++; }} "
    "dst[j] = 31;",
    "header of a for": "unsigned j = 0; for (int i = (j = {x} % 8u, 0); i < 2; i++) seen++; "
    "dst[j] = 31;",
    "step of a for": "unsigned j = 0; for (int i = 0; i < 2; i++, j = src[i] % 8u) seen++; "
    "dst[j] = 31;",
    "condition of a while": "unsigned j = 0; int i = 0; while (j = {x} % 8u, i++ < 2) seen++; "
    "dst[j] = 31;",
    "object of a static member": "unsigned j = 0; {f}_box s = {{}}; seen += (j = {x} % 8u, s).K; "
    "dst[j] = 31;",
    "object of a static method": "unsigned j = 0; {f}_box s = {{}}; "
    "seen += (j = {x} % 8u, s).one(); dst[j] = 31;",
    "initialiser of an array": "unsigned j = 0; unsigned l[2] = {{j = {x} % 8u, 1u}}; "
    "seen += l[1]; dst[j] = 31;",
    "initialiser of a struct": "unsigned j = 0; {f}_pair2 s = {{j = {x} % 8u, 1u}}; seen += s.b; "
    "dst[j] = 31;",
    "default argument": "dst[{f}_defaulted({x})] = 31;",
    "reference to an assignment": "unsigned j = 0; unsigned &r = (j = {x} % 4u); r++; dst[j] = 31;",
    "chosen variable": "unsigned j = 0, k = 0; (n > 0 ? j : k) = {x} % 8u; dst[j] = 31;",
    "argument that is not used": "unsigned j = 0; seen += {f}_ignores(j = {x} % 8u); dst[j] = 31;",
    # State of a loop, changed by something else.
    "state of a loop, by a method": "{f}_box s = {{}}; for (int i = 0; i < 3; i++) {{ "
    "dst[s.index] = 32; s.set(src[i]); }}",
    "state of a loop, by a lambda": "unsigned j = 0; auto set = [&](unsigned v) {{ j = v % 8u; }}; "
    "for (int i = 0; i < 3; i++) {{ dst[j] = 32; set(src[i]); }}",
    "state of a loop, by a reference": "unsigned j = 0; unsigned &r = j; "
    "for (int i = 0; i < 3; i++) {{ dst[j] = 32; r = src[i] % 8u; }}",
    "state of a loop, by a pointer": "unsigned j = 0; unsigned *p = &j; "
    "for (int i = 0; i < 3; i++) {{ dst[j] = 32; *p = src[i] % 8u; }}",
    "state of a loop, by a callee": "unsigned j = 0; for (int i = 0; i < 3; i++) {{ dst[j] = 32; "
    "{f}_put(j, src[i]); }}",
    "end of a loop, by a lambda": "unsigned e = 5; auto cut = [&](unsigned v) {{ e = v % 5u; }}; "
    "for (unsigned i = 0; i < e; i++) {{ dst[i] = 32; cut({x}); }}",
    "end of a loop, by a method": "{f}_box s = {{}}; s.index = 5; "
    "for (unsigned i = 0; i < s.get(); i++) {{ dst[i] = 32; s.set({x}); }}",
    "counter of a loop, by a reference": "unsigned i = 0; unsigned &r = i; "
    "for (; i < 7u; i++) {{ dst[i] = 32; r += {x} & 1u; }}",
    "counter of the outer loop": "unsigned j = 0; while (j < 7u) {{ dst[j] = 32; "
    "for (int i = 0; i < 2; i++) j += 1u + (src[i] & 1u); }}",
    # Members.
    "default member initialiser": "{f}_member s({x}); dst[s.at] = 33;",
    "initialiser through this": "{f}_member s({x}); dst[s.again] = 33;",
    "delegating constructor": "{f}_member s({x}, 1u); dst[s.at] = 33;",
    "initialised base": "{f}_member s({x}); dst[s.base] = 33;",
    "aggregate with a default initialiser": "{f}_agg2 s = {{{x}}}; dst[s.at] = 33;",
    "temporary's member": "dst[{f}_member({x}).at] = 33;",
    "array of objects": "{f}_member l[2] = {{{f}_member(3u), {f}_member({x})}}; dst[l[1].at] = 33;",
    # Destructors: what has one that does something is outside the subset.
    "destructor of a temporary": "unsigned j = 0; seen += {f}_guard(j, {x}).by; dst[j] = 34;",
    "destructor of a local": "unsigned j = 0; {{ {f}_guard g(j, {x}); seen++; }} dst[j] = 34;",
    "destructor in a condition": "unsigned j = 0; if ({f}_guard(j, {x}).by > 3u) seen++; "
    "dst[j] = 34;",
    "destructor bound to a reference": "unsigned j = 0; {{ const {f}_guard &g = "
    "{f}_guard(j, {x}); seen += g.by; }} dst[j] = 34;",
    "destructor left by break": "unsigned j = 0; for (int i = 0; i < 2; i++) {{ "
    "{f}_guard g(j, {x}); if (i == 1) break; }} dst[j] = 34;",
    "destructor of a member": "unsigned j = 0; {{ {f}_holder h(j, {x}); seen++; }} dst[j] = 34;",
    "destructor of an array": "unsigned j = 0; {{ {f}_guard g[2] = {{{{j, 1u}}, {{j, 2u}}}}; "
    "g[0].by = {x}; seen++; }} dst[j] = 34;",
    "destructor of an argument": "unsigned j = 0; seen += {f}_got({f}_guard(j, {x})); dst[j] = 34;",
    "destructor of a result": "unsigned j = 0; {f}_guarding(j, {x}); dst[j] = 34;",
    "destructor that is called": "unsigned j = 0; "
    "alignas({f}_guard) unsigned char m[sizeof({f}_guard)]; "
    "{f}_guard *g = new (m) {f}_guard(j, {x}); g->~{f}_guard(); dst[j] = 34;",
    # Statics.
    "static variable": "dst[{f}_remembers({x})] = 35;",
    "table in a function": "static const unsigned t[4] = {{3u, 1u, 6u, 2u}}; "
    "dst[t[{x} % 4u]] = 35;",
    "member table": "dst[{f}_box::table[{x} % 4u]] = 35;",
    "static method": "dst[{f}_box::reduced({x})] = 35;",
    # Views of other types.
    "signed view": "unsigned l[2] = {{0, 0}}; int *p = (int *)l; p[1] = (int)({x} % 8u); "
    "dst[l[1]] = 36;",
    "signed reference": "unsigned j = 0; reinterpret_cast<int &>(j) = (int)({x} % 8u); "
    "dst[j] = 36;",
    "byte view": "unsigned j = 0; ((unsigned char *)&j)[0] = (unsigned char)({x} % 8u); "
    "dst[j] = 36;",
    "byte of an array": "unsigned l[2] = {{0, {x} % 8u}}; dst[((const unsigned char *)l)[4]] = 36;",
    "bits of a float": "float g = (float)({x} % 8u); unsigned u; std::memcpy(&u, &g, sizeof u); "
    "dst[u >> 23 & 7u] = 36;",
    "bit_cast": "float g = (float)({x} % 8u); "
    "dst[__builtin_bit_cast(unsigned, g) >> 23 & 7u] = 36;",
    "wide view": "unsigned l[2] = {{0, {x}}}; unsigned long long w; std::memcpy(&w, l, sizeof w); "
    "dst[(w >> 32) % 8u] = 36;",
    "first member": "{f}_box s = {{}}; reinterpret_cast<unsigned &>(s) = {x} % 8u; "
    "dst[s.index] = 36;",
    "byte of a bool": "bool b = false; *(unsigned char *)&b = {x} & 1u; dst[b] = 36;",
    "row of a matrix": "unsigned l[2][2] = {{}}; unsigned *p = l[1]; p[0] = {x} % 8u; "
    "dst[l[1][0]] = 36;",
    # Arrays of pointers.
    "pointer array indexed by data": "unsigned l[2] = {{0, 0}}; unsigned *p[2] = {{dst, l}}; "
    "p[{x} & 1u][1] = 37;",
    "pointer array indexed by data, one object": "unsigned *p[2] = {{dst, dst + 4}}; "
    "p[{x} & 1u][1] = 37;",
    "pointer array to a local": "unsigned j = 0, k = 0; unsigned *p[2] = {{&j, &k}}; "
    "*p[0] = {x} % 8u; dst[j] = 37;",
    "pointer array written under a branch": "unsigned *p[2] = {{dst, dst + 3}}; "
    "if ({x} & 1u) p[0] = p[1]; p[0][1] = 37;",
    "pointers exchanged under a branch": "unsigned *p = dst, *q = dst + 4; "
    "if ({x} & 1u) std::swap(p, q); p[1] = 37;",
    "pointer array to elements": "unsigned *p[1] = {{dst + {x} % 8u}}; *p[0] = 37;",
    # Other files.
    "callee in another file": "dst[{f}_off({x})] = 38;",
    "out-parameter in another file": "unsigned j = 0; {f}_off_put(&j, {x}); dst[j] = 38;",
    "access in another file": "{f}_off_write(dst, {x});",
    "callee with the name of a static one": "dst[{f}_off_same({x})] = {f}_same(38u);",
    "table in another file": "dst[{f}_off_table[{x} % 4u]] = 38;",
    "method in another file": "{f}_away s; s.set({x}); dst[s.at] = 38;",
}

CALLEES = """static const uint32_t {f}_calm[4] = {{2, 5, 1, 4}};
enum class {f}_kind : uint8_t {{ k0, k1, k2, k3 }};
static const unsigned {f}_table[4] = {{3, 0, 6, 5}};
struct {f}_box {{
  unsigned index;
  unsigned cells[2];
  void set(unsigned v) {{ index = v % 8u; }}
  unsigned get() const {{ return index; }}
  static constexpr unsigned K = 3;
  static constexpr unsigned table[4] = {{3, 0, 6, 5}};
  static unsigned one() {{ return 1; }}
  static unsigned reduced(unsigned v) {{ return v % 8u; }}
}};
static inline {f}_box {f}_make(unsigned v) {{ return {f}_box{{v % 8u, {{0, 0}}}}; }}
static inline unsigned {f}_unbox({f}_box b) {{ return b.index; }}
static inline void {f}_put(unsigned &o, unsigned v) {{ o = v % 8u; }}
static inline void {f}_put(unsigned *o, unsigned v) {{ *o = v % 8u; }}
static inline unsigned {f}_reduced(unsigned v) {{ return v % 8u; }}
static inline unsigned {f}_early(unsigned v) {{
  if (v & 1u)
    return 3;
  return 5;
}}
static inline int {f}_search(const uint32_t *p, unsigned v) {{
  for (int i = 0; i < 4; i++)
    if ((p[i] ^ v) & 2u)
      return i;
  return 4;
}}
template <class T> static inline T {f}_template(T v) {{ return v % T(8); }}
static inline void {f}_write(uint32_t *p) {{ *p = 20; }}
struct {f}_pair2 {{ unsigned a, b; }};
static inline unsigned {f}_defaulted(unsigned v, unsigned m = 8u) {{ return v % m; }}
static inline unsigned {f}_ignores(unsigned) {{ return 1; }}
struct {f}_root {{
  unsigned base;
  explicit {f}_root(unsigned v) : base(v % 8u) {{}}
}};
struct {f}_member : {f}_root {{
  unsigned at = base;
  unsigned again = this->at;
  explicit {f}_member(unsigned v) : {f}_root(v) {{}}
  {f}_member(unsigned v, unsigned w) : {f}_member(v) {{ again = w; }}
}};
struct {f}_agg2 {{
  unsigned from;
  unsigned at = from % 8u;
}};
struct {f}_guard {{
  unsigned &at;
  unsigned by;
  {f}_guard(unsigned &a, unsigned v) : at(a), by(v) {{}}
  ~{f}_guard() {{ at = by % 8u; }}
}};
struct {f}_holder {{
  {f}_guard guard;
  {f}_holder(unsigned &a, unsigned v) : guard(a, v) {{}}
}};
static inline unsigned {f}_got(const {f}_guard &g) {{ return g.by; }}
static inline {f}_guard {f}_guarding(unsigned &a, unsigned v) {{ return {f}_guard(a, v); }}
static inline unsigned {f}_remembers(unsigned v) {{
  static unsigned last = 0;
  last = v % 8u;
  return last;
}}
unsigned {f}_off(unsigned v);
void {f}_off_put(unsigned *o, unsigned v);
void {f}_off_write(uint32_t *p, unsigned v);
static unsigned {f}_same(unsigned v) {{ return v - v + 3u; }}
unsigned {f}_off_same(unsigned v);
extern const unsigned {f}_off_table[4];
struct {f}_away {{
  unsigned at;
  {f}_away();
  void set(unsigned v);
}};
"""

# In another file.
FAR_CALLEES = """unsigned {f}_off(unsigned v) {{ return v % 8u; }}
void {f}_off_put(unsigned *o, unsigned v) {{ *o = v % 8u; }}
void {f}_off_write(uint32_t *p, unsigned v) {{ p[v % 8u] = 38; }}
static unsigned {f}_same(unsigned v) {{ return v % 8u; }}
unsigned {f}_off_same(unsigned v) {{ return {f}_same(v); }}
extern const unsigned {f}_off_table[4] = {{3, 0, 6, 5}};
struct {f}_away {{
  unsigned at;
  {f}_away();
  void set(unsigned v);
}};
{f}_away::{f}_away() : at(0) {{}}
void {f}_away::set(unsigned v) {{ at = v % 8u; }}
"""

WRAPPERS = {
    "plain": "{{ {leak} }}",
    "in a loop": "for (int z = 0; z < 2; z++) {{ {leak} }}",
    "under a uniform branch": "if (n > 0) {{ {leak} }}",
    "under a branch on data": "if (src[3] > 5u) {{ {leak} }}",
    "in a loop with an exit": "for (int z = 0; z < 3; z++) {{ {leak} if (src[z] & 2u) break; }}",
}

# No twin is accepted: outside the subset, whatever they are given, or data in any case.
WITHOUT_TWIN = {
    *(name for name in LAUNDRIES if name.startswith("destructor")),
    "static variable",
    "byte view",
    "byte of an array",
    "byte of a bool",
    "wide view",
    "round trip through dst",
}
