# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements that keep uniform variables uniform."""
from model import *


class Statements:
    # -- statements --

    def value_for(self, t, depth, uniform=False):
        """Text assignable to type t without undefined behaviour."""
        e = self.expression("real" if t.real else "int", depth, uniform)
        return e.text

    def block(self, size):
        for _ in range(size):
            self.statement()

    def statement(self):
        nested = len(self.loops) < 3 and self.indent < 6 and self.trips < 200
        choices = [
            (self.declare_scalar, 8),
            (self.assign_variable, 10),
            (self.store, 18),
            (self.compound, 8),
            (self.increment, 4),
            (self.call_statement, 8),
            (self.swap, 2),
            (self.comma, 2),
            (self.declare_local_array, 2),
            (self.uniform_assignment, 3),
            (self.pointer_walk, 2 if nested else 0),
            (self.copy_cells, 3),
            (self.enumeration, 1),
            (self.lambda_call, 2),
            (self.struct_value, 2),
            (self.shape, 8),
            (self.if_statement, 9 if self.indent < 6 else 0),
            (self.switch_statement, 3 if nested else 0),
            (self.for_statement, 7 if nested else 0),
            (self.while_statement, 3 if nested else 0),
            (self.do_statement, 2 if nested else 0),
            (self.search_statement, 3 if nested else 0),
            (self.leave, 4 if self.loops else 1),
        ]
        actions, weights = zip(*choices)
        self.rng.choices(actions, weights)[0]()

    def declare_scalar(self):
        t = self.pick(SCALARS)
        self.counts.add(f"type {t.name}")
        name = self.fresh("v")
        uniform = self.chance(0.2) and not self.pure
        value = self.value_for(t, 2, uniform)
        self.emit(f"{t.name} {name} = {value};")
        self.declare(Var(name, t, uniform))

    def assign_variable(self):
        variables = self.visible(Var, lambda v: v.assignable and not v.uniform)
        if not variables:
            return self.declare_scalar()
        v = self.pick(variables)
        self.counts.add("statement assignment")
        self.emit(f"{v.name} = {self.value_for(v.type, self.rng.randrange(1, 4))};")

    def uniform_assignment(self):
        variables = self.visible(Var, lambda v: v.assignable and v.uniform)
        places = self.visible(Place, lambda p: p.uniform and p.writable)
        if self.divergent or not variables + places:
            return self.store()
        thing = self.pick(variables + places)
        self.counts.add("assignment of a uniform variable")
        if isinstance(thing, Var):
            self.emit(f"{thing.name} = {self.value_for(thing.type, 2, True)};")
        else:
            self.emit(f"{self.access(thing).text} = {self.value_for(thing.type, 2, True)};")

    def varying_places(self):
        return self.visible(Place, lambda p: p.writable and not p.uniform)

    def store(self):
        places = self.varying_places()
        if not places:
            return self.assign_variable()
        parameters = [p for p in places if p.parameter]
        place = self.pick(parameters if parameters and self.chance(0.6) else places)
        self.counts.add("statement store")
        self.emit(
            f"{self.access(place).text} = {self.value_for(place.type, self.rng.randrange(1, 4))};"
        )

    def compound(self):
        things = self.visible(Var, lambda v: v.assignable and not v.uniform and v.type is not BOOL)
        things += [p for p in self.varying_places() if p.type is not BOOL]
        if not things:
            return self.declare_scalar()
        thing = self.pick(things)
        text = thing.name if isinstance(thing, Var) else self.access(thing).text
        t = thing.type
        if t.real:
            op = self.pick(["+", "-", "*", "/"])
            self.emit(f'{text} {op}= {self.expression("real", 2).text};')
        else:
            op = self.pick(ARITHMETIC)
            rhs = self.expression("int", 2)
            result = self.combine_compound(op, t, rhs)
            if not result:
                return self.store()
            self.emit(f"{text} {op}= {result};")
        self.counts.add(f"assign {op}=")

    def combine_compound(self, op, t, rhs):
        left = whole("", t)
        if op in ("/", "%"):
            if t.signed or rhs.type.signed:
                return (
                    f"(({rhs.text} & 15) + 1)"
                    if not promote(t).signed or promote(rhs.type).signed
                    else f"(int)(({rhs.text} & 15) + 1)"
                )
            return f"({rhs.text} | 1)"
        if op in ("<<", ">>"):
            width = promote(t).bits
            if promote(t).signed and op == "<<":
                return None if t.bits >= 32 or t.signed else f"({rhs.text} & 7)"
            return f"({rhs.text} & {width - 1})"
        if not common(t, rhs.type).signed or op in "&|^":
            return rhs.text
        for _ in range(3):
            low, high = self.interval(op, left, rhs)
            c = common(t, rhs.type)
            if c.low <= low and high <= c.high:
                return rhs.text
            rhs = self.shrink(rhs)
        return (
            self.unsigned(rhs).text if common(t, self.unsigned(rhs).type).signed is False else None
        )

    def increment(self):
        # int and wider signed types could overflow; narrow ones wrap.
        can = lambda t: t is not BOOL and not t.real and (t.bits < 32 or not t.signed)
        things = self.visible(Var, lambda v: v.assignable and not v.uniform and can(v.type))
        things += [p for p in self.varying_places() if can(p.type)]
        if not things:
            return self.declare_scalar()
        thing = self.pick(things)
        text = thing.name if isinstance(thing, Var) else self.access(thing).text
        op = self.pick(["++", "--"])
        form = self.rng.randrange(3)
        self.counts.add("increment")
        if form == 0:
            self.emit(f"{op}{text};")
        elif form == 1:
            self.emit(f"{text}{op};")
        else:
            name = self.fresh("v")
            self.counts.add("value of an increment")
            self.emit(f"{thing.type.name} {name} = {text}{op};")
            self.declare(Var(name, thing.type, False))

    def swap(self):
        t = self.pick([x.type for x in self.varying_places()] or [None])
        if t is None:
            return self.declare_scalar()
        used = set()
        a, b = self.lvalue(t, used), self.lvalue(t, used)
        if not a or not b:
            return self.store()
        self.counts.add("std::swap")
        self.emit(f"std::swap({a}, {b});")

    def comma(self):
        variables = self.visible(
            Var, lambda v: v.assignable and not v.uniform and v.type is not BOOL
        )
        if not variables:
            return self.declare_scalar()
        v = self.pick(variables)
        self.counts.add("operator ,")
        if self.straight or self.chance(0.5):
            w = self.pick(variables)
            self.emit(
                f"{v.name} = {self.value_for(v.type, 1)}, {w.name} = {self.value_for(w.type, 2)};"
            )
            return
        self.counts.add("side effect under &&")
        op = self.pick(["&&", "||"])
        self.emit(
            f"if ({self.condition(1).text} {op} (({v.name} = {self.value_for(v.type, 1)}), "
            f"{self.condition(1).text})) {{"
        )
        self.under(True, 1)
        self.emit("}")

    def under(self, divergent, size):
        saved = self.divergent
        self.divergent = self.divergent or divergent
        self.scoped(lambda: self.block(size))
        self.divergent = saved or self.returned

    def if_statement(self):
        uniform = self.straight or self.chance(0.3) and not self.pure
        self.counts.add("statement if")
        self.counts.add("uniform condition" if uniform else "varying condition")
        self.emit(f"if ({self.condition(2, uniform).text}) {{")
        self.under(not uniform, self.rng.randrange(1, 4))
        if self.chance(0.4):
            self.counts.add("statement else")
            if self.chance(0.3):
                self.emit(f"}} else if ({self.condition(1, uniform).text}) {{")
                self.under(not uniform, 1)
            self.emit("} else {")
            self.under(not uniform, self.rng.randrange(1, 3))
        self.emit("}")

    def switch_statement(self):
        uniform = self.straight or self.chance(0.3) and not self.pure
        self.counts.add("statement switch")
        e = self.unsigned(self.expression("int", 2, uniform))
        self.emit(f"switch ({e.text} % 5) {{")
        # A `continue` inside would be fine, a `break` would leave the switch only.
        self.loops.append((False, False))
        for value in self.rng.sample(range(5), 3):
            self.emit(f"case {value}:")
            if self.chance(0.2):
                self.emit(f"case {value + 5}:")
            self.case_body(not uniform)
        if self.chance(0.6):
            self.emit("default:")
            self.case_body(not uniform)
        self.loops.pop()
        self.emit("}")

    def case_body(self, divergent):
        self.emit("{")
        self.under(divergent, self.rng.randrange(1, 3))
        self.emit("}")
        if self.chance(0.65):
            self.emit("  break;")
        else:
            self.counts.add("switch fall-through")
