# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a certificate: numbers of the IR's types, and sizes."""
import ctypes
import math
import re
import struct

REALS = {"f32": (ctypes.c_float, "f"), "f64": (ctypes.c_double, "")}
DATA = None  # a value that differs from instance to instance, or is indeterminate
LIBM = ctypes.CDLL("libm.so.6")


class Wrong(Exception):
    pass


class NoRun(Exception):
    """At these sizes the function may not be run, or too long."""


def truncated(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def wrap(value, kind):
    """The value as its type holds it."""
    if value is DATA:
        return DATA
    if kind == "bool":
        return bool(value)
    if kind == "f32":
        try:
            return struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    if kind == "f64":
        return float(value)
    bits = int(kind[1:])
    value = int(value) & ((1 << bits) - 1)
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def from_bits(bits, kind):
    if kind in ("f32", "f64"):
        layout = "If" if kind == "f32" else "Qd"
        return struct.unpack(layout[1], struct.pack(layout[0], bits))[0]
    return wrap(bits, kind)


def arithmetic(mnemonic, kind, a, b):
    """Of two values, neither of which is data."""
    if mnemonic in ("div", "rem") and kind[0] != "f":
        if b == 0:
            return DATA
        return truncated(a, b) if mnemonic == "div" else a - b * truncated(a, b)
    if mnemonic == "div":
        if b == 0:
            return (
                math.nan if a == 0 or a != a else math.copysign(math.inf, a) * (math.copysign(1, b))
            )
        return a / b
    if mnemonic in ("shl", "shr"):
        if not 0 <= b < int(kind[1:]):
            return DATA
        return a << b if mnemonic == "shl" else a >> b
    operation = {
        "add": lambda: a + b,
        "sub": lambda: a - b,
        "mul": lambda: a * b,
        "and": lambda: a & b,
        "or": lambda: a | b,
        "xor": lambda: a ^ b,
    }
    return operation[mnemonic]()


def library_call(function, kind, operands):
    """The C library's, which has all functions of the IR, and errors for none."""
    real, suffix = REALS[kind]
    call = getattr(LIBM, function + suffix)
    call.restype, call.argtypes = real, [real] * len(operands)
    return call(*operands)


def constant(text, kind):
    if kind == "bool":
        return text == "true"
    if kind[0] != "f":
        return int(text)
    return math.nan if text.startswith("nan") else float(text)


def size(text, names):
    """The value of a size expression; None if unknown."""
    if "?" in text:
        return None
    python = re.sub(
        r"[A-Za-z_][\w.:]*",
        lambda m: m[0] if m[0] in ("max", "min") else f"N({names[m[0]]})",
        text.replace(" ", ""),
    )
    python = re.sub(r"(?<![\w)])(\d+)", r"N(\1)", python).replace("/", "//")
    return int(eval(python, {"N": Number, "max": max, "min": min}))  # of our own reports


class Number(int):
    """An integer whose quotient is C's."""

    def __floordiv__(self, other):
        return Number(truncated(int(self), int(other)))

    def __mod__(self, other):
        return Number(int(self) - int(other) * truncated(int(self), int(other)))

    def __add__(self, other):
        return Number(int(self) + int(other))

    def __sub__(self, other):
        return Number(int(self) - int(other))

    def __mul__(self, other):
        return Number(int(self) * int(other))

    def __neg__(self):
        return Number(-int(self))
