#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_input.py OUT COUNT N: COUNT road networks of N towns."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import math
import random

import npy

out, count, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(2)
roads = []
for _ in range(count):
    towns = [(random.random(), random.random()) for _ in range(n)]
    for i in range(n):
        for j in range(n):
            length = math.dist(towns[i], towns[j])
            # A road joins neighbouring towns, and each town to the next one.
            joined = length < 0.25 or abs(i - j) <= 1
            roads.append(length if joined else math.inf)
npy.write(f"{out}/roads.npy", "<f4", (count, n * n), roads)
