# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ file that puts a batch of generated entries behind the harness."""


def scalar_bits(cell, value):
    import struct

    if cell == "f32":
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if cell == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    bits = 1 if cell == "boolean" else int(cell[1:])
    return value & ((1 << bits) - 1)


def drawn_job(entry, instances, seed):
    """A job of colonnade-interpret (test/tools/Interpret/Job.h) whose inputs it draws."""
    arrays = []
    for a in entry.arrays:
        limits = {} if a.low is None else {"low": a.low, "high": a.high}
        arrays.append(
            {"name": a.name, "cell": a.cell, "cells": a.cells, "uniform": a.uniform, **limits}
        )
    scalars = {n: scalar_bits(c, v) for n, c, v in entry.scalars}
    return {
        "name": entry.name,
        "scalars": scalars,
        "arrays": arrays,
        "draw": instances,
        "seed": seed,
    }


def wrappers(source, entries, bulk=(), prelude=""):
    """Text of a file that calls the entries: it includes `source`, or declares them by
    `prelude`. `bulk`: names of entries with a back end linked in."""
    lines = [
        '#include "harness.hpp"',
        "",
        prelude or f'#include "{source}"',
        "",
        "using namespace fuzz;",
        "",
    ]
    for name in bulk:
        lines.append(
            f"namespace colonnade::runtime::{name}_bulk {{ const function_info &info(); }}"
        )
    for e in entries:
        body = ["  " + line for line in e.wrapper]
        lines += (
            [
                f"static void call_{e.name}([[maybe_unused]] void *const *A, "
                "[[maybe_unused]] const uint64_t *S) {"
            ]
            + body
            + ["}"]
        )
    lines += ["", "static const bool registered = [] {"]
    for e in entries:
        arrays = ", ".join(
            '{{"{}", cell_type::{}, {}, {}, {}, {}, {}}}'.format(
                a.name,
                a.cell,
                a.cells,
                str(a.uniform).lower(),
                str(a.low is not None).lower(),
                a.low or 0,
                a.high or 0,
            )
            for a in e.arrays
        )
        scalars = ", ".join(f'{{"{n}", {scalar_bits(c, v)}u}}' for n, c, v in e.scalars)
        info = f"&colonnade::runtime::{e.name}_bulk::info()" if e.name in bulk else "nullptr"
        lines.append(
            f'  entries().push_back({{"{e.name}", {{{arrays}}}, {{{scalars}}}, '
            f"call_{e.name}, {info}}});"
        )
    return "\n".join(lines + ["  return true;", "}();", ""])
