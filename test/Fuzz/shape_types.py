# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types and functions that forms of shapes.py name; what follows --- stands in another file."""

SHAPE_TYPES = {
    "{f}_three": """struct {f}_three {{
  uint32_t p, q, r;
  static constexpr uint32_t K = {k}u;
  enum : uint32_t {{ E = {k}u * 2u }};
  static constexpr uint32_t table[4] = {{3u, {k}u, 8u, 1u}};
  static uint32_t twice(uint32_t x) {{ return x * 2u + {k}u; }}
  static uint32_t weighted(uint32_t x, uint32_t at) {{
    static const uint32_t weights[4] = {{{k}u, 1u, 4u, 2u}};
    return x * weights[at];
  }}
}};
""",
    "{f}_with_default": "static uint32_t {f}_with_default(uint32_t x, uint32_t y = {k}u * "
    "(uint32_t)sizeof(uint32_t)) {{ return x ^ y; }}\n",
    "{f}_first": "static uint32_t {f}_first(uint32_t &x, uint32_t y) {{ x ^= {k}u; return x + y; "
    "}}\n",
    "{f}_stir": "static void {f}_stir(uint32_t &x, uint32_t by) {{ x = x * {k}u + by; }}\n",
    "{f}_bump": "static void {f}_bump(uint32_t &x) {{ x += 1u; }}\n",
    "{f}_sum": """struct {f}_sum {{
  uint32_t s;
  void add(uint32_t v) {{ s = s * {k}u ^ v; }}
  uint32_t get() const {{ return s + 1u; }}
  bool open() const {{ return (s & 3u) != 0u; }}
}};
""",
    "{f}_cursor": """struct {f}_cursor {{
  uint32_t at, end;
  bool more() const {{ return at < end; }}
  void next() {{ at += 1u; }}
  uint32_t take() {{ return at++; }}
}};
""",
    "{f}_init": """struct {f}_based {{
  uint32_t p;
  explicit {f}_based(uint32_t x) : p(x * 2u + 1u) {{}}
}};
struct {f}_init : {f}_based {{
  uint32_t q = p + {k}u;
  uint32_t r = q * 3u ^ this->p;
  uint32_t t[2] = {{q, r + 1u}};
  explicit {f}_init(uint32_t x) : {f}_based(x) {{ t[1] += p; }}
  {f}_init(uint32_t x, uint32_t y) : {f}_based(x ^ y), r(y) {{}}
  {f}_init() : {f}_init({k}u) {{ q++; }}
}};
""",
    "{f}_agg": """struct {f}_agg {{
  uint32_t p;
  uint32_t q = p * 3u + {k}u;
  uint32_t r = this->q ^ p;
}};
""",
    "{f}_outer": """struct {f}_outer {{
  {f}_agg inner;
  uint32_t last = inner.r + {k}u;
  explicit {f}_outer(uint32_t x) : inner{{x}} {{}}
}};
""",
    "{f}_inline": "inline constexpr uint32_t {f}_inline = {k}u * 5u;\n",
    "{f}_far(": "uint32_t {f}_far(uint32_t x);\n---\n"
    "uint32_t {f}_far(uint32_t x) {{ return x * {k}u ^ x >> 3; }}\n",
    "{f}_near(": "static uint32_t {f}_near(uint32_t x) {{ return x + {k}u; }}\n---\n",
    "{f}_far_near": "uint32_t {f}_far_near(uint32_t x);\n---\n"
    "static uint32_t {f}_near(uint32_t x) {{ return x * 5u; }}\n"
    "uint32_t {f}_far_near(uint32_t x) {{ return {f}_near(x) ^ {k}u; }}\n",
    "{f}_far_into": "void {f}_far_into(uint32_t *p, uint32_t &r, uint32_t x);\n---\n"
    "void {f}_far_into(uint32_t *p, uint32_t &r, uint32_t x) {{ p[1] += x; r ^= p[0]++ + {k}u; "
    "}}\n",
    "{f}_far_table": "extern const uint32_t {f}_far_table[4];\n---\n"
    "extern const uint32_t {f}_far_table[4] = {{{k}u, 6u, 1u, 12u}};\n",
    "{f}_near_table": "static const uint32_t {f}_near_table[4] = {{1u, {k}u, 3u, 7u}};\n---\n",
    "{f}_far_cell": "uint32_t {f}_far_cell(uint32_t i);\n---\n"
    "static const uint32_t {f}_near_table[4] = {{9u, 2u, {k}u, 4u}};\n"
    "uint32_t {f}_far_cell(uint32_t i) {{ return {f}_near_table[i]; }}\n",
    "{f}_shared": """struct {f}_shared {{
  uint32_t s;
  explicit {f}_shared(uint32_t x);
  void stir(uint32_t by);
}};
---
struct {f}_shared {{
  uint32_t s;
  explicit {f}_shared(uint32_t x);
  void stir(uint32_t by);
}};
{f}_shared::{f}_shared(uint32_t x) : s(x * {k}u) {{}}
void {f}_shared::stir(uint32_t by) {{ s = s * 7u ^ by; }}
""",
}
