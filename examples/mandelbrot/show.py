#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""show.py OUT WIDTH HEIGHT LIMIT: mandelbrot.png and a table of escape times."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import math

import npy
import png

out, width, height, limit = sys.argv[1], *map(int, sys.argv[2:5])
_, iterations = npy.read(f"{out}/iterations.npy")


def colour(r):
    if r == limit:
        return (0, 0, 0)
    t = math.log1p(r) / math.log1p(limit)
    return (
        int(255 * min(1, 1.7 * t)),
        int(255 * t**1.5),
        int(255 * (0.35 + 0.5 * math.sin(3 * t))),
    )


palette = [bytes(colour(r)) for r in range(limit + 1)]
png.write(f"{out}/mandelbrot.png", width, height, 3, b"".join(palette[r] for r in iterations))
print("escape after    points")
low = 0
for high in (1, 3, 10, 30, 100, limit):
    print(f"{low:4d} ... {high - 1:4d}  {sum(low <= r < high for r in iterations):8d}")
    low = high
print(f"never         {sum(r == limit for r in iterations):8d}")
print(f"picture: {out}/mandelbrot.png")
