#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""show.py OUT: a table, and triangulations.svg with the first twelve polygons."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy

out = sys.argv[1]
(count, n, _), corners = npy.read(f"{out}/corners.npy")
_, weight = npy.read(f"{out}/weight.npy")
_, best = npy.read(f"{out}/best.npy")


def chords(polygon):
    """Retraces the minima from the table of least weights."""
    cell = lambda i, j: best[(polygon * n + i) * n + j]
    found = []
    pending = [(1, n - 1)]
    while pending:
        i, j = pending.pop()
        if i == j:
            continue
        k = min(range(i, j), key=lambda k: cell(i, k) + cell(k + 1, j))
        for a, b in ((i, k), (k + 1, j)):
            if a != b:
                found.append((a - 1, b))
                pending.append((a, b))
    return found


def fan(polygon):
    return sum(weight[(polygon * n) * n + j] for j in range(2, n - 1))


print("polygon   best     fan from vertex 0")
svg = []
for polygon in range(12):
    least = best[(polygon * n + 1) * n + n - 1]
    retraced = chords(polygon)
    total = sum(weight[(polygon * n + a) * n + b] for a, b in retraced)
    if len(retraced) != n - 3 or abs(total - least) > 1e-4 * least or least > fan(polygon) + 1e-4:
        sys.exit(f"polygon {polygon}: the chords weigh {total}, the table says {least}")
    print(f"{polygon:7d}  {least:7.4f}  {fan(polygon):7.4f}")
    x0, y0 = 110 + polygon % 4 * 210, 90 + polygon // 4 * 170
    at = lambda v: (
        x0 + 95 * corners[(polygon * n + v) * 2],
        y0 + 75 * corners[(polygon * n + v) * 2 + 1],
    )
    outline = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, range(n)))
    svg.append(f'<polygon points="{outline}" fill="#eef4fb" stroke="#1f4e79" stroke-width="1.5"/>')
    for a, b in retraced:
        (xa, ya), (xb, yb) = at(a), at(b)
        svg.append(
            f'<line x1="{xa:.1f}" y1="{ya:.1f}" x2="{xb:.1f}" y2="{yb:.1f}" stroke="#c0504d"/>'
        )
    svg.append(
        f'<text x="{x0}" y="{y0 + 90}" font-size="12" text-anchor="middle" '
        f'font-family="sans-serif">{least:.3f}</text>'
    )
with open(f"{out}/triangulations.svg", "w") as file:
    file.write(
        '<svg xmlns="http://www.w3.org/2000/svg" width="850" height="530">'
        '<rect width="100%" height="100%" fill="white"/>' + "".join(svg) + "</svg>\n"
    )
print(f"{count} polygons of {n} vertices; picture: {out}/triangulations.svg")
