#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_input.py OUT COUNT N: chord weights of COUNT convex N-gons."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import math
import random

import npy

out, count, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(1)
corners = []
weights = []
for _ in range(count):
    # Points on an ellipse, in order of angle: always convex.
    angles = sorted(random.uniform(0, 2 * math.pi) for _ in range(n))
    flat = random.uniform(0.4, 1)
    points = [(math.cos(a), flat * math.sin(a)) for a in angles]
    corners += [coordinate for point in points for coordinate in point]
    for i in range(n):
        for j in range(n):
            is_edge = abs(i - j) in (0, 1, n - 1)
            weights.append(0 if is_edge else math.dist(points[i], points[j]))
npy.write(f"{out}/corners.npy", "<f4", (count, n, 2), corners)
npy.write(f"{out}/weight.npy", "<f4", (count, n * n), weights)
