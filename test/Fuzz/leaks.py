# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programmes with a planted leak: one address depends on data.

The leak goes through one of LAUNDRIES, in a random programme, plain or wrapped
in a loop, a uniform branch or a branch on data. It lies before any early return
and addresses parameter `dst`, so that a recorder sees it: different data give
different traces.
"""
import random

from model import Place, U32
from programme import HEADER, Generator

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
    "round trip through dst": "dst[0] = {x} % 8u; dst[(unsigned)dst[0] % 8u] = 29;",
    "uniform array written under a branch": "unsigned l[2] = {{1, 2}}; if ({x} & 1u) l[0] = 5; "
    "dst[l[0]] = 30;",
    "store at a data index of a local": "unsigned l[4] = {{1, 1, 1, 1}}; "
    "l[{x} % 4u] = 6; dst[l[0]] = 30;",
}

CALLEES = """enum class {f}_kind : uint8_t {{ k0, k1, k2, k3 }};
static const unsigned {f}_table[4] = {{3, 0, 6, 5}};
struct {f}_box {{
  unsigned index;
  unsigned cells[2];
  void set(unsigned v) {{ index = v % 8u; }}
  unsigned get() const {{ return index; }}
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
"""

WRAPPERS = {
    "plain": "{{ {leak} }}",
    "in a loop": "for (int z = 0; z < 2; z++) {{ {leak} }}",
    "under a uniform branch": "if (n > 0) {{ {leak} }}",
    "under a branch on data": "if (src[3] > 5u) {{ {leak} }}",
    "in a loop with an exit": "for (int z = 0; z < 3; z++) {{ {leak} if (src[z] & 2u) break; }}",
}


class LeakGenerator(Generator):
    """Plants `laundry` after a few random statements at the top of the entry."""

    def __init__(self, rng, counts, number, laundry):
        super().__init__(rng, counts, number)
        self.laundry = laundry
        self.planted = False

    def parameters(self):
        scope, texts, call = super().parameters()
        texts += ["uint32_t src[4] COLONNADE_EXTENT(4)", "uint32_t dst[8] COLONNADE_EXTENT(8)"]
        call += [
            f'(uint32_t *){self.array("src", U32, 4, False)}',
            f'(uint32_t *){self.array("dst", U32, 8, False)}',
        ]
        scope += [
            Place("src[%s]", U32, [4], False, False, "", "src"),
            Place("dst[%s]", U32, [8], False, True, "dst", "dst"),
        ]
        self.top += CALLEES.format(f=self.prefix).split("\n")
        return scope, texts, call

    def block(self, size):
        if self.indent == 1 and not self.in_helper and not self.planted:
            self.planted = True
            result, self.result = self.result, False  # no early return before the leak
            super().block(self.rng.randrange(0, 3))
            self.result = result
            self.plant()
        super().block(size)

    def plant(self):
        x = f"src[{self.rng.randrange(4)}]"
        if self.chance(0.3):
            x = f"(src[0] ^ src[{self.rng.randrange(1, 4)}])"
        leak = LAUNDRIES[self.laundry].format(x=x, f=self.prefix)
        wrapper = self.pick(list(WRAPPERS))
        self.counts.add(f"leak {wrapper}")
        self.counts.add(f"leak: {self.laundry}")
        self.emit("unsigned seen = 0;")
        if self.chance(0.5):  # else every origin is a cell that is never written
            self.emit(f"src[{self.rng.randrange(4)}] ^= dst[{self.rng.randrange(8)}];")
        self.emit(f"// leak: {self.laundry}, {wrapper}")
        self.emit(WRAPPERS[wrapper].format(leak=leak))
        self.emit("dst[7] ^= seen;")


def programme(seed, numbers, counts):
    """As programme.programme; number k plants laundry k modulo their count."""
    lines, entries = list(HEADER), []
    names = sorted(LAUNDRIES)
    for number in numbers:
        rng = random.Random(f"leak {seed}/{number}")
        generator = LeakGenerator(rng, counts, number, names[number % len(names)])
        text, entry = generator.generate()
        entry.note = generator.laundry
        lines += text
        entries.append(entry)
    return "\n".join(lines), entries
