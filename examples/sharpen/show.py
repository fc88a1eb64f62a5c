#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""show.py OUT COLUMNS ROWS: puts the tiles together as after.png."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy
import png

out, columns, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
_, tiles = npy.read(f"{out}/sharp.npy")
picture = bytearray()
for y in range(16 * rows):
    for column in range(columns):
        first = ((y // 16) * columns + column) * 256 + y % 16 * 16
        picture += bytes(tiles[first : first + 16])
png.write(f"{out}/after.png", 16 * columns, 16 * rows, 1, bytes(picture))
(count, _, _), before = npy.read(f"{out}/tiles.npy")
print("pixels      darkest  brightest  saturated")
for name, cells in (("before", before), ("after", tiles)):
    saturated = sum(c in (0, 255) for c in cells)
    print(f"{name:10s}  {min(cells):7d}  {max(cells):9d}  {saturated:9d}")
print(f"{count} tiles; pictures: {out}/before.png {out}/after.png")
