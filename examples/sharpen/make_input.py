#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_input.py OUT COLUMNS ROWS: a drawn picture, cut into bordered tiles."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import math
import random

import npy
import png

out, columns, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
width, height = 16 * columns, 16 * rows
random.seed(4)
discs = [
    (
        random.uniform(0, width),
        random.uniform(0, height),
        random.uniform(10, 70),
        random.randrange(30, 226),
    )
    for _ in range(40)
]


def brightness(x, y):
    value = 90 + 60 * math.sin(x / 60) * math.cos(y / 45)
    for cx, cy, radius, level in discs:
        distance = math.hypot(x - cx, y - cy)
        if distance < radius + 2:
            edge = min(1, (radius + 2 - distance) / 4)  # a blurred rim
            value += edge * (level - value)
    return max(0, min(255, int(value)))


picture = [bytes(brightness(x, y) for x in range(width)) for y in range(height)]
png.write(f"{out}/before.png", width, height, 1, b"".join(picture))
inside = lambda v, size: max(0, min(size - 1, v))
tiles = bytearray()
for row in range(rows):
    for column in range(columns):
        for y in range(-1, 17):
            line = picture[inside(16 * row + y, height)]
            tiles += bytes(line[inside(16 * column + x, width)] for x in range(-1, 17))
npy.write(f"{out}/tiles.npy", "|u1", (columns * rows, 18, 18), tiles)
