#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_input.py OUT WIDTH HEIGHT: the points of the picture."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy

out, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
step = 3.2 / width
points = [(-2.2 + step * x, step * (y - height / 2)) for y in range(height) for x in range(width)]
npy.write(f"{out}/re.npy", "<f8", (len(points), 1), [re for re, _ in points])
npy.write(f"{out}/im.npy", "<f8", (len(points), 1), [im for _, im in points])
