# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types, expressions and descriptions that generated programmes consist of."""
from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Type:
    name: str
    bits: int
    signed: bool = False
    real: bool = False

    @property
    def low(self):
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self):
        return (1 << (self.bits - (1 if self.signed else 0))) - 1

    @property
    def cell(self):
        if self.real:
            return f"f{self.bits}"
        if self.bits == 1:
            return "boolean"
        return f"{'s' if self.signed else 'u'}{self.bits}"


BOOL = Type("bool", 1)
I8, U8 = Type("int8_t", 8, True), Type("uint8_t", 8)
I16, U16 = Type("int16_t", 16, True), Type("uint16_t", 16)
I32, U32 = Type("int32_t", 32, True), Type("uint32_t", 32)
I64, U64 = Type("int64_t", 64, True), Type("uint64_t", 64)
F32, F64 = Type("float", 32, True, True), Type("double", 64, True, True)
INTEGERS = [I8, U8, I16, U16, I32, U32, I64, U64]
SCALARS = INTEGERS + [BOOL, F32, F64]


def promote(t):
    return I32 if t.bits < 32 else t


def common(a, b):
    """The usual arithmetic conversions."""
    if a.real or b.real:
        return F64 if F64 in (a, b) else F32
    a, b = promote(a), promote(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


# --- pieces of a programme ---------------------------------------------------


@dataclass(frozen=True)
class Expr:
    text: str
    type: Type
    low: int = 0  # integers: the value lies in [low, high]
    high: int = 0

    def fits(self, t=None):
        t = t or self.type
        return t.low <= self.low and self.high <= t.high


def whole(text, t):
    return Expr(text, t, t.low, t.high) if not t.real else Expr(text, t)


@dataclass
class Var:
    name: str
    type: Type
    uniform: bool
    assignable: bool = True
    low: int = None
    high: int = None

    def expr(self):
        if self.type.real or self.low is None:
            return whole(self.name, self.type)
        return Expr(self.name, self.type, self.low, self.high)


@dataclass
class Place:
    """An array, field or referenced scalar: text with one %s per subscript."""

    pattern: str
    type: Type
    extents: list
    uniform: bool
    writable: bool
    base: str = ""  # expression of type pointer to the first cell, or ''
    parameter: str = ""  # an entry's array: its name
    low: int = None
    high: int = None

    def range(self, text):
        if self.type.real or self.low is None:
            return whole(text, self.type)
        return Expr(text, self.type, self.low, self.high)


@dataclass
class ArrayDescription:
    name: str  # leaf name, as reported: "a", "s.v"
    cell: str
    cells: int
    uniform: bool
    low: int = None  # contents of integer arrays, inclusive
    high: int = None


@dataclass
class Entry:
    name: str
    arrays: list = field(default_factory=list)  # ArrayDescription
    scalars: list = field(default_factory=list)  # (name, cell, value)
    wrapper: list = field(default_factory=list)  # C++ lines: call over A[i] and S[i]
    after: list = field(default_factory=list)  # ends the wrapper
    number: int = 0  # of the programme


@dataclass
class Helper:
    name: str
    result: Type
    params: list  # (kind, Type, extent): kind value, ref, ptr, cptr, depth
    pure: bool
    divergent: bool = False


class Counts(Counter):
    """How often each construct was generated; `names` lists all there are."""

    names = set()

    @classmethod
    def register(cls, *names):
        cls.names.update(names)

    def add(self, name):
        Counts.names.add(name)
        self[name] += 1

    def missing(self):
        return sorted(n for n in Counts.names if not self[n])


ARITHMETIC = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
MATH = {
    "sqrt": 1,
    "fabs": 1,
    "floor": 1,
    "ceil": 1,
    "trunc": 1,
    "rint": 1,
    "fma": 3,
    "fmin": 2,
    "fmax": 2,
    "copysign": 2,
    "sin": 1,
    "exp": 1,
    "atan2": 2,
    "pow": 2,
    "log": 1,
}
Counts.register(
    *(f"operator {o}" for o in ARITHMETIC + COMPARISONS),
    *(f"assign {o}=" for o in ARITHMETIC),
    *(f"math {m}" for m in MATH),
    *(f"type {t.name}" for t in SCALARS),
    "operator unary -",
    "operator ~",
    "operator !",
    "operator &&",
    "operator ||",
    "operator ?:",
    "operator ,",
    "statement if",
    "statement else",
    "statement for",
    "statement while",
    "statement do",
    "statement switch",
    "statement break",
    "statement continue",
    "statement return early",
    "counter behind an exit",
    "switch fall-through",
)
