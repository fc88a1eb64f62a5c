# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random local arrays, pointers, copies, enums, lambdas and structs."""
from model import *


class Objects:
    # -- data structures --

    def declare_local_array(self):
        if self.trips > 20:
            return self.store()
        t = self.pick(SCALARS)
        name = self.fresh("l")
        form = self.rng.randrange(4)
        uniform = self.chance(0.3) and not self.pure and not self.divergent
        if form == 0:
            n, m = self.rng.randrange(2, 4), self.rng.randrange(2, 5)
            self.counts.add("local array of two dimensions")
            self.emit(f"{t.name} {name}[{n}][{m}] = {{}};")
            self.declare(Place(f"{name}[%s][%s]", t, [n, m], uniform, True))
        elif form == 1:
            n = self.rng.randrange(2, 6)
            self.counts.add("std::array")
            self.emit(f"std::array<{t.name}, {n}> {name} = {{}};")
            self.declare(Place(f"{name}[%s]", t, [n], uniform, True))
        elif form == 2:
            n = self.rng.randrange(2, 8)
            i = self.fresh("i")
            self.counts.add("local array")
            self.emit(f"{t.name} {name}[{n}];")
            self.emit(f"for (int {i} = 0; {i} < {n}; {i}++)")
            self.scopes.append([Var(i, I32, True, False, 0, n - 1)])
            self.emit(f"  {name}[{i}] = {self.value_for(t, 2, uniform)};")
            self.scopes.pop()
            self.declare(Place(f"{name}[%s]", t, [n], uniform, True, name))
        else:
            n = self.rng.randrange(2, 8)
            self.counts.add("local array")
            values = ", ".join(str(self.rng.randrange(2 if t is BOOL else 100)) for _ in range(n))
            self.emit(f"{t.name} {name}[{n}] = {{{values}}};")
            self.declare(Place(f"{name}[%s]", t, [n], uniform, True, name))

    def pointer_walk(self):
        places = self.visible(
            Place,
            lambda p: p.base
            and len(p.extents) == 1
            and not p.uniform
            and p.writable
            and p.extents[0] >= 2,
        )
        if not places:
            return self.store()
        place = self.pick(places)
        n = place.extents[0]
        p, i = self.fresh("p"), self.fresh("i")
        t = place.type.name
        form = self.rng.randrange(3)
        self.counts.add("pointer walk")
        if form == 0:
            self.emit(f"{t} *{p} = {place.base};")
            self.emit(f"for (int {i} = 0; {i} < {n}; {i}++, {p}++) {{")
            body = lambda: self.walk_body(f"*{p}", place.type)
        elif form == 1:
            self.emit(f"{t} *{p} = {place.base} + {n - 1};")
            self.emit(f"for (int {i} = 0; {i} < {n}; {i}++) {{")
            body = lambda: self.walk_body(f"{p}[-{i}]", place.type)
        else:
            self.emit(
                f"for ({t} *{p} = {place.base}, *e{p} = {place.base} + {n}; {p} != e{p}; ++{p}) {{"
            )
            body = lambda: self.walk_body(f"*{p}", place.type)
        saved = self.trips
        self.trips *= n
        self.loops.append((False, False))
        self.scoped(body)
        self.loops.pop()
        self.trips = saved
        self.emit("}")

    def walk_body(self, text, t):
        self.emit(f"{text} = {self.value_for(t, 2)};")
        if self.chance(0.4) and not self.straight:
            self.emit(f"if ({self.condition(1).text})")
            self.emit(f"  {text} = {self.value_for(t, 1)};")

    def copy_cells(self):
        places = self.visible(Place, lambda p: p.base and len(p.extents) == 1 and not p.uniform)
        targets = [p for p in places if p.writable]
        if not targets or self.pure:
            return self.store()
        to = self.pick(targets)
        others = [p for p in places if p.type is to.type and p.base != to.base]
        form = self.pick(["memset", "memcpy", "memmove"])
        if form == "memset" or not others:
            self.counts.add("memset")
            self.emit(f"std::memset({to.base}, 0, {to.extents[0]} * sizeof({to.type.name}));")
        else:
            source = self.pick(others)
            n = min(source.extents[0], to.extents[0])
            self.counts.add(form)
            self.emit(f"std::{form}({to.base}, {source.base}, {n} * sizeof({to.type.name}));")

    def enumeration(self):
        name = self.fresh("m")
        kind = self.pick([f"{self.prefix}_plain", f"{self.prefix}_scoped"])
        self.counts.add("enum")
        constant = f"{kind}::e2" if kind.endswith("scoped") else f"{self.prefix}_p2"
        e = self.unsigned(self.expression("int", 1))
        self.emit(f"{kind} {name} = static_cast<{kind}>({e.text} % 4);")
        v = None if self.straight else self.lvalue(self.pick(INTEGERS))
        if v:
            self.emit(f"if ({name} == {constant})")
            self.emit(f"  {v} = static_cast<int>({name});")
        elif kind.endswith("plain"):
            self.declare(Var(name, I32, False, False, 0, 3))

    def lambda_call(self):
        if self.pure:
            return self.store()
        name, x = self.fresh("f"), self.fresh("x")
        t = self.pick([I32, U32, F32, U8])
        captured = self.visible(Var, lambda v: v.assignable and not v.uniform and v.type is U32)
        self.counts.add("lambda")
        saved = self.scopes
        self.scopes = [[Var(x, t, False, False)] + ([captured[0]] if captured else [])]
        value = self.value_for(t, 2)
        self.scopes = saved
        effect = f"{captured[0].name} += 3u; " if captured else ""
        self.emit(f"auto {name} = [&]({t.name} {x}) -> {t.name} {{ {effect}return {value}; }};")
        result = self.fresh("v")
        self.emit(f"{t.name} {result} = {name}({self.value_for(t, 1)});")
        self.declare(Var(result, t, False))

    def struct_value(self):
        name = self.fresh("s")
        kind = f"{self.prefix}_pair"
        self.counts.add("struct value")
        self.emit(f"{kind} {name} = {{}};")
        self.declare(Place(f"{name}.x", I32, [], False, True))
        self.declare(Place(f"{name}.y", F32, [], False, True))
        self.declare(Place(f"{name}.v[%s]", U16, [3], False, True, f"{name}.v"))
        self.emit(f"{name}.x = {self.value_for(I32, 2)};")
        self.emit(f"{name}.v[{self.index(3)}] = {self.value_for(U16, 2)};")
        if self.chance(0.5):
            self.counts.add("overloaded operator")
            other = self.fresh("s")
            self.emit(
                f"{kind} {other} = {name} + {kind}{{{self.rng.randrange(9)}, 0.5f, {{1, 2, 3}}}};"
            )
            self.declare(Place(f"{other}.x", I32, [], False, True))
            self.declare(Place(f"{other}.v[%s]", U16, [3], False, True))
        elif self.chance(0.5):
            self.counts.add("method")
            self.emit(f"{name}.turn({self.value_for(U16, 1)});")
        else:
            self.counts.add("struct assignment")
            other = self.fresh("s")
            self.emit(f"{kind} {other};")
            self.emit(f"{other} = {name};")
            self.declare(Place(f"{other}.x", I32, [], False, True))
            self.declare(Place(f"{other}.v[%s]", U16, [3], False, True))

    def call_statement(self):
        helpers = [h for h in self.helpers if not h.pure]
        if not helpers or self.in_helper:
            return self.store()
        helper = self.pick(helpers)
        args = self.arguments(helper, 1)
        if args is None:
            return self.store()
        self.counts.add("call with out-parameters")
        if helper.result:
            name = self.fresh("v")
            self.emit(f"{helper.result.name} {name} = {helper.name}({args});")
            self.declare(Var(name, helper.result, False))
        else:
            self.emit(f"{helper.name}({args});")
