# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops with uniform bounds, and the ways out of them."""
from model import *


class Loops:
    # -- loops --

    def trip_bound(self):
        """(text, value, type): a uniform number of iterations, at least 1."""
        known = self.visible(
            Var,
            lambda v: v.uniform
            and v.low is not None
            and v.low == v.high
            and 1 <= v.low <= 9
            and not v.type.real,
        )
        if known and self.chance(0.5):
            v = self.pick(known)
            return v.name, v.low, v.type
        value = self.rng.randrange(1, 7)
        return str(value), value, None

    def loop(self, header, footer, size, trips, counter, can_exit=True):
        exits = can_exit and self.chance(0.35) and not self.pure and not self.straight
        saved = self.divergent, self.trips
        self.trips *= max(trips, 1)
        whole = self.sum_over_the_range(trips)
        self.loops.append((exits, True))
        self.emit(header)

        def body():
            if counter:
                self.declare(counter)
            if whole:
                self.emit(f"{whole.name} += {whole.step};")
            self.divergent = self.divergent or exits
            self.block(size)
            if exits and self.chance(0.5):
                self.exit_on_data()

        self.scoped(body)
        self.loops.pop()
        self.divergent, self.trips = saved[0] or self.returned, saved[1]
        self.emit(footer)

    def sum_over_the_range(self, trips):
        """A sum from the least to about the largest number of its type: as the product
        that stands for it, it would not fit."""
        if self.pure or trips < 1 or not self.chance(0.15):
            return None
        self.counts.add("sum over the range of its type")
        t = self.pick([I32, I64])
        low, high = -(2 ** (t.bits - 1)) + 1, 2 ** (t.bits - 1) - 1
        whole = Var(self.fresh("whole"), t, False, False, low, high)
        whole.step = (high - low) // (trips + 1)
        self.emit(f"{t.name} {whole.name} = {low};")
        self.declare(whole)
        return whole

    def for_statement(self):
        self.counts.add("statement for")
        t = self.pick([I32, I32, I32, U32, I64, U64, U8, I16])
        name = self.fresh("i")
        bound, value, bound_type = self.trip_bound()
        form = self.rng.randrange(6)
        size = self.rng.randrange(1, 4)
        if form <= 1:
            header = f"for ({t.name} {name} = 0; {name} < {bound}; {name}++) {{"
            low, high = 0, value - 1
        elif form == 2:
            t = self.pick([I32, I64, I16])
            header = f"for ({t.name} {name} = {bound} - 1; {name} >= 0; --{name}) {{"
            low, high = 0, value - 1
            self.counts.add("downward loop")
        elif form == 3:
            header = f"for ({t.name} {name} = 1; {name} <= {bound}; {name} += 2) {{"
            low, high = 1, value
        elif form == 4:
            header = f"for ({t.name} {name} = 0; {name} != {bound}; ++{name}) {{"
            low, high = 0, value - 1
        else:
            header = f"for ({t.name} {name} = 1; {name} < {bound}; {name} *= 2) {{"
            low, high = 1, max(value - 1, 1)
            self.counts.add("geometric loop")
        # Data may leave only where a uniform bound is sure to be shown: not in a
        # geometric loop, nor where the counter could wrap before the bound.
        self.loop(
            header,
            "}",
            size,
            value,
            Var(name, t, True, False, low, high),
            bound_type is None and form < 5 or bound_type is t and form < 2,
        )

    def while_statement(self):
        self.counts.add("statement while")
        name = self.fresh("w")
        bound, value, bound_type = self.trip_bound()
        self.emit(f"int {name} = 0;")
        exits = bound_type in (None, I32)
        if self.chance(0.4) and exits and not self.pure and not self.straight:
            self.counts.add("data in the condition of a loop")
            header = f"while ({name} < {bound} && {self.condition(1).text}) {{"
            saved = self.divergent
            self.loops.append((True, True))
            self.emit(header)

            def body():
                self.emit(f"{name}++;")
                self.declare(Var(name, I32, True, False, 1, value))
                self.divergent = True
                self.block(self.rng.randrange(1, 4))

            self.scoped(body)
            self.loops.pop()
            self.divergent = saved or self.returned
            self.emit("}")
            return
        self.loop(
            f"while ({name}++ < {bound}) {{",
            "}",
            self.rng.randrange(1, 4),
            value,
            Var(name, I32, True, False, 1, value),
            exits,
        )

    def do_statement(self):
        self.counts.add("statement do")
        name = self.fresh("d")
        bound, value, bound_type = self.trip_bound()
        self.emit(f"int {name} = 0;")
        footer = f"}} while (++{name} < {bound});"
        self.loop(
            "do {",
            footer,
            self.rng.randrange(1, 3),
            value,
            Var(name, I32, True, False, 0, value - 1),
            bound_type in (None, I32),
        )

    def counter_of_search(self):
        """(type, start, test, step, last): of a loop that ends after a few iterations, with the
        counter's value then."""
        t = self.pick([I32, I64, U32, U64])
        bound, value, bound_type = self.trip_bound()
        if bound_type not in (None, t):
            bound = str(value)
        forms = [
            ("0", f"< {bound}", "++", value),
            ("1", f"<= {bound}", "++", value + 1),
            ("0", f"!= {bound}", "++", value),
            (bound, "> 0", "--", 0),
            (bound, ">= 1", "--", 0),
            (f"{bound} + 2", ">= 3", "--", 2),
            (bound, "!= 0", "--", 0),
        ]
        if t.signed:
            forms += [
                ("0", f"< {bound}", " += 2", value + value % 2),
                ("1", f"<= {bound}", " += 3", 1 + 3 * ((value + 2) // 3)),
                (bound, "> -1", " -= 2", -2 + value % 2),
                (bound, ">= 0", "--", -1),
            ]
        return t, *self.pick(forms)

    def search_statement(self):
        """Data may leave the loop; where it has not, the counter and a sum decide addresses."""
        if self.pure or self.straight or self.divergent or self.loops or not self.varying_places():
            return self.store()
        self.counts.add("counter behind an exit")
        t, start, test, step, last = self.counter_of_search()
        i, total, found = self.fresh("i"), self.fresh("sum"), self.fresh("found")
        self.emit(f"{t.name} {i} = {start};")
        self.emit(f"uint32_t {total} = 1;")
        self.emit(f"bool {found} = false;")
        self.loops.append((False, False))  # no other exit
        self.emit(f"for (; {i} {test}; {i}{step}) {{")

        def body():
            self.emit(f"{total} += {self.rng.randrange(1, 4)};")
            self.emit(f"if ({self.condition(1).text}) {{ {found} = true; break; }}")
            self.divergent = True
            self.block(self.rng.randrange(0, 2))

        self.scoped(body)
        self.loops.pop()
        self.emit("}")
        self.emit(f"if (!{found}) {{")

        def behind():
            self.declare(Var(i, t, True, False, last, last))
            for index in (i, total):
                place = self.pick(self.varying_places())
                subscripts = tuple(f"(uint32_t){index} % {n}" for n in place.extents)
                self.emit(f"{place.pattern % subscripts} = {self.value_for(place.type, 1)};")
            self.block(1)

        self.scoped(behind)
        self.emit("}")
        self.divergent = self.returned

    def leave(self):
        """break, continue or return."""
        if self.loops and self.loops[-1][0]:
            return self.exit_on_data()
        inside = [exits for exits, _ in self.loops]
        if (
            all(inside)
            and not self.straight
            and not self.pure
            and self.indent < 4
            and self.chance(0.5)
            and self.result is not False
        ):
            return self.early_return()
        return self.store()

    def exit_on_data(self):
        _, can_continue = self.loops[-1]
        kind = self.pick(["break", "continue"] if can_continue else ["break"])
        self.counts.add(f"statement {kind}")
        if self.chance(0.2) and all(e for e, _ in self.loops) and self.result is not False:
            return self.early_return()
        self.emit(f"if ({self.condition(2).text}) {{")
        saved = self.divergent
        self.divergent = True
        self.scoped(lambda: (self.block(self.rng.randrange(0, 2)), self.emit(f"{kind};")))
        self.divergent = saved or self.returned

        self.emit("}")

    def early_return(self):
        self.counts.add("statement return early")
        self.emit(f"if ({self.condition(2).text})")
        value = "" if self.result is None else " " + self.value_for(self.result, 1)
        self.emit(f"  return{value};")
        self.divergent = self.returned = True
